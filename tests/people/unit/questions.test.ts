import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { runAnswer } from '../../../server/programs/command.ts';
import { type Clock, systemClock } from '../../../server/core/services.ts';
import { HomeDatabase } from '../../../server/core/home/database.ts';
import { HumanInput } from '../../../server/people/human-input.ts';
import { createRedactor } from '../../../server/libraries/redaction/index.ts';
import { SpillwayError } from '../../../shared/base/errors.ts';
import { codeOf } from '../../support/code-of.ts';
import { temporaryHome } from '../../support/home.ts';
import { change, endServers, fakeBrowser, question, server, session } from '../../support/kept-call.ts';
import { PATIENCE } from '../../support/patience.ts';
import { request, setUp } from '../../runs/unit/support.ts';

/* The questions that outlive their askers: the same holds for every kind of them. */

const DONE = 'no error';
const { signal } = new AbortController();
const redactor = createRedactor({ enabled: true });

interface Asked {
  /** The answer of a person, at a server or program that was not there when they were asked. Returns the code of its error. */
  answer(client?: string): Promise<string>;
  /** Its asker ends it. */
  withdraw(): Promise<unknown>;
  /** Its server ends, and leaves it to the next one. */
  end(): void;
}

const refuse = (code: 'call_not_pending'): never => {
  throw new SpillwayError(code, 'It is not pending.');
};

async function askAboutCall(home: string, clock: Clock): Promise<Asked> {
  const { bridge } = fakeBrowser();
  const asking = server(home, { bridge, clock }).kept;
  await asking.keep(question(), session());
  return {
    answer: (client = 'codex') => {
      const { kept } = server(home, { bridge, clock });
      const adopted = kept.adopt('call-1', session(client), signal);
      return codeOf(
        adopted.then((call) => (call === null ? refuse('call_not_pending') : kept.take('call-1'))),
      );
    },
    withdraw: () => asking.take('call-1'),
    end: () => asking.leave(),
  };
}

const MESSAGES = [{ role: 'user', content: 'When does Ada have time?' }];
const WHEN = { type: 'text', message: 'When do you have time?' } as const;

async function askOfModel(home: string, clock: Clock): Promise<Asked> {
  const program = () => new HumanInput({ home, clock, redactor, expiresAfterMs: 600_000 });
  const gone = new AbortController();
  const questions = [{ toolCallId: 'c1', question: WHEN }];
  const { messages } = await program().pause({
    messages: MESSAGES,
    questions,
    waiting: [],
    signal: gone.signal,
  });
  const take = async (): Promise<void> => {
    const end = await program().take({ messages, toolCallId: 'c1', userInput: 'Tuesday' });
    if (end.status !== 'resumed') throw new Error('It waits.');
    const refused = [...end.answers.values()].find((answer) => !answer.ok);
    if (refused?.ok === false) throw new SpillwayError(refused.error.code, refused.error.message);
  };
  return { answer: () => codeOf(take()), withdraw: async () => gone.abort(), end: () => undefined };
}

async function askOfProgram(home: string, clock: Clock): Promise<Asked> {
  const body = { waiting: [{ id: 1, question: { ...WHEN } }], goes_on: true };
  const work = () => Promise.reject(new SpillwayError('workflow_waits', 'It waits for a person.', { body }));
  const { runs } = await setUp({ home, clock, work });
  const { run_id: runId } = await runs.start(request());
  await vi.waitFor(async () => expect((await runs.get(runId)).error?.code).toBe('workflow_waits'), PATIENCE);
  let printed = '';
  const io = { write: (text: string) => void (printed = text), isTerminal: false };
  return {
    answer: async () =>
      (await runAnswer({ home, runId, answer: 'Tuesday' }, io)) === 0
        ? DONE
        : (/\((\w+)\)\n$/.exec(printed)?.[1] ?? printed),
    withdraw: () => runs.cancel(runId, 'a person'),
    end: () => undefined,
  };
}

const KINDS = { 'a call': askAboutCall, 'a turn of a model': askOfModel, 'a program': askOfProgram };
type Kind = keyof typeof KINDS;

async function ask(kind: Kind) {
  const home = await temporaryHome();
  let shift = 0;
  const clock: Clock = {
    now: () => systemClock.now() + shift,
    monotonic: () => systemClock.monotonic() + shift,
  };
  return { home, ...(await KINDS[kind](home, clock)), pass: (ms: number) => (shift += ms) };
}

const GONE = 'call_not_pending';
const ANSWERED = 'human_input_answered';
const UNKNOWN = 'human_input_not_found';
const EXPIRED = 'human_input_expired';

it.each<[Kind, string, string]>([
  ['a call', 'left', GONE],
  ['a call', 'was killed', GONE],
  ['a turn of a model', 'left', ANSWERED],
  ['a program', 'left', ANSWERED],
])(
  '%s whose server %s is answered once, and the same answer again changes nothing',
  async (kind, how, again) => {
    const { home, answer, end } = await ask(kind);
    if (how === 'left') end();
    else endServers(home);
    expect([await answer(), await answer()]).toEqual([DONE, again]);
  },
);

it.each<[Kind, string]>([
  ['a call', GONE],
  ['a turn of a model', ANSWERED],
  ['a program', ANSWERED],
])('%s is answered once when several servers take the answer at the same time', async (kind, others) => {
  const { answer, end } = await ask(kind);
  end();
  const ends = await Promise.all(Array.from({ length: 4 }, () => answer()));
  expect(ends.toSorted()).toEqual([others, others, others, DONE].toSorted());
});

it.each<[Kind, string]>([
  ['a call', GONE],
  ['a turn of a model', DONE],
  ['a program', DONE],
])('%s whose server is still there: the answer at another ends with %s', async (kind, code) => {
  expect(await (await ask(kind)).answer()).toBe(code);
});

it('a call is left to its own client', async () => {
  const { answer, end } = await ask('a call');
  end();
  expect([await answer('claude-code'), await answer()]).toEqual([GONE, DONE]);
});

it.each<[Kind, string, string]>([
  ['a call', 'approval_expired', GONE],
  ['a turn of a model', EXPIRED, ANSWERED],
  ['a program', DONE, ANSWERED],
])('%s is answered after ten minutes: %s, then %s', async (kind, code, again) => {
  const { answer, end, pass } = await ask(kind);
  end();
  pass(600_000);
  expect([await answer(), await answer()]).toEqual([code, again]);
});

it.each<[Kind, string]>([
  ['a call', GONE],
  ['a turn of a model', EXPIRED],
  ['a program', UNKNOWN],
])('%s that its asker withdrew gets a late answer: %s', async (kind, code) => {
  const { answer, withdraw, end } = await ask(kind);
  await withdraw();
  end();
  expect(await answer()).toBe(code);
});

it.each<[Kind, string]>([
  ['a call', GONE],
  ['a turn of a model', UNKNOWN],
])('%s whose row is damaged is removed, and cannot be answered', async (kind, code) => {
  const { home, answer, end } = await ask(kind);
  end();
  change(home, 'UPDATE question SET facts = substr(facts, 1, 50)');
  expect(await answer()).toBe(code);
  const database = new HomeDatabase(home);
  expect(database.rows('SELECT id FROM question')).toEqual([]);
  database.close();
});

const KEY = '367921348eab77f70170621a7aabef2349323fdf0abd3301ade9dab2c6065db1';

it('questions of a home of form 5 are answered as they were asked', async () => {
  const home = await temporaryHome();
  mkdirSync(join(home, 'human'), { mode: 0o700 });
  writeFileSync(join(home, 'human', 'key'), KEY, { mode: 0o600 });
  const old = new HomeDatabase(home);
  old.write(() => undefined);
  for (const [name] of old.rows(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'",
  ))
    old.run(`DROP TABLE ${String(name)}`);
  const form = readFileSync(new URL('../../../fixtures/home/form-5.sql', import.meta.url), 'utf8');
  for (const statement of form.split(/;\n/).filter((text) => text.trim() !== '')) old.run(statement);
  old.close();
  const { bridge } = fakeBrowser();
  bridge.answer({ 'question.adopt': async () => ({ adopted: true }) });
  const call = await server(home, { bridge }).kept.adopt('call-1', session(), signal);
  expect(call).toEqual({ tool: 'interact', args: { steps: ['click e1'], tab: 'b1:7' }, question: 'b1:q_1' });
  const human = new HumanInput({ home, clock: systemClock, redactor, expiresAfterMs: 600_000 });
  const [, two, three] = [1, 2, 3].map((count) => Array(count).fill(MESSAGES[0]) as typeof MESSAGES);
  const take = (toolCallId: string, messages = MESSAGES) =>
    human.take({ messages, toolCallId, userInput: 'Tuesday' });
  expect(await take('c1')).toMatchObject({
    status: 'requires_human_input',
    interaction: { toolCallId: 'c2' },
  });
  expect(await take('c2')).toMatchObject({ status: 'resumed', messages: MESSAGES });
  const { answers } = (await take('d1', two)) as { answers: ReadonlyMap<string, object> };
  expect(answers.get('d1')).toMatchObject({ error: { code: EXPIRED } });
  expect(await codeOf(take('e1', three))).toBe(ANSWERED);
});
