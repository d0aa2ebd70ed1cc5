import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { rememberAsRule } from '../../../../extension/people/worker/decisions.ts';
import { NO_CHANGES, type Rule, type StoredPolicy } from '../../../../shared/people/policy.ts';
import { need, questionsRig, RULE } from './rig.ts';

const { signal } = new AbortController();
const YES = { approve: true, scope: 'once' } as const;
const OTHER = need({ origin: 'https://other.example' });

describe('a decision is refused, noted, and allows nothing', () => {
  type Rig = ReturnType<typeof questionsRig>;
  const take = ({ decisions, shown }: Rig, id: string, more: object = {}, page: object | null = {}) =>
    decisions.take(
      { type: 'decide', question: id, token: 'token', answer: YES, ...more },
      page === null ? null : shown(id, page),
    );

  const cancel = ({ questions }: Rig, id: string) => questions.cancel(id, 'server-one');

  it.each<[string, string, (rig: Rig, id: string) => Promise<unknown>]>([
    ['from a page that is not the window', 'not_the_window', (rig, id) => take(rig, id, {}, null)],
    ['with a token of another question', 'wrong_token', (rig, id) => take(rig, id, { token: 'tokem' })],
    ['with no token', 'wrong_token', (rig, id) => take(rig, id, { token: '' })],
    ['within 500 ms', 'too_early', (rig, id) => take(rig, id, {}, { at: rig.clock.now - 499 })],
    ['about a question that was never asked', 'no_such_question', (rig) => take(rig, 'q_none')],
    ['about one behind the one that is shown', 'not_shown', async (rig) => take(rig, await rig.raise(OTHER))],
    ['about one that its page does not show', 'not_shown', (rig, id) => take(rig, id, {}, { id: 'q' })],
    ['about one that has ended', 'already_ended', (rig, id) => cancel(rig, id).then(() => take(rig, id))],
  ])('%s', async (_what, reason, decide) => {
    const rig = questionsRig();
    expect(await decide(rig, await rig.raise())).toBe(reason);
    expect(rig.questions.refused).toMatchObject([{ reason }]);
    expect(await rig.questions.use(need())).toBeNull();
  });

  it('with arguments where they cannot be edited', async () => {
    const { allow, raise, questions } = questionsRig();
    const fixed = await raise(need({}, { is_editable: false }));
    expect(await allow(fixed, { args: { steps: ['click e2'] } })).toBe('not_editable');
    expect(questions.front?.question.id).toBe(fixed);
  });

  it('always where it would settle nothing, and for a site where the question names none', async () => {
    const { allow, raise, deny, remembered } = questionsRig();
    const own: Rule = { ...RULE, source: 'person', agents: ['codex'], sites: ['=https://shop.example'] };
    for (const rule of [own, { ...RULE, source: 'server' } as const]) {
      const id = await raise(need(), rule);
      expect(await allow(id, { scope: 'always' })).toBe('scope_not_offered');
      expect(remembered).toEqual([]);
      await deny(id);
    }
    const wider = await raise(need(), { ...own, sites: ['shop.example:443'] });
    expect(await allow(wider, { scope: 'always' })).toBeNull();
    const siteless = await raise(need({ origin: 'null' }));
    for (const scope of ['task', 'site_hour', 'always'] as const)
      expect(await allow(siteless, { scope })).toBe('scope_not_offered');
  });
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

const three = async () => {
  const rig = questionsRig();
  const ids = [await rig.raise(), await rig.raise(need({}, { call_id: 'c2' }))];
  return { ...rig, ids: [...ids, await rig.raise(need({}, { call_id: 'c3' }))] as [string, string, string] };
};

it('of three calls of a kind one yes is for the one that was shown, a no for all', async () => {
  const { allow, deny, questions, ids } = await three();
  expect(await allow(ids[0])).toBeNull();
  expect(questions.front?.question.id).toBe(ids[1]);
  expect(await deny(ids[1])).toBeNull();
  expect(await questions.wait(ids[2], 'server-one', signal)).toMatchObject({ decision: { approve: false } });
});

it('of three calls of a kind a yes that lasts is for all and for recording, and for nothing else', async () => {
  const { raise, allow, questions, ids } = await three();
  const recording = await raise(need({ risks: ['capture_network'] }, { tool: 'network' }));
  const other = await raise(need({ risks: ['upload'] }));
  await raise(need({ origin: 'https://other.example' }));
  expect(await allow(ids[0], { scope: 'task' })).toBeNull();
  for (const id of [...ids, recording])
    expect(await questions.wait(id, 'server-one', signal)).toMatchObject({ decision: { scope: 'task' } });
  expect(questions.front?.question.id).toBe(other);
});

it.each([
  ['task', 'task'],
  ['site_hour', 'site_hour'],
  // A rule asks no more. Without it, the person has changed their mind.
  ['always', 'once'],
] as const)('after a yes %s the next card of that agent there proposes %s', async (scope, proposed) => {
  const { raise, allow, questions, storage } = questionsRig();
  await allow(await raise(), { scope });
  const next = questions.find(await raise(need({ risks: ['upload'] }, { call_id: 'c2' })));
  expect(next === null ? null : questions.lastScope(next)).toBe(proposed);
  if (next === null) return;
  expect(questions.lastScope({ ...next, origin: 'https://other.example' })).toBe('once');
  expect(questions.lastScope({ ...next, caller: { session: 's1', name: 'other' } })).toBe('once');
  const later = questionsRig(storage).questions;
  await later.loaded;
  expect(later.lastScope(next)).toBe(proposed);
});

it('always writes a rule first, for that origin alone', async () => {
  const { raise, allow, remembered, questions } = questionsRig();
  const id = await raise();
  expect(await allow(id, { scope: 'always' })).toBeNull();
  expect(remembered).toMatchObject([{ id, origin: 'https://shop.example', risks: ['input', 'submit'] }]);
  expect(await questions.use(need())).toMatchObject({ scope: 'always' });
  let { rules } = NO_CHANGES;
  const change = async (by: (now: StoredPolicy) => StoredPolicy) => void ({ rules } = by(NO_CHANGES));
  for (const question of remembered) await rememberAsRule({ change }, question);
  expect(rules).toMatchObject([{ sites: ['=https://shop.example'], agents: ['codex'], effect: 'allow' }]);
});
