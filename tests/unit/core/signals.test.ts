import { expect, test } from 'vitest';
import { onAbort } from '../../../shared/async/abort.ts';
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
