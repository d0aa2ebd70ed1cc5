import { describe, expect, it } from 'vitest';
import { SpillwayError } from '../../../../shared/base/errors.ts';
import { PAGE_TOOL_LIMITS } from '../../../../shared/inspect/page_tools.methods.ts';
import { hash, KeptState, need, questionsRig, RULE } from './rig.ts';

const { signal } = new AbortController();
const SERVER = 'server-one';
const TOO_MANY = { code: 'too_many_pending' };

describe('the queue', () => {
  it.each([
    ['another agent', need({ caller: { session: 's2', name: 'codex' } })],
    ['another server', need({ server: 'server-two' })],
    ['another site', need({ origin: 'http://shop.example' })],
    ['another risk', need({ risks: ['input'] })],
    ['another tool', need({}, { tool: 'dialog' })],
  ])('makes another card for %s', async (_what, other) => {
    const { questions, raise } = questionsRig();
    await raise();
    await raise(other);
    expect(questions.count).toEqual({ questions: 2, cards: 2 });
  });

  it.each([
    [
      'no arguments',
      { args: null, largest: 'code has 70000 characters' },
      /code has 70000 characters.* 65536/,
    ],
    [
      'arguments that redaction has made longer',
      { args: { a: 'x'.repeat(70_000) } },
      /interact: its arguments/,
    ],
  ])('refuses a call with %s to show', async (_what, call, message) => {
    const { questions, raise } = questionsRig();
    const refused = expect.objectContaining({
      code: 'approval_too_large',
      message: expect.stringMatching(message),
    });
    await expect(raise(need({}, call))).rejects.toEqual(refused);
    expect(questions.count.questions).toBe(0);
  });

  it('asks nothing new for a call that is performed again', async () => {
    const { questions, raise } = questionsRig();
    expect(await raise()).toBe(await raise());
    expect(questions.count.questions).toBe(1);
    expect(await raise(need({ documentId: 'D2' }))).not.toBe(await raise());
  });

  it('refuses the questions of an agent that floods, and asks those of others', async () => {
    const { questions, raise } = questionsRig();
    for (let at = 0; at < 20; at += 1) await raise(need({ origin: `https://${at}.example` }));
    await expect(raise(need({ origin: 'https://more.example' }))).rejects.toMatchObject(TOO_MANY);
    await raise(need({ caller: { session: 's2', name: 'other' } }));
    expect(questions.count.cards).toBe(21);
    const another = (at: number) => raise(need({ origin: 'https://0.example' }, { call_id: `n${at}` }));
    await Promise.all(Array.from({ length: 1_980 }, (_, at) => another(at)));
    await expect(another(1_980)).rejects.toMatchObject(TOO_MANY);
  });

  it('asks again with its arguments for a question whose arguments were left out, when its turn comes', async () => {
    const { questions, raise, allow } = questionsRig();
    const ids: string[] = [];
    for (let at = 0; at < 6; at += 1) ids.push(await raise(need({}, { call_id: `c${at}` })));
    for (const id of ids.slice(0, 2)) {
      expect(questions.front?.question.call.args).toEqual({ steps: ['click e1'] });
      expect(await allow(id)).toBeNull();
    }
    expect(await questions.wait(ids[4] ?? '', SERVER, signal)).toEqual({ decision: null, end: 'gone' });
  });

  it('refuses to ask about a call that the server did not describe', async () => {
    const { questions } = questionsRig();
    await expect(questions.raise({ ...need(), call: null }, RULE)).rejects.toBeInstanceOf(SpillwayError);
  });

  it('makes a flood one card and a count with few writes, and a yes is for what the card shows', async () => {
    const { questions, raise, allow, storage } = questionsRig();
    const ids = await Promise.all(
      Array.from({ length: 1_000 }, (_, at) =>
        raise(need({}, { call_id: `c${at}`, args_hash: hash(at === 500 ? 'f' : 'a') })),
      ),
    );
    expect(new Set(ids).size).toBe(1_000);
    expect(storage.writes).toBeLessThan(5);
    expect(JSON.stringify(storage.kept).length).toBeLessThan(1_000_000);
    const other = await raise(need({ caller: { session: 's2', name: 'claude-code' } }, { call_id: 'other' }));
    expect(questions.count).toEqual({ questions: 1_001, cards: 2 });
    expect(questions.front?.question.id).toBe(ids[0]);
    expect(questions.front?.card.questions).toHaveLength(1_000);
    await allow(ids[0] ?? '');
    expect(await questions.grants.list()).toMatchObject([{ args_hash: hash('a'), scope: 'once' }]);
    // The harmful one is denied like the 998 others.
    expect(await questions.use(need({}, { call_id: 'c500', args_hash: hash('f') }))).toBeNull();
    expect(questions.front?.question.id).toBe(other);
  });
});

it('waiting resolves with the decision, however late it is asked for', async () => {
  const { questions, raise, deny } = questionsRig();
  const id = await raise();
  const waiting = questions.wait(id, SERVER, signal);
  expect(await deny(id, ' not today ')).toBeNull();
  const outcome = { decision: { approve: false, where: 'window', reason: 'not today' }, end: null };
  expect(await waiting).toEqual(outcome);
  expect(await questions.wait(id, SERVER, signal)).toEqual(outcome);
});

it('waiting leaves the question open for another server, and when the wait is cancelled', async () => {
  const { questions, raise } = questionsRig();
  const id = await raise();
  expect(await questions.wait(id, 'server-two', signal)).toEqual({ decision: null, end: 'gone' });
  expect(await questions.cancel(id, 'server-two')).toBe(false);
  const cancelled = new AbortController();
  const waiting = questions.wait(id, SERVER, cancelled.signal);
  cancelled.abort(new Error('No longer.'));
  await expect(waiting).rejects.toThrow('No longer.');
  expect(questions.front?.question.id).toBe(id);
});

it('waiting ends with a question that the server withdraws, or after ten minutes, not before', async () => {
  const { questions, raise, clock } = questionsRig();
  const withdrawn = await raise();
  const waiting = questions.wait(withdrawn, SERVER, signal);
  expect(await questions.cancel(withdrawn, SERVER)).toBe(true);
  expect(await waiting).toEqual({ decision: null, end: 'withdrawn' });
  expect(questions.front).toBeNull();
  const late = await raise();
  clock.now += 599_999;
  expect(await questions.tick()).toBe(1);
  expect(questions.front?.question.id).toBe(late);
  clock.now += 1;
  expect(await questions.tick()).toBeNull();
  expect(await questions.wait(late, SERVER, signal)).toEqual({ decision: null, end: 'timeout' });
});

it('waiting ends with a document that was left, a tab that is closed, and a server that does not come back', async () => {
  const { questions, raise } = questionsRig();
  const left = await raise();
  const goes = await raise(need({ documentId: null, risks: ['navigate'] }));
  await questions.leave(8, 'D9');
  await questions.leave(7, 'D1');
  expect(questions.count.questions).toBe(2);
  await questions.leave(7, 'D2');
  expect(await questions.wait(left, SERVER, signal)).toEqual({ decision: null, end: 'gone' });
  expect(questions.front?.question.id).toBe(goes);
  await questions.leave(7, null);
  expect(questions.front).toBeNull();
  await raise();
  await raise(need({ server: 'server-two' }));
  await questions.forgetServers((server) => server === SERVER);
  expect(questions.front?.question.server).toBe('server-two');
  expect(questions.count.questions).toBe(1);
});

describe('a worker that is started again', () => {
  it('has the open questions, the outcomes and the grants', async () => {
    const before = questionsRig();
    const decided = await before.raise();
    await before.allow(decided);
    const open = await before.raise(need({}, { call_id: 'c2', args_hash: hash('b') }));
    const { questions } = questionsRig(before.storage, before.clock);
    await questions.loaded;
    expect(questions.front?.question.id).toBe(open);
    expect(await questions.wait(decided, SERVER, signal)).toMatchObject({ decision: { approve: true } });
    expect(await questions.use(need())).toMatchObject({ scope: 'once' });
  });

  it('asks everything again when what was kept cannot be read, and continues when nothing can be stored', async () => {
    const storage = new KeptState();
    storage.kept = { cards: 'none' };
    storage.save = () => Promise.reject(new Error('Quota exceeded.'));
    const { questions, raise, allow } = questionsRig(storage);
    expect(await questions.use(need())).toBeNull();
    expect(await allow(await raise())).toBeNull();
    expect(await questions.use(need())).toMatchObject({ scope: 'once' });
  });

  it('has everything but the entry that cannot be read, and the longest line that a card shows', async () => {
    const { storage, memory, raise, decisions, shown } = questionsRig();
    const id = await raise();
    const other = await raise(need({ origin: 'https://other.example' }));
    const { name, description } = PAGE_TOOL_LIMITS;
    const line = 'l'.repeat(name + description + ':  (consequential)'.length);
    const elements = { pay: { line, leads: null } };
    const answer = { approve: true, scope: 'once' } as const;
    const yes = { type: 'decide', question: id, token: 'token', answer } as const;
    await decisions.take(yes, shown(id, { elements }));
    memory.state.grants.push({ ...memory.state.grants[0], risks: ['fly'] } as never);
    await memory.save();
    const { questions } = questionsRig(storage);
    expect(await questions.use(need())).toMatchObject({ elements });
    expect(questions.find(other)).not.toBeNull();
    expect(await questions.grants.list()).toHaveLength(1);
  });
});
