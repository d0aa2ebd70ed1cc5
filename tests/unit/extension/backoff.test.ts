import fc from '../../support/property.ts';
import { expect, it } from 'vitest';
import { reconnectDelayMs } from '../../../extension/background/backoff.ts';

it.each([
  [1, 250, 250],
  [2, 250, 500],
  [3, 500, 1_000],
  [7, 8_000, 16_000],
  [8, 15_000, 30_000],
  [1_000, 15_000, 30_000],
])('after %i failures waits %i to %i ms', (failures, least, most) => {
  expect(reconnectDelayMs(failures, () => 0)).toBe(least);
  expect(reconnectDelayMs(failures, () => 1)).toBe(most);
});

it('never leaves the bounds', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1 }), fc.double({ min: 0, max: 1, noNaN: true }), (failures, random) => {
      const delay = reconnectDelayMs(failures, () => random);
      expect(delay).toBeGreaterThanOrEqual(250);
      expect(delay).toBeLessThanOrEqual(30_000);
    }),
  );
});
