import { expect, it, vi } from 'vitest';
import { produceJson } from '../../../server/core/calls/produce.ts';
import type { People, PersonDecision } from '../../../server/core/services.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import { PATIENCE } from '../../support/patience.ts';
import { createSession } from '../../support/session.ts';
import { testExecutor } from './support.ts';

const ASKS = new SpillwayError('approval_required', 'A person has to allow input on shop.example.', {
  questionId: 'b1:q1',
});
const YES: PersonDecision = { approve: true, by: 'a person' };

/** A browser that asks until a person has said yes often enough, and people who answer at `answer`. */
function rig(
  options: { readonly syncWaitMs?: number; readonly needed?: number; readonly onAsk?: () => void } = {},
) {
  const questions: { readonly id: string; readonly signal: AbortSignal }[] = [];
  const answers: ((decision: PersonDecision | null) => void)[] = [];
  const failures: ((error: SpillwayError) => void)[] = [];
  const people: People = {
    asksClients: false,
    home: 'a'.repeat(64),
    decision: ({ id }, signal) => {
      questions.push({ id, signal });
      return new Promise((resolve, reject) => {
        answers.push(resolve);
        failures.push(reject);
      });
    },
    withdraw: (id) => withdrawn.push(id),
  };
  const withdrawn: string[] = [];
  const ran: unknown[] = [];
  let grants = 0;
  const made = testExecutor(
    async (args) => {
      if (grants < (options.needed ?? 1)) {
        options.onAsk?.();
        throw ASKS;
      }
      ran.push(args);
      return produceJson('done');
    },
    { people, ...options },
  );
  return {
    ...made,
    questions,
    withdrawn,
    ran,
    /** The browser grants what the person allowed, then the server hears of it. */
    answer: (decision: PersonDecision | null) => {
      if (decision?.approve === true) grants += 1;
      answers.at(-1)?.(decision);
    },
    fail: (error: SpillwayError) => failures.at(-1)?.(error),
    asked: (count: number) => vi.waitFor(() => expect(questions).toHaveLength(count), PATIENCE),
  };
}

const textOf = (result: { readonly content: readonly object[] }): string => JSON.stringify(result.content);

it('a call that a browser asks about waits, and is done once when a person allows it', async () => {
  const { executor, call, answer, questions, ran, journal } = rig();
  const given = call({ args: { value: 'a' } });
  const first = await executor.execute(given);
  expect(first.pending).toMatchObject({ callId: given.callId, interaction: { question_id: 'b1:q1' } });
  expect(questions.map(({ id }) => id)).toEqual(['b1:q1']);
  const end = executor.settled(given.callId);
  answer(YES);
  expect(await end).toMatchObject({ ok: true });
  expect(ran).toEqual([{ value: 'a' }]);
  expect(journal.map(({ pending, approved_by, ok }) => ({ pending, approved_by, ok }))).toEqual([
    { pending: true, approved_by: undefined, ok: true },
    { pending: undefined, approved_by: 'a person', ok: true },
  ]);
});

it('arguments that a person changed are what runs, and the answer says so', async () => {
  const { executor, call, answer, ran } = rig();
  const given = call({ args: { value: 'a' } });
  await executor.execute(given);
  const end = executor.settled(given.callId);
  answer({ ...YES, args: { value: 'b' } });
  expect(textOf(await end)).toContain('A person changed the arguments');
  expect(ran).toEqual([{ value: 'b' }]);
});

it.each([
  ['changed arguments that do not fit', { ...YES, args: { value: 5 } }, 'invalid_argument', ''],
  ['a no', { approve: false, by: 'a person', reason: 'Not this shop.' }, 'call_denied', 'Not this shop.'],
  ['time that ran out', new SpillwayError('approval_timeout', 'Nobody decided.'), 'approval_timeout', ''],
])('%s ends it, and nothing runs', async (_what, decision, code, reason) => {
  const { executor, call, answer, fail, ran } = rig();
  const given = call({ args: { value: 'a' } });
  await executor.execute(given);
  const end = executor.settled(given.callId);
  if (decision instanceof SpillwayError) fail(decision);
  else answer(decision);
  expect((await end).error).toMatchObject({ code, message: expect.stringContaining(reason) });
  expect(ran).toEqual([]);
});

it('a question of a call that was cancelled before it could wait is withdrawn', async () => {
  const gone = new AbortController();
  const { executor, call, questions, withdrawn } = rig({ onAsk: () => gone.abort() });
  expect((await executor.execute(call({ signal: gone.signal }))).error).toMatchObject({ code: 'cancelled' });
  expect(questions).toEqual([]);
  expect(withdrawn).toEqual(['b1:q1']);
});

it('a question that the browser has forgotten is asked again', async () => {
  const { executor, call, answer, asked, ran } = rig();
  const given = call();
  await executor.execute(given);
  const end = executor.settled(given.callId);
  answer(null);
  await asked(2);
  answer(YES);
  expect(await end).toMatchObject({ ok: true });
  expect(ran).toHaveLength(1);
});

it('a page that went away after the yes is asked about again', async () => {
  // The first grant is for the page before.
  const { executor, call, answer, asked, ran } = rig({ needed: 2 });
  const given = call();
  await executor.execute(given);
  const end = executor.settled(given.callId);
  answer(YES);
  await asked(2);
  expect(ran).toEqual([]);
  expect(executor.pending()).toHaveLength(1);
  answer(YES);
  expect(await end).toMatchObject({ ok: true });
  expect(ran).toHaveLength(1);
});

it('a cancelled call withdraws its question', async () => {
  const { executor, call, questions } = rig();
  const cancel = new AbortController();
  await executor.execute(call({ signal: cancel.signal }));
  cancel.abort(new SpillwayError('cancelled', 'Enough.'));
  await vi.waitFor(() => expect(questions[0]?.signal.aborted).toBe(true), PATIENCE);
  expect(executor.pending()).toEqual([]);
});

it('a caller that cannot wait gets an id, and nothing runs until it resumes', async () => {
  const { executor, call, answer, ran, questions } = rig({ syncWaitMs: 20 });
  const given = call();
  const { session } = given;
  const left = await executor.answered(given, await executor.execute(given));
  expect(left.error).toMatchObject({
    code: 'approval_required',
    message: expect.stringContaining(given.callId) as unknown,
  });
  answer(YES);
  // All that the decision sets off at once has been done by then.
  await new Promise(setImmediate);
  expect(ran).toEqual([]);
  const how = { session, signal: given.signal, timeoutMs: 5_000 };
  expect(await executor.resume(given.callId, how)).toMatchObject({ ok: true });
  expect(ran).toHaveLength(1);
  expect(questions).toHaveLength(1);
  await expect(executor.resume(given.callId, how)).rejects.toMatchObject({ code: 'call_not_pending' });
});

it('one that resumes too early waits again', async () => {
  const { executor, call, answer, ran } = rig({ syncWaitMs: 20 });
  const given = call();
  const { session, signal } = given;
  await executor.answered(given, await executor.execute(given));
  const early = await executor.resume(given.callId, { session, signal, timeoutMs: 20 });
  expect(early.error?.code).toBe('approval_required');
  const end = executor.resume(given.callId, { session, signal, timeoutMs: 5_000 });
  answer(YES);
  expect(await end).toMatchObject({ ok: true });
  expect(ran).toHaveLength(1);
});

it('another session resumes nothing', async () => {
  const { executor, call } = rig({ syncWaitMs: 20 });
  const given = call();
  await executor.answered(given, await executor.execute(given));
  const how = { session: createSession('other'), signal: given.signal, timeoutMs: 20 };
  await expect(executor.resume(given.callId, how)).rejects.toMatchObject({ code: 'call_not_pending' });
});
