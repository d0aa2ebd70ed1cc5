import browser, { type Runtime } from 'webextension-polyfill';
import { APPROVE_PAGE } from '../../approve/protocol.ts';
import { DISMISSED_MS } from './bounds.ts';
import type { QuestionMemory } from './memory.ts';
import type { Card } from './state.ts';

const SIZE = { width: 440, height: 680 } as const;

/**
 * The window in which people are asked. It is the only place where they decide: the worker knows its number, for it
 * has opened it itself, and a worker that is started again finds the number in storage.
 */
export class AskWindow {
  readonly #memory: QuestionMemory;
  readonly #onClosed: () => void;
  readonly #onTaken: () => void;
  #opening: Promise<boolean> | null = null;
  /** The question for which it opened again last. */
  #takenFrom: string | null = null;

  constructor(
    memory: QuestionMemory,
    {
      onClosed,
      onTaken,
    }: {
      /** A person has closed it, or another extension: the browser does not say which. */
      readonly onClosed: () => void;
      /** Its tab is elsewhere, or shows something else. No person can do that. */
      readonly onTaken: () => void;
    },
  ) {
    this.#memory = memory;
    this.#onClosed = onClosed;
    this.#onTaken = onTaken;
    browser.windows.onRemoved.addListener((id) => void this.#removed(id));
    browser.tabs.onUpdated.addListener((tabId, { url }) => {
      if (url !== undefined && url !== browser.runtime.getURL(APPROVE_PAGE)) void this.#ledAway(tabId);
    });
  }

  async #removed(id: number): Promise<void> {
    await this.#memory.loaded;
    const { window } = this.#memory.state;
    if (window?.id !== id) return;
    // While a window closes, its tab may still be listed, in no window.
    const { windowId = id } = await browser.tabs.get(window.tab_id).catch(() => ({ windowId: id }));
    await this.#lose(window.id, windowId !== id && windowId !== browser.windows.WINDOW_ID_NONE);
  }

  async #ledAway(tabId: number): Promise<void> {
    await this.#memory.loaded;
    const { window } = this.#memory.state;
    if (window?.tab_id === tabId) await this.#lose(window.id, true);
  }

  async #lose(id: number, isTaken: boolean): Promise<void> {
    const { state } = this.#memory;
    // It was lost in two ways at once.
    if (state.window?.id !== id) return;
    state.window = null;
    // Once for each question: what takes the window away may do so again.
    const asked = state.cards[0]?.questions[0]?.id ?? '';
    const opensAgain = isTaken && this.#takenFrom !== asked;
    if (opensAgain) this.#takenFrom = asked;
    if (!opensAgain) {
      state.dismissed = state.cards.map(({ key }) => key);
      state.dismissed_at = this.#memory.time();
    }
    await this.#memory.save();
    if (opensAgain) this.#onTaken();
    else this.#onClosed();
  }

  /** Whether it was closed while it showed that kind of question, and none of it has come long enough after. */
  wasDismissed({ key, questions }: Pick<Card, 'key' | 'questions'>): boolean {
    const { dismissed, dismissed_at: at } = this.#memory.state;
    return dismissed.includes(key) && questions.every(({ asked_at: asked }) => asked < at + DISMISSED_MS);
  }

  /** Whether a page is the one of the window, as far as the browser said when it connected. */
  holds({ sender }: Runtime.Port): boolean {
    const { window } = this.#memory.state;
    return (
      window !== null &&
      sender?.frameId === 0 &&
      sender.tab?.id === window.tab_id &&
      sender.tab.windowId === window.id
    );
  }

  /** Whether it is so now: a tab can be moved, and led elsewhere. */
  async stillHolds(port: Runtime.Port): Promise<boolean> {
    const { window } = this.#memory.state;
    if (window === null || !this.holds(port)) return false;
    const [tab, holder] = await Promise.all([
      browser.tabs.get(window.tab_id).catch(() => null),
      browser.windows.get(window.id).catch(() => null),
    ]);
    return (
      tab?.windowId === window.id &&
      tab.url === browser.runtime.getURL(APPROVE_PAGE) &&
      holder?.type === 'popup' &&
      this.holds(port)
    );
  }

  /** Whether a tab is the one of the window: nothing but a person may close it or lead it elsewhere. */
  async isTabOf(tabId: number): Promise<boolean> {
    await this.#memory.loaded;
    return this.#memory.state.window?.tab_id === tabId;
  }

  /** Resolves when it is known which window is ours: a page in it may connect before the browser has said so. */
  async known(): Promise<void> {
    await this.#opening?.catch(() => undefined);
  }

  /** Opens it. False when it was open. */
  open(): Promise<boolean> {
    return (this.#opening ??= this.#openOnce().finally(() => (this.#opening = null)));
  }

  /** Brings it to the front; opens it, if a person has closed it. */
  async show(): Promise<void> {
    if (await this.open()) return;
    const { window } = this.#memory.state;
    if (window !== null) await browser.windows.update(window.id, { focused: true }).catch(() => undefined);
  }

  /** Closes it: nothing is asked any longer. */
  async close(): Promise<void> {
    const { state } = this.#memory;
    const { window } = state;
    state.dismissed = [];
    if (window === null) return;
    state.window = null;
    await this.#memory.save();
    await browser.windows.remove(window.id).catch(() => undefined);
  }

  async #isOpen(): Promise<boolean> {
    const { state } = this.#memory;
    if (state.window === null) return false;
    const tab = await browser.tabs.get(state.window.tab_id).catch(() => null);
    const shown = tab?.url === '' ? tab.pendingUrl : tab?.url;
    if (tab?.windowId === state.window.id && shown === browser.runtime.getURL(APPROVE_PAGE)) return true;
    // It was led elsewhere, and is not ours any longer; or a worker missed its end.
    state.window = null;
    return false;
  }

  /** One that is minimised shows nothing to anybody. */
  async #raise(id: number): Promise<void> {
    const { state } = await browser.windows.get(id);
    if (state === 'minimized') await browser.windows.update(id, { state: 'normal', focused: true });
  }

  async #openOnce(): Promise<boolean> {
    if (await this.#isOpen()) {
      const { window } = this.#memory.state;
      if (window !== null) await this.#raise(window.id).catch(() => undefined);
      return false;
    }
    const url = browser.runtime.getURL(APPROVE_PAGE);
    const opened = await browser.windows.create({ url, type: 'popup', focused: true, ...SIZE });
    const tab = opened.tabs?.[0];
    if (opened.id === undefined || tab?.id === undefined) return false;
    this.#memory.state.window = { id: opened.id, tab_id: tab.id };
    this.#memory.state.dismissed = [];
    // Its page waits for what is known, and not for what is stored.
    void this.#memory.save();
    return true;
  }
}
