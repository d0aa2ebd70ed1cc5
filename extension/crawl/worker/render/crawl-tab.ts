import browser from 'webextension-polyfill';
import { z } from 'zod';
import { SpillwayError, toSpillwayError, type ErrorCode } from '../../../../shared/base/errors.ts';
import { TabDebugger } from '../../../platform/chromium/crawled-tab.ts';
import type { DebuggerSessions } from '../../../platform/chromium/debugger/sessions.ts';
import { createTab, loaded } from '../../../core/tabs/tab-info.ts';
import type { TabTraffic } from './tab-traffic.ts';
import type { StreamMethodParams } from '../../../../shared/core/bridge/methods.ts';
import { cutUrl, withoutFragment } from '../../../../shared/base/cut.ts';
import { Queue } from '../../../../shared/base/queue.ts';
import { LIMITS } from '../../../../shared/base/limits.ts';
import { isPrivateHost } from '../../../../shared/base/private-address.ts';
import type { Hop } from '../../../files/worker/network-trace.ts';

const KEY = 'crawlTabs';
const Remembered = z.object({ [KEY]: z.array(z.int()).catch([]).default([]) });

/**
 * Open tabs of crawls, remembered beyond the worker's life: a worker that ends leaves them behind, and the next one
 * closes them. The end of the browser forgets them.
 */
export class OpenTabs {
  /** Settles when the tabs of an earlier worker are closed: nothing may be recorded before. */
  readonly ready: Promise<void>;
  readonly #tabs = new Set<number>();
  readonly #saving = new Queue(1);

  /** Create it while the worker starts. */
  constructor() {
    this.ready = closeLeftovers().catch(() => undefined);
  }

  /** Called when the first tab is opened. */
  onFirst: () => Promise<void> = () => Promise.resolve();

  get isEmpty(): boolean {
    return this.#tabs.size === 0;
  }

  has(tabId: number): boolean {
    return this.#tabs.has(tabId);
  }

  async add(tabId: number): Promise<void> {
    if (this.isEmpty) await this.onFirst();
    this.#tabs.add(tabId);
    await this.#save();
  }

  async delete(tabId: number): Promise<void> {
    if (this.#tabs.delete(tabId)) await this.#save();
  }

  /** One after another, so that the newest list is written last. */
  #save(): Promise<void> {
    return this.#saving.add(() => browser.storage.session.set({ [KEY]: [...this.#tabs] }));
  }
}

async function closeLeftovers(): Promise<void> {
  const tabs = Remembered.parse(await browser.storage.session.get(KEY))[KEY];
  await Promise.all(tabs.map((tabId) => browser.tabs.remove(tabId).catch(() => undefined)));
  if (tabs.length > 0) await browser.storage.session.remove(KEY);
}

export interface TabServices {
  readonly openTabs: OpenTabs;
  readonly traffic: TabTraffic;
  readonly debuggers: DebuggerSessions;
  /** The tab is an agent's: nobody else's call, and no person, gets it. */
  readonly own: (tabId: number) => Promise<void>;
}

/** Errors after which a tab works without the debugger: its page then behaves like any hidden tab's. */
const GOES_WITHOUT = new Set(['debugger_cancelled', 'debugger_unavailable', 'debugger_restricted']);

/** For a blank page, on a busy machine. */
const OPEN_MS = 20_000;

/** One background tab of a crawl, used for page after page. */
export class CrawlTab {
  /** Null if the debugger cannot attach, or a person has cancelled it. */
  readonly debugger: TabDebugger | null;
  #isClosed = false;

  private constructor(
    readonly tabId: number,
    tabDebugger: TabDebugger | null,
    private readonly services: TabServices,
  ) {
    this.debugger = tabDebugger;
    services.traffic.watch(tabId);
  }

  /** Opens a tab behind the others, in the window that a person used last: a separate window would get in their way. */
  static async open(services: TabServices, signal: AbortSignal): Promise<CrawlTab> {
    await services.openTabs.ready;
    signal.throwIfAborted();
    const { id } = await createTab('about:blank', false);
    if (id === undefined)
      throw new SpillwayError('internal_error', 'The browser opened a tab without an id.');
    await Promise.all([services.openTabs.add(id), services.own(id)]);
    try {
      // A page requested while the blank one still loads would be mistaken for it.
      await loaded(id, OPEN_MS, signal);
      return new CrawlTab(id, await attach(services, id, signal), services);
    } catch (thrown) {
      await closeTab(services, id);
      throw thrown;
    }
  }

  get isUsable(): boolean {
    const { debugger: attached } = this;
    return !this.#isClosed && attached?.signal.aborted !== true && attached?.hasCrashed !== true;
  }

  /** Idempotent. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.services.traffic.stop(this.tabId);
    await this.debugger?.release();
    await closeTab(this.services, this.tabId);
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

/** Bytes are counted only for slower pages; a faster one cannot be too large. */
const COUNT_AFTER_MS = 500;
type WatchedPage = Pick<StreamMethodParams<'crawl.page'>, 'url' | 'max_bytes' | 'allow_private'>;

/** Detects a file, a crash, too many bytes, or the debugger's end. */
export class PageWatch {
  /** Aborted with a coded reason by any of them, or by the call. */
  readonly signal: AbortSignal;
  readonly #own = new AbortController();
  /** Redirects so far, the last one included. */
  readonly redirects: Hop[] = [];
  /** The target of a redirect, or of the page itself, at another origin, where nothing was sent. Null if it stays. */
  movesTo: string | null = null;
  readonly #timer: ReturnType<typeof setTimeout>;
  #isCounting = false;
  #sizeBytes = 0;

  constructor(
    private readonly tab: CrawlTab,
    { url, max_bytes, allow_private }: WatchedPage,
    signal: AbortSignal,
  ) {
    const lost = tab.debugger?.signal;
    this.signal = AbortSignal.any([signal, this.#own.signal, ...(lost === undefined ? [] : [lost])]);
    const end = (code: ErrorCode, message: string): void => this.#own.abort(new SpillwayError(code, message));
    const { origin } = new URL(url);
    tab.debugger?.listen({
      admits: (to) => {
        if (new URL(to).origin === origin) return true;
        this.movesTo = withoutFragment(to);
        end('page_changed', `${url} leads to ${cutUrl(to, 300)}.`);
        return false;
      },
      admitsFrame: (to) => allow_private || !isPrivateHost(new URL(to).hostname),
      onFile: (file, contentType) =>
        end('not_a_page', `${file} returned a file (${contentType ?? 'no content type'}).`),
      onRedirect: (hop, count) => {
        this.redirects.push(hop);
        if (count > LIMITS.redirects)
          end('redirect_loop', `${hop.url} failed with net::ERR_TOO_MANY_REDIRECTS.`);
      },
      onCrash: () => end('page_crashed', `${url} crashed its tab.`),
      onBytes: (sizeBytes) => {
        this.#sizeBytes += sizeBytes;
        if (this.#sizeBytes > max_bytes)
          end(
            'response_too_large',
            `${url} is larger than ${max_bytes} bytes; only what was received is read.`,
          );
      },
    });
    this.#timer = setTimeout(() => this.#count(), COUNT_AFTER_MS);
  }

  /** The cause of the page's end explains the failures that followed. */
  reasonOf(thrown: unknown): unknown {
    if (this.#own.signal.aborted) return this.#own.signal.reason;
    const lost = this.tab.debugger?.signal;
    return lost?.aborted === true ? lost.reason : thrown;
  }

  /** Stops the page's loading. */
  async stopLoading(): Promise<void> {
    await this.tab.debugger?.stopLoading();
  }

  end(): void {
    clearTimeout(this.#timer);
    this.tab.debugger?.listen(null);
    if (this.#isCounting) void this.tab.debugger?.countBytes(false);
  }

  #count(): void {
    if (this.tab.debugger === null) return;
    this.#isCounting = true;
    void this.tab.debugger.countBytes(true);
  }
}
