import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Approvals, Need } from '../../../extension/background/policy/approvals.ts';
import type { CallPolicy, Place } from '../../../extension/background/policy/call-policy.ts';
import type { StoredPolicy } from '../../../shared/policy/policy.ts';
import type { ShownElements } from '../../../shared/policy/shown-element.ts';
import type { Rule } from '../../../shared/policy/rule.ts';
import { ActLedger } from '../../../extension/background/policy/act-ledger.ts';
import { codeIn } from '../../support/code-of.ts';

const stored = vi.hoisted(() => ({
  value: {} as Record<string, unknown>,
  changed: null as ((changes: object, area: string) => void) | null,
}));
vi.mock('webextension-polyfill', () => ({
  default: {
    webNavigation: {
      getAllFrames: () =>
        Promise.resolve([
          { frameId: 0, parentFrameId: -1, documentId: 'moved', url: 'https://a.example/now' },
        ]),
    },
    storage: {
      onChanged: { addListener: (listener: typeof stored.changed) => (stored.changed = listener) },
      local: {
        get: (key: string) => Promise.resolve({ [key]: stored.value[key] }),
        set: (values: Record<string, unknown>) => {
          Object.assign(stored.value, values);
          stored.changed?.(values, 'local');
          return Promise.resolve();
        },
      },
    },
  },
}));
const { PolicyGuard } = await import('../../../extension/background/policy/guard.ts');
const { PolicyStore } = await import('../../../extension/background/policy/store.ts');

/** A person who has allowed so many needs, and what they were asked. */
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

  raise(need: Need, rule: Rule): ReturnType<Approvals['raise']> {
    this.raised.push({ need, rule });
    return Promise.resolve({ id: `q${this.raised.length}` });
  }

  withdraw(grant: string): Promise<void> {
    this.withdrawn.push(grant);
    return Promise.resolve();
  }

  cancel(id: string): ReturnType<Approvals['cancel']> {
    this.cancelled.push(id);
    return Promise.resolve(true);
  }
}

const CALLER = { session: 's1', name: 'claude-code', version: '2' };
const CALL = {
  call_id: 'c1',
  tool: 'interact',
  title: 'Interact',
  args: {},
  is_editable: true,
  args_hash: '0'.repeat(64),
};
const rule = (draft: Partial<StoredPolicy['rules'][number]>): StoredPolicy['rules'][number] => ({
  id: 'mine',
  sites: null,
  risks: null,
  agents: null,
  effect: 'ask',
  source: 'person',
  ...draft,
});
const at = (url: string, documentId = 'd1'): Place => ({ url, tabId: 7, documentId });

/** What keeps no ledger: an older server. */
const noLedger = new ActLedger(
  { wire: 1, request: () => Promise.resolve() },
  { scope: null, signal: new AbortController().signal },
);
let person: FakePerson;
let store: InstanceType<typeof PolicyStore>;
let policy: CallPolicy;
const calling = (
  scope: { caller: typeof CALLER; call: typeof CALL } | null = { caller: CALLER, call: CALL },
  signal = new AbortController().signal,
): CallPolicy =>
  new PolicyGuard({ store, approvals: person, server: 'server-1' }).call(scope, { ledger: noLedger, signal });
const refused = (
  work: Promise<unknown>,
): Promise<{ code: string; questionId: string | undefined; message: string }> =>
  work.then(
    () => ({ code: 'none', questionId: undefined, message: '' }),
    (thrown: Error & { questionId?: string }) => ({
      code: codeIn(thrown),
      questionId: thrown.questionId,
      message: thrown.message,
    }),
  );

beforeEach(() => {
  stored.value = {};
  person = new FakePerson();
  store = new PolicyStore();
  policy = calling();
});

it('a person who does not want to be asked is not, and their own rules and the lists hold', async () => {
  stored.value = {
    asks: false,
    policy: { version: 1, rules: [rule({ id: 'r1', sites: ['b.example'], effect: 'deny' })], lists: {} },
  };
  store = new PolicyStore();
  policy = calling();
  await policy.expect(at('https://a.example/'), ['input', 'submit', 'upload']);
  expect((await refused(policy.expect(at('https://b.example/'), ['input']))).code).toBe('policy_denied');
  expect((await refused(policy.expect(at('https://www.paypal.com/'), ['input']))).code).toBe('policy_denied');
  expect((await refused(policy.expect(at('https://www.paypal.com/'), ['read']))).code).toBe(
    'approval_required',
  );
  await store.setAsks(true);
  expect((await refused(policy.expect(at('https://a.example/'), ['input']))).code).toBe('approval_required');
});

it('rules that change while they are read are read again', async () => {
  const before = store.rules();
  stored.value['policy'] = { version: 1, rules: [rule({ id: 'r2', effect: 'deny' })], lists: {} };
  stored.changed?.({ policy: {} }, 'local');
  const after = await store.rules();
  await before;
  expect(after.stored.rules).toHaveLength(1);
  expect((await store.rules()).stored.rules).toHaveLength(1);
});

describe('a call', () => {
  it('that the rules allow asks nobody', async () => {
    await policy.expect(at('https://a.example/'), ['read', 'navigate']);
    expect(person.raised).toEqual([]);
    expect(person.used).toEqual([]);
  });

  it('raises one question for what needs a yes, and for nothing else', async () => {
    const { code, questionId } = await refused(
      policy.expect(at('https://a.example/x'), ['read', 'input', 'submit']),
    );
    expect([code, questionId]).toEqual(['approval_required', 'q1']);
    expect(person.raised[0]?.need).toEqual({
      server: 'server-1',
      caller: CALLER,
      call: CALL,
      risks: ['input', 'submit'],
      url: 'https://a.example/x',
      origin: 'https://a.example',
      tabId: 7,
      documentId: 'd1',
    });
    expect(person.raised[0]?.rule.id).toBe('default-act');
  });

  it('uses a grant once for a document, and asks again for the next document', async () => {
    person.grants = 1;
    await policy.expect(at('https://a.example/'), ['input', 'submit']);
    await policy.expect(at('https://a.example/'), ['submit']);
    await policy.expect(at('https://a.example/#part'), ['input']);
    expect(person.used).toHaveLength(1);
    expect((await refused(policy.expect(at('https://a.example/', 'd2'), ['input']))).questionId).toBe('q1');
    expect((await refused(policy.expect(at('https://b.example/'), ['input']))).questionId).toBe('q2');
  });

  it('is not granted more than was asked', async () => {
    person.grants = 1;
    await policy.expect(at('https://a.example/'), ['input']);
    expect((await refused(policy.expect(at('https://a.example/'), ['input', 'upload']))).code).toBe(
      'approval_required',
    );
  });

  it('is asked about with the address that its document has now', async () => {
    await refused(policy.expect(at('https://a.example/at-first', 'moved'), ['input']));
    expect(person.raised[0]?.need.url).toBe('https://a.example/now');
  });

  describe('that was allowed', () => {
    const pay = { line: 'button Pay', leads: { how: 'form', url: 'https://a.example/pay' } } as const;
    beforeEach(async () => {
      person.grants = 1;
      person.elements = { e1: pay };
      await policy.expect(at('https://a.example/'), ['input']);
    });

    it('continues with elements that are as the card said', async () => {
      expect(await policy.asSeen('e1', { ...pay })).not.toBeNull();
      expect(await policy.asSeen('e2', pay)).toBeNull();
      expect(person.withdrawn).toEqual([]);
    });

    it.each([
      ['another name', { ...pay, line: 'button Pay all' }],
      ['a form that is sent elsewhere', { ...pay, leads: { how: 'form', url: 'https://b.example/pay' } }],
      ['no form', { ...pay, leads: null }],
    ] as const)('is asked about again for %s, and its yes has ended', async (_what, now) => {
      expect(await refused(policy.asSeen('e1', now))).toMatchObject({
        code: 'approval_required',
        questionId: 'q1',
      });
      expect(person.withdrawn).toEqual(['g1']);
      expect(person.raised[0]?.need.url).toBe('https://a.example/');
    });

    it('ends where it is, once it has begun', async () => {
      policy.began();
      const { code, questionId } = await refused(policy.asSeen('e1', { ...pay, leads: null }));
      expect([code, questionId]).toEqual(['approval_required', undefined]);
      expect(person.withdrawn).toEqual(['g1']);
    });
  });

  it('that is cancelled while its question is raised leaves none', async () => {
    const cancel = new AbortController();
    const asking = refused(calling(undefined, cancel.signal).expect(at('https://a.example/'), ['input']));
    cancel.abort();
    await asking;
    expect(person.cancelled).toEqual(['q1']);
  });

  it('asks nobody once it has begun, or about what it only comes across', async () => {
    const silent = await refused(policy.expect(at('https://a.example/'), ['input'], { asks: false }));
    policy.began();
    const begun = await refused(policy.expect(at('https://a.example/'), ['input']));
    for (const { code, questionId } of [silent, begun])
      expect([code, questionId]).toEqual(['approval_required', undefined]);
    expect(person.raised).toEqual([]);
  });

  it('of which nothing is known asks nobody', async () => {
    const { code, questionId } = await refused(calling(null).expect(at('https://a.example/'), ['input']));
    expect([code, questionId]).toEqual(['approval_required', undefined]);
  });

  it('that is denied asks nobody, whatever was granted', async () => {
    person.grants = 1;
    const { code, message } = await refused(policy.expect(at('https://www.paypal.com/'), ['read', 'input']));
    expect(code).toBe('policy_denied');
    expect(message).toBe('Input on https://www.paypal.com is denied by the default rule listed-act.');
    expect(person.used).toEqual([]);
  });

  it('in a document that another site made is judged by that site', async () => {
    const made = { ...at('about:blank'), origin: 'https://www.paypal.com' };
    expect((await refused(policy.expect(made, ['input']))).code).toBe('policy_denied');
    const sandboxed = { ...at('https://www.paypal.com/frame'), origin: 'null' };
    expect((await refused(policy.expect(sandboxed, ['input']))).code).toBe('policy_denied');
  });

  it('may be captured for a site for which that was granted', async () => {
    const place = at('https://a.example/');
    await policy.expect(place, ['read']);
    expect(policy.passes(place, ['capture_network'])).toBe(false);
    person.grants = 1;
    await policy.expect(place, ['capture_network']);
    expect(policy.passes({ ...place, documentId: null }, ['capture_network'])).toBe(true);
    expect(policy.passes(at('https://b.example/'), ['capture_network'])).toBe(false);
  });
});

describe('the rules', () => {
  it('hold from the moment when they are changed, for calls that run', async () => {
    await policy.expect(at('https://a.example/'), ['read']);
    await store.save({ version: 1, rules: [rule({ effect: 'deny', risks: ['read'] })], lists: {} });
    expect((await refused(policy.expect(at('https://a.example/'), ['read']))).code).toBe('policy_denied');
  });

  it('are the defaults where what is stored is damaged, which is kept and reported', async () => {
    stored.value['policy'] = { version: 1, rules: [{ effect: 'perhaps' }] };
    const { code, message } = await refused(policy.expect(at('https://a.example/'), ['input']));
    expect(code).toBe('approval_required');
    expect(message).toContain('The stored rules cannot be read, so the defaults hold.');
    expect(stored.value['policy_damaged']).toEqual({ version: 1, rules: [{ effect: 'perhaps' }] });
  });

  it('of a private launch allow everything, from the moment when the host says so', async () => {
    expect((await refused(policy.expect(at('https://www.paypal.com/'), ['input']))).code).toBe(
      'policy_denied',
    );
    store.setPrivate(true);
    await policy.expect(at('https://www.paypal.com/'), ['input']);
    store.setPrivate(false);
    expect((await refused(policy.expect(at('https://www.paypal.com/'), ['input']))).code).toBe(
      'policy_denied',
    );
  });

  it('of a server only tighten, also when it says them twice', async () => {
    const guard = new PolicyGuard({ store, approvals: person, server: 'server-1' });
    guard.tighten({ allowed_sites: ['a.example'], denied_sites: [] });
    guard.tighten({ allowed_sites: null, denied_sites: ['never.a.example'] });
    const call = guard.call(
      { caller: CALLER, call: CALL },
      { ledger: noLedger, signal: new AbortController().signal },
    );
    await call.expect(at('https://www.a.example/'), ['read']);
    for (const url of ['https://b.example/', 'https://never.a.example/'])
      expect((await refused(call.expect(at(url), ['read']))).code).toBe('policy_denied');
    expect((await refused(call.expect(at('https://a.example/'), ['input']))).code).toBe('approval_required');
  });
});
