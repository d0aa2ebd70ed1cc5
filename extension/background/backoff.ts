import { LIMITS } from '../../shared/limits.ts';

/**
 * Milliseconds to wait before the next attempt: doubles from `LIMITS.reconnectMinMs` up to
 * `LIMITS.reconnectMaxMs`, the upper half of each step random, so that several browsers that lost
 * their hosts at once do not come back at once.
 *
 * @param failures how many attempts have failed in a row, from 1
 * @param random a number in [0, 1)
 */
export function reconnectDelayMs(failures: number, random: () => number = Math.random): number {
  const { reconnectMinMs, reconnectMaxMs } = LIMITS;
  const step = Math.min(reconnectMaxMs, reconnectMinMs * 2 ** Math.min(failures - 1, 16));
  return Math.max(reconnectMinMs, Math.round(step / 2 + (step / 2) * random()));
}
