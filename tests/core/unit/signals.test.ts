import { expect, test } from 'vitest';
import { onAbort } from '../../../shared/base/async.ts';
import { followersOf } from '../../support/followers.ts';

test('any number may wait for one signal, each is called once, and those who stopped are not', () => {
  const cancel = new AbortController();
  const { signal } = cancel;
  const called: number[] = [];
  const note = (): void => void called.push(0);
  const stops = Array.from({ length: 30 }, () => onAbort(signal, note));
  expect(followersOf(signal)).toBe(1);
  for (const stop of stops.slice(10)) stop();
  cancel.abort();
  cancel.abort();
  expect(called).toHaveLength(10);
  onAbort(signal, note);
  expect(called).toHaveLength(11);
  for (const stop of stops) stop();
  expect(followersOf(signal)).toBe(0);
});
