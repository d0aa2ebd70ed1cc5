import browser from 'webextension-polyfill';
import type { MethodResult } from '../../../../shared/core/bridge/methods.ts';
import { onAbort } from '../../../../shared/base/async.ts';
import { valueIn } from '../../../../shared/base/maps.ts';
import { SpillwayError } from '../../../../shared/base/errors.ts';
import { CRAWL_RISKS } from '../../../../shared/crawl/crawl.methods.ts';
import { ShownTabs } from '../../../tabs/worker/openings.ts';
import type { HandlerServices } from '../../../core/handler.ts';
import type { CallPolicy } from '../../../core/policy/call-policy.ts';
import { documentsOfCall } from '../../../core/policy/documents.ts';
import { OpenTabs, CrawlTab, type TabServices } from './crawl-tab.ts';
import { renderPage, type Rendering } from './render-page.ts';
import { TabTraffic } from './tab-traffic.ts';

/**
 * The tabs of one crawl: as many as it renders pages concurrently, each reused. A tab that failed itself (closed,
 * crashed, hung) is replaced by the next page that needs one.
 */
class TabPool {
  readonly #idle: CrawlTab[] = [];
  readonly #all = new Set<CrawlTab>();
  readonly #released = new AbortController();

  constructor(private readonly services: TabServices) {}

  /** Runs `work` in a tab, and learns whether the tab is reusable. */
  async use<T>(
    signal: AbortSignal,
    work: (tab: CrawlTab, signal: AbortSignal) => Promise<{ readonly value: T; readonly isTabFit: boolean }>,
  ): Promise<T> {
    const either = AbortSignal.any([signal, this.#released.signal]);
    const tab = await this.#take(either);
    let isFit = false;
    try {
      const { value, isTabFit } = await work(tab, either);
      isFit = isTabFit;
      return value;
    } finally {
      if (isFit && tab.isUsable && !this.#released.signal.aborted) this.#idle.push(tab);
      else await this.#drop(tab);
    }
  }

  async #take(signal: AbortSignal): Promise<CrawlTab> {
    for (let idle = this.#idle.pop(); idle !== undefined; idle = this.#idle.pop()) {
      if (idle.isUsable) return idle;
      await this.#drop(idle);
    }
    signal.throwIfAborted();
    const tab = await CrawlTab.open(this.services, signal);
    this.#all.add(tab);
    if (!signal.aborted) return tab;
    await this.#drop(tab);
    throw signal.reason;
  }

  async #drop(tab: CrawlTab): Promise<void> {
    this.#all.delete(tab);
    await tab.close();
  }

  /** Ends pending work and closes every tab. Idempotent. */
  async release(reason: Error): Promise<void> {
    this.#released.abort(reason);
    this.#idle.length = 0;
    await Promise.all([...this.#all].map((tab) => this.#drop(tab)));
  }
}

/**
 * Closes popups of crawled pages: they were not requested and would not be read. A popup comes to the front, so the
 * person's front tab is restored before it closes.
 */
function closePopups(tabs: OpenTabs): void {
  const shown = new ShownTabs();
  const ignore = (): void => undefined;
  let forget = ignore;
  tabs.onFirst = async () => {
    forget();
    forget = ignore;
    forget = await shown.follow();
  };
  browser.webNavigation.onCreatedNavigationTarget.addListener(({ sourceTabId, tabId }) => {
    if (!tabs.has(sourceTabId) || tabs.has(tabId)) return;
    shown
      .putBack(tabId)
      .catch(() => undefined)
      .then(() => browser.tabs.remove(tabId))
      .catch(() => undefined); // A closed window needs neither.
  });
}

/** Created while the worker starts: tabs left open by an earlier worker are closed. */
const openTabs = new OpenTabs();
closePopups(openTabs);
const traffic = new TabTraffic();

/** A call of `crawl.page`. */
export interface PageCall extends Pick<Rendering, 'params' | 'signal' | 'write'> {
  readonly policy: CallPolicy;
}

/** The pools of one server's crawls. They end with its channel. */
export class Rendered {
  readonly #pools = new Map<string, TabPool>();

  constructor(
    private readonly services: HandlerServices,
    private readonly closed: AbortSignal,
  ) {
    onAbort(closed, () => {
      for (const crawl of this.#pools.keys()) void this.release(crawl);
    });
  }

  /** See {@link renderPage}. */
  async page({ policy, ...rendering }: PageCall): Promise<MethodResult<'crawl.page'>> {
    const { crawl } = rendering.params;
    const { debuggers, owners, server } = this.services;
    const how = { risks: CRAWL_RISKS, isPart: true };
    const channels = documentsOfCall(this.services.channels, policy, how);
    const extractChannels = documentsOfCall(this.services.extractChannels, policy, how);
    this.closed.throwIfAborted();
    const own = (tabId: number) => owners.add(tabId, 'about:blank', { server: server.instance, scope: null });
    const pool = valueIn(this.#pools, crawl, () => new TabPool({ openTabs, traffic, debuggers, own }));
    return await pool.use(rendering.signal, (tab, signal) =>
      renderPage({ ...rendering, signal, tab, channels, extractChannels, traffic }),
    );
  }

  /** Closes the tabs of a crawl; pages in progress end as cancelled. Idempotent. */
  async release(crawl: string): Promise<void> {
    const pool = this.#pools.get(crawl);
    this.#pools.delete(crawl);
    await pool?.release(new SpillwayError('cancelled', `Crawl ${crawl} was released.`));
  }
}
