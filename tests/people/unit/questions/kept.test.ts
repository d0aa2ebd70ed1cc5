import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { need, questionsRig } from './rig.ts';

const { signal } = new AbortController();
const OLD = 'server-one';
const NEW = 'server-two';
const KEY = 'b'.repeat(64);
const key_hash = createHash('sha256').update(KEY).digest('hex');
const caller = { session: 's2', name: 'codex', version: '2' };
const everyone = (): boolean => true;
/** The need of the call as the next server makes it. */
const again = () => need({ server: NEW, caller });

function rig(...given: Parameters<typeof questionsRig>) {
  const made = questionsRig(...given);
  const { held: kept } = made;
  const adopt = (id: string, key = KEY, server = NEW) => kept.adopt({ id, key, caller }, server);
  const keep = async (of = need()): Promise<string> => {
    const id = await made.raise(of);
    expect(await kept.keep({ id, key_hash }, OLD)).toBe(true);
    return id;
  };
  return { ...made, kept, adopt, keep };
}

it('a question that is kept waits while its server is away, and others end', async () => {
  const { questions, keep, raise } = rig();
  const id = await keep();
  const other = await raise(need({ origin: 'https://other.example' }));
  await questions.forgetServers(everyone);
  expect(questions.find(id)).not.toBeNull();
  expect(questions.find(other)).toBeNull();
});

it('a question that is kept ends when its own ten minutes are over, and is forgotten with its outcome', async () => {
  const { questions, keep, adopt, clock, memory } = rig();
  const ids = [await keep(), await keep(need({}, { call_id: 'c2' }))] as const;
  clock.now += 10 * 60_000 - 1;
  await questions.tick();
  expect(questions.find(ids[0])).not.toBeNull();
  clock.now += 1;
  await questions.tick();
  expect(questions.find(ids[0])).toBeNull();
  expect(await adopt(ids[0])).toBe(true);
  expect(await questions.wait(ids[0], NEW, signal)).toMatchObject({ end: 'timeout' });
  clock.now += 10 * 60_000;
  await questions.tick();
  expect(memory.state.kept).toEqual([]);
  expect(await adopt(ids[1])).toBe(false);
});

it('a question that is kept is kept by its own server alone', async () => {
  const { kept, raise } = rig();
  expect(await kept.keep({ id: await raise(), key_hash }, NEW)).toBe(false);
  expect(await kept.keep({ id: 'q_unknown', key_hash }, OLD)).toBe(false);
});

describe('an adoption', () => {
  it('makes an open question the next server’s, and what is allowed then is its own', async () => {
    const { questions, keep, adopt, raise, allow, inherited } = rig();
    const id = await keep();
    await questions.forgetServers(everyone);
    expect(await adopt(id)).toBe(true);
    expect(inherited).toEqual(['s1 > s2']);
    expect(questions.front?.question).toMatchObject({ id, server: NEW, caller });
    expect(await raise(again())).toBe(id);
    const waiting = questions.wait(id, NEW, signal);
    await allow(id);
    expect(await waiting).toMatchObject({ decision: { approve: true } });
    expect(await questions.use(need())).toBeNull();
    expect(await questions.use(again())).toMatchObject({ scope: 'once' });
  });

  it('passes on a decision made while no server was there, for this call only', async () => {
    const { questions, keep, adopt, allow } = rig();
    const id = await keep();
    await allow(id);
    await questions.forgetServers(everyone);
    expect(await questions.use(again())).toBeNull();
    expect(await adopt(id)).toBe(true);
    const outcome = await questions.wait(id, NEW, signal);
    expect(outcome).toMatchObject({ decision: { approve: true, scope: 'once' } });
    expect(questions.about(id, NEW)).toMatchObject({ site: 'https://shop.example' });
    expect(questions.about(id, OLD)).toEqual({});
    expect(await questions.use(need({ server: NEW, caller, documentId: 'D2' }))).toBeNull();
    expect(await questions.use(again())).toMatchObject({ scope: 'once' });
  });

  it('passes a grant for the session to the next server’s session', async () => {
    const { questions, keep, adopt, allow } = rig();
    const id = await keep();
    await allow(id, { scope: 'task' });
    await questions.forgetServers(everyone);
    await adopt(id);
    expect(await questions.use(again())).toMatchObject({ scope: 'task' });
    expect(await questions.use(need({ server: NEW, caller: { ...caller, session: 's3' } }))).toBeNull();
  });

  it('with a wrong key, or of what nobody keeps, is refused and noted', async () => {
    const { questions, keep, adopt, raise, inherited } = rig();
    const unkept = await raise(need({}, { call_id: 'c2' }));
    const id = await keep();
    expect(await adopt(id, 'c'.repeat(64))).toBe(false);
    expect(await adopt(id, key_hash)).toBe(false);
    expect(await adopt(unkept)).toBe(false);
    expect(await adopt('q_unknown')).toBe(false);
    expect(inherited).toEqual([]);
    expect(questions.find(id)).toMatchObject({ server: OLD });
    const noted = [id, id, unkept].map((question) => ({ reason: 'wrong_key', question }));
    expect(questions.refused).toMatchObject(noted);
  });

  it('works after a restart of the worker, and once more for the server after', async () => {
    const { keep, storage, clock } = rig();
    const id = await keep();
    const next = rig(storage, clock);
    await next.questions.loaded;
    await next.questions.forgetServers(everyone);
    expect(await next.adopt(id)).toBe(true);
    await next.questions.forgetServers(everyone);
    expect(await next.adopt(id, KEY, 'server-three')).toBe(true);
    expect(next.questions.find(id)).toMatchObject({ server: 'server-three' });
  });
});
