import { beforeEach, describe, expect, it, vi } from 'vitest';
import { untilShown, type WatchUntil } from '../../../../extension/people/worker/takeover/methods.ts';
import { SpillwayError } from '../../../../shared/base/errors.ts';

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

describe('a take-over until the tab has moved', () => {
  const START = 'https://a.test/login?step=2';
  const frame = { url: START, documentId: 'd', documentLifecycle: 'active', frameId: 0, parentFrameId: -1 };
  it.each([
    ['another page', { url: 'https://a.test/home' }, true],
    ['another page that loads', { url: 'https://a.test/home', status: 'loading' }, false],
    ['the same page with another query', { url: 'https://a.test/login?step=3#x' }, false],
    ['the same page', { url: START }, false],
  ])('at %s', async (_where, tab, isOver) => {
    vi.stubGlobal('chrome', {
      webNavigation: { getFrame: () => Promise.resolve(frame) },
      tabs: { get: () => Promise.resolve({ status: 'complete', ...tab }) },
    });
    const over = vi.fn();
    const ended = new AbortController();
    const watch = {
      ...WATCH,
      until: { moved: true },
      page: START,
      policy: { expect: () => Promise.resolve() },
    };
    void untilShown({ ...watch, signal: ended.signal } as unknown as WatchUntil).then(over, () => undefined);
    await vi.advanceTimersByTimeAsync(600);
    expect(over).toHaveBeenCalledTimes(isOver ? 1 : 0);
    ended.abort(new Error('The test is over.'));
  });
});
