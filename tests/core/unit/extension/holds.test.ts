import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Holds } from '../../../../extension/core/holds.ts';

const TAB = 7;
const LINGER_MS = 1_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('closes after the last of its holders, each of which releases it once', () => {
  const closed: string[] = [];
  const holds = new Holds<number, string>({ close: (thing) => void closed.push(thing) });
  const first = holds.hold(TAB, 'debugger');
  const second = holds.hold(TAB, 'debugger');
  first();
  first();
  expect([holds.get(TAB), ...closed]).toEqual(['debugger']);
  second();
  expect([holds.get(TAB), ...closed]).toEqual([undefined, 'debugger']);
});

it('returns from the last release what closing returns', async () => {
  const holds = new Holds<number, string, Promise<string>>({ close: async (thing) => `${thing} is closed` });
  const [first, second] = [holds.hold(TAB, 'tap'), holds.hold(TAB, 'tap')];
  expect(first()).toBeUndefined();
  await expect(second()).resolves.toBe('tap is closed');
});

it('lingers until nothing is pending, and a holder who comes meanwhile keeps it', () => {
  const closed: string[] = [];
  let isPending = false;
  const close = (thing: string): void => void closed.push(thing);
  const holds = new Holds<number, string>({ close, lingerMs: LINGER_MS, isPending: () => isPending });
  holds.hold(TAB, 'focus')();
  vi.advanceTimersByTime(LINGER_MS - 1);
  const release = holds.hold(TAB, 'focus');
  vi.advanceTimersByTime(2 * LINGER_MS);
  expect(closed).toEqual([]);
  isPending = true;
  release();
  vi.advanceTimersByTime(LINGER_MS);
  expect([holds.get(TAB), ...closed]).toEqual(['focus']);
  isPending = false;
  vi.advanceTimersByTime(LINGER_MS);
  expect([holds.get(TAB), ...closed]).toEqual([undefined, 'focus']);
});

it('keeps what replaces a lost thing, and closes each after its own holders', () => {
  const closed: string[] = [];
  const holds = new Holds<number, string>({ close: (thing) => void closed.push(thing) });
  const old = holds.hold(TAB, 'old');
  holds.forget(TAB, 'old');
  expect(holds.get(TAB)).toBeUndefined();
  const fresh = holds.hold(TAB, 'fresh');
  old();
  holds.forget(TAB, 'old');
  expect([holds.get(TAB), ...closed]).toEqual(['fresh', 'old']);
  fresh();
  expect(closed).toEqual(['old', 'fresh']);
});
