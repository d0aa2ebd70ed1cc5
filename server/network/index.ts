import { SpillwayError, toSpillwayError } from '../../shared/errors.ts';
import type { BodyChoice } from '../../shared/tools/network/methods.ts';
import type { ClientSession } from '../core/context.ts';
import type { CallScope } from '../../shared/policy/call-facts.ts';
import type {
  CaptureStart,
  CaptureView,
  NetworkCaptures,
  NetworkQuery,
  NetworkSlice,
} from '../core/network.ts';
import type { Bridge, BrowserId, Clock, Logger, Redactor, Scratch } from '../core/services.ts';
import { onAbort } from '../../shared/async.ts';
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
import type { PageFacts } from './exchange.ts';
import { redactPart } from './parts.ts';

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

/** Bodies that are kept by default. */
const DEFAULT_BODIES: BodyChoice = 'text';
/** Ends after which a capture waits for the browser to return. */
const GONE: ReadonlySet<string> = new Set(['browser_disconnected', 'browser_not_connected', 'timeout']);

/** Captures of all clients; nothing is opened before the first one starts. */
export const createNetworkCaptures = (options: NetworkOptions): NetworkCaptures => new Captures(options);

class Captures implements NetworkCaptures {
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
