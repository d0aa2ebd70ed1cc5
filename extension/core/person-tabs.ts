import browser from 'webextension-polyfill';
import { SpillwayError } from '../../shared/base/errors.ts';
import type { DebuggerSessions } from '../platform/chromium/debugger/sessions.ts';
import { maySave } from './navigation/stop-loading.ts';
import { getReadableTab } from './pages/targets.ts';

/** Called when a person gets a tab, or returns it. */
export type PersonTabListener = (tabId: number, isTaken: boolean) => void;

/** The tabs that a person has taken over, for anything that would read, act on or record them. */
export class PersonTabs {
  /** Resolves when the take-overs of earlier workers are known. */
  loaded: Promise<void> = Promise.resolve();
  has: (tabId: number) => boolean = () => false;
  /** Whether a person had the tab at a time, in milliseconds since the epoch. */
  hadAt: (tabId: number, at: number) => boolean = () => false;
  readonly #listeners = new Set<PersonTabListener>();

  /** Call while the worker starts. */
  follow(facts: Pick<PersonTabs, 'loaded' | 'has' | 'hadAt'>): void {
    Object.assign(this, facts);
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

/**
 * The tab in front, for a person's own acts.
 * @throws SpillwayError `tab_not_found`, `person_has_tab`, and as {@link getReadableTab}
 */
export async function frontTab(
  personTabs: PersonTabs,
): Promise<{ readonly tabId: number; readonly windowId: number; readonly url: string }> {
  const [tab] = await browser.tabs.query({ active: true, lastFocusedWindow: true });
  if (tab?.id === undefined || tab.windowId === undefined)
    throw new SpillwayError('tab_not_found', 'No tab is in front.');
  await personTabs.loaded;
  personTabs.check(tab.id);
  const { url = '' } = await getReadableTab(tab.id);
  return { tabId: tab.id, windowId: tab.windowId, url };
}

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
