import {
  METHODS,
  type MethodName,
  type MethodParams,
  type MethodResult,
  type StreamMethodName,
  type StreamMethodParams,
  type TabInfo,
} from '../../shared/bridge/methods.ts';
import { SpillwayError } from '../../shared/errors.ts';
import type { Bridge, BridgeStream, BrowserId, BrowserState } from '../../server/core/services.ts';
import { deferred } from './deferred.ts';

/** One tab of a {@link FakeBridge}: what a read of it answers. */
export interface FakeTab {
  readonly url: string;
  readonly title: string;
  /** Chunks of `page.read`; a function may throw midway. */
  readonly content: () => AsyncIterable<string> | Iterable<string>;
  readonly coverage?: MethodResult<'page.read'>['coverage'];
}

interface FakeBrowser {
  readonly state: BrowserState;
  readonly tabs: Map<number, FakeTab>;
  active: number;
}

/**
 * A browser in memory, behind the same interface as the real bridge, for contract tests of what
 * lies in front of it. Params and results pass the same Zod schemas as on the wire.
 */
export class FakeBridge implements Bridge {
  readonly calls: { readonly method: MethodName; readonly params: unknown }[] = [];
  readonly #browsers = new Map<BrowserId, FakeBrowser>();
  #nextTab = 100;

  addBrowser(tabs: Record<number, FakeTab> = {}, connected = true): BrowserId {
    const id: BrowserId = `b${this.#browsers.size + 1}`;
    const state: BrowserState = {
      id,
      connected,
      instance: `instance-${id}`,
      facts: { name: 'Chromium', version: '156.0', label: null },
      extensionVersion: '0.1.0',
      hostVersion: '0.1.0',
      wire: 1,
      connectedAt: 0,
      reconnects: 0,
    };
    const entries = Object.entries(tabs).map(([tab, content]) => [Number(tab), content] as const);
    this.#browsers.set(id, { state, tabs: new Map(entries), active: entries[0]?.[0] ?? 0 });
    return id;
  }

  browsers(): readonly BrowserState[] {
    return [...this.#browsers.values()].map(({ state }) => state);
  }

  ready(): Promise<void> {
    if (this.browsers().some(({ connected }) => connected)) return Promise.resolve();
    return Promise.reject(
      new SpillwayError('browser_not_connected', 'No native host has registered itself.'),
    );
  }

  async request<M extends MethodName>(
    browser: BrowserId,
    method: M,
    params: MethodParams<M>,
  ): Promise<MethodResult<M>> {
    METHODS[method].params.parse(params);
    this.calls.push({ method, params });
    const answer = this.#answer(this.#browser(browser), method, params as Record<string, unknown>);
    return METHODS[method].result.parse(answer) as MethodResult<M>;
  }

  stream<M extends StreamMethodName>(
    browser: BrowserId,
    method: M,
    params: StreamMethodParams<M>,
  ): BridgeStream<M> {
    this.calls.push({ method, params });
    const settled = deferred<MethodResult<M>>();
    settled.promise.catch(() => undefined);
    const tabId = 'tab_id' in params ? Number(params.tab_id) : 0;
    const source = async function* (this: FakeBridge): AsyncGenerator<string> {
      try {
        const tab = this.#tab(this.#browser(browser), tabId);
        yield* tab.content();
        settled.resolve(pageFacts(tab) as MethodResult<M>);
      } catch (thrown) {
        settled.reject(thrown);
        throw thrown;
      }
    };
    return { chunks: source.call(this), done: settled.promise };
  }

  onChange(): () => void {
    return () => undefined;
  }

  setClients(): void {}

  close(): Promise<void> {
    return Promise.resolve();
  }

  #browser(id: BrowserId): FakeBrowser {
    const found = this.#browsers.get(id);
    if (found === undefined) throw new SpillwayError('browser_not_found', `no ${id}`);
    return found;
  }

  #tab(browser: FakeBrowser, tabId: number): FakeTab {
    const found = browser.tabs.get(tabId);
    if (found === undefined) throw new SpillwayError('tab_not_found', `There is no tab ${tabId}.`);
    return found;
  }

  #info(browser: FakeBrowser, tabId: number): TabInfo {
    const { url, title } = this.#tab(browser, tabId);
    const active = browser.active === tabId;
    return { id: tabId, window_id: 1, url, title, active, status: 'complete', discarded: false };
  }

  #open(browser: FakeBrowser, url: string): number {
    this.#nextTab += 1;
    browser.tabs.set(this.#nextTab, { url, title: 'Opened', content: () => ['# Opened\n'] });
    return this.#nextTab;
  }

  #answer(browser: FakeBrowser, method: MethodName, params: Record<string, unknown>): unknown {
    const tabId = Number(params['tab_id']);
    switch (method) {
      case 'bridge.echo':
        return { value: params['value'] };
      case 'browser.describe':
        return {
          browser: browser.state.facts,
          extension_version: '0.1.0',
          tabs: browser.tabs.size,
          worker_started_at: 0,
          reconnects: 0,
        };
      case 'tabs.list':
        return { tabs: [...browser.tabs.keys()].map((id) => this.#info(browser, id)) };
      case 'tabs.active':
        return { tab: this.#info(browser, browser.active) };
      case 'tabs.open':
        return { tab: this.#info(browser, this.#open(browser, String(params['url'] ?? 'about:blank'))) };
      case 'tabs.close':
        this.#tab(browser, tabId);
        browser.tabs.delete(tabId);
        return {};
      case 'tabs.activate':
        browser.active = tabId;
        return { tab: this.#info(browser, tabId) };
      case 'page.navigate': {
        const id = params['tab_id'] === null ? this.#open(browser, String(params['url'])) : tabId;
        return { tab: this.#info(browser, id), status: 200, redirects: [] };
      }
      default:
        throw new SpillwayError('api_not_found', `The fake bridge has no ${method}.`);
    }
  }
}

function pageFacts(tab: FakeTab): MethodResult<'page.read'> {
  return {
    page: {
      url: tab.url,
      title: tab.title,
      lang: null,
      content_type: 'text/html',
      ready_state: 'complete',
      frames: 1,
    },
    coverage: tab.coverage ?? [],
    hidden_elements: 0,
    main_content: 'not_asked',
  };
}
