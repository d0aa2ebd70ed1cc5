import browser from 'webextension-polyfill';
import { delay } from '../../../shared/base/async.ts';
import type { TabInfo } from '../../../shared/core/bridge/page.ts';
import { tabInfo } from '../../core/tabs/tab-info.ts';

/** Front tabs remembered per window, so that the one before any self-opened tabs is among them. */
const REMEMBERED = 8;
/** The focused window while another program has the focus: `WINDOW_ID_NONE`. */
const NO_WINDOW = -1;

/** The current and earlier front tabs and windows. Tracked only while needed. */
export class ShownTabs {
  /** By window, newest last. */
  readonly #tabs = new Map<number, number[]>();
  /** Focused windows, newest last. */
  #focused: number[] = [];
  /** Tabs sent back from the front: one that returns there was put there by somebody. */
  readonly #takenBack = new Set<number>();
  #followers = 0;
  /** Resolves when the first follower has the front from which they start. */
  #known: Promise<void> | undefined;

  constructor() {
    browser.tabs.onActivated.addListener(({ tabId, windowId }) => {
      if (this.#followers > 0)
        this.#tabs.set(windowId, [...(this.#tabs.get(windowId) ?? []), tabId].slice(-REMEMBERED));
    });
    browser.windows.onFocusChanged.addListener((windowId) => {
      if (this.#followers > 0) this.#focused = [...this.#focused, windowId].slice(-REMEMBERED);
    });
  }

  /** Follows the front until the returned function is called. */
  async follow(): Promise<() => void> {
    this.#followers += 1;
    if (this.#followers === 1)
      this.#known = Promise.all([browser.tabs.query({ active: true }), browser.windows.getAll()]).then(
        ([tabs, windows]) => {
          // A tab that came to the front meanwhile is newer.
          for (const { id, windowId } of tabs)
            if (id !== undefined && windowId !== undefined)
              this.#tabs.set(windowId, [id, ...(this.#tabs.get(windowId) ?? [])]);
          const focused = windows.find((window) => window.focused)?.id ?? NO_WINDOW;
          this.#focused = [focused, ...this.#focused];
        },
      );
    await this.#known?.catch((thrown: unknown) => {
      this.#followers -= 1;
      throw thrown;
    });
    return () => {
      this.#followers -= 1;
      if (this.#followers > 0) return;
      this.#tabs.clear();
      this.#focused = [];
      this.#takenBack.clear();
    };
  }

  isShown(tabId: number): boolean {
    return [...this.#tabs.values()].some((shown) => shown.at(-1) === tabId);
  }

  /** Restores the earlier front tab after a tab came to the front by itself; at most once per tab. */
  async putBack(tabId: number): Promise<void> {
    if (this.#takenBack.has(tabId)) return;
    this.#takenBack.add(tabId);
    await this.#known;
    // The browser reports that a tab is shown before it reports what opened the tab.
    const found = [...this.#tabs].find(([, shown]) => shown.at(-1) === tabId);
    if (found === undefined) return;
    const [windowId, shown] = found;
    const before = shown.findLast((id) => !this.#takenBack.has(id));
    if (before === undefined) return this.#focusAgain(windowId);
    // If the tab is closed meanwhile, it has left the front anyway.
    await browser.tabs.update(before, { active: true }).catch(() => undefined);
  }

  /** A new window takes the focus. */
  async #focusAgain(windowId: number): Promise<void> {
    const before = this.#focused.findLast((id) => id !== windowId && id !== NO_WINDOW);
    const hadFocus = this.#focused[0] !== NO_WINDOW;
    if (hadFocus && before !== undefined) await browser.windows.update(before, { focused: true });
    // Another program had it.
    else await browser.windows.update(windowId, { focused: false });
  }
}

/** How long after a click a page may still open tabs: browsers allow 5 s. */
const LINGER_MS = 5_000;
/** Tabs that one act reports. */
const REPORTED_MAX = 20;

export interface OpeningsWatch {
  /** Tabs that the acted tab has opened and no act has reported yet, except closed ones. */
  take(): Promise<TabInfo[]>;
  /** Ends the act. Tabs that open a little later are also sent back, and the next act reports them. */
  end(): void;
}

interface Source {
  /** Not reported yet. */
  readonly opened: Set<number>;
  /** Resolves when the earlier front is restored. */
  putBack: Promise<unknown>;
  /** Active acts, and those that ended a moment ago. */
  watches: number;
}

/**
 * Tabs and windows that acts open. The browser shows them at once, even if the acted tab is hidden, so the person's
 * front tab is restored, once for each of them.
 */
export class TabOpenings {
  readonly #sources = new Map<number, Source>();
  readonly #shown = new ShownTabs();

  /** Registers its listeners at once: a worker that wakes must not miss an event. */
  constructor() {
    // `openerTabId` is unusable: it names the front tab, whichever tab opened the new one.
    browser.webNavigation.onCreatedNavigationTarget.addListener(({ sourceTabId, tabId }) => {
      const source = this.#sources.get(sourceTabId);
      // A tab that opened too late for its act is kept for the next one: what follows it is a person's.
      if (source === undefined || source.watches === 0) return;
      source.opened.add(tabId);
      // If the new window keeps the focus, nothing can be done.
      source.putBack = Promise.all([source.putBack, this.#shown.putBack(tabId).catch(() => undefined)]);
    });
  }

  /** Tabs opened from now on are a person's: they come to the front, and no act reports them. */
  leave(tabId: number): void {
    this.#sources.delete(tabId);
  }

  /** Whether an agent acts in a tab, or has until a moment ago. */
  isActing(tabId: number): boolean {
    return (this.#sources.get(tabId)?.watches ?? 0) > 0;
  }

  /** Watches the openings of a tab from now on. Call before acting in the tab. */
  watch(tabId: number): OpeningsWatch {
    // Of an unknown front, nothing can be restored.
    const following = this.#shown.follow().catch(() => () => undefined);
    const begun: Source = { opened: new Set(), putBack: Promise.resolve(), watches: 0 };
    const source = this.#sources.get(tabId) ?? begun;
    this.#sources.set(tabId, source);
    source.watches += 1;
    const end = async (): Promise<void> => {
      const forgetShown = await following;
      // Tabs that a person opens from the front tab are theirs.
      await delay(this.#shown.isShown(tabId) ? 0 : LINGER_MS);
      forgetShown();
      source.watches -= 1;
      if (source.watches === 0 && this.#sources.get(tabId) === source && source.opened.size === 0)
        this.#sources.delete(tabId);
    };
    return {
      take: async () => {
        await source.putBack;
        const ids = [...source.opened].slice(0, REPORTED_MAX);
        for (const id of ids) source.opened.delete(id);
        const tabs = await Promise.all(ids.map((id) => browser.tabs.get(id).catch(() => null)));
        return tabs.filter((tab) => tab !== null).map(tabInfo);
      },
      end: () => void end(),
    };
  }
}
