import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { sample } from '../../support/depth.ts';
import { openLab } from '../../support/page-lab/lab.ts';
import type { Outcome, RerenderFunctions } from './bundle.ts';

/** Refs after a framework, or a page without one, has re-rendered: never another element, and found if it exists. */
const lab = await openLab<RerenderFunctions>(resolve(import.meta.dirname, 'bundle.ts'));

/** Pages and what renders them. The gate takes every eighth: each half is among them. */
const RUNS = [
  ['half a', 'react'],
  ['half a', 'vue'],
  ['half a', 'plain'],
  ['half a', 'preact'],
  ['half a', 'lit'],
  ['half b', 'react'],
  ['half b', 'preact'],
  ['half b', 'plain'],
  ['half b', 'vue'],
  ['half b', 'lit'],
] as const;

test.each(sample(RUNS, 8))('pages of %s in %s', async (set, framework) => {
  const all = await lab.call('run', framework, set);
  const count = (outcome: Outcome['outcome']): number => all.filter((one) => one.outcome === outcome).length;
  const [found, wrong, refused] = [count('found'), count('wrong'), count('refused')];
  const share = (100 * found) / (found + refused);
  console.log(
    `${set}, ${framework}: ${all.length} refs, ${wrong} wrong, ${found} found (${share.toFixed(1)} %), ${refused} refused, ${count('ambiguous')} ambiguous, ${count('gone')} gone`,
  );
  // Only the totals of half B are shown: the matching is developed with the others.
  if (set !== 'half b') expect(all.filter(({ outcome }) => outcome === 'wrong')).toEqual([]);
  expect(wrong).toBe(0);
  expect(share).toBeGreaterThanOrEqual(95);
});
