import { rulesTexts } from '../../../extension/ui/words/en/rules.ts';
import { expect, it } from 'vitest';
import {
  draftOf,
  EMPTY_DRAFT,
  inOrder,
  proposedDraft,
  readDraft,
  readSites,
  tryAddress,
  withAdded,
  withEntry,
  withOwnIds,
  type OwnRule,
} from '../../../extension/people/rules/model.ts';
import { NO_CHANGES, StoredPolicy } from '../../../shared/people/policy.ts';

const rule = (id: string, more: Partial<OwnRule> = {}): OwnRule => ({
  id,
  sites: null,
  risks: null,
  agents: null,
  effect: 'deny',
  source: 'person',
  ...more,
});
const withRules = (...rules: OwnRule[]): StoredPolicy => ({ ...NO_CHANGES, rules });

it('a draft becomes a rule, and the rule the same draft again', () => {
  const draft = {
    sites: 'shop.example、*.example.org\n\n@banking',
    from: '',
    risks: ['submit', 'upload'],
    agents: 'codex，"Acme, ""Inc"""; claude-code',
    effect: 'ask',
  } as const;
  const read = readDraft('r1', draft, rulesTexts('en'));
  if (!('rule' in read)) throw new Error('No rule.');
  const { effect, risks } = draft;
  const sites = ['shop.example', '*.example.org', '@banking'];
  const agents = ['codex', 'Acme, "Inc"', 'claude-code'];
  expect(read.rule).toEqual(rule('r1', { effect, sites, risks: [...risks], agents }));
  expect(StoredPolicy.safeParse(withRules(read.rule)).success).toBe(true);
  expect(readDraft('r1', draftOf(read.rule), rulesTexts('en'))).toEqual(read);
});

it('a draft that would allow everything to everyone is refused, and one that denies it is not', () => {
  const read = (more: object) => readDraft('r1', { ...EMPTY_DRAFT, ...more }, rulesTexts('en'));
  expect(read({ effect: 'allow' })).toHaveProperty('problems.rule');
  expect(read({ effect: 'deny' })).toEqual({ rule: rule('r1') });
  expect(read({ agents: 'a'.repeat(101) })).toHaveProperty('problems.agents');
});

it('a file with an id twice has rules that are changed one by one', () => {
  const [first, second] = withOwnIds(withRules(rule('r1'), rule('r1', { effect: 'ask' }))).rules;
  expect([first, second]).toEqual([rule('r1'), rule(expect.stringMatching(/^person-/), { effect: 'ask' })]);
});

it('rules are listed in the order in which they decide', () => {
  const rules = [
    rule('any'),
    rule('host', { sites: ['example.com'] }),
    rule('below', { sites: ['shop.example.com', 'a.b'] }),
    rule('host-agent', { sites: ['example.com'], agents: ['codex'] }),
    rule('host-risk', { sites: ['example.com'], risks: ['read'], effect: 'allow' }),
    rule('host-ask', { sites: ['example.com'], effect: 'ask' }),
    rule('list', { sites: ['@banking'] }),
  ];
  const expected = ['below', 'host-agent', 'host-risk', 'host', 'host-ask', 'list', 'any'];
  expect(inOrder(rules).map(({ id }) => id)).toEqual(expected);
  expect(inOrder(rules.toReversed()).map(({ id }) => id)).toEqual(expected);
});

it('entries of a list are switched off and on, and sites are added', () => {
  const off = withEntry(NO_CHANGES, 'banking', { site: 'chase.com', isOn: false });
  expect(tryAddress('chase.com', '', { stored: off, asks: true })?.[0]?.rule.effect).toBe('allow');
  const on = withEntry(off, 'banking', { site: 'chase.com', isOn: true });
  expect(tryAddress('chase.com', '', { stored: on, asks: true })?.[0]?.rule.effect).toBe('ask');
  const added = withAdded(on, 'banking', ['bank.example', 'bank.example']);
  expect(added.lists.banking).toEqual({ off: [], added: ['bank.example'] });
  expect(tryAddress('my.bank.example/x', '', { stored: added, asks: true })?.[0]?.rule.effect).toBe('ask');
  expect(readSites('a.example, b.example\nc d')).toEqual({
    sites: ['a.example', 'b.example', 'c d'],
    wrong: 'c d',
  });
  // A list within a list would match nothing.
  expect(readSites('@banking').wrong).toBe('@banking');
});

const stored = withRules(
  rule('mine', { sites: ['shop.example'], risks: ['submit'] }),
  rule('codex', { sites: ['shop.example'], risks: ['submit'], agents: ['codex'], effect: 'allow' }),
);
it.each(['https://shop.example/cart?x=1', 'shop.example', 'www.shop.example/a', ' shop.example:8443 '])(
  'an address %j is judged by the rule that decides, by agent',
  (address) => {
    const of = (agent: string) =>
      tryAddress(address, agent, { stored, asks: true })?.find(({ risk }) => risk === 'submit')?.rule;
    expect(of('')).toMatchObject({ effect: 'deny', id: 'mine' });
    expect(of('codex')).toMatchObject({ effect: 'allow', id: 'codex' });
  },
);

it.each(['', '#', '#%', '#effect=let', '#from=mail.example'])('the address %j proposes no rule', (hash) =>
  expect(proposedDraft(hash)).toBeNull(),
);
