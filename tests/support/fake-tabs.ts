import type { MethodResult } from '../../shared/core/bridge/methods.ts';
import type { TabInfo, PageFacts } from '../../shared/core/bridge/page.ts';
import { SpillwayError } from '../../shared/base/errors.ts';
import type { BrowserId } from '../../server/core/services.ts';
import type { BridgeHandlers } from './bridge-handlers.ts';

/** One tab of a fake browser, with the answer of a read. */
export interface FakeTab {
  readonly url: string;
  readonly title: string;
  /** Chunks of `page.read`; a function may throw midway. */
  readonly content: () => AsyncIterable<string> | Iterable<string>;
  readonly coverage?: MethodResult<'page.read'>['coverage'];
}

type FakeBrowser = { readonly tabs: Map<number, FakeTab>; active: number };

/** The tabs of fake browsers, which can be listed, opened, closed, navigated and read. */
export class FakeTabs {
  readonly #browsers = new Map<BrowserId, FakeBrowser>();
  #nextTab = 100;

  readonly handlers: BridgeHandlers = {
    'bridge.echo': async ({ value }) => ({ value }),
    'browser.describe': async (_params, { browser }) => ({
      browser: { name: 'Chromium', version: '156.0', label: null },
      extension_version: '0.1.0',
      tabs: this.#browser(browser).tabs.size,
      worker_started_at: 0,
      reconnects: 0,
    }),
    'tabs.list': async (_params, { browser }) => ({
      tabs: [...this.#browser(browser).tabs.keys()].map((id) => this.#info(browser, id)),
    }),
    'tabs.get': async ({ tab_id }, { browser }) => ({ tab: this.#info(browser, tab_id) }),
    'tabs.active': async (_params, { browser }) => ({
      tab: this.#info(browser, this.#browser(browser).active),
    }),
    'tabs.open': async ({ url = 'about:blank' }, { browser }) => ({ tab: this.#open(browser, url) }),
    'tabs.close': async ({ tab_id }, { browser }) => {
      this.find(browser, tab_id);
      this.#browser(browser).tabs.delete(tab_id);
      return {};
    },
    'tabs.activate': async ({ tab_id }, { browser }) => {
      this.#browser(browser).active = tab_id;
      return { tab: this.#info(browser, tab_id) };
    },
    'page.navigate': async ({ tab_id, url = '' }, { browser }) => ({
      tab: tab_id === null ? this.#open(browser, url) : this.#info(browser, tab_id),
      status: 200,
      redirects: [],
    }),
    'page.read': (params, { browser }) => readTab(this.find(browser, params.tab_id)),
  };

  add(browser: BrowserId, tabs: Readonly<Record<number, FakeTab>>): void {
    const entries = Object.entries(tabs).map(([tab, content]) => [Number(tab), content] as const);
    this.#browsers.set(browser, { tabs: new Map(entries), active: entries[0]?.[0] ?? 0 });
  }

  /** @throws SpillwayError `browser_not_found`, `tab_not_found` */
  find(browser: BrowserId, tabId: number): FakeTab {
    const found = this.#browser(browser).tabs.get(tabId);
    if (found === undefined) throw new SpillwayError('tab_not_found', `There is no tab ${tabId}.`);
    return found;
  }

  #browser(id: BrowserId): FakeBrowser {
    const found = this.#browsers.get(id);
    if (found === undefined) throw new SpillwayError('browser_not_found', `no ${id}`);
    return found;
  }

  #info(browser: BrowserId, tabId: number): TabInfo {
    const { url, title } = this.find(browser, tabId);
    return tabInfo({ id: tabId, url, title, active: this.#browser(browser).active === tabId });
  }

  #open(browser: BrowserId, url: string): TabInfo {
    this.#nextTab += 1;
    const { tabs } = this.#browser(browser);
    tabs.set(this.#nextTab, { url, title: 'Opened', content: () => ['# Opened\n'] });
    return this.#info(browser, this.#nextTab);
  }
}

/** A loaded tab; a test overrides what matters to it. */
export function tabInfo(special: Partial<TabInfo>): TabInfo {
  return {
    id: 1,
    window_id: 1,
    url: 'about:blank',
    title: '',
    active: true,
    status: 'complete',
    discarded: false,
    ...special,
  };
}

export function pageFacts({ url, title }: { readonly url: string; readonly title: string }): PageFacts {
  return { url, title, lang: null, content_type: 'text/html', ready_state: 'complete', frames: 1 };
}

async function* readTab(tab: FakeTab): AsyncGenerator<string, MethodResult<'page.read'>> {
  yield* tab.content();
  return {
    page: pageFacts(tab),
    coverage: tab.coverage ?? [],
    hidden_elements: 0,
    main_content: 'not_asked',
  };
}
