import { beforeEach, expect, it, vi } from 'vitest';
import { ActLeases, type ActLease } from '../../../extension/act/worker/act-leases.ts';
import type { Caller } from '../../../shared/core/policy/call-facts.ts';
import { codeOf, codeThrown } from '../../support/code-of.ts';

const TAB = 7;
const ADA: Caller = { session: 'a', name: 'Ada' };
/** Another session, of an agent of the same name. */
const BOB: Caller = { session: 'b', name: 'Ada' };
const never = new AbortController().signal;

let leases: ActLeases;
const take = (caller: Caller, more: { signal?: AbortSignal; closed?: AbortSignal } = {}): Promise<ActLease> =>
  leases.take(TAB, caller, { signal: never, closed: never, isAct: true, ...more });

beforeEach(() => {
  vi.useFakeTimers();
  leases = new ActLeases();
});

it('refuses another session by the name of the one that has the tab, until its call ends', async () => {
  const lease = await take(ADA);
  await leases.take(TAB + 1, BOB, { signal: never, closed: never, isAct: true });
  await expect(take(BOB)).rejects.toThrow('another agent, "Ada"');
  lease.release();
  lease.release();
  await take(BOB);
  expect(await codeOf(take(ADA))).toBe('tab_busy');
});

it('ends after a long silence, and a later step does not act on another session’s tab', async () => {
  const lease = await take(ADA);
  await vi.advanceTimersByTimeAsync(29_999);
  expect(await codeOf(take(BOB))).toBe('tab_busy');
  lease.renew();
  await vi.advanceTimersByTimeAsync(29_999);
  expect(await codeOf(take(BOB))).toBe('tab_busy');
  await vi.advanceTimersByTimeAsync(1);
  const other = await take(BOB);
  expect(codeThrown(() => lease.renew())).toBe('tab_busy');
  lease.release();
  expect(codeThrown(() => lease.renew())).toBe('tab_busy');
  other.release();
});

it('ends with the server of its session', async () => {
  const server = new AbortController();
  await take(ADA, { closed: server.signal });
  server.abort();
  await take(BOB);
});

it('lets the acts of one session wait for each other, also for a silent one, and its other calls pass', async () => {
  const first = await take(ADA);
  await vi.advanceTimersByTimeAsync(30_000);
  const order: string[] = [];
  const second = take(ADA).then((lease) => {
    order.push('second');
    return lease;
  });
  const reading = await leases.take(TAB, ADA, { signal: never, closed: never, isAct: false });
  order.push('reading');
  first.release();
  (await second).release();
  expect(order).toEqual(['reading', 'second']);
  expect(await codeOf(take(BOB))).toBe('tab_busy');
  reading.release();
  await take(BOB);
});

it('ends a wait with the signal of its call', async () => {
  await take(ADA);
  const call = new AbortController();
  const waiting = codeOf(take(ADA, { signal: call.signal }));
  call.abort(new Error('gone'));
  expect(await waiting).toContain('gone');
});
