import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { need, questionsRig, RULE } from './rig.ts';

const { signal } = new AbortController();
const YES = { approve: true, scope: 'once' } as const;

describe('a decision is refused, noted, and allows nothing', () => {
  const rig = async () => {
    const all = questionsRig();
    const id = await all.raise();
    const request = { type: 'decide', question: id, token: 'token', answer: YES } as const;
    const check = async (reason: string, question: string | null = id) => {
      expect(all.questions.refused.at(-1)).toMatchObject({ reason, question });
      expect(await all.questions.use(need())).toBeNull();
    };
    return { ...all, id, request, check };
  };

  it('from a page that is not the window', async () => {
    const { decisions, request, check } = await rig();
    expect(await decisions.take(request, null)).toBe('not_the_window');
    await check('not_the_window');
  });

  it('with a token of another question, or with none', async () => {
    const { decisions, request, shown, id, check } = await rig();
    for (const token of ['', 'tokem', 'TOKEN'])
      expect(await decisions.take({ ...request, token }, shown(id))).toBe('wrong_token');
    await check('wrong_token');
  });

  it('within 500 ms', async () => {
    const { decisions, request, shown, id, check, clock } = await rig();
    expect(await decisions.take(request, shown(id, { at: clock.now - 499 }))).toBe('too_early');
    await check('too_early');
  });

  it('about a question that was never asked', async () => {
    const { decisions, request, shown, check } = await rig();
    expect(await decisions.take({ ...request, question: 'q_none' }, shown('q_none'))).toBe(
      'no_such_question',
    );
    await check('no_such_question', null);
  });

  it('about a question behind the one that is shown', async () => {
    const { decisions, request, shown, raise, check } = await rig();
    const later = await raise(need({ origin: 'https://other.example' }));
    expect(await decisions.take({ ...request, question: later }, shown(later))).toBe('not_shown');
    await check('not_shown', later);
  });

  it('about a question other than the one that its page shows', async () => {
    const { decisions, request, shown, check } = await rig();
    expect(await decisions.take(request, shown('q_other'))).toBe('not_shown');
    await check('not_shown');
  });

  it('about a question that has ended', async () => {
    const { decisions, request, shown, id, questions, check } = await rig();
    await questions.cancel(id, 'server-one');
    expect(await decisions.take(request, shown(id))).toBe('already_ended');
    await check('already_ended');
  });

  it('with arguments where they cannot be edited', async () => {
    const { decisions, shown, raise, questions, deny, id } = await rig();
    await deny(id);
    const fixed = await raise(need({}, { call_id: 'c2', is_editable: false }));
    const answer = { ...YES, args: { steps: ['click e2'] } };
    const request = { type: 'decide', question: fixed, token: 'token', answer } as const;
    expect(await decisions.take(request, shown(fixed))).toBe('not_editable');
    expect(questions.front?.question.id).toBe(fixed);
  });

  it('always, where a flag of the server asks', async () => {
    const { allow, raise, deny, id, remembered } = await rig();
    await deny(id);
    const asked = await raise(need({}, { call_id: 'c2' }), { ...RULE, source: 'server' });
    expect(await allow(asked, { scope: 'always' })).toBe('scope_not_offered');
    expect(remembered).toEqual([]);
  });

  it('for a site, where the question names no site', async () => {
    const { allow, raise, deny, id } = await rig();
    await deny(id);
    const asked = await raise(need({ origin: 'null' }));
    for (const scope of ['task', 'site_hour', 'always'] as const)
      expect(await allow(asked, { scope })).toBe('scope_not_offered');
  });
});

it('a yes is replayed in vain', async () => {
  const { raise, allow, questions } = questionsRig();
  const id = await raise();
  expect(await allow(id)).toBeNull();
  expect(await allow(id)).toBe('already_ended');
  expect(await questions.grants.list()).toHaveLength(1);
});

it('a yes to edited arguments allows those, and not the ones that were asked for', async () => {
  const { raise, allow, questions } = questionsRig();
  const id = await raise();
  const args = { steps: ['click e9'] };
  expect(await allow(id, { args })).toBeNull();
  expect(await questions.wait(id, 'server-one', signal)).toMatchObject({ decision: { approve: true, args } });
  expect(await questions.use(need())).toBeNull();
  const edited = createHash('sha256').update('{"steps":["click e9"]}').digest('hex');
  expect(await questions.use(need({}, { args_hash: edited }))).not.toBeNull();
});

it('arguments that were only written differently are not edited', async () => {
  const { raise, allow, questions } = questionsRig();
  const id = await raise();
  expect(await allow(id, { args: { steps: ['click e1'] } })).toBeNull();
  const { decision } = await questions.wait(id, 'server-one', signal);
  expect(decision).not.toHaveProperty('args');
  expect(await questions.use(need())).not.toBeNull();
});

it('one yes is for the call that was shown, a no for all of its kind', async () => {
  const { raise, allow, deny, questions } = questionsRig();
  const ids = [];
  for (let at = 0; at < 3; at += 1) ids.push(await raise(need({}, { call_id: `c${at}` })));
  expect(await allow(ids[0] ?? '')).toBeNull();
  expect(questions.front?.question.id).toBe(ids[1]);
  expect(await deny(ids[1] ?? '')).toBeNull();
  expect(await questions.wait(ids[2] ?? '', 'server-one', signal)).toMatchObject({
    decision: { approve: false },
  });
});

it('a yes that lasts is for all of the card, and for nothing else', async () => {
  const { raise, allow, questions } = questionsRig();
  const ids = [];
  for (let at = 0; at < 3; at += 1) ids.push(await raise(need({}, { call_id: `c${at}` })));
  const other = await raise(need({ risks: ['upload'] }));
  expect(await allow(ids[0] ?? '', { scope: 'task' })).toBeNull();
  for (const id of ids)
    expect(await questions.wait(id, 'server-one', signal)).toMatchObject({ decision: { scope: 'task' } });
  expect(questions.front?.question.id).toBe(other);
});

it('always writes a rule first', async () => {
  const { raise, allow, remembered, questions } = questionsRig();
  const id = await raise();
  expect(await allow(id, { scope: 'always' })).toBeNull();
  expect(remembered).toMatchObject([{ id, origin: 'https://shop.example', risks: ['input', 'submit'] }]);
  expect(await questions.use(need())).toMatchObject({ scope: 'always' });
});

it.each(['window', 'side_panel'] as const)('says that it was made in the %s', async (where) => {
  const { decisions, shown, raise, questions } = questionsRig();
  const [first, second] = [await raise(), await raise(need({ origin: 'https://other.example' }))];
  const decide = (id: string, answer: { approve: true; scope: 'once' } | { approve: false }) =>
    decisions.take({ type: 'decide', question: id, token: 'token', answer }, shown(id, { where }));
  expect(await decide(first, YES)).toBeNull();
  expect(await decide(second, { approve: false })).toBeNull();
  expect((await questions.wait(first, 'server-one', signal)).decision).toMatchObject({ where });
  expect((await questions.wait(second, 'server-one', signal)).decision).toMatchObject({ where });
  expect(await questions.grants.list()).toMatchObject([{ where }]);
});
