import { getEventListeners } from 'node:events';
import { rounds } from '../../support/depth.ts';
import fc from '../../support/property.ts';
import { expect, it } from 'vitest';
import type { Decision, Gate } from '../../../server/core/calls/prepare.ts';
import { produceJson } from '../../../server/core/calls/produce.ts';
import type { ToolResult } from '../../../server/core/result.ts';
import { createSession } from '../../support/session.ts';
import { testExecutor } from '../../core/unit/support.ts';

const askingAfter = (turns: () => number): Gate => ({
  check: async () => {
    for (let turn = turns(); turn > 0; turn -= 1) await new Promise((resolve) => setImmediate(resolve));
    return { ask: { question: 'May it?' } };
  },
});

const MOVES = ['execute', 'ask', 'approve', 'edit', 'refuse', 'wait', 'settled', 'end session'] as const;
type Move = (typeof MOVES)[number];

it('a pending call is executed once at most for each approval that took it, and never concurrently with itself, in any order', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(...MOVES), { minLength: 2, maxLength: 24 }),
      fc.array(fc.nat(2), { minLength: 24, maxLength: 24 }),
      async (moves, turns) => {
        let performed = 0;
        let running = 0;
        let approved = 0;
        let asked = 0;
        const gone = new AbortController();
        const session = createSession('session', gone.signal);
        const { executor, call } = testExecutor(
          async () => {
            performed += 1;
            running += 1;
            expect(running).toBe(1);
            await new Promise((resolve) => setImmediate(resolve));
            running -= 1;
            return produceJson('done');
          },
          { gate: askingAfter(() => ((asked += 1), turns.pop() ?? 0)) },
        );
        const given = call({ callId: 'same', session });
        const ends: Promise<ToolResult | null | string>[] = [];
        let won = 0;
        const decided = (end: Promise<ToolResult>): Promise<ToolResult | string> =>
          end.then(
            (result) => {
              won += 1;
              if (result.error?.code !== 'call_denied') approved += 1;
              return result;
            },
            (thrown: unknown) => String(thrown),
          );
        const act: Record<Move, () => unknown> = {
          execute: () => ends.push(executor.execute(given)),
          ask: () => ends.push(executor.questions.ask(given)),
          approve: () => ends.push(decided(executor.questions.decide('same', { approve: true, by: 'Ada' }))),
          edit: () =>
            ends.push(
              decided(executor.questions.decide('same', { approve: true, by: 'Ada', args: { value: 'b' } })),
            ),
          refuse: () => ends.push(decided(executor.questions.decide('same', { approve: false, by: 'Ada' }))),
          wait: () => new Promise((resolve) => setImmediate(resolve)),
          settled: () => void executor.questions.settled('same').catch(() => undefined),
          'end session': () => gone.abort(),
        };
        for (const move of moves) await (move === 'wait' ? act.wait() : void act[move]());
        await Promise.all(ends);
        expect(performed).toBeLessThanOrEqual(approved);
        expect(won).toBeLessThanOrEqual(asked);
        gone.abort();
        await new Promise((resolve) => setImmediate(resolve));
        expect(executor.questions.listPending()).toEqual([]);
        // Under a call that was left behind this one would be another's.
        const other = await executor.execute({ ...given, args: { value: 'other' } });
        expect(other.error?.code).toBe('cancelled');
      },
    ),
    { numRuns: rounds(300, 60) },
  );
});

it('a pending call leaves no listener behind on the signals of its session and its caller', async () => {
  const gone = new AbortController();
  const session = createSession('session', gone.signal);
  const before = getEventListeners(gone.signal, 'abort').length;
  const { executor, call } = testExecutor(async () => produceJson(null), { gate: askingAfter(() => 0) });
  const calls = Array.from({ length: 20 }, () => call({ session }));
  for (const given of calls) await executor.execute(given);
  for (const { callId } of calls) await executor.questions.decide(callId, { approve: true, by: 'Ada' });
  expect(getEventListeners(gone.signal, 'abort')).toHaveLength(before);
  for (const { signal } of calls) expect(getEventListeners(signal, 'abort')).toEqual([]);
});

const asking = () => testExecutor(async () => produceJson('done'), { gate: askingAfter(() => 0) });

it('the journal names who approved a question, redacted', async () => {
  const { executor, call, journal } = asking();
  const [first, second] = [call(), call()];
  for (const given of [first, second]) await executor.execute(given);
  await executor.questions.decide(first.callId, { approve: true, by: 'Ada' });
  await executor.questions.decide(second.callId, { approve: true, by: `ghp_${'aB3dE6gH9'.repeat(4)}` });
  expect(journal).toMatchObject([
    { pending: true },
    { pending: true },
    { call_id: first.callId, ok: true, approved_by: 'Ada' },
    { call_id: second.callId, ok: true, approved_by: expect.not.stringContaining('ghp_') },
  ]);
  expect(journal[0]).not.toHaveProperty('approved_by');
});

it.each(['', ' ', undefined])('a question stays pending, undecided, if the name is %j', async (by) => {
  const { executor, call } = asking();
  const given = call();
  await executor.execute(given);
  for (const approve of [true, false])
    await expect(executor.questions.decide(given.callId, { approve, by } as Decision)).rejects.toMatchObject({
      code: 'invalid_argument',
      message: expect.stringContaining('by'),
    });
  expect(executor.questions.listPending()).toHaveLength(1);
});
