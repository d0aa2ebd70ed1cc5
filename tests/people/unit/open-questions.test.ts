import { describe, expect, it, vi } from 'vitest';
import { HomeDatabase } from '../../../server/core/home/database.ts';
import { systemClock } from '../../../server/core/services.ts';
import { produceJson } from '../../../server/core/calls/produce.ts';
import type { ExecutorServices } from '../../../server/core/calls/prepare.ts';
import type { People, PersonDecision } from '../../../server/core/people.ts';
import type { Produced } from '../../../server/core/result.ts';
import { KeptQuestions, type AdoptedCall } from '../../../server/people/kept-calls.ts';
import { createRedactor } from '../../../server/libraries/redaction/index.ts';
import { defer } from '../../../shared/base/async.ts';
import { SpillwayError } from '../../../shared/base/errors.ts';
import { MIME } from '../../../shared/base/mime.ts';
import { silentLogger } from '../../support/app-options.ts';
import { sample } from '../../support/depth.ts';
import { FakeBridge } from '../../support/fake-bridge.ts';
import { temporaryHome } from '../../support/home.ts';
import { keptNothing, testExecutor } from '../../core/unit/support.ts';
import { PATIENCE } from '../../support/patience.ts';
import fc from '../../support/property.ts';
import { createSession } from '../../support/session.ts';
import { CANARIES } from '../../libraries/unit/redaction/canaries.ts';

const ASKS = new SpillwayError('approval_required', 'A person has to allow input on shop.example.', {
  questionId: 'b1:q1',
});
const NOT_PENDING = { code: 'call_not_pending' };
const YES: PersonDecision = { approve: true, by: 'a person' };

interface How {
  readonly syncWaitMs?: number;
  /** How often a person has to say yes: a grant may be for a page that has gone. */
  readonly needed?: number;
  readonly onAsk?: () => void;
  /** It asks when the payload is read, not when the work begins. */
  readonly asksLate?: boolean;
  readonly kept?: ExecutorServices['kept'];
  readonly adopted?: AdoptedCall;
}

/** A payload that fails with the question of a browser as soon as it is read. */
function produceLate(): Produced {
  const chunks: AsyncIterable<string> = {
    [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(ASKS) }),
  };
  return { ...produceJson(''), payload: { kind: 'text', mimeType: MIME.text, chunks } };
}

/** A browser that asks until a person has said yes, people who answer at `answer`, and records of kept calls. */
function rig({ needed = 1, onAsk, asksLate = false, adopted, ...options }: How = {}) {
  const questions: { readonly id: string; readonly signal: AbortSignal }[] = [];
  const deciding: ReturnType<typeof defer<PersonDecision | null>>[] = [];
  const withdrawn: string[] = [];
  const noted: string[] = [];
  const ran: unknown[] = [];
  let grants = 0;
  const people: People = {
    asksClients: false,
    home: 'a'.repeat(64),
    decision: ({ id }, signal) => {
      questions.push({ id, signal });
      const decision = defer<PersonDecision | null>();
      deciding.push(decision);
      return decision.promise;
    },
    withdraw: (id) => withdrawn.push(id),
  };
  const left = adopted === undefined ? [] : [adopted];
  const kept: ExecutorServices['kept'] = {
    keep: async ({ id, scope }) => void noted.push(`keep ${scope.call.call_id} ${id}`),
    take: async (callId) => void noted.push(`take ${callId}`),
    forget: (callId) => void noted.push(`forget ${callId}`),
    leave: () => undefined,
    adopt: async () => left.pop() ?? null,
  };
  const made = testExecutor(
    async (args) => {
      if (grants < needed) {
        onAsk?.();
        if (asksLate) return produceLate();
        throw ASKS;
      }
      noted.push('run');
      ran.push(args);
      return produceJson('done');
    },
    { people, kept, ...options },
  );
  return {
    ...made,
    ...{ questions, withdrawn, noted, ran },
    /** The browser grants the person's permission, then notifies the server. */
    answer: (decision: PersonDecision | null) => {
      if (decision?.approve === true) grants += 1;
      deciding.at(-1)?.resolve(decision);
    },
    fail: (error: SpillwayError) => deciding.at(-1)?.reject(error),
    asked: (count: number) => vi.waitFor(() => expect(questions).toHaveLength(count), PATIENCE),
  };
}

async function waiting(how?: How) {
  const made = rig(how);
  const given = made.call({ args: { value: 'a' } });
  const first = await made.executor.execute(given);
  return { ...made, given, first, end: made.executor.questions.settled(given.callId) };
}

async function leftBehind(how: How = {}) {
  const made = rig({ syncWaitMs: 20, ...how });
  const given = made.call({ args: { value: 'a' } });
  const left = await made.executor.awaitAnswer(given, await made.executor.execute(given));
  const resume = (timeoutMs = 5_000, session = given.session) =>
    made.executor.questions.resume(given.callId, { session, signal: given.signal, timeoutMs });
  return { ...made, given, left, resume };
}

it.each([false, true])('a call that a browser asks about waits, and runs once allowed', async (asksLate) => {
  const { given, first, end, answer, questions, ran, journal } = await waiting({ asksLate });
  expect(first.pending).toMatchObject({ callId: given.callId, interaction: { question_id: 'b1:q1' } });
  expect(questions.map(({ id }) => id)).toEqual(['b1:q1']);
  answer(YES);
  expect(await end).toMatchObject({ ok: true });
  expect(ran).toEqual([{ value: 'a' }]);
  expect(journal.map(({ pending, approved_by, ok }) => ({ pending, approved_by, ok }))).toEqual([
    { pending: true, approved_by: undefined, ok: true },
    { pending: undefined, approved_by: 'a person', ok: true },
  ]);
});

it.each([
  ['arguments that the tool refuses', { ...YES, args: { value: [] } }, 'invalid_argument', ''],
  ['a no', { approve: false, by: 'a person', reason: 'Not this shop.' }, 'call_denied', 'Not this shop.'],
  ['time that ran out', new SpillwayError('approval_timeout', 'Nobody decided.'), 'approval_timeout', ''],
])('a call that waits is ended by %s, and nothing runs', async (_what, decision, code, reason) => {
  const { end, answer, fail, ran } = await waiting();
  if (decision instanceof SpillwayError) fail(decision);
  else answer(decision);
  expect((await end).error).toMatchObject({ code, message: expect.stringContaining(reason) });
  expect(ran).toEqual([]);
});

it.each<[string, How, PersonDecision | null]>([
  // The first grant is for the previous page.
  ['the page went away after the yes', { needed: 2 }, YES],
  ['the browser has forgotten the question', {}, null],
])('a call that a browser asks about is asked about again when %s', async (_what, how, first) => {
  const { executor, end, answer, asked, ran } = await waiting(how);
  answer(first);
  await asked(2);
  expect(ran).toEqual([]);
  expect(executor.questions.listPending()).toHaveLength(1);
  answer(YES);
  expect(await end).toMatchObject({ ok: true });
  expect(ran).toHaveLength(1);
});

it('a call that a browser asks about withdraws its question when it is cancelled, before it could wait or later', async () => {
  const gone = new AbortController();
  const early = rig({ onAsk: () => gone.abort() });
  const end = await early.executor.execute(early.call({ signal: gone.signal }));
  expect(end.error).toMatchObject({ code: 'cancelled' });
  expect(early.questions).toEqual([]);
  expect(early.withdrawn).toEqual(['b1:q1']);
  const { executor, call, questions } = rig();
  const cancel = new AbortController();
  await executor.execute(call({ signal: cancel.signal }));
  cancel.abort(new SpillwayError('cancelled', 'Enough.'));
  await vi.waitFor(() => expect(questions[0]?.signal.aborted).toBe(true), PATIENCE);
  expect(executor.questions.listPending()).toEqual([]);
});

it('a caller that cannot wait gets an id, once the call is kept, and nothing runs until it resumes', async () => {
  const { executor, call, answer, questions, ran, noted } = rig({ syncWaitMs: 20 });
  const given = call();
  const begun = await executor.execute(given);
  expect(noted).toEqual([]);
  expect((await executor.awaitAnswer(given, begun)).error).toMatchObject({
    code: 'approval_required',
    message: expect.stringContaining(given.callId) as unknown,
  });
  expect(noted).toEqual([`keep ${given.callId} b1:q1`]);
  answer(YES);
  // By then everything that the decision triggers synchronously has happened.
  await new Promise(setImmediate);
  expect(ran).toEqual([]);
  const how = { session: given.session, signal: given.signal, timeoutMs: 5_000 };
  expect(await executor.questions.resume(given.callId, how)).toMatchObject({ ok: true });
  // Before it runs, it no longer belongs to another server.
  await vi.waitFor(() => expect(noted.at(-1)).toBe(`forget ${given.callId}`), PATIENCE);
  expect(noted.slice(1, 3)).toEqual([`take ${given.callId}`, 'run']);
  expect(questions).toHaveLength(1);
  await expect(executor.questions.resume(given.callId, how)).rejects.toMatchObject(NOT_PENDING);
});

it('a caller that cannot wait waits again when it resumes too early; another session resumes nothing', async () => {
  const { resume, answer, ran } = await leftBehind();
  await expect(resume(20, createSession('other'))).rejects.toMatchObject(NOT_PENDING);
  expect((await resume(20)).error?.code).toBe('approval_required');
  const end = resume();
  answer(YES);
  expect(await end).toMatchObject({ ok: true });
  expect(ran).toHaveLength(1);
});

it.each(['before', 'after'])('a call made again %s a person allows it is done once', async (when) => {
  const { executor, call, given, resume, answer, questions, ran } = await leftBehind();
  if (when === 'after') answer(YES);
  const again = call({ session: given.session, args: { value: 'a' } });
  const end = executor.execute(again).then((begun) => executor.awaitAnswer(again, begun));
  if (when === 'before') answer(YES);
  expect(await end).toMatchObject({ ok: true });
  await expect(resume()).rejects.toMatchObject(NOT_PENDING);
  expect([questions.length, ran.length]).toEqual([1, 1]);
});

it('a caller that cannot wait gets nothing done while another server may have its call', async () => {
  const taken = new SpillwayError('cancelled', 'The server is stopping.');
  const kept = { ...keptNothing, take: () => Promise.reject(taken) };
  const { resume, answer, ran } = await leftBehind({ kept });
  answer(YES);
  await resume().catch(() => undefined);
  expect(ran).toEqual([]);
});

describe('a call of a server before', () => {
  const adopted: AdoptedCall = { tool: 'test_tool', args: { value: 'a' }, question: 'b1:q7' };
  const { signal } = new AbortController();
  const BRIEF = { session: createSession('next'), signal, timeoutMs: 20 };
  const LONG = { ...BRIEF, timeoutMs: 5_000 };

  it('waits for its question, and runs once when a person allows it', async () => {
    const { executor, answer, questions, ran, journal } = rig({ adopted });
    expect((await executor.questions.resume('old-call', BRIEF)).error).toMatchObject({
      code: 'approval_required',
      message: expect.stringContaining('old-call') as unknown,
    });
    expect(questions.map(({ id }) => id)).toEqual(['b1:q7']);
    const end = executor.questions.resume('old-call', LONG);
    answer({ ...YES, args: { value: 'edited' } });
    expect(JSON.stringify(await end)).toContain('A person changed the arguments');
    expect(ran).toEqual([{ value: 'edited' }]);
    expect(journal.at(-1)).toMatchObject({ approved_by: 'a person', ok: true });
    await expect(executor.questions.resume('old-call', LONG)).rejects.toMatchObject(NOT_PENDING);
  });

  it.each([
    ['a tool that this server lacks', { ...adopted, tool: 'gone_tool' }, 'unknown_tool'],
    ['arguments that its tool takes no longer', { ...adopted, args: { value: [] } }, 'invalid_argument'],
  ])('is not resumed with %s', async (_what, given, code) => {
    const { executor, noted, withdrawn } = rig({ adopted: given });
    await expect(executor.questions.resume('old-call', LONG)).rejects.toMatchObject({ code });
    expect(withdrawn).toEqual(['b1:q7']);
    expect(noted).toEqual(['forget old-call']);
    expect(executor.questions.listPending()).toEqual([]);
  });
});

it('no secret of any shape is in the file of a call', async () => {
  const home = await temporaryHome();
  const bridge = new FakeBridge({ 'question.keep': async () => ({ kept: true }) });
  bridge.addBrowser();
  const own = 'hunter2-correct-horse';
  const redactor = createRedactor({ enabled: true, secrets: [{ name: 'CARD', value: own }] });
  const kept = new KeptQuestions({
    ...{ home, bridge, clock: systemClock, redactor, logger: silentLogger },
    server: 'ab'.repeat(8),
  });
  for (const secret of [own, ...sample(CANARIES, 4).map((canary) => fc.sample(canary.secret, 1)[0] ?? '')]) {
    const { executor, call } = rig({ kept, syncWaitMs: 20 });
    const given = call({ callId: crypto.randomUUID(), args: { value: `Bearer ${secret} is the value` } });
    const left = await executor.awaitAnswer(given, await executor.execute(given));
    expect(left.error?.code).toBe('approval_required');
    const database = new HomeDatabase(home);
    const [[text = ''] = [], ...others] = database.rows('SELECT facts FROM question');
    database.close();
    expect(others).toEqual([]);
    expect(text).not.toContain(secret);
    expect(JSON.parse(String(text))).toMatchObject({ args: null });
    await kept.take(given.callId);
  }
});
