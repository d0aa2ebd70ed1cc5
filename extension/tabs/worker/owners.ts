import browser, { type Tabs } from 'webextension-polyfill';
import { z } from 'zod';
import { cutUrl } from '../../../shared/base/cut.ts';
import { SpillwayError } from '../../../shared/base/errors.ts';
import type { CallScope } from '../../../shared/core/policy/call-facts.ts';
import { forbiddenPage } from '../../core/pages/targets.ts';
import { isGroupOf, type TabGroups } from '../../platform/chromium/tab-groups.ts';
import type { CallPolicy, PolicyPlace } from '../../core/policy/call-policy.ts';

/** Key in `storage.local`: what agents have opened outlasts the worker, the browser and its numbers of tabs. */
const KEY = 'tab_owners';
/** Key in `storage.session`: missing after the browser has started. */
const STARTED_KEY = 'tab_owners_read';
const URL_UNITS = 2_000;
const MAX_RETURNED = 200;
/** How long after a start the browser may still restore tabs. */
const RESTORED_MS = 10 * 60_000;

/** A tab that an agent has opened, or that such a tab has. */
const OwnedTab = z.object({
  tab_id: z.int(),
  /** Instance of the server. */
  server: z.string(),
  /** Null for a tab that a server opened outside of any call: all its sessions may use it. */
  session: z.string().nullable(),
  agent: z.string(),
  home: z.string().nullable(),
  /** The session has ended: a later one of that agent may go on here, until a person has looked at the tab. */
  is_left: z.boolean(),
  /** The tab that it descends from: pages reach the windows that they have opened, so a person looks at all of them. */
  family: z.int(),
  /** By which a restored tab is found again. */
  url: z.string(),
});
type OwnedTab = z.infer<typeof OwnedTab>;

/** A loan that ended before its session: calls in that tab fail, except a request for the tab. */
const Returned = z.object({
  tab_id: z.int(),
  server: z.string(),
  /** Null if the agent had it in all its sessions. */
  session: z.string().nullable(),
  agent: z.string(),
});
type Returned = z.infer<typeof Returned>;

const Stored = z.object({ owned: z.array(OwnedTab), returned: z.array(Returned) });
type Stored = z.infer<typeof Stored>;
const NOTHING: Stored = { owned: [], returned: [] };

/** Who calls: a server, for one of its calls or for itself. */
export interface TabUser {
  /** Instance of the server. */
  readonly server: string;
  /** Null for what a server does outside of any call: it may use the tabs of all its sessions. */
  readonly scope: CallScope | null;
}

interface AskingUser extends TabUser {
  readonly policy: Pick<CallPolicy, 'allows' | 'expect'>;
  /** The call asks for the tab and for nothing else. */
  readonly isRequest?: boolean;
}

/** Why a call may use a tab: its agent has opened it, the person has lent it, a rule allows it, or it does not exist. */
export type TabUse = 'own' | 'lent' | 'free' | 'missing';

const isSameUser = (owned: OwnedTab, { server, scope }: TabUser): boolean =>
  owned.server === server &&
  (scope === null || owned.session === null || owned.session === scope.caller.session);

/** A server that has ended has no other heir than the next of its home. */
const isHeir = ({ is_left: isLeft, agent, home }: OwnedTab, { scope }: TabUser): boolean =>
  isLeft && scope !== null && agent === scope.caller.name && home !== null && home === scope.home;

/**
 * Whose each tab is. Agents have what they open; everything else is a person's, who may lend it (`LentTabs`). Call
 * handlers never look: {@link expect} is asked before each call that names a tab.
 */
export class TabOwners {
  readonly loaded: Promise<void>;
  readonly #owned = new Map<number, OwnedTab>();
  /** Left over from before the browser started, until their tabs are found. */
  #unmatched: OwnedTab[] = [];
  #restoredUntil = 0;
  #returned: Returned[] = [];
  #saving: Promise<void> = Promise.resolve();
  #isSaving = false;

  /** Registers its listeners at once: create it while the worker starts. */
  constructor(private readonly groups: Pick<TabGroups, 'add' | 'end' | 'keepOf'>) {
    this.loaded = this.#load().catch(() => undefined);
    browser.webNavigation.onCreatedNavigationTarget.addListener(
      ({ sourceTabId, tabId, url }) => void this.loaded.then(() => this.#opened(sourceTabId, tabId, url)),
    );
    browser.tabs.onReplaced.addListener(
      (added, removed) => void this.loaded.then(() => this.#replaced(added, removed)),
    );
    browser.tabs.onRemoved.addListener((tabId, { isWindowClosing }) => {
      // The browser reports its own end as that of its windows, and may restore them.
      if (!isWindowClosing) void this.loaded.then(() => this.#forget(tabId));
    });
    browser.tabs.onUpdated.addListener((tabId, { url }) => {
      if (url !== undefined) void this.loaded.then(() => this.#went(tabId, url));
    });
    browser.tabs.onActivated.addListener(({ tabId }) => void this.loaded.then(() => this.#looked(tabId)));
  }

  /** A call has opened a tab. It joins its session's group. */
  async add(tabId: number, url: string, { server, scope }: TabUser): Promise<void> {
    await this.loaded;
    const { session = null, name: agent = '' } = scope?.caller ?? {};
    const home = scope?.home ?? null;
    this.#set({
      tab_id: tabId,
      server,
      session,
      agent,
      home,
      is_left: false,
      family: tabId,
      url: cutUrl(url, URL_UNITS),
    });
    await this.#save();
    if (scope !== null) await this.groups.add(tabId, { caller: scope.caller, server });
  }

  /** Whether an agent that is still there has a tab. Everything else is a person's. */
  isOwned = (tabId: number): boolean => this.#owned.get(tabId)?.is_left === false;

  /** Whether a tab is a session's own. Its calls have asked before. */
  isOfSession = (tabId: number, server: string, session: string): boolean => {
    const owned = this.#owned.get(tabId);
    return owned?.server === server && (owned.session === null || owned.session === session);
  };

  /** Whether a tab is the caller's own. */
  async isOwn(tabId: number, user: TabUser): Promise<boolean> {
    await this.loaded;
    const tab = await browser.tabs.get(tabId).catch(() => undefined);
    return tab !== undefined && this.#isIts(tab, user);
  }

  async #isIts(tab: Tabs.Tab, user: TabUser): Promise<boolean> {
    const { id = -1, active } = tab;
    if (!this.#owned.has(id)) await this.#restore(tab);
    const owned = this.#owned.get(id);
    if (owned === undefined) return false;
    // A left tab in front is one that a person looks at.
    return isSameUser(owned, user) || (isHeir(owned, user) && !active);
  }

  /**
   * Resolves when a call may use a tab. Without its agent's own tab, a rule or a loan, a person is asked to lend it.
   * @throws SpillwayError `tab_not_given`, `approval_required` with the question, `policy_denied`
   */
  async expect(tabId: number, user: AskingUser): Promise<TabUse> {
    await this.loaded;
    const known = this.#owned.get(tabId);
    if (known?.is_left === false && isSameUser(known, user)) return 'own';
    const tab = await browser.tabs.get(tabId).catch(() => undefined);
    if (tab === undefined) return 'missing';
    if (await this.#isIts(tab, user)) {
      const owned = this.#owned.get(tabId);
      // Its own server may have been away for a moment, too.
      if (owned?.is_left === true && user.scope !== null) await this.#inherit(owned, user);
      return 'own';
    }
    const owned = this.#owned.get(tabId);
    const place = await resolveTabPlace(tabId, tab);
    if (await user.policy.allows(place, ['borrow_tab'])) return 'free';
    if (owned?.is_left === false) throw notGiven(tabId, 'belongs to another agent', OPEN_ITS_PAGE);
    // Of which it is not said what they are.
    if (forbiddenPage(place.url) !== null) throw notGiven(tabId, 'cannot be lent', OPEN_ANOTHER);
    if (user.isRequest !== true && this.#wasReturned(tabId, user))
      throw notGiven(tabId, 'was taken back by the person');
    await user.policy.expect(place, ['borrow_tab'], { isRecorded: false });
    return 'lent';
  }

  /** A loan has ended, or begun again. */
  async setReturned(loan: Returned, isReturned: boolean): Promise<void> {
    await this.loaded;
    const others = this.#returned.filter(
      (one) => one.tab_id !== loan.tab_id || one.server !== loan.server || one.agent !== loan.agent,
    );
    this.#returned = isReturned ? [...others, loan].slice(-MAX_RETURNED) : others;
    await this.#save();
  }

  /** A session has ended. Its tabs leave their group. */
  async end(server: string, session: string): Promise<void> {
    await Promise.all([
      this.#leave((owned) => owned.session === session && owned.server === server),
      this.groups.end(server, session),
    ]);
  }

  /**
   * The sessions of ended servers have ended.
   * @param known which may have ended; all by default
   */
  async keepOf(servers: readonly string[], known?: readonly string[]): Promise<void> {
    const hasEnded = (server: string): boolean =>
      !servers.includes(server) && (known === undefined || known.includes(server));
    await Promise.all([this.#leave(({ server }) => hasEnded(server)), this.groups.keepOf(servers, known)]);
  }

  async #leave(isLeft: (owned: OwnedTab) => boolean): Promise<void> {
    await this.loaded;
    const left = [...this.#owned.values()].filter((owned) => !owned.is_left && isLeft(owned));
    if (left.length === 0) return;
    for (const owned of left) this.#set({ ...owned, is_left: true });
    await this.#save();
  }

  async #inherit(owned: OwnedTab, { server, scope }: TabUser): Promise<void> {
    this.#set({ ...owned, server, session: scope?.caller.session ?? null, is_left: false });
    await this.#save();
  }

  #wasReturned(tabId: number, { server, scope }: TabUser): boolean {
    if (scope === null) return false;
    const { session, name } = scope.caller;
    return this.#returned.some(
      (one) =>
        one.tab_id === tabId &&
        one.server === server &&
        one.agent === name &&
        (one.session === null || one.session === session),
    );
  }

  /** A tab that an agent's tab opens is that agent's, even after a click of a person. */
  #opened(from: number, tabId: number, url: string): Promise<void> {
    const owned = this.#owned.get(from);
    if (owned === undefined) return Promise.resolve();
    this.#set({ ...owned, tab_id: tabId, url: cutUrl(url, URL_UNITS) });
    return this.#save();
  }

  #replaced(added: number, removed: number): Promise<void> {
    const owned = this.#owned.get(removed);
    this.#returned = this.#returned.map((one) => (one.tab_id === removed ? { ...one, tab_id: added } : one));
    if (owned === undefined) return Promise.resolve();
    this.#owned.delete(removed);
    this.#set({ ...owned, tab_id: added });
    return this.#save();
  }

  #forget(tabId: number): Promise<void> {
    this.#returned = this.#returned.filter((one) => one.tab_id !== tabId);
    return this.#owned.delete(tabId) ? this.#save() : Promise.resolve();
  }

  #went(tabId: number, url: string): Promise<void> {
    const owned = this.#owned.get(tabId);
    if (owned === undefined || owned.url === url) return Promise.resolve();
    this.#set({ ...owned, url: cutUrl(url, URL_UNITS) });
    return this.#save();
  }

  async #looked(tabId: number): Promise<void> {
    if (this.#unmatched.length > 0) {
      const { url = '' } = await browser.tabs.get(tabId).catch(() => ({ url: '' }));
      this.#unmatched = this.#unmatched.filter((one) => one.url !== cutUrl(url, URL_UNITS));
    }
    const seen = this.#owned.get(tabId);
    if (seen?.is_left !== true) return;
    this.#forgetFamily(seen);
    await this.#save();
  }

  #forgetFamily({ family }: OwnedTab): void {
    for (const owned of [...this.#owned.values()])
      if (owned.family === family) this.#owned.delete(owned.tab_id);
  }

  #set(owned: OwnedTab): void {
    this.#owned.set(owned.tab_id, owned);
  }

  /** Gives a restored tab back to its agent: the only one with that address, in a group that looks like the agent's. */
  async #restore(tab: Tabs.Tab): Promise<void> {
    const { id, url = '', active } = tab;
    // A person may have used it since.
    if (active || Date.now() >= this.#restoredUntil) return;
    const address = cutUrl(url, URL_UNITS);
    const owned = this.#unmatched.find((one) => one.url === address);
    if (owned === undefined || id === undefined || !(await isGroupOf(id, owned.agent))) return;
    const same = (await browser.tabs.query({})).filter((one) => cutUrl(one.url ?? '', URL_UNITS) === address);
    if (same.length !== 1 || this.#owned.has(id)) return;
    this.#unmatched = this.#unmatched.filter((one) => one !== owned);
    this.#set({ ...owned, tab_id: id });
    await this.#save();
  }

  /** Unreadable tabs are a person's. */
  async #load(): Promise<void> {
    const [{ [KEY]: found }, { [STARTED_KEY]: started }] = await Promise.all([
      browser.storage.local.get(KEY),
      browser.storage.session.get(STARTED_KEY),
    ]);
    const { owned, returned } = Stored.safeParse(found).data ?? NOTHING;
    const now = Date.now();
    const startedAt = typeof started === 'number' ? started : now;
    this.#restoredUntil = startedAt + RESTORED_MS;
    if (started === undefined) await browser.storage.session.set({ [STARTED_KEY]: now });
    const open = new Map((await browser.tabs.query({})).map((tab) => [tab.id, tab]));
    for (const one of owned) {
      const tab = open.get(one.tab_id);
      // A reloaded extension finds its tabs; a browser that has started has other numbers for them.
      const isSame =
        tab !== undefined && (started !== undefined || cutUrl(tab.url ?? '', URL_UNITS) === one.url);
      if (isSame) this.#set(one);
      // Its server may have ended with the browser; one that has not finds its session here.
      else if (now < this.#restoredUntil) this.#unmatched.push({ ...one, is_left: true });
    }
    if (started !== undefined) this.#returned = returned;
  }

  /** Resolves when the present state is stored. Changes during a write are written together. */
  #save(): Promise<void> {
    if (this.#isSaving) return this.#saving;
    this.#isSaving = true;
    this.#saving = this.#saving.then(async () => {
      this.#isSaving = false;
      const owned = [...this.#owned.values(), ...this.#unmatched];
      // A full disk costs what is remembered for the next worker.
      await browser.storage.local.set({ [KEY]: { owned, returned: this.#returned } }).catch(() => undefined);
    });
    return this.#saving;
  }
}

const OPEN_ITS_PAGE = 'Open its page in a tab of your own with navigate.';
const OPEN_ANOTHER =
  'Browsers keep extensions out of some pages. Open a page in a tab of your own with navigate.';

const notGiven = (tabId: number, why: string, hint?: string): SpillwayError =>
  new SpillwayError('tab_not_given', `Tab ${tabId} ${why}.`, { hint });

async function resolveTabPlace(tabId: number, known: Tabs.Tab | null): Promise<PolicyPlace> {
  const tab = known ?? (await browser.tabs.get(tabId).catch(() => null));
  const frame = await browser.webNavigation.getFrame({ tabId, frameId: 0 }).catch(() => null);
  return {
    url: tab?.url || tab?.pendingUrl || '',
    tabId,
    documentId:
      (frame && 'documentId' in frame && typeof frame.documentId === 'string' && frame.documentId) || null,
  };
}
