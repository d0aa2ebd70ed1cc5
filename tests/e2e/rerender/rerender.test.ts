import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openLab } from '../../support/page-lab/lab.ts';
import type { Outcome, RerenderFunctions } from './bundle.ts';

/** Refs after a framework, or a page without one, has rendered again: never another element, and found where it is there. */
const lab = await openLab<RerenderFunctions>(resolve(import.meta.dirname, 'bundle.ts'));

const count = (all: readonly Outcome[], outcome: Outcome['outcome']): number =>
  all.filter((one) => one.outcome === outcome).length;

describe.each(['tuned', 'second'] as const)('%s scenarios', (set) => {
  test.each(['react', 'vue', 'lit'])('in %s', async (framework) => {
    const all = await lab.call('run', framework, set);
    const [found, wrong, refused] = [count(all, 'found'), count(all, 'wrong'), count(all, 'refused')];
    const share = (100 * found) / (found + refused);
    console.log(
      `${set}, ${framework}: ${all.length} refs, ${wrong} wrong, ${found} found (${share.toFixed(1)} %), ${refused} refused, ${count(all, 'gone')} gone`,
    );
    expect(all.filter(({ outcome }) => outcome === 'wrong')).toEqual([]);
    expect(share).toBeGreaterThanOrEqual(95);
  });
});

/** Only the totals of half B are shown: the matching is improved by what half A shows. */
describe.each(['a', 'b'] as const)('half %s of the third set', (half) => {
  test.each(['react', 'vue', 'lit', 'preact', 'plain'])('in %s', async (framework) => {
    const all = await lab.call('runHalf', framework, half);
    const [found, wrong, refused] = [count(all, 'found'), count(all, 'wrong'), count(all, 'refused')];
    const share = (100 * found) / (found + refused);
    console.log(
      `${half}, ${framework}: ${all.length} refs, ${wrong} wrong, ${found} found (${share.toFixed(1)} %), ${refused} refused, ${count(all, 'ambiguous')} ambiguous, ${count(all, 'gone')} gone`,
    );
    expect(wrong).toBe(0);
    expect(share).toBeGreaterThanOrEqual(95);
  });
});
