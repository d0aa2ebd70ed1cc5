import browser from 'webextension-polyfill';

/**
 * Tabs of a window that are remembered: the one before those that came to the front by themselves is among
 * them.
 */
const REMEMBERED = 8;

/** Which tabs and windows are in front, and were before. It is followed only while someone needs it. */
export class ShownTabs {
  /** By window, newest last. */
  readonly #tabs = new Map<number, number[]>();
  /** Windows that had the focus, newest last; `WINDOW_ID_NONE` while another program has it. */
  #focused: number[] = [];
  /** Tabs that were taken back from the front: one that comes there again has been put there. */
  readonly #takenBack = new Set<number>();
  #followers = 0;

  constructor() {
    browser.tabs.onActivated.addListener(({ tabId, windowId }) => {
      if (this.#followers > 0) this.#add(windowId, tabId);
    });
    browser.windows.onFocusChanged.addListener((windowId) => {
      if (this.#followers > 0) this.#focused = [...this.#focused, windowId].slice(-REMEMBERED);
    });
  }

  /** Follows the front until the returned function is called. */
  async follow(): Promise<() => void> {
    this.#followers += 1;
    if (this.#followers === 1) {
      const [tabs, windows] = await Promise.all([
        browser.tabs.query({ active: true }),
        browser.windows.getAll(),
      ]);
      // What came to the front meanwhile is newer.
      for (const { id, windowId } of tabs)
        if (id !== undefined && windowId !== undefined)
          this.#tabs.set(windowId, [id, ...(this.#tabs.get(windowId) ?? [])]);
      const focused = windows.find((window) => window.focused)?.id ?? browser.windows.WINDOW_ID_NONE;
      this.#focused = [focused, ...this.#focused];
    }
    return () => {
      this.#followers -= 1;
      if (this.#followers > 0) return;
      this.#tabs.clear();
      this.#focused = [];
      this.#takenBack.clear();
    };
  }

  /** Whether a tab is in front in its window. */
  isShown(tabId: number): boolean {
    return [...this.#tabs.values()].some((shown) => shown.at(-1) === tabId);
  }

  /** Shows again what was in front before a tab came there by itself; at most once for each tab. */
  async putBack(tabId: number): Promise<void> {
    if (this.#takenBack.has(tabId)) return;
    this.#takenBack.add(tabId);
    // The browser reports that a tab is shown before it reports what opened the tab.
    const found = [...this.#tabs].find(([, shown]) => shown.at(-1) === tabId);
    if (found === undefined) return;
    const [windowId, shown] = found;
    const before = shown.findLast((id) => !this.#takenBack.has(id));
    if (before === undefined) return this.#focusAgain(windowId);
    // A tab that is closed meanwhile has been left by itself.
    await browser.tabs.update(before, { active: true }).catch(() => undefined);
  }

  /** A window that has only come to be takes the focus. */
  async #focusAgain(windowId: number): Promise<void> {
    const before = this.#focused.findLast((id) => id !== windowId && id !== browser.windows.WINDOW_ID_NONE);
    const hadFocus = this.#focused[0] !== browser.windows.WINDOW_ID_NONE;
    if (hadFocus && before !== undefined) await browser.windows.update(before, { focused: true });
    // Another program had it.
    else await browser.windows.update(windowId, { focused: false });
  }

  #add(windowId: number, tabId: number): void {
    this.#tabs.set(windowId, [...(this.#tabs.get(windowId) ?? []), tabId].slice(-REMEMBERED));
  }
}
