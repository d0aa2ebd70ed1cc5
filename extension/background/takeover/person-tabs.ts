import { SpillwayError } from '../../../shared/errors.ts';
import type { DebuggerSessions } from '../chromium/debugger/sessions.ts';
import { maySave } from '../navigation/stop-loading.ts';
import browser from 'webextension-polyfill';
import type { Takeovers } from './takeovers.ts';

/** Follows people's actions in the tabs that they have. Call while the worker starts. */
export function followTabs(takeovers: Takeovers): void {
  const looked = async (tabId: number): Promise<void> => {
    await takeovers.loaded;
    const takeover = takeovers.of(tabId);
    if (takeover !== null) await takeovers.see(takeover.id);
  };
  browser.webNavigation.onCreatedNavigationTarget.addListener(
    ({ sourceTabId, tabId }) => void takeovers.opened(sourceTabId, tabId),
  );
  browser.tabs.onRemoved.addListener((tabId) => void takeovers.closed(tabId));
  browser.tabs.onReplaced.addListener((added, removed) => void takeovers.replaced(removed, added));
  browser.tabs.onActivated.addListener(({ tabId }) => void looked(tabId));
  browser.windows.onFocusChanged.addListener((windowId) => {
    if (windowId === browser.windows.WINDOW_ID_NONE) return;
    void browser.tabs.query({ active: true, windowId }).then(
      ([tab]) => (tab?.id === undefined ? undefined : looked(tab.id)),
      () => undefined,
    );
  });
}

/**
 * Whether the person already has the tab in view. Our own window opens in front of it, so with a window they must
 * switch to the tab first; without one, the active tab of the focused window counts.
 */
export async function isWatched(tabId: number, hasWindow: boolean): Promise<boolean> {
  if (hasWindow) return false;
  const tab = await browser.tabs.get(tabId).catch(() => null);
  if (tab?.active !== true || tab.windowId === undefined) return false;
  const window = await browser.windows.get(tab.windowId).catch(() => null);
  return window?.focused === true;
}

/** Brings a tab and its window to the front, because the person wants to see it. */
export async function showTab(tabId: number): Promise<void> {
  const tab = await browser.tabs.update(tabId, { active: true }).catch(() => null);
  if (tab?.windowId === undefined) return;
  await browser.windows.update(tab.windowId, { focused: true }).catch(() => undefined);
}

interface TabFacts {
  readonly loaded: Promise<void>;
  has(tabId: number): boolean;
  hadAt(tabId: number, at: number): boolean;
}

/** Called when a person gets a tab, or returns it. */
type PersonTabListener = (tabId: number, isTaken: boolean) => void;

/** The tabs that a person has taken over, for anything that would read, act on or record them. */
export class PersonTabs {
  #facts: TabFacts = { loaded: Promise.resolve(), has: () => false, hadAt: () => false };
  readonly #listeners = new Set<PersonTabListener>();

  /** Call while the worker starts. */
  follow(facts: TabFacts): void {
    this.#facts = facts;
  }

  /** Resolves when the take-overs of earlier workers are known. */
  get loaded(): Promise<void> {
    return this.#facts.loaded;
  }

  has(tabId: number): boolean {
    return this.#facts.has(tabId);
  }

  /** Whether a person had the tab at a time, in milliseconds since the epoch. */
  hadAt(tabId: number, at: number): boolean {
    return this.#facts.hadAt(tabId, at);
  }

  /** @throws SpillwayError `person_has_tab` */
  check(tabId: number): void {
    if (this.has(tabId)) throw personHasTab(tabId);
  }

  onChange(listener: PersonTabListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Called only by the take-overs. */
  tell(tabId: number, isTaken: boolean): void {
    for (const listener of [...this.#listeners]) listener(tabId, isTaken);
  }
}

export const personHasTab = (tabId: number): SpillwayError =>
  new SpillwayError('person_has_tab', `A person has tab ${tabId}: an agent asked them to take it over.`);

/** Keeps the debugger away from tabs that a person has taken over. Call while the worker starts. */
export function lendTabs(tabs: PersonTabs, debuggers: Pick<DebuggerSessions, 'lend'>): void {
  const lent = new Map<number, () => void>();
  tabs.onChange((tabId, isTaken) => {
    lent.get(tabId)?.();
    lent.delete(tabId);
    if (isTaken) maySave(tabId);
    if (isTaken) lent.set(tabId, debuggers.lend(tabId, personHasTab(tabId)));
  });
}
