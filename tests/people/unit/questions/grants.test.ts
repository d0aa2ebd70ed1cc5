import { describe, expect, it } from 'vitest';
import type { Need } from '../../../../extension/core/policy/call-policy.ts';
import { hash, need, questionsRig } from './rig.ts';

const MINUTES = 60_000;

async function allowed(scope: 'once' | 'task' | 'site_hour' | 'always') {
  const rig = questionsRig();
  expect(await rig.allow(await rig.raise(), { scope })).toBeNull();
  return rig;
}

const OF_THE_TASK = ['task', 'site_hour'] as const;
/** Other needs, and the grants that allow them after use for the shown one. */
const OTHERS: readonly [string, Need, readonly string[]][] = [
  ['another call with the same arguments', need({}, { call_id: 'c2' }), OF_THE_TASK],
  ['the same call with other arguments', need({}, { args_hash: hash('b') }), OF_THE_TASK],
  ['another document', need({ documentId: 'D2' }), OF_THE_TASK],
  ['no tab', need({ tabId: null }), OF_THE_TASK],
  ['another tool', need({}, { tool: 'dialog' }), OF_THE_TASK],
  ['a call that is not described', { ...need(), call: null }, OF_THE_TASK],
  // For an `always`, the rule written with it allows the others.
  ['less', need({ risks: ['input'] }), ['once', 'always', ...OF_THE_TASK]],
  ['more', need({ risks: ['input', 'submit', 'upload'] }), []],
  ['another origin', need({ origin: 'https://evil.example' }), []],
  ['a subdomain', need({ origin: 'https://a.shop.example' }), []],
  ['another session', need({ caller: { session: 's2', name: 'codex' } }), ['site_hour']],
  ['another agent of the session', need({ caller: { session: 's1', name: 'other' } }), []],
  ['another server', need({ server: 'server-two' }), []],
];

it('of several needs, no grant for one call is used if another has none', async () => {
  const { questions, memory } = await allowed('once');
  const text = need({ risks: ['carry_text'], sources: ['https://mail.example'] });
  expect(await questions.use(need(), text)).toBeNull();
  expect(memory.state.grants).toMatchObject([{ used: null }]);
  expect(await questions.use(need())).toMatchObject({ scope: 'once' });
});

describe.each(['once', 'task', 'site_hour', 'always'] as const)('a yes %s', (scope) => {
  it.each(OTHERS)('allows what was shown, and is or is not good for %s', async (_what, other, reached) => {
    const { questions } = await allowed(scope);
    expect(await questions.use(need())).toMatchObject({ scope });
    expect((await questions.use(other)) !== null).toBe(reached.includes(scope));
  });

  it('is no longer good when it was revoked', async () => {
    const { questions } = await allowed(scope);
    const [grant] = await questions.grants.list();
    expect(grant).toMatchObject({ scope, agent: 'codex', origin: 'https://shop.example' });
    expect(await questions.grants.revoke(grant?.id ?? '')).toBe(true);
    expect(await questions.grants.revoke(grant?.id ?? '')).toBe(false);
    expect(await questions.use(need())).toBeNull();
    const withdrawn = await allowed(scope);
    const [other] = await withdrawn.questions.grants.list();
    await withdrawn.questions.withdraw(other?.id ?? '');
    expect(await withdrawn.questions.use(need())).toBeNull();
  });

  it('ends when the clock is set back, and with its server', async () => {
    const { questions, clock } = await allowed(scope);
    clock.now -= 1_000;
    expect(await questions.grants.list()).toHaveLength(1);
    clock.now -= 3_000;
    expect(await questions.use(need())).toBeNull();
    const gone = await allowed(scope);
    await gone.questions.forgetServers((server) => server === 'server-one');
    expect(await gone.questions.use(need())).toBeNull();
  });
});

it('twenty calls on three sites, acts and recordings mixed, ask three times, with a click each', async () => {
  const rig = questionsRig();
  const kinds = [
    ['interact', ['input']],
    ['interact', ['input', 'submit', 'navigate', 'download']],
    ['network', ['capture_network']],
    ['dialog', ['dialog']],
  ] as const;
  let clicks = 0;
  for (let at = 0; at < 20; at += 1) {
    const [tool, risks] = kinds[at % kinds.length] ?? kinds[0];
    const of = need(
      { risks: [...risks], origin: `https://site${at % 3}.example`, documentId: `D${at}` },
      { call_id: `c${at}`, tool, args_hash: hash(String(at % 10)) },
    );
    if ((await rig.questions.use(of)) !== null) continue;
    expect(await rig.allow(await rig.raise(of), { scope: 'task' })).toBeNull();
    clicks += 1;
    expect(await rig.questions.use(of)).toMatchObject({ scope: 'task' });
  }
  expect(clicks).toBe(3);
});

const OTHER_KINDS = [['navigate'], ['read', 'crawl'], ['upload'], ['evaluate']] as const;
it.each(OTHER_KINDS.map((risks) => [risks]))('a yes to %j for the session permits no acts', async (risks) => {
  const rig = questionsRig();
  await rig.allow(await rig.raise(need({ risks })), { scope: 'task' });
  expect(await rig.questions.use(need())).toBeNull();
});

it('a yes for one call is used by one call, even if two come at once', async () => {
  const { questions } = await allowed('once');
  const uses = await Promise.all([questions.use(need()), questions.use(need({}, { call_id: 'c2' }))]);
  expect(uses.filter((use) => use !== null)).toHaveLength(1);
});

it('a yes for one call is good for it again while it runs, and not without end', async () => {
  const { questions, clock } = await allowed('once');
  await questions.use(need());
  clock.now += 9 * MINUTES;
  expect(await questions.use(need())).not.toBeNull();
  clock.now += MINUTES;
  expect(await questions.use(need())).toBeNull();
});

it('a crawl that was allowed once keeps its grant while it reads pages, and no longer', async () => {
  const rig = questionsRig();
  const page = need({ risks: ['crawl', 'read'], tabId: null, documentId: null }, { tool: 'crawl' });
  await rig.allow(await rig.raise(page));
  for (let minutes = 0; minutes < 60; minutes += 9) {
    expect(await rig.questions.use(page)).not.toBeNull();
    rig.clock.now += 9 * MINUTES;
  }
  const another = { ...page, call: { ...page.call, call_id: 'c2' } } as typeof page;
  expect(await rig.questions.use(another)).toBeNull();
  rig.clock.now += MINUTES;
  expect(await rig.questions.use(page)).toBeNull();
});

it.each([
  ['once', 10],
  ['site_hour', 60],
] as const)('a yes %s is good for %i minutes, if the clock jumps too', async (scope, minutes) => {
  const { questions, clock } = await allowed(scope);
  clock.now += minutes * MINUTES - 1;
  expect(await questions.grants.list()).toHaveLength(1);
  clock.now += 1;
  expect(await questions.use(need())).toBeNull();
});

it('a yes for one call ends when its tab shows another document, also one that comes back', async () => {
  const { questions } = await allowed('once');
  await questions.leave(7, 'D2');
  await questions.leave(7, 'D1');
  expect(await questions.use(need())).toBeNull();
});

it.each([
  ['while nobody looked', 60, 10],
  ['and a little was made up for', 60, 59],
])('a yes for an hour ends when the clock is set back %s', async (_how, passed, shown) => {
  const clock = { now: 1_000_000, monotonic: 5_000 };
  const rig = questionsRig(undefined, clock);
  await rig.allow(await rig.raise(), { scope: 'site_hour' });
  clock.monotonic += passed * MINUTES;
  clock.now += shown * MINUTES;
  expect(await rig.questions.use(need())).toBeNull();
});

it('a session uses what lasts before what is good for one call', async () => {
  const rig = questionsRig();
  await rig.allow(await rig.raise());
  await rig.allow(await rig.raise(need({}, { call_id: 'c2' })), { scope: 'task' });
  expect(await rig.questions.use(need())).toMatchObject({ scope: 'task' });
  expect(await rig.questions.grants.list()).toHaveLength(2);
});

it.each([
  ['another path', 'https://shop.example/delete', false],
  ['another query', 'https://shop.example/cart?all=1', false],
  ['another part of the page', 'https://shop.example/cart#total', true],
])('a yes to one call and %s of its document', async (_what, url, isGood) => {
  const { questions } = await allowed('once');
  expect((await questions.use(need({ url }))) !== null).toBe(isGood);
});

it('a call that leads its document to another address still has its yes, and no other call has it', async () => {
  const { questions } = await allowed('once');
  await questions.use(need());
  expect(await questions.use(need({ url: 'https://shop.example/thanks' }))).not.toBeNull();
  expect(await questions.use(need({}, { call_id: 'c2' }))).toBeNull();
});
