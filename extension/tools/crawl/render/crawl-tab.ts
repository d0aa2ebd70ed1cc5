import browser from 'webextension-polyfill';
import { SpillwayError, toSpillwayError } from '../../../../shared/errors.ts';
import type { DebuggerSessions } from '../../../background/chromium/debugger/sessions.ts';
import { createTab } from '../../../background/tabs/create-tab.ts';
import type { TabTraffic } from './tab-traffic.ts';
import { loaded } from '../../../background/tabs/loaded.ts';
import type { OpenTabs } from './open-tabs.ts';
import { TabDebugger } from './tab-debugger.ts';

export interface TabServices {
  readonly openTabs: OpenTabs;
  readonly traffic: TabTraffic;
  readonly debuggers: DebuggerSessions;
}

/** Why a tab works without the debugger: the page then lives as hidden tabs do. */
const GOES_WITHOUT = new Set(['debugger_cancelled', 'debugger_unavailable']);

const OPEN_MS = 5_000;

/** One background tab of a crawl, used for page after page. */
export class CrawlTab {
  readonly tabId: number;
  /** Null where the debugger cannot attach, or a person does not want it. */
  readonly debugger: TabDebugger | null;
  readonly #services: TabServices;
  #isClosed = false;

  private constructor(tabId: number, tabDebugger: TabDebugger | null, services: TabServices) {
    this.tabId = tabId;
    this.debugger = tabDebugger;
    this.#services = services;
    services.traffic.watch(tabId);
  }

  /**
   * Opens a tab behind the others, in the window that a person used last: a window of its own would
   * show up where they work.
   */
  static async open(services: TabServices, signal: AbortSignal): Promise<CrawlTab> {
    await services.openTabs.ready;
    signal.throwIfAborted();
    const { id } = await createTab('about:blank', false);
    if (id === undefined)
      throw new SpillwayError('internal_error', 'The browser opened a tab without an id.');
    await services.openTabs.add(id);
    try {
      // A page that is asked for while the blank one still loads would be taken for it.
      await loaded(id, OPEN_MS, signal);
      return new CrawlTab(id, await attach(services, id, signal), services);
    } catch (thrown) {
      await closeTab(services, id);
      throw thrown;
    }
  }

  /** Whether the tab can take another page. */
  get isUsable(): boolean {
    return !this.#isClosed && this.debugger?.signal.aborted !== true;
  }

  /** Idempotent. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#services.traffic.stop(this.tabId);
    await this.debugger?.release();
    await closeTab(this.#services, this.tabId);
  }
}

async function attach(
  { debuggers }: TabServices,
  tabId: number,
  signal: AbortSignal,
): Promise<TabDebugger | null> {
  try {
    return await TabDebugger.attach(await debuggers.acquire(tabId, signal));
  } catch (thrown) {
    if (GOES_WITHOUT.has(toSpillwayError(thrown).code)) return null;
    throw thrown;
  }
}

async function closeTab({ openTabs }: TabServices, tabId: number): Promise<void> {
  await browser.tabs.remove(tabId).catch(() => undefined);
  await openTabs.delete(tabId);
}
