import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { systemClock } from '../../../server/core/clock.ts';
import { produceJson } from '../../../server/core/calls/produce.ts';
import type { AdoptedCall, KeptCalls } from '../../../server/core/kept-calls.ts';
import type { People, PersonDecision } from '../../../server/core/services.ts';
import { KeptQuestions } from '../../../server/people/kept-calls.ts';
import { createRedactor } from '../../../server/redact/index.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import { sample } from '../../support/depth.ts';
import { FakeBridge } from '../../support/fake-bridge.ts';
import { temporaryHome } from '../../support/home.ts';
import { keptNothing } from '../../support/kept-nothing.ts';
import { PATIENCE } from '../../support/patience.ts';
import fc from '../../support/property.ts';
import { createSession } from '../../support/session.ts';
import { CANARIES } from '../redact/canaries.ts';
import { testExecutor } from './support.ts';

const ASKS = new SpillwayError('approval_required', 'A person has to allow input on shop.example.', {
  questionId: 'b1:q1',
});
const YES: PersonDecision = { approve: true, by: 'a person' };

/** A browser that asks until somebody says yes, and what is noted of calls that are kept, in order. */
function rig(
  how: { readonly kept?: KeptCalls; readonly adopted?: AdoptedCall; readonly isAllowed?: boolean } = {},
) {
  const noted: string[] = [];
  const answers: ((decision: PersonDecision | null) => void)[] = [];
  const asked: string[] = [];
  const people: People = {
    asksClients: false,
    home: 'a'.repeat(64),
    decision: ({ id }) => {
      asked.push(id);
      return new Promise((resolve) => answers.push(resolve));
    },
    withdraw: () => undefined,
  };
  let adopted = how.adopted ?? null;
  const kept: KeptCalls = how.kept ?? {
    keep: async ({ id, scope }) => void noted.push(`keep ${scope.call.call_id} ${id}`),
    take: async (callId) => void noted.push(`take ${callId}`),
    forget: (callId) => void noted.push(`forget ${callId}`),
    leave: () => undefined,
    adopt: async () => {
      const once = adopted;
      adopted = null;
      return once;
    },
  };
  const ran: unknown[] = [];
  let isAllowed = how.isAllowed ?? false;
  const made = testExecutor(
    async (args) => {
      if (!isAllowed) throw ASKS;
      noted.push('run');
      ran.push(args);
      return produceJson('done');
    },
    { people, kept, syncWaitMs: 20 },
  );
  const answer = (decision: PersonDecision | null): void => {
    if (decision?.approve === true) isAllowed = true;
    answers.at(-1)?.(decision);
  };
  return { ...made, noted, asked, ran, answer };
}

const { signal } = new AbortController();
const BRIEF = { session: createSession('next'), signal, timeoutMs: 20 };
const LONG = { ...BRIEF, timeoutMs: 5_000 };

it('a call is kept before its caller gets its id, and is another server’s no longer before it runs', async () => {
  const { executor, call, answer, noted } = rig();
  const given = call({ args: { value: 'a' } });
  const begun = await executor.execute(given);
  expect(noted).toEqual([]);
  await executor.answered(given, begun);
  expect(noted).toEqual([`keep ${given.callId} b1:q1`]);
  answer(YES);
  await executor.resume(given.callId, { ...LONG, session: given.session });
  await vi.waitFor(() => expect(noted.at(-1)).toBe(`forget ${given.callId}`), PATIENCE);
  expect(noted.slice(1, 3)).toEqual([`take ${given.callId}`, 'run']);
});

it('a call that is not another server’s no longer does not run', async () => {
  const taken = new SpillwayError('cancelled', 'The server is stopping.');
  const { executor, call, answer, ran } = rig({
    kept: { ...keptNothing, take: () => Promise.reject(taken) },
  });
  const given = call();
  await executor.answered(given, await executor.execute(given));
  answer(YES);
  await executor.resume(given.callId, { ...LONG, session: given.session }).catch(() => undefined);
  expect(ran).toEqual([]);
});

const adopted: AdoptedCall = { tool: 'test_tool', args: { value: 'a' }, question: 'b1:q7' };

it('a call of a server before waits for its question, and runs once when a person allows it', async () => {
  const { executor, answer, asked, ran, journal } = rig({ adopted });
  const early = await executor.resume('old-call', BRIEF);
  expect(early.error).toMatchObject({
    code: 'approval_required',
    message: expect.stringContaining('old-call') as unknown,
  });
  expect(asked).toEqual(['b1:q7']);
  const end = executor.resume('old-call', LONG);
  answer(YES);
  expect(await end).toMatchObject({ ok: true });
  expect(ran).toEqual([{ value: 'a' }]);
  expect(journal.at(-1)).toMatchObject({ approved_by: 'a person', ok: true });
  await expect(executor.resume('old-call', LONG)).rejects.toMatchObject({ code: 'call_not_pending' });
});

it('what was decided while no server was there is done when the call is resumed', async () => {
  const { executor, answer, ran } = rig({ adopted });
  const end = executor.resume('old-call', LONG);
  await vi.waitFor(() => expect(executor.pending()).toHaveLength(1), PATIENCE);
  answer({ ...YES, args: { value: 'edited' } });
  expect(JSON.stringify(await end)).toContain('A person changed the arguments');
  expect(ran).toEqual([{ value: 'edited' }]);
});

it.each([
  ['a tool that this server lacks', { ...adopted, tool: 'gone_tool' }, 'unknown_tool'],
  ['arguments that its tool takes no longer', { ...adopted, args: { value: 5 } }, 'invalid_argument'],
])('%s ends the resumption', async (_what, given, code) => {
  const { executor, noted } = rig({ adopted: given });
  await expect(executor.resume('old-call', LONG)).rejects.toMatchObject({ code });
  expect(noted).toEqual(['forget old-call']);
  expect(executor.pending()).toEqual([]);
});

it('no secret of any shape is in the file of a call', async () => {
  const home = await temporaryHome();
  const bridge = new FakeBridge({ 'question.keep': async () => ({ kept: true }) });
  bridge.addBrowser();
  const silent = () => undefined;
  const kept = new KeptQuestions({
    home,
    bridge,
    clock: systemClock,
    redactor: createRedactor({ enabled: true, secrets: [{ name: 'CARD', value: 'hunter2-correct-horse' }] }),
    logger: { debug: silent, info: silent, warn: silent, error: silent },
    server: 'ab'.repeat(8),
  });
  const secrets = [
    'hunter2-correct-horse',
    ...sample(CANARIES, 4).map(({ secret }) => fc.sample(secret, 1)[0] ?? ''),
  ];
  for (const secret of secrets) {
    const { executor, call } = rig({ kept });
    const given = call({ callId: crypto.randomUUID(), args: { value: `Bearer ${secret} is the value` } });
    const left = await executor.answered(given, await executor.execute(given));
    expect(left.error?.code).toBe('approval_required');
    const files = readdirSync(join(home, 'pending')).map((name) =>
      readFileSync(join(home, 'pending', name), 'utf8'),
    );
    expect(files).toHaveLength(1);
    expect(files.join('')).not.toContain(secret);
    expect(JSON.parse(files[0] ?? '')).toMatchObject({ args: null });
    await kept.take(given.callId);
  }
});
