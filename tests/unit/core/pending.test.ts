import { getEventListeners } from 'node:events';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Gate } from '../../../server/core/gate.ts';
import { produceJson } from '../../../server/core/produce.ts';
import type { ToolResult } from '../../../server/core/result.ts';
import { createSession } from '../../support/session.ts';
import { testExecutor } from './support.ts';

/** Asks, after as many turns as it is told. */
const askingAfter = (turns: () => number): Gate => ({
  check: async () => {
    for (let turn = turns(); turn > 0; turn -= 1) await new Promise((resolve) => setImmediate(resolve));
    return { ask: { question: 'May it?' } };
  },
});

type Move = 'execute' | 'ask' | 'approve' | 'edit' | 'refuse' | 'wait' | 'settled' | 'end session';
const MOVES: readonly Move[] = [
  'execute',
  'ask',
  'approve',
  'edit',
  'refuse',
  'wait',
  'settled',
  'end session',
];

describe('a pending call', () => {
  it('is executed once at most, however many executes and decisions come, in whatever order', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(...MOVES), { minLength: 2, maxLength: 24 }),
        fc.array(fc.nat(2), { minLength: 24, maxLength: 24 }),
        async (moves, turns) => {
          let performed = 0;
          const gone = new AbortController();
          const session = createSession('session', gone.signal);
          const { executor, call } = testExecutor(
            async () => {
              performed += 1;
              await new Promise((resolve) => setImmediate(resolve));
              return produceJson('done');
            },
            { gate: askingAfter(() => turns.pop() ?? 0) },
          );
          const given = call({ callId: 'same', session });
          const ends: Promise<ToolResult | null | string>[] = [];
          let won = 0;
          const decided = (end: Promise<ToolResult>): Promise<ToolResult | string> =>
            end.then(
              (result) => ((won += 1), result),
              (thrown: unknown) => String(thrown),
            );
          const act: Record<Move, () => unknown> = {
            execute: () => ends.push(executor.execute(given)),
            ask: () => ends.push(executor.ask(given)),
            approve: () => ends.push(decided(executor.decide('same', { approve: true }))),
            edit: () => ends.push(decided(executor.decide('same', { approve: true, args: { value: 'b' } }))),
            refuse: () => ends.push(decided(executor.decide('same', { approve: false, by: 'Ada' }))),
            wait: () => new Promise((resolve) => setImmediate(resolve)),
            settled: () => void executor.settled('same').catch(() => undefined),
            'end session': () => gone.abort(),
          };
          for (const move of moves) await (move === 'wait' ? act.wait() : void act[move]());
          await Promise.all(ends);
          expect(performed).toBeLessThanOrEqual(1);
          expect(won).toBeLessThanOrEqual(1);
          gone.abort();
          await new Promise((resolve) => setImmediate(resolve));
          expect(executor.open).toEqual({ underWay: 0, pending: 0 });
        },
      ),
      { numRuns: 300 },
    );
  });

  it('meets its end under its id when it was decided, and is not executed again', async () => {
    let performed = 0;
    const { executor, call } = testExecutor(async () => produceJson((performed += 1)), {
      gate: askingAfter(() => 0),
    });
    const given = call();
    expect((await executor.execute(given)).pending?.callId).toBe(given.callId);
    const end = executor.decide(given.callId, { approve: true });
    const [first, second] = await Promise.all([executor.execute(given), end]);
    expect(first).toBe(second);
    expect(await executor.execute(given)).toBe(second);
    expect(performed).toBe(1);
  });

  it('keeps its end however many calls of other sessions are decided meanwhile', async () => {
    let performed = 0;
    const { executor, call } = testExecutor(async () => produceJson((performed += 1)), {
      gate: askingAfter(() => 0),
    });
    const given = call();
    await executor.execute(given);
    const end = await executor.decide(given.callId, { approve: true });
    for (let count = 0; count < 70; count += 1) {
      const other = call({ session: createSession(`other-${count}`) });
      await executor.execute(other);
      await executor.decide(other.callId, { approve: false, by: 'Ada' });
    }
    expect(await executor.settled(given.callId)).toBe(end);
    expect(await executor.execute(given)).toBe(end);
    expect(performed).toBe(1);
  });

  it('keeps the end of a session that has gone no longer than until the next is asked about', async () => {
    const { executor, call } = testExecutor(async () => produceJson(null), { gate: askingAfter(() => 0) });
    const gone = new AbortController();
    const given = call({ session: createSession('gone', gone.signal) });
    await executor.execute(given);
    await executor.decide(given.callId, { approve: true });
    gone.abort();
    await executor.execute(call());
    await expect(executor.settled(given.callId)).rejects.toMatchObject({ code: 'call_not_pending' });
  });

  it('leaves no listener behind on the signals of its session and its caller', async () => {
    const gone = new AbortController();
    const session = createSession('session', gone.signal);
    const before = getEventListeners(gone.signal, 'abort').length;
    const { executor, call } = testExecutor(async () => produceJson(null), { gate: askingAfter(() => 0) });
    const calls = Array.from({ length: 20 }, () => call({ session }));
    for (const given of calls) await executor.execute(given);
    for (const { callId } of calls) await executor.decide(callId, { approve: true });
    expect(getEventListeners(gone.signal, 'abort')).toHaveLength(before);
    for (const { signal } of calls) expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('is not asked about twice when its caller has gone meanwhile', async () => {
    const cancel = new AbortController();
    const { executor, call } = testExecutor(async () => produceJson(null), { gate: askingAfter(() => 2) });
    const end = executor.execute(call({ signal: cancel.signal }));
    cancel.abort();
    expect((await end).error?.code).toBe('cancelled');
    expect(executor.open).toEqual({ underWay: 0, pending: 0 });
  });
});
