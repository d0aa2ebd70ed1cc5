import { describe, expect, it } from 'vitest';
import { KeptState, need, questionsRig } from './rig.ts';

const { signal } = new AbortController();
const SERVER = 'server-one';

const rig = (areAllowed = true) => {
  const clients = { areAllowed };
  return { clients, ...questionsRig(new KeptState(), { now: 1_000_000 }, clients) };
};
const asking = (more = {}, call = {}) => need({ asks: 'client', ...more }, call);

describe('a question that the client of an agent asks', () => {
  it('is neither shown nor counted nor decided with others, and what the client allows is good once', async () => {
    const { questions, held, raise, deny } = rig();
    const id = await raise(asking());
    expect(questions.front).toBeNull();
    expect(questions.count).toEqual({ questions: 0, cards: 0 });
    await deny(await raise(need({}, { call_id: 'c2' })));
    expect(await held.claim(id, SERVER)).toMatchObject({ state: 'held', question: { id } });
    const waiting = questions.wait(id, SERVER, signal);
    expect(await held.answer({ id, approve: true }, SERVER)).toBeNull();
    expect(await waiting).toMatchObject({ decision: { approve: true, scope: 'once', where: 'client' } });
    expect(await questions.use(asking())).toMatchObject({ scope: 'once' });
    expect(await questions.use(asking({}, { call_id: 'c2' }))).toBeNull();
  });

  it('ends with the reason of a no, and leaves no grant', async () => {
    const { questions, held, raise } = rig();
    const id = await raise(asking());
    await held.answer({ id, approve: false, reason: 'not now' }, SERVER);
    const decision = { approve: false, where: 'client', reason: 'not now' };
    expect(await questions.wait(id, SERVER, signal)).toEqual({ decision, end: null });
    expect(await questions.use(asking())).toBeNull();
  });

  it('is shown once its server releases it, in its place in the queue', async () => {
    const { questions, held, raise, changes } = rig();
    const id = await raise(asking());
    const later = await raise(need({ origin: 'https://later.example' }));
    expect(questions.front?.question.id).toBe(later);
    expect(await held.release(id, 'server-two')).toBe(false);
    expect(await held.release(id, SERVER)).toBe(true);
    expect(questions.front?.question.id).toBe(id);
    expect(changes.at(-1)).toBe(id);
    expect(await held.release(id, SERVER)).toBe(false);
    expect(await held.claim(id, SERVER)).toMatchObject({ state: 'shown' });
  });

  it('is shown where the person lets no client answer, from then on, and no answer counts', async () => {
    const never = rig(false);
    const shown = await never.raise(asking());
    expect(never.questions.front?.question.id).toBe(shown);
    expect(await never.held.claim(shown, SERVER)).toMatchObject({ state: 'off' });
    expect(await never.held.answer({ id: shown, approve: true }, SERVER)).toBe('not_held');
    const { questions, held, raise, clients } = rig();
    const id = await raise(asking());
    clients.areAllowed = false;
    expect(await held.answer({ id, approve: true }, SERVER)).toBe('clients_off');
    expect(questions.refused.at(-1)).toMatchObject({ reason: 'clients_off', question: id });
    expect(await held.claim(id, SERVER)).toMatchObject({ state: 'off' });
    expect(questions.front?.question.id).toBe(id);
    expect(await questions.use(asking())).toBeNull();
  });
});

describe('an answer is refused and noted', () => {
  it.each([
    ['twice', 'already_ended', SERVER],
    ['of another server', 'no_such_question', 'server-two'],
  ])('%s', async (what, reason, server) => {
    const { questions, held, raise } = rig();
    const id = await raise(asking());
    // Of two at the same time the first counts.
    if (what === 'twice') void held.answer({ id, approve: false }, SERVER);
    expect(await held.answer({ id, approve: true }, server)).toBe(reason);
    expect(questions.refused).toMatchObject([{ reason, question: id }]);
    expect(await questions.use(asking())).toBeNull();
  });

  it('to a question that was released, has timed out, was never asked, or that no client was to ask', async () => {
    const { questions, held, raise, clock } = rig();
    const id = await raise(asking());
    await held.release(id, SERVER);
    expect(await held.answer({ id, approve: true }, SERVER)).toBe('not_held');
    clock.now += 10 * 60_000;
    await questions.tick();
    expect(await held.answer({ id, approve: true }, SERVER)).toBe('already_ended');
    expect(await held.answer({ id: 'q_none', approve: true }, SERVER)).toBe('no_such_question');
    expect(await held.answer({ id: await raise(), approve: true }, SERVER)).toBe('not_held');
    const reasons = questions.refused.map(({ reason }) => reason);
    expect(reasons).toEqual(['not_held', 'already_ended', 'no_such_question', 'not_held']);
  });
});
