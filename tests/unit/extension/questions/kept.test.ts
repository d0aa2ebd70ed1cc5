import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { KeptQuestions } from '../../../../extension/background/questions/kept-questions.ts';
import { KeptState, need, questionsRig } from './rig.ts';

const { signal } = new AbortController();
const OLD = 'server-one';
const NEW = 'server-two';
const KEY = 'b'.repeat(64);
const key_hash = createHash('sha256').update(KEY).digest('hex');
const caller = { session: 's2', name: 'codex', version: '2' };
const everyone = (): boolean => true;
/** The need of the call as the next server makes it. */
const again = () => need({ server: NEW, caller });

function rig(storage = new KeptState(), clock = { now: 1_000_000 }) {
  const made = questionsRig(storage, clock);
  const inherited: string[] = [];
  const onAdopt = async (sessions: { from: string; to: string }): Promise<void> =>
    void inherited.push(`${sessions.from} > ${sessions.to}`);
  return { ...made, inherited, kept: new KeptQuestions(made.questions, made.memory, onAdopt) };
}

describe('a question that is kept', () => {
  it('waits while its server is away, and others end', async () => {
    const { questions, kept, raise } = rig();
    const id = await raise();
    const other = await raise(need({ origin: 'https://other.example' }));
    expect(await kept.keep({ id, key_hash }, OLD)).toBe(true);
    await questions.forgetServers(everyone);
    expect(questions.find(id)).not.toBeNull();
    expect(questions.find(other)).toBeNull();
  });

  it('ends when its own ten minutes are over', async () => {
    const { questions, kept, raise, clock } = rig();
    const id = await raise();
    await kept.keep({ id, key_hash }, OLD);
    clock.now += 10 * 60_000 - 1;
    await questions.tick();
    expect(questions.find(id)).not.toBeNull();
    clock.now += 1;
    await questions.tick();
    expect(questions.find(id)).toBeNull();
    expect(await kept.adopt({ id, key: KEY, caller }, NEW)).toBe(true);
    expect(await questions.wait(id, NEW, signal)).toMatchObject({ end: 'timeout' });
  });

  it('is forgotten with its outcome', async () => {
    const { questions, kept, raise, clock, memory } = rig();
    const id = await raise();
    await kept.keep({ id, key_hash }, OLD);
    clock.now += 10 * 60_000;
    await questions.tick();
    clock.now += 10 * 60_000;
    await questions.tick();
    expect(memory.state.kept).toEqual([]);
    expect(await kept.adopt({ id, key: KEY, caller }, NEW)).toBe(false);
  });

  it('is kept by its own server alone', async () => {
    const { kept, raise } = rig();
    const id = await raise();
    expect(await kept.keep({ id, key_hash }, NEW)).toBe(false);
    expect(await kept.keep({ id: 'q_unknown', key_hash }, OLD)).toBe(false);
  });

  it('is shown when a client was to ask, and its server has gone', async () => {
    const clients = { areAllowed: true };
    const made = questionsRig(new KeptState(), { now: 1_000_000 }, clients);
    const kept = new KeptQuestions(made.questions, made.memory, () => Promise.resolve());
    const id = await made.raise(need({ asks: 'client' }));
    await kept.keep({ id, key_hash }, OLD);
    expect(made.questions.front).toBeNull();
    await made.questions.forgetServers(everyone);
    expect(made.questions.front?.question.id).toBe(id);
  });
});

describe('an adoption', () => {
  it('makes an open question the next server’s, and what is allowed then is its own', async () => {
    const { questions, kept, raise, allow, inherited } = rig();
    const id = await raise();
    await kept.keep({ id, key_hash }, OLD);
    await questions.forgetServers(everyone);
    expect(await kept.adopt({ id, key: KEY, caller }, NEW)).toBe(true);
    expect(inherited).toEqual(['s1 > s2']);
    expect(questions.front?.question).toMatchObject({ id, server: NEW, caller });
    expect(await raise(again())).toBe(id);
    const waiting = questions.wait(id, NEW, signal);
    await allow(id);
    expect(await waiting).toMatchObject({ decision: { approve: true } });
    expect(await questions.use(need())).toBeNull();
    expect(await questions.use(again())).toMatchObject({ scope: 'once' });
  });

  it('takes along what was decided while no server was there, for this call and no other', async () => {
    const { questions, kept, raise, allow } = rig();
    const id = await raise();
    await kept.keep({ id, key_hash }, OLD);
    await allow(id);
    await questions.forgetServers(everyone);
    expect(await questions.use(again())).toBeNull();
    expect(await kept.adopt({ id, key: KEY, caller }, NEW)).toBe(true);
    expect(await questions.wait(id, NEW, signal)).toMatchObject({
      decision: { approve: true, scope: 'once' },
    });
    expect(questions.about(id, NEW)).toMatchObject({ site: 'https://shop.example' });
    expect(await questions.use(need({ server: NEW, caller, documentId: 'D2' }))).toBeNull();
    expect(await questions.use(again())).toMatchObject({ scope: 'once' });
  });

  it('gives the session of the next server what was allowed for the session', async () => {
    const { questions, kept, raise, allow } = rig();
    const id = await raise();
    await kept.keep({ id, key_hash }, OLD);
    await allow(id, { scope: 'task' });
    await questions.forgetServers(everyone);
    await kept.adopt({ id, key: KEY, caller }, NEW);
    expect(await questions.use(again())).toMatchObject({ scope: 'task' });
    expect(await questions.use(need({ server: NEW, caller: { ...caller, session: 's3' } }))).toBeNull();
  });

  it('takes a no along', async () => {
    const { questions, kept, raise, deny } = rig();
    const id = await raise();
    await kept.keep({ id, key_hash }, OLD);
    await deny(id, 'Not now.');
    await kept.adopt({ id, key: KEY, caller }, NEW);
    expect(await questions.wait(id, NEW, signal)).toMatchObject({
      decision: { approve: false, reason: 'Not now.' },
    });
  });

  it('leaves the place in the queue, the other questions of its card and their order', async () => {
    const { questions, kept, raise, allow } = rig();
    const id = await raise();
    const sibling = await raise(need({}, { call_id: 'c2' }));
    const later = await raise(need({ origin: 'https://later.example' }));
    await kept.keep({ id, key_hash }, OLD);
    await kept.adopt({ id, key: KEY, caller }, NEW);
    expect(questions.count).toEqual({ questions: 3, cards: 3 });
    const order: (string | undefined)[] = [];
    for (let left = 3; left > 0; left -= 1) {
      const front = questions.front?.question.id ?? '';
      order.push(front);
      await allow(front);
    }
    expect(order).toEqual([id, sibling, later]);
  });

  it('joins the card of its kind', async () => {
    const { questions, kept, raise } = rig();
    const id = await raise();
    await kept.keep({ id, key_hash }, OLD);
    await raise(need({ server: NEW, caller }, { call_id: 'c9' }));
    await kept.adopt({ id, key: KEY, caller }, NEW);
    expect(questions.count).toEqual({ questions: 2, cards: 1 });
  });

  it.each([
    ['a wrong key', 'c'.repeat(64)],
    ['the hash of the key', key_hash],
  ])('with %s is refused and noted', async (_what, key) => {
    const { questions, kept, raise, inherited } = rig();
    const id = await raise();
    await kept.keep({ id, key_hash }, OLD);
    expect(await kept.adopt({ id, key, caller }, NEW)).toBe(false);
    expect(inherited).toEqual([]);
    expect(questions.find(id)).toMatchObject({ server: OLD });
    expect(questions.refused).toMatchObject([{ reason: 'wrong_key', question: id }]);
  });

  it('of a question that nobody keeps is refused and noted', async () => {
    const { questions, kept, raise } = rig();
    const id = await raise();
    expect(await kept.adopt({ id, key: KEY, caller }, NEW)).toBe(false);
    expect(questions.refused).toMatchObject([{ reason: 'wrong_key', question: id }]);
    expect(await kept.adopt({ id: 'q_unknown', key: KEY, caller }, NEW)).toBe(false);
    expect(questions.refused).toHaveLength(1);
  });

  it('works after a restart of the worker, and once more for the server after', async () => {
    const { kept, raise, storage, clock } = rig();
    const id = await raise();
    await kept.keep({ id, key_hash }, OLD);
    const next = rig(storage, clock);
    await next.questions.loaded;
    await next.questions.forgetServers(everyone);
    expect(await next.kept.adopt({ id, key: KEY, caller }, NEW)).toBe(true);
    await next.questions.forgetServers(everyone);
    expect(await next.kept.adopt({ id, key: KEY, caller }, 'server-three')).toBe(true);
    expect(next.questions.find(id)).toMatchObject({ server: 'server-three' });
  });
});
