import { CrawlTab, type TabServices } from './crawl-tab.ts';

/**
 * The tabs of one crawl: as many as it renders pages at once, each used again. A tab that failed in
 * itself (closed, crashed, hung) is replaced by the next page that needs one.
 */
export class TabPool {
  readonly #services: TabServices;
  readonly #idle: CrawlTab[] = [];
  readonly #all = new Set<CrawlTab>();
  readonly #released = new AbortController();

  constructor(services: TabServices) {
    this.#services = services;
  }

  /** Runs `work` in a tab; it says whether the tab can be used again. */
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
    const tab = await CrawlTab.open(this.#services, signal);
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
