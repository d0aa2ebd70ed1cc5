import { beforeEach, expect, it, vi } from 'vitest';
import { untilShown, type WatchUntil } from '../../../../extension/background/takeover/methods.ts';
import { SpillwayError } from '../../../../shared/errors.ts';

const denied = vi.fn(() => Promise.reject(new SpillwayError('policy_denied', 'Denied.')));
const call = new AbortController();
const WATCH = {
  tabId: 7,
  until: { text: 'Welcome' },
  policy: { expect: denied },
  signal: call.signal,
} as unknown as WatchUntil;

beforeEach(() => void vi.useFakeTimers());

it.each([
  ['that the page does not answer is given up', () => new Promise<boolean>(() => undefined), 2_500],
  ['that fails shows nothing yet', () => Promise.reject(new Error('It is loading.')), 500],
])('a look %s, and the next one counts', async (_what, first, afterMs) => {
  const signals: AbortSignal[] = [];
  const watching = untilShown(WATCH, ({ signal }) => {
    signals.push(signal);
    return signals.length === 1 ? first() : Promise.resolve(true);
  });
  await vi.advanceTimersByTimeAsync(afterMs);
  await watching;
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
});
