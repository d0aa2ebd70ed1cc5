import { expect, it } from 'vitest';
import { reconnectDelayMs } from '../../../extension/background/host-link.ts';

it.each([
  [1, 250, 250],
  [3, 500, 1_000],
  [8, 15_000, 30_000],
])('after %i failures waits %i to %i ms', (failures, least, most) => {
  expect(reconnectDelayMs(failures, () => 0)).toBe(least);
  expect(reconnectDelayMs(failures, () => 1)).toBe(most);
});
