import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SpillwayError } from '../../../shared/base/errors.ts';
import { abortable, deadlineSignal, waitAtMost, withTimeout, defer } from '../../../shared/base/async.ts';
import { followersOf } from '../../support/followers.ts';

const TIME_MS = 50;
const GRACE_MS = 30;
const late = (): SpillwayError => new SpillwayError('timeout', 'It took too long.');

const WAYS: Readonly<
  Record<string, (work: Promise<string>, signal: AbortSignal) => Promise<string | undefined>>
> = {
  abortable: (work, signal) => abortable(work, signal),
  'abortable with a grace': (work, signal) => abortable(work, signal, { graceMs: GRACE_MS }),
  withTimeout: (work, signal) => withTimeout(work, TIME_MS, late, signal),
  waitAtMost: (work, signal) => waitAtMost(work, TIME_MS, signal),
};

const unhandled = vi.fn();

beforeEach(() => {
  process.on('unhandledRejection', unhandled);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});

afterEach(async () => {
  vi.useRealTimers();
  // Node reports an unhandled rejection after the microtasks of the turn.
  await new Promise((resolve) => setImmediate(resolve));
  process.off('unhandledRejection', unhandled);
  expect(unhandled).not.toHaveBeenCalled();
});

function setUp() {
  const work = defer<string>();
  const cancel = new AbortController();
  /** Listeners on the signal and timers that are still there. */
  const left = (): readonly number[] => [followersOf(cancel.signal), vi.getTimerCount()];
  return { ...work, cancel, left };
}

type SetUp = ReturnType<typeof setUp>;

describe.each(Object.entries(WAYS))('%s', (_name, wait) => {
  it.each([
    ['end', ({ resolve }: SetUp) => resolve('end')],
    ['why', ({ reject }: SetUp) => reject('why')],
  ])('settles with the %s of the work and removes listener and timer', async (said, settle) => {
    const made = setUp();
    const waited = wait(made.promise, made.cancel.signal)
      .catch((why: unknown) => why)
      .then((end) => [end, ...made.left()]);
    settle(made);
    expect(await waited).toEqual([said, 0, 0]);
  });

  it.each(['before', 'during'])('rejects with the reason of a signal aborted %s the wait', async (when) => {
    const { promise, reject, cancel, left } = setUp();
    if (when === 'before') cancel.abort('gone');
    const waited = wait(promise, cancel.signal).catch((why: unknown) => [why, ...left()]);
    cancel.abort('gone');
    await vi.runAllTimersAsync();
    expect(await waited).toEqual(['gone', 0, 0]);
    reject('too late');
  });
});

it.each(['abortable', 'withTimeout', 'waitAtMost'])(
  '%s rejects at once, and the reason wins over a result that comes after the abort',
  async (name) => {
    const { promise, resolve, cancel, left } = setUp();
    const waited = WAYS[name]?.(promise, cancel.signal);
    cancel.abort('gone');
    expect(left()).toEqual([0, 0]);
    resolve('too late');
    await expect(waited).rejects.toBe('gone');
    await expect(WAYS[name]?.(Promise.resolve('there already'), cancel.signal)).rejects.toBe('gone');
  },
);

it('deadlineSignal aborts with the supplied error, or with the first of its signals', async () => {
  const timed = setUp();
  const deadline = deadlineSignal(TIME_MS, late, timed.cancel.signal);
  await vi.advanceTimersByTimeAsync(TIME_MS);
  expect(deadline.signal.reason).toMatchObject({ code: 'timeout' });
  deadline.release();
  expect(timed.left()).toEqual([0, 0]);
  const { cancel, left } = setUp();
  const followed = deadlineSignal(TIME_MS, late, undefined, cancel.signal);
  cancel.abort('gone');
  expect(followed.signal.reason).toBe('gone');
  followed.release();
  expect(left()).toEqual([0, 0]);
});
