import type { MethodResult } from '../../../../shared/bridge/methods.ts';
import { onAbort } from '../../../../shared/async/abort.ts';
import { SpillwayError } from '../../../../shared/errors.ts';
import { CRAWL_RISKS } from '../../../../shared/tools/crawl/methods.ts';
import type { WorkerServices } from '../../../background/handler.ts';
import type { CallPolicy } from '../../../background/policy/call-policy.ts';
import { documentsOfCall } from '../../../background/policy/documents-of-call.ts';
import { OpenTabs } from './open-tabs.ts';
import { closePopups } from './popups.ts';
import { renderPage, type Rendering } from './render-page.ts';
import { TabPool } from './tab-pool.ts';
import { TabTraffic } from './tab-traffic.ts';

/** Made while the worker starts: what an earlier worker left open is closed. */
const openTabs = new OpenTabs();
closePopups(openTabs);
const traffic = new TabTraffic();

/** The pools of one server's crawls. They end with its channel. */
export class Rendered {
  readonly #services: WorkerServices;
  readonly #pools = new Map<string, TabPool>();
  readonly #closed: AbortSignal;

  constructor(services: WorkerServices, closed: AbortSignal) {
    this.#services = services;
    this.#closed = closed;
    onAbort(closed, () => void this.#closeAll());
  }

  /** See {@link renderPage}. */
  async page(
    crawl: string,
    {
      policy,
      ...rendering
    }: Pick<Rendering, 'params' | 'signal' | 'write'> & { readonly policy: CallPolicy },
  ): Promise<MethodResult<'crawl.page'>> {
    const { debuggers } = this.#services;
    const how = { risks: CRAWL_RISKS, isPart: true };
    const channels = documentsOfCall(this.#services.channels, policy, how);
    const extractChannels = documentsOfCall(this.#services.extractChannels, policy, how);
    this.#closed.throwIfAborted();
    let pool = this.#pools.get(crawl);
    if (pool === undefined) {
      pool = new TabPool({ openTabs, traffic, debuggers });
      this.#pools.set(crawl, pool);
    }
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

  async #closeAll(): Promise<void> {
    await Promise.all([...this.#pools.keys()].map((crawl) => this.release(crawl)));
  }
}
