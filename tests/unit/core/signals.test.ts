import { expect, test } from 'vitest';
import { anySignal, onAbort } from '../../../shared/async/abort.ts';
import { openSession } from '../../../server/library/session.ts';
import { followersOf } from '../../support/followers.ts';
import { echo } from '../../support/test-tool.ts';
import { testExecutor } from './support.ts';

test('any number may wait for one signal, each is called once, and those who stopped are not', () => {
  const { signal, abort } = followed();
  const called: number[] = [];
  const note = (): void => void called.push(0);
  const stops = Array.from({ length: 30 }, () => onAbort(signal, note));
  expect(followersOf(signal)).toBe(1);
  for (const stop of stops.slice(10)) stop();
  abort();
  abort();
  expect(called).toHaveLength(10);
  onAbort(signal, note);
  expect(called).toHaveLength(11);
  for (const stop of stops) stop();
  expect(followersOf(signal)).toBe(0);
});

function followed(): { readonly signal: AbortSignal; readonly abort: (reason?: unknown) => void } {
  const cancel = new AbortController();
  return { signal: cancel.signal, abort: (reason) => cancel.abort(reason) };
}

test('one may stop another that would be called after it', () => {
  const { signal, abort } = followed();
  const called: string[] = [];
  onAbort(signal, () => stop());
  const stop = onAbort(signal, () => called.push('stopped'));
  onAbort(signal, () => called.push('last'));
  abort();
  expect(called).toEqual(['last']);
});

test('one that fails does not keep others from being called', () => {
  const { signal, abort } = followed();
  const called: string[] = [];
  onAbort(signal, () => {
    throw new Error('a listener of its own');
  });
  onAbort(signal, () => called.push('told'));
  abort();
  expect(called).toEqual(['told']);
  expect(onAbort(undefined, () => called.push('never'))).not.toThrow();
});

test('joined signals abort with the first of them, and releasing it leaves no listener on any', () => {
  const [one, two] = [followed(), followed()];
  const joined = anySignal([one.signal, undefined, two.signal], (reason) => `told: ${String(reason)}`);
  two.abort('two');
  one.abort('one');
  expect(joined.signal.reason).toBe('told: two');
  const released = anySignal([followed().signal, one.signal]);
  expect(released.signal.reason).toBe('one');
  const fresh = followed();
  const loose = anySignal([fresh.signal]);
  loose.release();
  fresh.abort();
  expect([loose.signal.aborted, followersOf(fresh.signal)]).toEqual([false, 0]);
});

test('a session that was closed leaves nothing on the signal that it was opened with', () => {
  const { executor } = testExecutor(echo);
  const { signal, abort } = followed();
  const open = openSession({ executor, signal });
  for (let made = 0; made < 20; made += 1) openSession({ executor, signal }).close();
  expect(followersOf(signal)).toBe(1);
  abort('the end');
  expect(open.signal.reason).toBe('the end');
  expect(openSession({ executor, signal }).signal.aborted).toBe(true);
});
