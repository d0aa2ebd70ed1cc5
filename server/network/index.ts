import { SpillwayError, toSpillwayError } from '../../shared/base/errors.ts';
import type { BodyChoice } from '../../shared/network/network.methods.ts';
import type { NetworkFilter } from '../../shared/network/network.manifest.ts';
import type { JsonObject } from '../../shared/base/json.ts';
import type { ActSpan, ClientSession } from '../core/context.ts';
import type { RedactionReport } from '../core/result.ts';
import type { Clean, CleanText } from '../libraries/redaction/clean.ts';
import type { CallScope } from '../../shared/core/policy/call-facts.ts';
import type { Bridge, BrowserId, Clock, Logger, Redactor, Scratch } from '../core/services.ts';
import { onAbort } from '../../shared/base/async.ts';
import { formatTabId, parseTabId, type TabTarget } from '../core/targets.ts';
import {
  ClientCaptures,
  type Subscription,
  describeCoverage,
  readSlice,
  SliceFacts,
} from './client-captures.ts';
import { compileFilter } from './filter.ts';
import type { TabCapture } from './tab-capture.ts';
import type { PageFacts } from '../libraries/har/exchange.ts';
import { redactPart, type CaptureView, type NetworkEntry } from '../libraries/har/parts.ts';

/** Pages of captured tabs in HAR's form; -1 for events that have not happened. */
export async function describePages(
  pages: readonly PageFacts[],
  redactor: Redactor,
): Promise<NetworkSlice['pages']> {
  const described = pages
    .toSorted((a, b) => a.wallAt - b.wallAt)
    .map(async (page) => ({
      id: page.id,
      startedDateTime: new Date(page.wallAt * 1_000).toISOString(),
      title: (await redactPart({ request: { url: page.url } }, redactor)).part.request.url,
      pageTimings: { onContentLoad: page.contentLoadMs ?? -1, onLoad: page.loadMs ?? -1 },
    }));
  return Promise.all(described);
}

export interface NetworkOptions {
  readonly bridge: Bridge;
  readonly redactor: Redactor;
  readonly scratch: Scratch;
  readonly clock: Clock;
  readonly logger: Logger;
  /** `--network-buffer-bytes`. */
  readonly maxBytes: number;
  /** `--network-body-bytes`. */
  readonly bodyBytes: number;
  /** `--network-capture on`. */
  readonly fromStart: boolean;
}

export interface NetworkQuery {
  /** Null: every captured tab of the session. */
  readonly tab: TabTarget | null;
  readonly filter: NetworkFilter;
  /** Only requests that this act caused. */
  readonly act?: ActSpan | null;
  /** `-size`: descending. */
  readonly sort: string | null;
  /** Bodies in the entries. */
  readonly bodies: BodyChoice;
}

/** Everything except the pages is complete once the entries were consumed. */
export interface NetworkSlice {
  readonly entries: AsyncIterable<Clean<NetworkEntry>>;
  readonly coverage: readonly string[];
  readonly redacted: RedactionReport;
  /** Pages in HAR form that entries refer to by `pageref`. */
  readonly pages: readonly (JsonObject & { readonly id: string; readonly title: CleanText })[];
}

export interface CaptureStart {
  readonly bodies: BodyChoice;
  readonly signal: AbortSignal;
  readonly call?: CallScope | undefined;
  /** Whether the call waits for a question to a person. Default: true. */
  readonly asks?: boolean;
}

/** Bodies that are kept by default. */
const DEFAULT_BODIES: BodyChoice = 'text';
/** Ends after which a capture waits for the browser to return. */
const GONE: ReadonlySet<string> = new Set(['browser_disconnected', 'browser_not_connected', 'timeout']);

/**
 * Captured requests: one ring per client session, fed by the tabs that are captured. Entries are redacted before they enter
 * it. Captures are removed when the session's signal aborts; nothing is opened before the first one starts.
 */
export class NetworkCaptures {
  readonly #captures = new Map<string, TabCapture>();
  readonly #clients = new Map<ClientSession, ClientCaptures>();
  readonly #unsubscribe: () => void;
  /** Disconnected clients whose files are being removed. */
  readonly #leaving = new Set<Promise<void>>();
  #lastId = 0;

  constructor(private readonly options: NetworkOptions) {
    this.#unsubscribe = options.bridge.onChange((event, browser) => {
      if (event === 'connected') this.#resume(browser.id);
    });
  }

  /**
   * Resolves when the tab is captured: its later loads are complete. Starting an existing capture changes
   * which bodies it keeps.
   * @throws `debugger_cancelled`, `tab_not_found`, `browser_disconnected`
   */
  async start(
    session: ClientSession,
    target: TabTarget,
    { bodies, signal, call, asks }: CaptureStart,
  ): Promise<CaptureView> {
    const client = this.#client(session);
    const capture = await this.#capture(target);
    const isNew = client.get(capture.name) === undefined;
    const undo = client.join(capture, bodies);
    try {
      await capture.open(signal, call, asks);
    } catch (thrown) {
      const error = toSpillwayError(thrown);
      undo(error.code);
      if (error.code === 'tab_not_found') client.forget(capture.name);
      // Another session's requests, which this one shared for a moment.
      if (isNew && (error.code === 'tab_not_given' || error.questionId !== undefined)) {
        client.ring.clear(capture.name);
        client.forget(capture.name);
      }
      throw error;
    }
    const view = client.view(capture.name);
    if (view !== null) return view;
    throw new SpillwayError('capture_not_running', `Tab ${capture.name} is not being captured.`);
  }

  async stop(session: ClientSession, target: TabTarget): Promise<CaptureView | null> {
    const client = this.#clients.get(session);
    const name = formatTabId(target);
    const known = client?.get(name);
    if (client === undefined || known === undefined) return null;
    await this.#end(client, known);
    return client.view(name);
  }

  /** Captures every tab of the client, including those it opens later. */
  async startAll(session: ClientSession, options: CaptureStart): Promise<readonly CaptureView[]> {
    const client = this.#client(session);
    client.all = options.bodies;
    const tabs = [...session.tabs].map(parseTabId);
    const started = await Promise.allSettled(tabs.map((tab) => this.start(session, tab, options)));
    options.signal.throwIfAborted();
    // A closed tab no longer belongs to the client; other failures are reported only if all tabs failed.
    const failures = started.flatMap((one) =>
      one.status === 'rejected' ? [toSpillwayError(one.reason)] : [],
    );
    // The call waits for the person, and is performed again.
    const asked = failures.find(({ questionId }) => questionId !== undefined);
    if (asked !== undefined) throw asked;
    const failure = failures.find(({ code }) => code !== 'tab_not_found');
    if (failure !== undefined && failures.length === started.length) throw failure;
    return client.status().captures;
  }

  /** Ends all of the client's captures, and captures no later tab. */
  async stopAll(session: ClientSession): Promise<readonly CaptureView[]> {
    const client = this.#clients.get(session);
    if (client === undefined) return [];
    client.all = null;
    await Promise.all(client.list(null).map((one) => this.#end(client, one)));
    return client.status().captures;
  }

  clear(session: ClientSession, target: TabTarget | null): void {
    this.#clients.get(session)?.ring.clear(target === null ? null : formatTabId(target));
  }

  status(session: ClientSession) {
    return this.#client(session).status();
  }

  has(session: ClientSession, target: TabTarget): boolean {
    return this.#clients.get(session)?.get(formatTabId(target)) !== undefined;
  }

  /**
   * Entries of the ring, in order, after the browser has reported everything; they are read from disk as they
   * are consumed.
   * @throws `capture_not_running`, `invalid_argument` for an invalid filter
   */
  async entries(session: ClientSession, query: NetworkQuery, signal: AbortSignal): Promise<NetworkSlice> {
    const tab = query.tab === null ? null : formatTabId(query.tab);
    const client = this.#clients.get(session);
    const parts = client?.list(tab) ?? [];
    if (client === undefined || parts.length === 0)
      throw new SpillwayError(
        'capture_not_running',
        tab === null ? 'No tab in this session is being captured.' : `Tab ${tab} is not being captured.`,
      );
    const filter = compileFilter(query.filter, this.options.clock.now(), query.act);
    const synced = await Promise.all(
      parts.map(async ({ capture, ended }) => {
        const isWhole = ended !== null || (await capture.sync(signal));
        await capture.settled;
        return isWhole;
      }),
    );
    /** Tabs whose newest requests may be missing, because their browser did not answer in time. */
    const late = parts.filter((_, index) => synced[index] === false).map(({ capture }) => capture.name);
    const facts = new SliceFacts();
    const coverage: string[] = [];
    const { bodyBytes } = this.options;
    const records = client.ring.records(tab);
    const open = parts.filter(({ ended }) => ended === null);
    const pending = await Promise.all(open.map(({ capture }) => capture.listPending()));
    const sources = [...records, ...pending.flat()].sort((a, b) => a.id - b.id);
    const { sort, bodies } = query;
    const slice = readSlice({ sources, filter, sort, bodies, signal }, facts);
    const entries = async function* (): typeof slice {
      yield* slice;
      coverage.push(...describeCoverage({ client, parts, late, facts, bodies, bodyBytes }));
    };
    return {
      entries: entries(),
      coverage,
      redacted: facts.report,
      pages: await describePages(
        parts.flatMap(({ capture }) => capture.pages),
        this.options.redactor,
      ),
    };
  }

  /**
   * Starts capturing a tab that is about to load, with `--network-capture on` or if the client asked for all
   * of its tabs; otherwise does nothing. A refusal by the debugger is not a failure here.
   */
  async beforeLoad(
    session: ClientSession,
    target: TabTarget,
    signal: AbortSignal,
    call?: CallScope,
  ): Promise<void> {
    const bodies = this.#clients.get(session)?.all ?? (this.options.fromStart ? DEFAULT_BODIES : null);
    if (bodies === null) return;
    const known = this.#clients.get(session)?.get(formatTabId(target));
    // A person's Cancel, or a client's stop, applies until a client requests the capture again.
    if (known !== undefined && (known.ended !== null || known.capture.ended === 'debugger_cancelled')) return;
    if (known?.capture.isCapturing === true) return;
    try {
      await this.start(session, target, { bodies: known?.sink.bodies ?? bodies, signal, call, asks: false });
    } catch (thrown) {
      signal.throwIfAborted();
      this.options.logger.debug({ err: thrown, tab: formatTabId(target) }, 'a tab was not captured');
    }
  }

  /** Whether the client's new tabs have to open blank, so that `beforeLoad` precedes the load. */
  capturesFromStart(session: ClientSession): boolean {
    return this.options.fromStart || (this.#clients.get(session)?.all ?? null) !== null;
  }

  async close(): Promise<void> {
    this.#unsubscribe();
    for (const capture of this.#captures.values()) capture.abandon();
    this.#captures.clear();
    const clients = [...this.#clients.values()];
    this.#clients.clear();
    await Promise.allSettled([...clients.map((client) => client.close()), ...this.#leaving]);
  }

  #client(session: ClientSession): ClientCaptures {
    const known = this.#clients.get(session);
    if (known !== undefined) return known;
    const { maxBytes, scratch, logger } = this.options;
    const client = new ClientCaptures({ maxBytes, scratch, logger });
    this.#clients.set(session, client);
    const forget = (): void => {
      const left = this.#forget(session, client).finally(() => this.#leaving.delete(left));
      this.#leaving.add(left);
    };
    onAbort(session.signal, forget);
    return client;
  }

  async #forget(session: ClientSession, client: ClientCaptures): Promise<void> {
    this.#clients.delete(session);
    const captures = client.list(null).map(({ capture }) => capture);
    await client.close();
    const others = [...this.#clients.values()];
    for (const capture of captures) {
      if (!capture.isWanted()) capture.abandon();
      if (others.some((other) => other.get(capture.name) !== undefined)) continue;
      this.#captures.delete(capture.name);
    }
  }

  /** The first capture loads the code for reading and deriving. */
  async #capture(target: TabTarget): Promise<TabCapture> {
    const { TabCapture } = await import('./tab-capture.ts');
    const name = formatTabId(target);
    const known = this.#captures.get(name);
    if (known !== undefined) return known;
    const { bridge, redactor, bodyBytes } = this.options;
    const nextId = (): number => (this.#lastId += 1);
    const capture = new TabCapture(target, { bridge, redactor, bodyBytes, nextId });
    this.#captures.set(name, capture);
    return capture;
  }

  async #end(client: ClientCaptures, { capture, sink, ended }: Subscription): Promise<void> {
    if (ended !== null) return;
    if (capture.isWanted(sink)) await capture.sync().catch(() => false);
    else await capture.stop();
    client.leave(capture.name, capture.ended === 'debugger_cancelled' ? 'debugger_cancelled' : 'stopped');
    // The other clients may have left meanwhile.
    if (!capture.isWanted()) await capture.stop();
  }

  #resume(browser: BrowserId): void {
    for (const capture of this.#captures.values()) {
      if (capture.target.browser !== browser || !GONE.has(capture.ended ?? '')) continue;
      capture.resume().catch((error: unknown) => {
        this.options.logger.debug({ err: error, tab: capture.name }, 'a capture was not resumed');
      });
    }
  }
}
