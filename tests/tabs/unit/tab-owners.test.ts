import { beforeEach, expect, it } from 'vitest';
import { TabOwners } from '../../../extension/tabs/worker/owners.ts';
import type { CallScope } from '../../../shared/core/policy/call-facts.ts';
import { SpillwayError } from '../../../shared/base/errors.ts';
import { installBrowser, storageOf } from '../../support/browser-api.ts';
import { codeOf } from '../../support/code-of.ts';
import { openPolicy } from '../../support/open-policy.ts';
import { TEST_SCOPE } from '../../support/session.ts';

type Listener = (...args: never[]) => void;
interface Tab {
  readonly id: number;
  readonly url: string;
  readonly active?: boolean;
  /** Titles its group. */
  readonly agent?: string;
}

const events: Record<string, Listener[]> = {};
const event = (name: string) => ({
  addListener: (listener: Listener) => (events[name] ??= []).push(listener),
});
const happens = (name: string, ...args: unknown[]): void => {
  for (const listener of events[name] ?? []) listener(...(args as never[]));
};

let local: Record<string, unknown>;
let session: Record<string, unknown>;
let tabs: Tab[];

const HOME = 'a'.repeat(64);
const scopeOf = (name: string, id: string, home = HOME): CallScope => ({
  ...TEST_SCOPE,
  caller: { name, session: id },
  home,
});
const MINE = { server: 'server-1', scope: scopeOf('claude', 's1') };
const NEXT = { server: 'server-2', scope: scopeOf('claude', 's2') };
/** A person who never lends anything. */
const policy = {
  ...openPolicy,
  allows: () => Promise.resolve(false),
  expect: () => Promise.reject(new SpillwayError('approval_required', 'A person is asked.')),
};
const groups = { add: async () => undefined, end: async () => undefined, keepOf: async () => undefined };
const find = (id: number): Tab => {
  const tab = tabs.find((one) => one.id === id);
  if (tab === undefined) throw new Error(`No tab with id: ${id}`);
  return tab;
};

/** The worker starts. */
function start(): TabOwners {
  for (const name of Object.keys(events)) delete events[name];
  return new TabOwners(groups);
}
const use = (owners: TabOwners, id: number, user: typeof MINE = MINE): Promise<string> =>
  codeOf(owners.expect(id, { ...user, policy }));

beforeEach(() => {
  [local, session, tabs] = [{}, {}, [{ id: 1, url: 'https://mine.test/', active: true }]];
  installBrowser({
    storage: { local: storageOf(local), session: storageOf(session) },
    webNavigation: { onCreatedNavigationTarget: event('created'), getFrame: async () => null },
    tabs: {
      get: async (id: number) => ({ groupId: find(id).agent === undefined ? -1 : id, ...find(id) }),
      query: async ({ active }: { active?: boolean }) =>
        tabs.filter((tab) => active !== true || tab.active === true),
      ...{ onReplaced: event('replaced'), onRemoved: event('removed') },
      ...{ onUpdated: event('updated'), onActivated: event('activated') },
    },
    tabGroups: {
      TAB_GROUP_ID_NONE: -1,
      get: async (id: number) => ({ title: find(id).agent, color: 'purple' }),
    },
  });
});
async function opened(owners: TabOwners, id: number, more: Partial<Tab> = {}): Promise<void> {
  const tab = { id, url: `https://own.test/${id}`, agent: 'claude', ...more };
  tabs.push(tab);
  await owners.add(id, tab.url, MINE);
}

it('a session has what it opens and what that opens, and nothing of a person or another agent', async () => {
  const owners = start();
  await opened(owners, 2);
  tabs.push({ id: 3, url: 'https://own.test/popup' }, { id: 4, url: 'https://mine.test/popup' });
  happens('created', { sourceTabId: 2, tabId: 3, url: 'https://own.test/popup' });
  happens('created', { sourceTabId: 1, tabId: 4, url: 'https://mine.test/popup' });
  await owners.loaded;
  expect([await use(owners, 2), await use(owners, 3)]).toEqual(['no error', 'no error']);
  expect([await use(owners, 1), await use(owners, 4)]).toEqual(['approval_required', 'approval_required']);
  const other = { server: 'server-1', scope: scopeOf('codex', 's9') };
  expect(await use(owners, 2, other)).toBe('tab_not_given');
  // An id of another server's session proves nothing.
  expect(await use(owners, 2, { server: 'server-9', scope: MINE.scope })).toBe('tab_not_given');
  expect(await owners.expect(99, { ...MINE, policy })).toBe('missing');
});

it('the next worker knows it, by the number that the browser has given a tab since', async () => {
  const before = start();
  await opened(before, 2);
  tabs[1] = { id: 22, url: 'https://own.test/2' };
  happens('replaced', 22, 2);
  // It is stored before the worker may end.
  await expect.poll(() => JSON.stringify(local)).toContain('"tab_id":22');
  const owners = start();
  expect(await use(owners, 22)).toBe('no error');
});

it.each([
  ['in its group', { agent: 'claude' }, [], 'no error'],
  ['outside of a group', { agent: undefined }, [], 'approval_required'],
  ['in a group of another title', { agent: 'Holidays' }, [], 'approval_required'],
  ['next to another one of its address', { agent: 'claude' }, ['https://own.test/2'], 'approval_required'],
])('after the browser has started again, a tab %s is found: %#', async (_what, tab, others, code) => {
  await opened(start(), 2);
  delete session['tab_owners_read'];
  const { agent } = tab;
  tabs = [
    { id: 71, url: 'https://own.test/2', ...(agent === undefined ? {} : { agent }) },
    ...others.map((url, at) => ({ id: 80 + at, url })),
  ];
  expect(await use(start(), 71)).toBe(code);
});

it('what an ended session left is the next one’s of its agent and home, until a person looks at it', async () => {
  const owners = start();
  for (const id of [2, 3, 4]) await opened(owners, id);
  tabs.push({ id: 5, url: 'https://own.test/popup' });
  happens('created', { sourceTabId: 4, tabId: 5, url: 'https://own.test/popup' });
  await owners.end('server-1', 's1');
  const stranger = { server: 'server-2', scope: scopeOf('claude', 's3', 'b'.repeat(64)) };
  expect(await use(owners, 2, stranger)).toBe('approval_required');
  expect(await use(owners, 2, { server: 'server-2', scope: scopeOf('codex', 's3') })).toBe(
    'approval_required',
  );
  expect(await use(owners, 2, NEXT)).toBe('no error');
  happens('activated', { tabId: 3 });
  // Its opener is in reach of it.
  happens('activated', { tabId: 5 });
  await owners.loaded;
  for (const id of [3, 4, 5]) expect(await use(owners, id, NEXT), String(id)).toBe('approval_required');
});

it('a tab in front when its session ends is the person’s', async () => {
  const owners = start();
  await opened(owners, 2, { active: true });
  await owners.keepOf([], ['server-1']);
  expect(await use(owners, 2, NEXT)).toBe('approval_required');
});
