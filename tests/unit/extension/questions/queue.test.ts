import { describe, expect, it } from 'vitest';
import { SpillwayError } from '../../../../shared/errors.ts';
import { hash, KeptState, need, questionsRig, RULE } from './rig.ts';

const { signal } = new AbortController();
const MINUTES = 60_000;

describe('the queue', () => {
  it('asks one question at a time, in the order in which they came', async () => {
    const { questions, raise, deny } = questionsRig();
    const first = await raise();
    const second = await raise(need({ origin: 'https://other.example' }));
    expect(questions.front?.question.id).toBe(first);
    await deny(first);
    expect(questions.front?.question.id).toBe(second);
    await deny(second);
    expect(questions.front).toBeNull();
  });

  it('makes one card and a count of 1,000 questions of a kind, with few writes', async () => {
    const { questions, raise, storage } = questionsRig();
    const ids = await Promise.all(
      Array.from({ length: 1_000 }, (_, at) => raise(need({}, { call_id: `c${at}` }))),
    );
    expect(new Set(ids).size).toBe(1_000);
    expect(questions.count).toEqual({ questions: 1_000, cards: 1 });
    expect(questions.front?.question.id).toBe(ids[0]);
    expect(storage.writes).toBeLessThan(5);
    expect(JSON.stringify(storage.kept).length).toBeLessThan(1_000_000);
  });

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

  it('asks nothing new for a call that is performed again', async () => {
    const { questions, raise } = questionsRig();
    expect(await raise()).toBe(await raise());
    expect(questions.count.questions).toBe(1);
    expect(await raise(need({ documentId: 'D2' }))).not.toBe(await raise());
  });

  it('refuses the questions of an agent that floods, and asks those of others', async () => {
    const { questions, raise } = questionsRig();
    for (let at = 0; at < 20; at += 1) await raise(need({ origin: `https://${at}.example` }));
    await expect(raise(need({ origin: 'https://more.example' }))).rejects.toMatchObject({
      code: 'too_many_pending',
    });
    await raise(need({ caller: { session: 's2', name: 'other' } }));
    expect(questions.count.cards).toBe(21);
    await Promise.all(
      Array.from({ length: 1_980 }, (_, at) =>
        raise(need({ origin: 'https://0.example' }, { call_id: `n${at}` })),
      ),
    );
    await expect(raise(need({ origin: 'https://0.example' }, { call_id: 'last' }))).rejects.toMatchObject({
      code: 'too_many_pending',
    });
  });

  it('keeps no arguments that are too large to show, nor allows to edit them', async () => {
    const { questions, raise } = questionsRig();
    await raise(need({}, { args: { text: 'x'.repeat(40_000) } }));
    expect(questions.front?.question.call).toMatchObject({ args: null, is_editable: false });
  });

  it('asks again with its arguments for a question whose arguments were left out, when its turn comes', async () => {
    const { questions, raise, allow } = questionsRig();
    const ids: string[] = [];
    for (let at = 0; at < 6; at += 1) ids.push(await raise(need({}, { call_id: `c${at}` })));
    for (let at = 0; at < 4; at += 1) {
      expect(questions.front?.question.call.args).toEqual({ steps: ['click e1'] });
      expect(await allow(ids[at] ?? '')).toBeNull();
    }
    expect(await questions.wait(ids[4] ?? '', 'server-one', signal)).toEqual({ decision: null, end: 'gone' });
  });

  it('refuses to ask about a call that the server did not describe', async () => {
    const { questions } = questionsRig();
    await expect(questions.raise({ ...need(), call: null }, RULE)).rejects.toBeInstanceOf(SpillwayError);
  });
});

describe('waiting', () => {
  it('resolves with the decision, however late it is asked for', async () => {
    const { questions, raise, deny } = questionsRig();
    const id = await raise();
    const waiting = questions.wait(id, 'server-one', signal);
    expect(await deny(id, ' not today ')).toBeNull();
    const outcome = { decision: { approve: false, where: 'window', reason: 'not today' }, end: null };
    expect(await waiting).toEqual(outcome);
    expect(await questions.wait(id, 'server-one', signal)).toEqual(outcome);
  });

  it('knows of no question of another server', async () => {
    const { questions, raise } = questionsRig();
    const id = await raise();
    expect(await questions.wait(id, 'server-two', signal)).toEqual({ decision: null, end: 'gone' });
    expect(await questions.cancel(id, 'server-two')).toBe(false);
    expect(questions.front?.question.id).toBe(id);
  });

  it('leaves the question open when the wait is cancelled', async () => {
    const { questions, raise } = questionsRig();
    const id = await raise();
    const cancelled = new AbortController();
    const waiting = questions.wait(id, 'server-one', cancelled.signal);
    cancelled.abort(new Error('No longer.'));
    await expect(waiting).rejects.toThrow('No longer.');
    expect(questions.front?.question.id).toBe(id);
  });

  it('ends a question that the server withdraws', async () => {
    const { questions, raise } = questionsRig();
    const id = await raise();
    const waiting = questions.wait(id, 'server-one', signal);
    expect(await questions.cancel(id, 'server-one')).toBe(true);
    expect(await waiting).toEqual({ decision: null, end: 'withdrawn' });
    expect(questions.front).toBeNull();
  });

  it('ends a question after ten minutes, not before', async () => {
    const { questions, raise, clock } = questionsRig();
    const id = await raise();
    clock.now += 10 * MINUTES - 1;
    expect(await questions.tick()).toBe(1);
    expect(questions.front?.question.id).toBe(id);
    clock.now += 1;
    expect(await questions.tick()).toBeNull();
    expect(await questions.wait(id, 'server-one', signal)).toEqual({ decision: null, end: 'timeout' });
  });

  it('ends what is asked about a document that was left, and about a tab that is closed', async () => {
    const { questions, raise } = questionsRig();
    const left = await raise();
    const goes = await raise(need({ documentId: null, risks: ['navigate'] }));
    await questions.leave(8, 'D9');
    await questions.leave(7, 'D1');
    expect(questions.count.questions).toBe(2);
    await questions.leave(7, 'D2');
    expect(await questions.wait(left, 'server-one', signal)).toEqual({ decision: null, end: 'gone' });
    expect(questions.front?.question.id).toBe(goes);
    await questions.leave(7, null);
    expect(questions.front).toBeNull();
  });

  it('withdraws the questions of a server that does not come back', async () => {
    const { questions, raise } = questionsRig();
    await raise();
    await raise(need({ server: 'server-two' }));
    await questions.forgetServers((server) => server === 'server-one');
    expect(questions.front?.question.server).toBe('server-two');
    expect(questions.count.questions).toBe(1);
  });
});

describe('a worker that is started again', () => {
  it('has the open questions, the outcomes and the grants', async () => {
    const before = questionsRig();
    const decided = await before.raise();
    await before.allow(decided);
    const open = await before.raise(need({}, { call_id: 'c2', args_hash: 'b'.repeat(64) }));
    const { questions } = questionsRig(before.storage, before.clock);
    await questions.loaded;
    expect(questions.front?.question.id).toBe(open);
    expect(await questions.wait(decided, 'server-one', signal)).toMatchObject({
      decision: { approve: true },
    });
    expect(await questions.use(need())).toMatchObject({ scope: 'once' });
  });

  it('asks everything again when what was kept cannot be read', async () => {
    const storage = new KeptState();
    storage.kept = { cards: 'none' };
    const { questions, raise } = questionsRig(storage);
    expect(await questions.use(need())).toBeNull();
    await raise();
    expect(questions.count.questions).toBe(1);
  });

  it('continues when nothing can be stored', async () => {
    const storage = new KeptState();
    storage.save = () => Promise.reject(new Error('Quota exceeded.'));
    const { raise, allow, questions } = questionsRig(storage);
    expect(await allow(await raise())).toBeNull();
    expect(await questions.use(need())).toMatchObject({ scope: 'once' });
  });
});

it('a flood is one card and a count, a yes is for what the card shows, and then it is the turn of others', async () => {
  const rig = questionsRig();
  const harmless = await rig.raise(need({}, { call_id: 'c0', args_hash: hash('a') }));
  for (let at = 1; at < 1_000; at += 1)
    await rig.raise(need({}, { call_id: `c${at}`, args_hash: hash(at === 500 ? 'f' : 'b') }));
  const other = await rig.raise(
    need({ caller: { session: 's2', name: 'claude-code' } }, { call_id: 'other' }),
  );
  expect(rig.questions.count).toEqual({ questions: 1_001, cards: 2 });
  expect(rig.questions.front?.question.id).toBe(harmless);
  expect(rig.questions.front?.card.questions).toHaveLength(1_000);
  await rig.allow(harmless);
  const grants = await rig.questions.grants.list();
  expect(grants).toMatchObject([{ args_hash: hash('a'), scope: 'once' }]);
  // The harmful one is as little allowed as the 998 others.
  expect(await rig.questions.use(need({}, { call_id: 'c500', args_hash: hash('f') }))).toBeNull();
  expect(rig.questions.front?.question.id).toBe(other);
  await rig.deny(other);
  expect(rig.questions.front?.card.questions).toHaveLength(999);
  await rig.deny(rig.questions.front?.question.id ?? '');
  expect(rig.questions.count).toEqual({ questions: 0, cards: 0 });
  expect(await rig.questions.grants.list()).toHaveLength(1);
});
