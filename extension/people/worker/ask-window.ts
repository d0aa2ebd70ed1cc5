import browser, { type Runtime } from 'webextension-polyfill';
import { APPROVE_PAGE } from '../protocol.ts';
import { DISMISSED_MS, type Card, type Question } from './queue.ts';
import type { QuestionMemory } from './ledger-reports.ts';
import { reveal } from '../../../shared/core/policy/reveal.ts';
import { cut } from '../../../shared/base/cut.ts';
import { badgeTexts } from '../../ui/words/en/link.ts';
import { readLanguage } from '../../ui/words/setting.ts';

const SIZE = { width: 440, height: 680 } as const;

const pageUrl = (): string => browser.runtime.getURL(APPROVE_PAGE);

/**
 * The approval window. Decisions are accepted only here and in side panels: the worker opened the window itself and
 * knows its number, which a restarted worker finds in storage.
 */
export class AskWindow {
  #opening: Promise<boolean> | null = null;
  /** The last question for which it was reopened. */
  #takenFrom: string | null = null;

  /**
   * @param onClosed a person or another extension has closed it: the browser does not report which
   * @param onTaken its tab was moved or shows something else, which no person can do
   */
  constructor(
    private readonly memory: QuestionMemory,
    private readonly onClosed: () => void,
    private readonly onTaken: () => void,
  ) {
    browser.windows.onRemoved.addListener((id) => void this.#removed(id));
    browser.tabs.onUpdated.addListener((tabId, { url }) => {
      if (url !== undefined && url !== pageUrl()) void this.#ledAway(tabId);
    });
  }

  async #removed(id: number): Promise<void> {
    await this.memory.loaded;
    const { window } = this.memory.state;
    if (window?.id !== id) return;
    // While a window closes, its tab may still be listed, in no window.
    const { windowId = id } = await browser.tabs.get(window.tab_id).catch(() => ({ windowId: id }));
    await this.#lose(window.id, windowId !== id && windowId !== browser.windows.WINDOW_ID_NONE);
  }

  async #ledAway(tabId: number): Promise<void> {
    await this.memory.loaded;
    const { window } = this.memory.state;
    if (window?.tab_id === tabId) await this.#lose(window.id, true);
  }

  async #lose(id: number, isTaken: boolean): Promise<void> {
    const { state } = this.memory;
    // Two events reported the same loss.
    if (state.window?.id !== id) return;
    state.window = null;
    // Once per question: whatever closed the window may close it again.
    const asked = state.cards[0]?.questions[0]?.id ?? '';
    const opensAgain = isTaken && this.#takenFrom !== asked;
    if (opensAgain) this.#takenFrom = asked;
    if (!opensAgain) {
      state.dismissed = state.cards.map(({ key }) => key);
      state.dismissed_at = this.memory.time();
    }
    await this.memory.save();
    if (opensAgain) this.onTaken();
    else this.onClosed();
  }

  /** True if it was closed while it showed this kind of question, and no later one came DISMISSED_MS after. */
  wasDismissed({ key, questions }: Pick<Card, 'key' | 'questions'>): boolean {
    const { dismissed, dismissed_at: at } = this.memory.state;
    return dismissed.includes(key) && questions.every(({ asked_at: asked }) => asked < at + DISMISSED_MS);
  }

  /** Whether a page is the window's, by the browser's report when it connected. */
  holds({ sender }: Runtime.Port): boolean {
    const { window } = this.memory.state;
    return (
      window !== null &&
      sender?.frameId === 0 &&
      sender.tab?.id === window.tab_id &&
      sender.tab.windowId === window.id
    );
  }

  /** Whether that is still true: a tab can be moved or navigated. */
  async stillHolds(port: Runtime.Port): Promise<boolean> {
    const { window } = this.memory.state;
    if (window === null || !this.holds(port)) return false;
    const [tab, holder] = await Promise.all([
      browser.tabs.get(window.tab_id).catch(() => null),
      browser.windows.get(window.id).catch(() => null),
    ]);
    return (
      tab?.windowId === window.id && tab.url === pageUrl() && holder?.type === 'popup' && this.holds(port)
    );
  }

  /** Whether a tab is the window's: only a person may close or navigate it. */
  async isTabOf(tabId: number): Promise<boolean> {
    await this.memory.loaded;
    return this.memory.state.window?.tab_id === tabId;
  }

  /** Resolves when the window's number is known: its page may connect before the browser has reported it. */
  async known(): Promise<void> {
    await this.#opening?.catch(() => undefined);
  }

  /** Opens it. False if it was open. */
  open(): Promise<boolean> {
    return (this.#opening ??= this.#openOnce().finally(() => (this.#opening = null)));
  }

  /** Brings it to the front, or reopens it. */
  async show(): Promise<void> {
    if (await this.open()) return;
    const { window } = this.memory.state;
    if (window !== null) await browser.windows.update(window.id, { focused: true }).catch(() => undefined);
  }

  /** Closes it: there are no questions left. */
  async close(): Promise<void> {
    const { state } = this.memory;
    const { window } = state;
    state.dismissed = [];
    if (window === null) return;
    state.window = null;
    await this.memory.save();
    await browser.windows.remove(window.id).catch(() => undefined);
  }

  async #isOpen(): Promise<boolean> {
    const { state } = this.memory;
    if (state.window === null) return false;
    const tab = await browser.tabs.get(state.window.tab_id).catch(() => null);
    if (tab?.windowId === state.window.id && (tab.url || tab.pendingUrl) === pageUrl()) return true;
    // It was navigated elsewhere and is no longer ours, or a worker missed its end.
    state.window = null;
    return false;
  }

  async #raise(id: number): Promise<void> {
    const { state } = await browser.windows.get(id);
    if (state === 'minimized') await browser.windows.update(id, { state: 'normal', focused: true });
  }

  async #openOnce(): Promise<boolean> {
    if (await this.#isOpen()) {
      const { window } = this.memory.state;
      if (window !== null) await this.#raise(window.id).catch(() => undefined);
      return false;
    }
    const opened = await browser.windows.create({ url: pageUrl(), type: 'popup', focused: true, ...SIZE });
    const tab = opened.tabs?.[0];
    if (opened.id === undefined || tab?.id === undefined) return false;
    this.memory.state.window = { id: opened.id, tab_id: tab.id };
    this.memory.state.dismissed = [];
    // Its page waits for the question, not for the write.
    void this.memory.save();
    return true;
  }
}

/**
 * The side panels of the browser's windows, where people decide as in the approval window. A panel has no tab, so its
 * port shows only the address. The browser reports how many panels show that address, and that it is shown nowhere else
 * without a tab.
 */
export class SidePanels {
  readonly #claims = new Set<Runtime.Port>();
  /** How many panels the browser has shown last. */
  #shown = 0;

  /**
   * @param count how many side panels the browser shows
   * @param onClosed one has been closed, or is reloading
   */
  constructor(
    private readonly count: () => Promise<number>,
    private readonly onClosed: () => void,
  ) {}

  /** Resolves once it is known whether the port of a page without a tab is a side panel's. */
  async accept(port: Runtime.Port): Promise<void> {
    this.#claims.add(port);
    port.onDisconnect.addListener(() => {
      this.#claims.delete(port);
      this.onClosed();
    });
    await this.isOpen();
  }

  /** Whether a port is a side panel's, by the browser's last report. While a panel reloads, it may have two. */
  holds(port: Runtime.Port): boolean {
    // With more ports than panels, one of them would be something else.
    return this.#claims.has(port) && this.#claims.size <= this.#shown;
  }

  async stillHolds(port: Runtime.Port): Promise<boolean> {
    await this.isOpen();
    return this.holds(port);
  }

  /** Whether a side panel shows the questions. It may not have connected yet. */
  async isOpen(): Promise<boolean> {
    this.#shown = await this.count().catch(() => 0);
    return this.#shown > 0;
  }
}

const ID = 'spillway.question';
const NAME_UNITS = 60;

/** Calls back when a person clicks on the notification. Call while the worker starts. */
export function onNoticeClick(listener: () => void): void {
  const listen = (): void =>
    browser.notifications.onClicked.addListener((id) => {
      if (id === ID) listener();
    });
  // The API exists only with the permission.
  if ('notifications' in browser && browser.notifications !== undefined) listen();
  else browser.permissions.onAdded.addListener(listen);
}

/** A question, or a take-over. */
type Noticed = Pick<Question, 'caller' | 'origin'> & Partial<Pick<Question, 'url' | 'call'>>;

/** A system notification, if the person has allowed them. It decides nothing: a click opens the window. */
export async function notify({ caller, origin, url = '', call }: Noticed): Promise<void> {
  if (!(await browser.permissions.contains({ permissions: ['notifications'] }))) return;
  const { asks, needs } = badgeTexts(await readLanguage());
  const site = reveal(cut(origin === 'null' ? url : origin, 2 * NAME_UNITS));
  await browser.notifications
    .create(ID, {
      type: 'basic',
      iconUrl: browser.runtime.getURL('icons/128.png'),
      title: (call ? asks : needs)({ agent: reveal(cut(caller.name, NAME_UNITS)) }),
      message: call ? `${reveal(cut(call.title, NAME_UNITS))} · ${site}` : site,
    })
    .catch(() => undefined);
}
