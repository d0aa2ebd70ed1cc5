import { describe, expect, it } from 'vitest';
import { Policy, ServerPolicy, stricter } from '../../../shared/people/evaluate.ts';
import {
  DEFAULT_RULES,
  PRIVATE_LAUNCH_RULES,
  StoredPolicy,
  type Effect,
} from '../../../shared/people/policy.ts';
import { RISKS } from '../../../shared/core/policy/names.ts';
import type { Risk } from '../../../shared/core/policy/risks.ts';
import { siteOf } from '../../../shared/core/policy/sites.ts';
import fc from '../../support/property.ts';

interface Draft {
  readonly id: string;
  readonly sites?: readonly string[];
  readonly risks?: readonly Risk[];
  readonly agents?: readonly string[];
  readonly effect: Effect;
}

const stored = (rules: readonly Draft[], lists: StoredPolicy['lists'] = {}): StoredPolicy =>
  StoredPolicy.parse({
    version: 1,
    rules: rules.map((draft) => ({ sites: null, risks: null, agents: null, source: 'person', ...draft })),
    lists,
  });

const judge = (policy: Policy, risk: Risk, url: string, fromElsewhere = false): string => {
  const { effect, id } = policy.judge({ risk, site: siteOf(url), agent: 'a', fromElsewhere });
  return `${effect} ${id}`;
};

it.each<[Partial<Draft>, string]>([
  [{}, 'ask default-act'],
  [{ risks: ['read', 'input'] }, 'ask default-act'],
  [{ risks: ['borrow_tab', 'list_tabs', 'read_history', 'show_tab', 'use_container'] }, 'allow mine'],
  [{ effect: 'deny' }, 'deny mine'],
])('a rule %o for a site is about a person’s own tabs only if it names that', (draft, expected) => {
  const rule = { id: 'mine', sites: ['a.test'], effect: 'allow' as const, ...draft };
  const policy = new Policy({ stored: stored([rule]) });
  for (const risk of ['borrow_tab', 'list_tabs', 'read_history', 'show_tab', 'use_container'] as const)
    expect(judge(policy, risk, 'https://a.test/'), risk).toBe(expected);
});

describe('the defaults', () => {
  const policy = new Policy();

  it.each<[Risk[], string, string]>([
    [['read', 'navigate', 'crawl'], 'https://news.example/', 'allow default-read'],
    [
      ['input', 'submit', 'download', 'upload', 'dialog', 'evaluate', 'capture_network'],
      'https://news.example/',
      'ask default-act',
    ],
    [['read', 'crawl'], 'https://www.paypal.com/home', 'ask listed-read'],
    [['input', 'submit'], 'https://www.paypal.com/home', 'deny listed-act'],
    [['capture_network'], 'https://vault.bitwarden.com/', 'deny listed-act'],
    [['read'], 'http://localhost:3000/', 'allow default-read'],
    [['read'], 'about:blank', 'allow default-read'],
    [['input'], 'file:///a.html', 'ask default-act'],
    [
      ['borrow_tab', 'list_tabs', 'read_history', 'show_tab', 'use_container'],
      'https://news.example/',
      'ask default-act',
    ],
  ])('%j %s: %s', (risks, url, expected) => {
    for (const risk of risks) expect(judge(policy, risk, url), risk).toBe(expected);
  });

  it.each<[Risk, string, string]>([
    ['crawl', 'http://192.168.1.1/', 'ask default-private'],
    ['read', 'http://169.254.169.254/', 'ask default-private'],
    ['crawl', 'https://example.com/', 'allow default-read'],
  ])('%s of %s from elsewhere: %s', (risk, url, expected) => {
    expect(judge(policy, risk, url, true)).toBe(expected);
  });

  it('cover every risk', () => {
    const everywhere = DEFAULT_RULES.filter(({ sites }) => sites === null);
    const found = new Set(everywhere.flatMap(({ risks }) => risks ?? []));
    expect([...found].toSorted()).toEqual([...RISKS].toSorted());
  });
});

const wide = { id: 'wide', sites: ['example.com'], effect: 'deny' } as const;
const mine = { id: 'mine', effect: 'allow' } as const;
const denyOne = (site: string, allowed: string): readonly Draft[] => [
  { ...wide, sites: [site] },
  { ...mine, sites: [allowed] },
];

it.each<[string, readonly Draft[], string, string]>([
  ['the narrower site', denyOne('example.com', 'shop.example.com'), 'shop.example.com', 'allow mine'],
  [
    'the strictest of equals',
    [{ ...wide, id: 'one', effect: 'allow' }, wide, { ...wide, id: 'three', effect: 'ask' }],
    'example.com',
    'deny wide',
  ],
  ['the one that names the agent', [wide, { ...wide, ...mine, agents: ['a'] }], 'example.com', 'allow mine'],
  ['not one that names another agent', [{ ...mine, agents: ['b'] }], 'example.com', 'ask default-act'],
  ['the one with the risk', [wide, { ...wide, ...mine, risks: ['input'] }], 'example.com', 'allow mine'],
  ["a person's before a shipped one", [{ ...mine, risks: ['input'] }], 'example.com', 'allow mine'],
  ["a person's for a listed host", [{ ...mine, sites: ['paypal.com'] }], 'paypal.com', 'allow mine'],
  ['a list before a wide rule of a person', [mine], 'paypal.com', 'deny listed-act'],
  ['the origin before its port', denyOne('a.com:443', '=https://a.com'), 'a.com', 'allow mine'],
  ['the port', denyOne('localhost', 'localhost:3000'), 'localhost:3000', 'allow mine'],
])('which rule decides %s', (_name, rules, host, expected) => {
  expect(judge(new Policy({ stored: stored(rules) }), 'input', `https://${host}/`)).toBe(expected);
});

it('which rule decides entries of a list are switched off and added', () => {
  const policy = new Policy({
    stored: stored([], { payment: { off: ['paypal.com'], added: ['till.example'] } }),
  });
  expect(judge(policy, 'input', 'https://paypal.com/')).toBe('ask default-act');
  expect(judge(policy, 'input', 'https://my.till.example/')).toBe('deny listed-act');
  expect(judge(policy, 'input', 'https://wise.com/')).toBe('deny listed-act');
});

it('a rule for a host of files leaves other files alone', () => {
  const policy = new Policy({ stored: stored([{ id: 'no', sites: ['nas'], effect: 'deny' }]) });
  expect(judge(policy, 'read', 'file:///a.html')).toBe('allow default-read');
  expect(judge(policy, 'read', 'file://nas/a.html')).toBe('deny no');
});

it('which rule decides a private launch allows, but for what a person says', () => {
  const policy = new Policy({
    shipped: PRIVATE_LAUNCH_RULES,
    stored: stored([{ id: 'no', sites: ['evil.example'], effect: 'deny' }]),
  });
  for (const risk of RISKS) expect(judge(policy, risk, 'https://paypal.com/')).toBe('allow private-launch');
  expect(judge(policy, 'read', 'https://evil.example/')).toBe('deny no');
});

const anyRisk = fc.constantFrom(...RISKS);
const anyEffect = fc.constantFrom<Effect>('allow', 'ask', 'deny');
const anySite = fc.constantFrom(
  ...['*', 'example.com', 'shop.example.com', 'https://example.com', '@private', '@banking'],
);
const anyRule = fc.record({
  sites: fc.option(fc.array(anySite, { minLength: 1, maxLength: 3 })),
  risks: fc.option(fc.uniqueArray(anyRisk, { minLength: 1 })),
  agents: fc.option(fc.constantFrom(['a'], ['b'], ['a', 'b'])),
  effect: anyEffect,
});
const anyUrl = fc.constantFrom(
  'https://example.com/',
  'https://shop.example.com/',
  'http://10.0.0.1/',
  'https://chase.com/',
  'about:blank',
);

it('whatever the rules their order does not matter, and the same is said twice', () => {
  fc.assert(
    fc.property(fc.array(anyRule, { maxLength: 8 }), anyRisk, anyUrl, (drafts, risk, url) => {
      const rules = drafts.map((draft, index) => ({ id: `r${index}`, ...draft })) as Draft[];
      const act = { risk, site: siteOf(url), agent: 'a', fromElsewhere: false };
      const forward = new Policy({ stored: stored(rules) });
      const backward = new Policy({ stored: stored(rules.toReversed()) });
      expect(backward.judge(act).effect).toBe(forward.judge(act).effect);
      expect(forward.judge(act)).toEqual(forward.judge(act));
    }),
  );
});

it('the stricter of two rules is at least as strict as each', () => {
  const order = ['allow', 'ask', 'deny'];
  fc.assert(
    fc.property(anyEffect, anyEffect, (one, other) => {
      const [first] = DEFAULT_RULES;
      if (first === undefined) throw new Error('There are no defaults.');
      const { effect } = stricter({ ...first, effect: one }, { ...first, effect: other });
      expect(order.indexOf(effect)).toBe(Math.max(order.indexOf(one), order.indexOf(other)));
    }),
  );
});

it.each<[readonly string[] | null, readonly string[], string, string]>([
  [null, [], 'http://localhost:3000/', 'allow'],
  [null, ['@private'], 'http://169.254.169.254/', 'deny --denied-sites'],
  [['a.example'], [], 'https://b.a.example/', 'allow'],
  [['a.example'], [], 'https://b.example/', 'deny --allowed-sites'],
  [['a.example'], [], 'about:blank', 'allow'],
  [['a.example'], ['b.a.example'], 'https://b.a.example/', 'deny --denied-sites'],
  [null, ['@banking'], 'https://www.chase.com/', 'deny --denied-sites'],
  [[], [], 'https://a.example/', 'deny --allowed-sites'],
])('the flags of a server allowed %j, denied %j: %s %s', (allowed, denied, url, expected) => {
  const flags = new ServerPolicy({
    allowed_sites: allowed === null ? null : [...allowed],
    denied_sites: [...denied],
  });
  const { effect, id } = flags.judge(siteOf(url));
  expect(effect === 'allow' ? effect : `${effect} ${id}`).toBe(expected);
});

it.each([
  ['names no site from which', { from: [], sites: ['b.example'], risks: ['carry_text'] }, false],
  ['names no site to which', { from: ['a.example'], sites: [], risks: ['carry_text'] }, false],
  ['is for every site', { from: ['a.example'], sites: null, risks: ['carry_text'] }, false],
  ['is for other acts, too', { from: ['a.example'], sites: ['b.example'], risks: null }, false],
  ['names both', { from: ['a.example'], sites: ['*'], risks: ['carry_text'] }, true],
] as const)('a rule for text that %s is judged when it is stored', (_what, rule, isKept) => {
  const rules = [{ id: 'r', agents: null, effect: 'allow', source: 'person', ...rule }];
  expect(StoredPolicy.safeParse({ version: 1, rules, lists: {} }).success).toBe(isKept);
});
