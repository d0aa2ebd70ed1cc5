import { beforeEach, describe, expect, it, vi } from 'vitest';
import {
  ActLedger,
  type Approvals,
  type Need,
  type CallPolicy,
  type PolicyPlace,
} from '../../../extension/core/policy/call-policy.ts';
import type { CallScope } from '../../../shared/core/policy/call-facts.ts';
import type { StoredPolicy, Rule } from '../../../shared/people/policy.ts';
import type { ShownElements } from '../../../extension/core/ports/shown-element.ts';
import { PolicyGuard } from '../../../extension/people/worker/guard.ts';
import { admitSecret } from '../../../extension/act/worker/acting.ts';
import { createHandlers as createDialog } from '../../../extension/act/worker/dialog.handler.ts';
import { createHandlers as createIntercept } from '../../../extension/inspect/worker/intercept.handler.ts';
import { toldTab } from '../../../extension/core/policy/documents.ts';
import { PolicyStore } from '../../../extension/people/worker/store.ts';
import { installBrowser, storageOf } from '../../support/browser-api.ts';
import { codeIn } from '../../support/code-of.ts';
import { TEST_SCOPE } from '../../support/session.ts';

let stored: Record<string, unknown>;
let changed: (changes: object, area: string) => void;

class FakePerson implements Approvals {
  readonly used: Need[] = [];
  readonly raised: { need: Need; rule: Rule }[] = [];
  readonly cancelled: string[] = [];
  readonly withdrawn: string[] = [];
  grants = 0;
  elements: ShownElements = {};

  use(need: Need): ReturnType<Approvals['use']> {
    if (this.grants === 0) return Promise.resolve(null);
    this.grants -= 1;
    this.used.push(need);
    return Promise.resolve({ id: 'g1', scope: 'once', elements: this.elements });
  }

  raise = async (need: Need, by: Rule) => ({ id: `q${this.raised.push({ need, rule: by })}` });
  withdraw = async (grant: string): Promise<void> => void this.withdrawn.push(grant);
  cancel = async (id: string): Promise<boolean> => this.cancelled.push(id) > 0;
}

const { caller: CALLER, call: CALL } = TEST_SCOPE;
const rule = (draft: Partial<StoredPolicy['rules'][number]>): StoredPolicy['rules'][number] => ({
  id: 'mine',
  sites: null,
  risks: null,
  agents: null,
  effect: 'ask',
  source: 'person',
  ...draft,
});
const at = (url: string, documentId = 'd1'): PolicyPlace => ({ url, tabId: 7, documentId });

const { signal } = new AbortController();
const noLedger = new ActLedger({ wire: 1, request: () => Promise.resolve() }, { scope: null, signal });
let top: { frameId: number; parentFrameId: number; documentId: string; url: string };
let person: FakePerson;
let store: PolicyStore;
let policy: CallPolicy;
const privacy = { isPrivate: () => true };
const guardOf = () =>
  new PolicyGuard({ store, approvals: person, server: 'server-1', isOwn: () => true, privacy });
const calling = (scope: CallScope | null = TEST_SCOPE, until = signal, guard = guardOf()): CallPolicy =>
  guard.call(scope, { ledger: noLedger, signal: until });

/** `none` where there is none. */
const refused = (work: Promise<unknown>) => work.then(() => ({ code: 'none' }), refusalIn);
const refusalIn = (thrown: Error & { questionId?: string }) => {
  const { questionId: question, message } = thrown;
  return { code: codeIn(thrown), question, message };
};
const judged = async (place: string | PolicyPlace, risks: Parameters<CallPolicy['expect']>[1], by = policy) =>
  (await refused(by.expect(typeof place === 'string' ? at(place) : place, risks))).code;

const ASKED = { code: 'approval_required', question: 'q1' };
const SITE = 'https://a.example/';
const PAYPAL = 'https://www.paypal.com/';

beforeEach(() => {
  stored = {};
  const local = storageOf(stored);
  const set = async (values: object): Promise<void> => {
    await local.set(values);
    changed(values, 'local');
  };
  top = { frameId: 0, parentFrameId: -1, documentId: 'moved', url: 'https://a.example/now' };
  installBrowser({
    tabs: { get: () => Promise.resolve({ id: 7, url: top.url, status: 'complete' }) },
    webNavigation: { getAllFrames: () => Promise.resolve([top]), getFrame: () => Promise.resolve(top) },
    storage: {
      onChanged: { addListener: (listener: typeof changed) => void (changed = listener) },
      local: { ...local, set },
    },
  });
  person = new FakePerson();
  store = new PolicyStore();
  policy = calling();
});

it('a person who turned approvals off is not asked, and their own rules and the lists still apply', async () => {
  const denied = rule({ id: 'r1', sites: ['b.example'], effect: 'deny' });
  Object.assign(stored, { asks: false, policy: { version: 1, rules: [denied], lists: {} } });
  expect(await judged(SITE, ['input', 'submit', 'upload'])).toBe('none');
  expect(await judged('https://b.example/', ['input'])).toBe('policy_denied');
  expect(await judged(PAYPAL, ['input'])).toBe('policy_denied');
  expect(await judged(PAYPAL, ['read'])).toBe('approval_required');
  await store.setAsks(true);
  expect(await judged(SITE, ['input'])).toBe('approval_required');
});

it('rules that change while they are read are read again', async () => {
  const before = store.rules();
  stored['policy'] = { version: 1, rules: [rule({ id: 'r2', effect: 'deny' })], lists: {} };
  changed({ policy: {} }, 'local');
  const after = await store.rules();
  await before;
  expect(after.stored.rules).toHaveLength(1);
  expect((await store.rules()).stored.rules).toHaveLength(1);
});

describe('a call', () => {
  it('raises one question for what needs a yes, and for nothing else', async () => {
    const place = at('https://a.example/x');
    expect(await refused(policy.expect(place, ['read', 'input', 'submit']))).toMatchObject(ASKED);
    const need = { server: 'server-1', caller: CALLER, call: CALL, risks: ['input', 'submit'] };
    expect(person.raised).toMatchObject([
      { need: { ...need, ...place, origin: 'https://a.example' }, rule: { id: 'default-act' } },
    ]);
  });

  it('uses a grant once for a document, and asks again for the next document, and for more', async () => {
    person.grants = 1;
    await policy.expect(at(SITE), ['input', 'submit']);
    await policy.expect(at(SITE), ['submit']);
    await policy.expect(at('https://a.example/#part'), ['input']);
    expect(person.used).toHaveLength(1);
    expect(await judged(at(SITE, 'd2'), ['input'])).toBe('approval_required');
    expect(await judged('https://b.example/', ['input'])).toBe('approval_required');
    expect(await judged(SITE, ['input', 'upload'])).toBe('approval_required');
    expect(person.raised).toHaveLength(3);
  });

  it('is asked about with the address that its document has now', async () => {
    await refused(policy.expect(at('https://a.example/at-first', 'moved'), ['input']));
    expect(person.raised[0]?.need.url).toBe('https://a.example/now');
  });

  describe('that was allowed', () => {
    const leads = { how: 'form', url: 'https://a.example/pay', method: 'post', hidden: '1:a' } as const;
    const pay = { line: 'button Pay', leads };
    beforeEach(async () => {
      person.grants = 1;
      person.elements = { e1: pay };
      await policy.expect(at(SITE), ['input']);
    });

    it('continues with elements that are as the card said', async () => {
      expect(await policy.asSeen('e1', { ...pay })).not.toBeNull();
      expect(await policy.asSeen('e2', pay)).toBeNull();
      expect(person.withdrawn).toEqual([]);
    });

    it.each([
      ['another name', { ...pay, line: 'button Pay all' }],
      ['a form that is sent elsewhere', { ...pay, leads: { ...leads, url: 'https://b.example/pay' } }],
      ['another method', { ...pay, leads: { ...leads, method: 'get' } }],
      ['other hidden fields', { ...pay, leads: { ...leads, hidden: '1:b' } }],
      ['no form', { ...pay, leads: null }],
    ] as const)('is asked about again for %s, and its yes has ended', async (_what, now) => {
      expect(await refused(policy.asSeen('e1', now))).toMatchObject(ASKED);
      expect(person.withdrawn).toEqual(['g1']);
      expect(person.raised[0]?.need.url).toBe(SITE);
    });

    it('ends where it is, once it has begun', async () => {
      policy.began();
      // Pages write into them what the act fills in.
      expect(await policy.asSeen('e1', { ...pay, leads: { ...leads, hidden: '1:b' } })).not.toBeNull();
      const ended = await refused(policy.asSeen('e1', { ...pay, leads: null }));
      expect(ended).toMatchObject({ code: 'approval_required', question: undefined });
      expect(person.withdrawn).toEqual(['g1']);
    });
  });

  it('answers the dialog of its card alone', async () => {
    person.grants = 1;
    person.elements = { 'the dialog': { line: 'Get news?', leads: null } };
    const { 'dialog.answer': answer } = createDialog(servicesOf({ type: 'confirm', message: 'Delete all?' }));
    const answering = answer({ ...WHERE, ...ACCEPT }, { signal, scope: TEST_SCOPE, policy });
    expect(await refused(answering)).toMatchObject(ASKED);
    expect(person.withdrawn).toEqual(['g1']);
  });

  it('types a secret without a site into the field of its card alone', async () => {
    person.grants = 1;
    person.elements = { e1: { line: 'textbox Coupon', leads: null } };
    const ask = vi.fn();
    const acting = {
      ...{ tabId: 7, use: { isSecret: true, bound: [] } },
      frames: { expectSeen: (name: string, { facts }: never) => policy.asSeen(name, facts) },
      mayReveal: (place: PolicyPlace) => policy.confirms(place, ['input']),
    } as never;
    const held = { page: { frameId: 0, ask }, facts: { line: 'textbox Other', leads: null } } as never;
    expect(await refused(admitSecret(acting, 'e1', held))).toMatchObject(ASKED);
    expect(person.raised).toMatchObject([{ need: { isAlone: true } }]);
    expect(ask).not.toHaveBeenCalled();
  });

  it('that is cancelled while its question is raised leaves none', async () => {
    const cancel = new AbortController();
    const asking = judged(SITE, ['input'], calling(undefined, cancel.signal));
    cancel.abort();
    await asking;
    expect(person.cancelled).toEqual(['q1']);
  });

  it('asks nobody once it has begun, about what it only comes across, or if nothing is known of it', async () => {
    const silent = await refused(policy.expect(at(SITE), ['input'], { asks: false }));
    policy.began();
    const begun = await refused(policy.expect(at(SITE), ['input']));
    const unknown = await refused(calling(null).expect(at(SITE), ['input']));
    for (const one of [silent, begun, unknown])
      expect(one).toMatchObject({ code: 'approval_required', question: undefined });
    expect(person.raised).toEqual([]);
  });

  it('that would carry text is in the ledger if a rule denies it', async () => {
    const source = { site: 'https://mail.example', group: 'mail.example', is_private: true, how: 'text' };
    const scope = {
      caller: CALLER,
      call: { ...CALL, sources: [{ ...source, passages: 1, characters: 50, marks: [] }] },
    } as CallScope;
    stored['policy'] = { version: 1, rules: [rule({ id: 'shut', effect: 'deny' })], lists: {} };
    const lines: unknown[] = [];
    const request = async (_method: string, facts: unknown) => void lines.push(facts);
    const ledger = new ActLedger({ wire: 2, request }, { scope, signal });
    const carrying = guardOf().call(scope, { ledger, signal });
    expect(await judged(SITE, ['navigate'], carrying)).toBe('policy_denied');
    expect(lines).toMatchObject([
      { risks: ['carry_text'], allowed_by: { kind: 'rule', id: 'shut' }, is_denied: true },
    ]);
  });

  it('that is denied asks nobody, whatever was granted, and says by which rule', async () => {
    person.grants = 1;
    const message: unknown = expect.stringContaining('listed-act');
    const denied = await refused(policy.expect(at(PAYPAL), ['read', 'input']));
    expect(denied).toMatchObject({ code: 'policy_denied', message });
    expect(person.used).toEqual([]);
    const long = `https://${'a.'.repeat(125)}paypal.com/`;
    expect(await judged(long, ['read'])).toBe('policy_denied');
    expect(policy.passes(at(long), ['read'])).toBe(false);
  });

  it('in a document that another site made is judged by that site', async () => {
    const made = { ...at('about:blank'), origin: 'https://www.paypal.com' };
    expect(await judged(made, ['input'])).toBe('policy_denied');
    const sandboxed = { ...at('https://www.paypal.com/frame'), origin: 'null' };
    expect(await judged(sandboxed, ['input'])).toBe('policy_denied');
  });

  it('learns once which site made a document, and ends where its scripts do not say', async () => {
    Object.assign(top, { documentId: 'made', url: 'about:blank' });
    let answer = Promise.resolve([{ result: 'https://www.paypal.com' }]);
    Object.assign(chrome, { scripting: { executeScript: () => answer } });
    await policy.expectTab(7, []);
    answer = new Promise(() => undefined);
    expect((await refused(policy.expectTab(7, ['dialog']))).code).toBe('policy_denied');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    top.documentId = 'stuck';
    const stuck = refused(policy.expectTab(7, ['dialog']));
    await vi.advanceTimersByTimeAsync(5_000);
    expect((await stuck).code).toBe('page_unresponsive');
  });

  it('may be captured for a site for which that was granted', async () => {
    const place = at(SITE);
    await policy.expect(place, ['read']);
    expect(policy.passes(place, ['capture_network'])).toBe(false);
    person.grants = 1;
    await policy.expect(place, ['capture_network']);
    expect(policy.passes({ ...place, documentId: null }, ['capture_network'])).toBe(true);
    expect(policy.passes(at('https://b.example/'), ['capture_network'])).toBe(false);
  });
});

it('the source of a page that may not be read tells no more than its site', async () => {
  await store.save({ version: 1, rules: [rule({ sites: ['a.example'], effect: 'deny' })], lists: {} });
  const personTabs = { loaded: Promise.resolve(), has: () => false };
  const tab = { id: 7, url: 'view-source:https://a.example/?account=7', title: 'Account 7' };
  const telling = toldTab(tab as never, { policy, personTabs } as never);
  expect(await telling).toMatchObject({ url: SITE, title: '' });
});

it('the rules hold from the moment when they are changed, for calls that run', async () => {
  expect(await judged(SITE, ['read'])).toBe('none');
  await store.save({ version: 1, rules: [rule({ effect: 'deny', risks: ['read'] })], lists: {} });
  expect(await judged(SITE, ['read'])).toBe('policy_denied');
});

it('the rules are the defaults where what is stored is damaged, which is kept and reported', async () => {
  const damaged = { version: 1, rules: [{ effect: 'perhaps' }] };
  stored['policy'] = damaged;
  const message: unknown = expect.stringContaining('stored rules cannot be read');
  const asked = await refused(policy.expect(at(SITE), ['input']));
  expect(asked).toMatchObject({ code: 'approval_required', message });
  expect(stored['policy_damaged']).toEqual(damaged);
});

it('the rules of a private launch allow everything, from the moment when the host says so', async () => {
  expect(await judged(PAYPAL, ['input'])).toBe('policy_denied');
  store.setPrivate(true);
  expect(await judged(PAYPAL, ['input'])).toBe('none');
  store.setPrivate(false);
  expect(await judged(PAYPAL, ['input'])).toBe('policy_denied');
});

it('the rules of a server only tighten, also when it says them twice', async () => {
  const guard = guardOf();
  guard.tighten({ allowed_sites: ['a.example'], denied_sites: [] });
  guard.tighten({ allowed_sites: null, denied_sites: ['never.a.example'] });
  const call = calling(undefined, undefined, guard);
  expect(await judged('https://www.a.example/', ['read'], call)).toBe('none');
  for (const url of ['https://b.example/', 'https://never.a.example/'])
    expect(await judged(url, ['read'], call)).toBe('policy_denied');
  expect(await judged(SITE, ['input'], call)).toBe('approval_required');
});

const WHERE = { tab_id: 7, caller: CALLER };
const ACCEPT = { accept: true, budget: 100 };
/** For handlers that reach no page. */
const servicesOf = (dialog: object | null): never =>
  ({
    ...{ closed: signal, sessionEnds: new Set(), channels: { guardedBy: () => ({}) } },
    ...{ leases: { take: async () => ({ release: () => undefined }) }, dialogs: { of: () => dialog } },
  }) as never;
const ACT = { block: false, delay_ms: 0, answer: null, headers: { cookie: 'a' }, login: null };

it.each([
  ['dialog', 'dialog.answer', { ...WHERE, ...ACCEPT }],
  ['evaluate', 'tab.intercept', { ...WHERE, add: { id: 'r1', url: '**', act: ACT }, remove: null }],
] as const)('%s of %s is in the ledger where no rule asks', async (risk, method, params) => {
  stored['asks'] = false;
  const services = servicesOf(null);
  const lines: unknown[] = [];
  const server = { wire: 2, request: async (_method: string, line: unknown) => lines.push(line) };
  const ledger = new ActLedger(server, { scope: TEST_SCOPE, signal });
  const context = { signal, scope: TEST_SCOPE, policy: guardOf().call(TEST_SCOPE, { ledger, signal }) };
  const handlers = { ...createDialog(services), ...createIntercept(services) };
  // There is no dialog, and no debugger: each ends when the line is written.
  await expect(handlers[method](params as never, context)).rejects.toThrow();
  expect(lines).toMatchObject([{ risks: [risk], site: 'https://a.example', tab_id: 7 }]);
});
