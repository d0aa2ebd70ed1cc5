import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { untilShown, type WatchUntil } from '../../../../extension/background/takeover/until.ts';
import { SpillwayError } from '../../../../shared/errors.ts';
import { installBrowser } from '../../../support/browser-api.ts';
import { codeOf } from '../../../support/code-of.ts';

const denied = vi.fn(() => Promise.reject(new SpillwayError('policy_denied', 'Denied.')));
const call = new AbortController();
const WATCH = {
  tabId: 7,
  until: { text: 'Welcome' },
  policy: { expect: denied },
  signal: call.signal,
} as unknown as WatchUntil;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

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

it('a page that may not be read is not looked at, and nobody is asked', async () => {
  const getFrame = () => Promise.resolve({ documentId: 'd1', url: 'https://a.test/' });
  installBrowser({ webNavigation: { getFrame } });
  const watching = codeOf(untilShown(WATCH));
  await vi.advanceTimersByTimeAsync(5_000);
  expect(denied).toHaveBeenCalledWith(expect.objectContaining({ url: 'https://a.test/' }), ['read'], {
    asks: false,
  });
  call.abort(new SpillwayError('cancelled', 'Over.'));
  expect(await watching).toBe('cancelled');
});
