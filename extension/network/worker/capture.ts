import { isWithoutDebugger } from '../../platform/chromium/debugger/send-command.ts';
import browser from 'webextension-polyfill';
import type { z } from 'zod';
import { anySignal, onAbort, waitAtMost } from '../../../shared/base/async.ts';
import type { StreamSink } from '../../core/handler.ts';
import type { TabRequests } from '../../core/navigation/tab-requests.ts';
import type { PersonTabs } from '../../core/person-tabs.ts';
import type { MethodResult, StreamMethodParams } from '../../../shared/core/bridge/methods.ts';
import { toSpillwayError } from '../../../shared/base/errors.ts';
import type { CaptureLine } from '../../../shared/network/lines.ts';
import type { CaptureSource } from '../../../shared/network/network.methods.ts';
import { BodyBudget } from './bodies.ts';
import {
  CaptureFilter,
  pushFailed,
  WebRequestFeed,
  type CaptureFeed,
  type FeedParts,
} from './web-request-feed.ts';
import { DebuggerFeed } from './debugger-feed.ts';
import { Outbox } from './outbox.ts';
import type { Taps } from '../../platform/chromium/network-tap.ts';

type PauseLine = Extract<CaptureLine, { kind: 'paused' | 'resumed' }>;

interface PausingFeedOptions {
  readonly tabId: number;
  readonly personTabs: PersonTabs;
  /** Starts to observe the tab. */
  readonly open: () => Promise<CaptureFeed>;
  readonly push: (line: PauseLine) => void;
}

/**
 * A feed that pauses while a person has the tab. Requests pending at that time are given up: their answers could
 * contain something that the person typed.
 */
export class PausingFeed implements CaptureFeed {
  readonly #lost = new AbortController();
  readonly lost = this.#lost.signal;
  readonly #stopListening: () => void;
  #inner: CaptureFeed | null = null;
  source: CaptureFeed['source'] = 'debugger';
  /** Progress of earlier feeds: `progress` never falls. */
  #earlier = 0;
  #isPaused = false;
  #isOver = false;
  /** Number of pauses: a feed opened before the last one is not used. */
  #pauses = 0;
  /** The pause was reported, and the resumption not yet. */
  #isTold = false;
  /** One attempt to observe after another: a person may get the tab again before the first has attached. */
  #turn: Promise<void> = Promise.resolve();

  private constructor(private readonly options: PausingFeedOptions) {
    this.#stopListening = options.personTabs.onChange((tabId, isTaken) => {
      if (tabId !== options.tabId) return;
      if (isTaken) this.#pause();
      else this.#resume();
    });
  }

  /** @throws SpillwayError of the attachment */
  static async open(options: PausingFeedOptions): Promise<PausingFeed> {
    await options.personTabs.loaded;
    const feed = new PausingFeed(options);
    try {
      if (options.personTabs.has(options.tabId)) feed.#pause();
      else await (feed.#turn = feed.#observe());
      return feed;
    } catch (thrown) {
      await feed.close();
      throw thrown;
    }
  }

  get progress(): number {
    return this.#earlier + (this.#inner?.progress ?? 0);
  }

  async settle(): Promise<void> {
    await this.#inner?.settle();
  }

  async stopObserving(): Promise<void> {
    this.#end();
    await this.#inner?.stopObserving();
  }

  async close(): Promise<void> {
    this.#end();
    await this.#inner?.close();
  }

  #end(): void {
    this.#isOver = true;
    this.#stopListening();
  }

  #pause(): void {
    if (this.#isPaused || this.#isOver) return;
    this.#isPaused = true;
    this.#pauses += 1;
    const inner = this.#inner;
    this.#inner = null;
    this.#earlier += inner?.progress ?? 0;
    void inner?.close();
    if (this.#isTold) return;
    this.#isTold = true;
    this.options.push({ kind: 'paused', at_ms: Date.now() });
  }

  #resume(): void {
    if (!this.#isPaused || this.#isOver) return;
    this.#isPaused = false;
    this.#turn = this.#turn.then(() => this.#observe()).catch((thrown: unknown) => this.#lost.abort(thrown));
  }

  async #observe(): Promise<void> {
    if (this.#isPaused || this.#isOver || this.#inner !== null) return;
    const { open, push } = this.options;
    const pauses = this.#pauses;
    let inner: CaptureFeed;
    try {
      inner = await open();
    } catch (thrown) {
      // A person was given the tab while the debugger attached: it is observed after they return it.
      if (this.#pauses > pauses) return;
      throw thrown;
    }
    if (this.#pauses > pauses || this.#isOver) return inner.close();
    this.#inner = inner;
    this.source = inner.source;
    if (this.#isTold) push({ kind: 'resumed', at_ms: Date.now() });
    this.#isTold = false;
    onAbort(inner.lost, () => {
      if (this.#inner !== inner) return;
      if (toSpillwayError(inner.lost.reason).code === 'person_has_tab') this.#pause();
      else this.#lost.abort(inner.lost.reason);
    });
  }
}

const SETTLE_MS = 5_000;

type Result = MethodResult<'network.capture'>;
type Ending = Result['ended'];
type LeftOut = Extract<CaptureLine, { kind: 'left_out' }>;
/** Omitted sites that a capture reports. */
const SITES_TOLD = 100;

export interface CaptureOptions {
  readonly personTabs: PersonTabs;
  readonly taps: Taps;
  readonly requests: Pick<TabRequests, 'takeFailed'>;
  readonly params: StreamMethodParams<'network.capture'>;
  readonly sink: StreamSink;
  /** Aborted when the call is cancelled or its server has disconnected. */
  readonly signal: AbortSignal;
  /** Asked before anything is captured. @throws SpillwayError of the rules */
  readonly permit: () => Promise<void>;
  /** Whether requests for a document at an address may be captured: asked about each while the capture lasts. */
  readonly passes: (url: string) => boolean;
  /** Null to report nothing. */
  readonly leftOut: (url: string) => Omit<LeftOut, 'kind'> | null;
  /** The capture of the same tab that this one replaces. */
  readonly previous: Capture | undefined;
}

/** One server's capture of one tab, from attachment to end. */
export class Capture {
  readonly #outbox: Outbox;
  readonly #feed: Promise<CaptureFeed>;
  readonly #stop = new AbortController();
  /** Settles when the tab was released. */
  #released: Promise<void> = Promise.resolve();

  isOver = false;
  /** Loads that had failed before. */
  failedBefore = 0;
  readonly #told = new Set<string>();

  /** Starts attaching at once; {@link Capture.run} must be called. */
  constructor(private readonly options: CaptureOptions) {
    this.#outbox = new Outbox(options.sink);
    this.#feed = this.#open();
    this.#feed.catch(() => undefined);
  }

  /** How the tab is captured, once it is. @throws SpillwayError if it cannot be */
  async source(): Promise<z.infer<typeof CaptureSource>> {
    return (await this.#feed).source;
  }

  /**
   * The same, once the previous capture has stopped observing: both see the events in between, and the previous one may
   * not keep the requested bodies.
   */
  async ready(): Promise<z.infer<typeof CaptureSource>> {
    const source = await this.source();
    await this.options.previous?.stopObserving();
    return source;
  }

  /** Pushes everything so far, and nothing after that. */
  async stopObserving(): Promise<void> {
    const feed = await this.#feed.catch(() => null);
    if (feed !== null)
      await waitAtMost(feed.stopObserving(), SETTLE_MS, this.options.signal).catch(() => undefined);
  }

  /** Ends when the capture does. @throws SpillwayError if it could not begin, or the signal's reason */
  async run(): Promise<Result> {
    try {
      const feed = await this.#feed;
      this.#released = this.#release(feed);
      const ended = await this.#released.then(() => this.#ending(feed));
      this.options.signal.throwIfAborted();
      await this.#outbox.drain();
      return { source: feed.source, ended, lost_lines: this.#outbox.lostLines };
    } finally {
      this.isOver = true;
      this.#outbox.close();
    }
  }

  /** Adds a mark after everything observed so far. */
  async mark(mark: number): Promise<void> {
    await this.#settle(await this.#feed);
    this.#outbox.push({ kind: 'mark', mark });
  }

  /** Ends the capture; resolves when the tab was released. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#feed.catch(() => null);
    await this.#released;
  }

  async #open(): Promise<CaptureFeed> {
    const { params, personTabs, passes, leftOut } = this.options;
    const { tab_id: tabId, bodies, body_bytes: bodyBytes, bodies_bytes: bodiesBytes } = params;
    const filter = new CaptureFilter(passes, (url) => this.#tell(leftOut(url)));
    const budget = new BodyBudget({ bodies, bodyBytes, bodiesBytes });
    const parts = { outbox: this.#outbox, budget, filter };
    await this.options.permit();
    const failed = this.options.requests.takeFailed(tabId);
    // The capture that this one replaces has them.
    if (this.options.previous === undefined) {
      this.failedBefore = failed.length;
      for (const load of failed) pushFailed(parts, load);
    }
    return PausingFeed.open({
      tabId,
      personTabs,
      open: () => this.#observe(parts),
      push: (line) => {
        if (params.knows_pauses === true) this.#outbox.push(line);
      },
    });
  }

  async #observe(parts: FeedParts): Promise<CaptureFeed> {
    const { tab_id: tabId } = this.options.params;
    try {
      return await DebuggerFeed.open(this.options.taps, tabId, parts);
    } catch (thrown) {
      const { code } = toSpillwayError(thrown);
      if (!isWithoutDebugger(code) && code !== 'page_forbidden') throw thrown;
      return new WebRequestFeed(tabId, parts);
    }
  }

  tellAgain(): void {
    this.#told.clear();
  }

  /** Reports each omitted site once. */
  #tell(left: Omit<LeftOut, 'kind'> | null): void {
    if (left === null || this.#told.has(left.origin) || this.#told.size >= SITES_TOLD) return;
    this.#told.add(left.origin);
    this.#outbox.push({ kind: 'left_out', ...left });
  }

  /** Waits for the end, then releases the tab. */
  async #release(feed: CaptureFeed): Promise<void> {
    const { signal } = this.options;
    try {
      await aborted(signal, feed.lost, this.#stop.signal);
      if (!signal.aborted) await this.#settle(feed);
    } finally {
      await feed.close();
      // The capture has them.
      this.options.requests.takeFailed(this.options.params.tab_id);
    }
  }

  async #ending(feed: CaptureFeed): Promise<Ending> {
    if (!feed.lost.aborted) return 'stopped';
    const { code } = toSpillwayError(feed.lost.reason);
    if (code === 'debugger_cancelled') return 'cancelled_by_person';
    // The debugger gives the same error for a closed tab and for a forbidden page.
    return browser.tabs.get(this.options.params.tab_id).then(
      () => 'debugger_lost',
      () => 'tab_closed',
    );
  }

  async #settle(feed: CaptureFeed): Promise<void> {
    const { signal } = this.options;
    let isSettled = false;
    const settled = feed.settle().then(() => (isSettled = true));
    try {
      for (let before = -1; !isSettled && feed.progress > before;) {
        before = feed.progress;
        await waitAtMost(settled, SETTLE_MS, signal);
      }
    } catch (thrown) {
      if (!signal.aborted) throw thrown;
    }
  }
}

async function aborted(...signals: readonly AbortSignal[]): Promise<void> {
  const any = anySignal(signals);
  await new Promise<void>((resolve) => onAbort(any.signal, resolve));
  any.release();
}
