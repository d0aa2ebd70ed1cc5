import { expect, it } from 'vitest';
import { Rate } from '../../../server/runs/rate.ts';

/** The rate after `steps` of `[milliseconds, done]`, asked for `later` milliseconds after the last. */
function rateOf(steps: readonly (readonly [number, number])[], later = 0): number {
  const rate = new Rate();
  for (const [at, done] of steps) rate.add(at, done);
  const [at, done] = steps.at(-1) ?? [0, 0];
  return rate.perSecond(at + later, done);
}

it.each<[string, [number, number][], number, number]>([
  ['nothing', [], 0, 0],
  ['one moment', [[5_000, 3]], 0, 0],
  ['ten in two seconds', [0, 4, 10].map((done, at) => [at * 1_000, done]), 0, 5],
  ['no progress', [0, 100].map((done, at) => [at * 10_000, done]), 10_000, 5],
  ['fractions', [0, 7].map((done, at) => [at * 30_000, done]), 0, 0.2],
])('of %s', (_name, steps, later, expected) => {
  expect(rateOf(steps, later)).toBe(expected);
});
