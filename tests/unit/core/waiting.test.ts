import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { orAborted, orAfter, orLeft } from '../../../server/core/waiting.ts';
import { deferred } from '../../support/deferred.ts';
import { followersOf } from '../../support/followers.ts';

const TIME_MS = 50;

/** Waits for work with a signal, in each of the ways there are. */
const WAYS: Readonly<
  Record<string, (work: Promise<string>, signal: AbortSignal) => Promise<string | undefined>>
> = {
  orAborted: (work, signal) => orAborted(work, signal),
  orLeft: (work, signal) => orLeft(work, signal),
  orAfter: (work, signal) => orAfter(work, TIME_MS, signal),
};

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function setUp() {
  const work = deferred<string>();
  const cancel = new AbortController();
  const left = (): readonly number[] => [followersOf(cancel.signal), vi.getTimerCount()];
  return { ...work, cancel, left };
}

describe.each(Object.entries(WAYS))('%s', (_name, wait) => {
  it('answers the end of the work and leaves nothing behind', async () => {
    const done = setUp();
    const waited = wait(done.promise, done.cancel.signal).then((end) => [end, ...done.left()]);
    done.resolve('end');
    expect(await waited).toEqual(['end', 0, 0]);
    const failed = setUp();
    const refused = wait(failed.promise, failed.cancel.signal).catch((why: unknown) => [
      why,
      ...failed.left(),
    ]);
    failed.reject('why');
    expect(await refused).toEqual(['why', 0, 0]);
  });

  it.each(['before', 'while it waits'])('throws the reason of a signal that aborts %s', async (when) => {
    const { promise, reject, cancel, left } = setUp();
    if (when === 'before') cancel.abort('gone');
    const waited = wait(promise, cancel.signal).catch((why: unknown) => [why, ...left()]);
    cancel.abort('gone');
    await vi.runAllTimersAsync();
    expect(await waited).toEqual(['gone', 0, 0]);
    // Nobody hears of it, and it is no unhandled rejection.
    reject('too late');
  });

  it('puts one listener on the signal, however many wait', async () => {
    const { promise, resolve, cancel, left } = setUp();
    const all = Array.from({ length: 20 }, () => wait(promise, cancel.signal));
    expect(followersOf(cancel.signal)).toBe(1);
    resolve('end');
    await Promise.all(all);
    expect(left()).toEqual([0, 0]);
  });
});

it('work that ends soon after an abort is heard', async () => {
  const { promise, resolve, cancel, left } = setUp();
  const waited = orLeft(promise, cancel.signal);
  cancel.abort('gone');
  await vi.advanceTimersByTimeAsync(600);
  resolve('cleaned up');
  expect(await waited).toBe('cleaned up');
  expect(left()).toEqual([0, 0]);
});

it('a deadline answers undefined and leaves nothing behind, with a signal and without', async () => {
  const { promise, reject, cancel, left } = setUp();
  const waited = [orAfter(promise, TIME_MS, cancel.signal), orAfter(promise, TIME_MS)];
  await vi.advanceTimersByTimeAsync(TIME_MS - 1);
  expect(left()).toEqual([1, 2]);
  await vi.advanceTimersByTimeAsync(1);
  expect(await Promise.all(waited)).toEqual([undefined, undefined]);
  expect(left()).toEqual([0, 0]);
  reject('too late');
});

it('without a signal the work is waited for', async () => {
  expect(await orAborted(Promise.resolve('end'), undefined)).toBe('end');
});
