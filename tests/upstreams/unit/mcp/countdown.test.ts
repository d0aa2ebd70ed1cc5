import { beforeEach, expect, it, vi } from 'vitest';
import { Countdown } from '../../../../server/upstreams/mcp/questions.ts';

const HALF_MS = 30_000;
beforeEach(() => void vi.useFakeTimers());

it.each([
  ['in its time', () => undefined, 2 * HALF_MS],
  ['after an hour while nothing is new', (countdown: Countdown) => countdown.extend(), 60 * 60_000 + HALF_MS],
  ['never while there is news', (countdown: Countdown) => countdown.restart(), 1_000 * HALF_MS],
])('a countdown of a minute ends %s', (_when, renew, lastsMs) => {
  const countdown = new Countdown(60_000);
  const startedAt = performance.now();
  for (let step = 0; step < 1_000 && !countdown.signal.aborted; step += 1) {
    vi.advanceTimersByTime(HALF_MS);
    renew(countdown);
  }
  countdown.stop();
  expect(performance.now() - startedAt).toBe(lastsMs);
});
