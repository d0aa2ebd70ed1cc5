import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Countdown } from '../../../../server/upstream/mcp/countdown.ts';

const HOUR_MS = 60 * 60_000;
beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** How long a countdown of a minute lasts that is restarted or extended each half of a minute. */
function lasts(renew: (countdown: Countdown) => void): number {
  const countdown = new Countdown(60_000);
  const startedAt = performance.now();
  for (let step = 0; step < 1_000 && !countdown.signal.aborted; step += 1) {
    vi.advanceTimersByTime(30_000);
    renew(countdown);
  }
  countdown.stop();
  return performance.now() - startedAt;
}

it('ends after its time', () => {
  expect(lasts(() => undefined)).toBe(60_000);
});

it('lasts an hour while nothing is new', () => {
  expect(lasts((countdown) => countdown.extend())).toBe(HOUR_MS + 30_000);
});

it('lasts as long as there is news', () => {
  expect(lasts((countdown) => countdown.restart())).toBe(1_000 * 30_000);
});
