import { withResult } from '../../shared/base/queue.ts';
import type { z } from 'zod';
import type { CallScope } from '../../shared/core/policy/call-facts.ts';
import type { JsonValue } from '../../shared/base/json.ts';
import { SpillwayError, toSpillwayError } from '../../shared/base/errors.ts';
import type { MethodName, MethodParams, MethodResult } from '../../shared/core/bridge/methods.ts';
import { LIMITS } from '../../shared/base/limits.ts';
import { CaptureLine } from '../../shared/network/lines.ts';
import { type methods, type BodyChoice } from '../../shared/network/network.methods.ts';
import { parseJsonLines, formatTabId, type TabTarget } from '../core/targets.ts';
import type { Bridge, Redactor } from '../core/services.ts';
import { type CombinedSignal, abortable, deadlineSignal } from '../../shared/base/async.ts';
import { RequestAssembler } from '../libraries/har/assembler.ts';
import { buildEntry, missingBody } from '../libraries/har/entry.ts';
import type { Exchange, PageFacts } from '../libraries/har/exchange.ts';
import { prepareEntry, type CaptureView, type PreparedEntry } from '../libraries/har/parts.ts';

type CaptureEnd = z.output<(typeof methods)['network.capture']['result']>['ended'];

/** The receiver of a tab's entries: one client's ring. */
export interface CaptureSink {
  readonly bodies: BodyChoice;
  add(entry: PreparedEntry): void;
  /** Resolves when it can take more. */
  settled(): Promise<void>;
}

export interface TabCaptureParts {
  readonly bridge: Bridge;
  readonly redactor: Redactor;
  /** `--network-body-bytes`. */
  readonly bodyBytes: number;
  readonly nextId: () => number;
}

/** How long a slice, or the end, waits for lines that the browser has yet to send while none arrive. */
const SILENCE_MS = 7_000;
const SYNC_MS = 60_000;

/** A period in which a person had the tab; `to` is null while they have it. Milliseconds since the epoch. */
export interface CapturePause {
  readonly from: number;
  readonly to: number | null;
}

/** Pauses that a slice names. */
const MAX_PAUSES = 20;

/** Pages of ended runs. */
const EARLIER_PAGES = 1_024;

const ENDS: Readonly<Record<CaptureEnd, string>> = {
  stopped: 'stopped',
  tab_closed: 'tab_closed',
  cancelled_by_person: 'debugger_cancelled',
  debugger_lost: 'debugger_unavailable',
};
/** Each includes the bodies of those before it. */
const CHOICES: readonly BodyChoice[] = ['none', 'text', 'all'];

interface Run {
  readonly bodies: BodyChoice;
  readonly abort: AbortController;
  /** Resolves when it has ended, however it ended. */
  readonly ended: Promise<void>;
  isOver: boolean;
  failure: SpillwayError | null;
}

/** The capture of one tab, for every client that wants it: one stream, resumed when necessary. */
export class TabCapture {
  readonly name: string;
  source: CaptureView['source'] = null;
  /** Loads that had failed before it began, which it has, too. */
  failedBefore = 0;
  /** How often it was resumed. */
  gaps = 0;
  /** When people had the tab, newest last. */
  pauses: readonly CapturePause[] = [];
  lostLines = 0;
  /** Sites whose requests are left out, and the rules about them. */
  readonly leftSites = new Map<string, 'ask' | 'deny'>();
  /** Those who take its entries. */
  readonly sinks = new Set<CaptureSink>();
  readonly #marks = new Map<number, () => void>();
  #assembler: RequestAssembler;
  #run: Run | null = null;
  #ended: string | null = null;
  /** A run is being stopped. */
  #stopping: Promise<void> | null = null;
  /** A run is taking over from another, or is being refused. */
  #changing: Promise<void> | null = null;
  #earlierPages: readonly PageFacts[] = [];
  #lastMark = 0;
  /** The last call that was granted it. */
  #call: CallScope | null = null;
  /** Received lines. */
  #lines = 0;
  /** Entries that are being redacted for the sinks. */
  readonly #given = new Set<Promise<PreparedEntry | null>>();
  #giving: Promise<void> = Promise.resolve();
  /** Ids of requests that could not be redacted, and so are not shown. */
  readonly leftOut = new Set<number>();

  constructor(
    readonly target: TabTarget,
    private readonly parts: TabCaptureParts,
  ) {
    this.name = formatTabId(target);
    this.#assembler = new RequestAssembler(parts.nextId, parts.bodyBytes);
  }

  /** The end or the replacement of the run, while it is in progress. */
  get #change(): Promise<void> | null {
    return this.#stopping ?? this.#changing;
  }

  get isCapturing(): boolean {
    return this.#run !== null;
  }

  /** Why it ended; null while it is active. */
  get ended(): string | null {
    return this.#run === null ? this.#ended : null;
  }

  /** Events that do not match CDP's documentation. */
  get misread(): number {
    return this.#assembler.misread;
  }

  get pages(): readonly PageFacts[] {
    return [...this.#earlierPages, ...this.#assembler.pages];
  }

  /** Requests that no sink has yet, in their current state, redacted. */
  async listPending(): Promise<readonly PreparedEntry[]> {
    const pending = this.#assembler.listPending().map((exchange) => this.#prepare(exchange));
    const prepared = await Promise.all([...this.#given, ...pending]);
    return prepared.filter((entry) => entry !== null);
  }

  /** Resolves when the sinks have every request that is complete. */
  get settled(): Promise<void> {
    return this.#giving;
  }

  /** @param sink one that does not count */
  isWanted(sink?: CaptureSink): boolean {
    return [...this.sinks].some((one) => one !== sink);
  }

  /** Pending requests go to the sink unchanged. */
  detach(sink: CaptureSink): void {
    if (!this.sinks.delete(sink)) return;
    for (const exchange of this.#assembler.listPending()) this.#give(exchange, [sink]);
  }

  /**
   * Resolves when the tab is captured with the bodies that its sinks want.
   * @param asks whether the call waits for a question to a person
   * @throws the browser's error, such as `debugger_cancelled`
   */
  async open(signal: AbortSignal, call: CallScope | null = this.#call, asks = true): Promise<void> {
    while (this.#change !== null) await abortable(this.#change, signal);
    const current = this.#run;
    const wanted = new Set([...this.sinks].map((sink) => sink.bodies));
    const bodies = CHOICES.findLast((choice) => wanted.has(choice)) ?? 'none';
    const run =
      current !== null && CHOICES.indexOf(current.bodies) >= CHOICES.indexOf(bodies)
        ? current
        : this.#start(bodies, current, { call, asks });
    const ready = this.#ask('network.ready', { tab_id: this.target.tabId, asks }, signal, call);
    ready.catch(() => undefined);
    await Promise.race([ready, run.ended]);
    if (run.failure !== null) throw run.failure;
    if (this.#run === null)
      throw new SpillwayError(
        this.#ended === 'debugger_cancelled' ? 'debugger_cancelled' : 'debugger_unavailable',
        `The capture of tab ${this.name} ended: ${this.#ended ?? 'stopped'}.`,
      );
    const { source, failed_before: failedBefore = 0 } = await ready;
    this.source = source;
    this.failedBefore = failedBefore;
    this.#call = call;
    this.leftSites.clear();
  }

  /** Resumes the capture after the browser has disconnected. */
  async resume(): Promise<void> {
    if (this.#run !== null || this.sinks.size === 0) return;
    this.gaps += 1;
    await this.open(AbortSignal.timeout(LIMITS.callTimeoutMs), undefined, false);
  }

  /** Whether everything that the browser had seen has arrived. */
  async sync(signal?: AbortSignal): Promise<boolean> {
    const run = this.#run;
    if (run === null) return true;
    const mark = (this.#lastMark += 1);
    const limited = this.#untilSilence(signal);
    const seen = new Promise<void>((resolve) => this.#marks.set(mark, resolve));
    try {
      await this.#ask('network.mark', { tab_id: this.target.tabId, mark }, limited.signal);
      await abortable(Promise.race([seen, run.ended]), limited.signal);
      return true;
    } catch {
      signal?.throwIfAborted();
      return false;
    } finally {
      limited.release();
      this.#marks.delete(mark);
    }
  }

  /** Asks the browser to end the stream, after pending events, and ends it here if it does not. */
  stop(): Promise<void> {
    this.#stopping ??= this.#stop().finally(() => (this.#stopping = null));
    return this.#stopping;
  }

  async #stop(): Promise<void> {
    const run = this.#run;
    if (run === null) return;
    const { signal, release } = this.#untilSilence();
    await this.#ask('network.stop', { tab_id: this.target.tabId }, signal).catch(() => undefined);
    await abortable(run.ended, signal).catch(() => undefined);
    release();
    run.abort.abort(new SpillwayError('cancelled', 'The capture was stopped.'));
    await run.ended;
  }

  /** Drops everything at once. */
  abandon(): void {
    this.sinks.clear();
    this.#ended ??= 'stopped';
    const run = this.#run;
    if (run === null) return;
    run.abort.abort(new SpillwayError('cancelled', 'The capture is no longer needed.'));
    this.#stopping ??= run.ended.finally(() => (this.#stopping = null));
  }

  /**
   * A later run takes over from an earlier one: the browser ends that one when the new one observes, and
   * events reported by both are taken once. If it refuses the new one, the earlier one continues.
   */
  #start(
    bodies: BodyChoice,
    previous: Run | null,
    { call, asks }: { readonly call: CallScope | null; readonly asks: boolean },
  ): Run {
    const { browser, tabId } = this.target;
    const abort = new AbortController();
    const { bridge, bodyBytes: body_bytes } = this.parts;
    const most = { body_bytes, bodies_bytes: LIMITS.networkBodiesBytes };
    const params = { tab_id: tabId, asks, bodies, ...most, knows_pauses: true };
    const stream = bridge.stream(browser, 'network.capture', params, { call, signal: abort.signal });
    const { values, result } = withResult(stream);
    const lines = parseJsonLines(previous === null ? values : after(previous.ended, values));
    const run: Run = {
      bodies,
      abort,
      isOver: false,
      failure: null,
      ended: this.#read(lines, result).then(async ({ why, failure }) => {
        run.isOver = true;
        run.failure = failure;
        if (previous?.isOver === false && !abort.signal.aborted && this.#stopping === null) {
          this.#run = previous;
          return;
        }
        previous?.abort.abort(new SpillwayError('cancelled', 'Another capture has taken over.'));
        if (this.#run !== run) return;
        this.#run = null;
        this.#ended = abort.signal.aborted ? 'stopped' : why;
        this.#cut();
        await this.#giving;
      }),
    };
    if (previous !== null)
      this.#changing = Promise.race([previous.ended, run.ended]).finally(() => (this.#changing = null));
    return (this.#run = run);
  }

  #ask<M extends MethodName>(method: M, params: MethodParams<M>, signal: AbortSignal, call = this.#call) {
    return this.parts.bridge.request(this.target.browser, method, params, { call, signal });
  }

  /** Aborts when no line has arrived for a while: there may be many late bodies. */
  #untilSilence(signal?: AbortSignal): CombinedSignal {
    const toError = (): SpillwayError =>
      new SpillwayError('timeout', 'The browser no longer sends anything.');
    const silence = new AbortController();
    let seen = this.#lines;
    const timer = setInterval(() => {
      if (this.#lines === seen) silence.abort(toError());
      seen = this.#lines;
    }, SILENCE_MS);
    const limited = deadlineSignal(SYNC_MS, toError, silence.signal, signal);
    return {
      signal: limited.signal,
      release: () => {
        clearInterval(timer);
        limited.release();
      },
    };
  }

  async #read(
    lines: AsyncIterable<JsonValue>,
    resultOf: () => MethodResult<'network.capture'>,
  ): Promise<Pick<Run, 'failure'> & { readonly why: string }> {
    try {
      for await (const raw of lines) await this.#take(CaptureLine.parse(raw));
      const result = resultOf();
      this.lostLines = Math.max(this.lostLines, result.lost_lines);
      return { why: ENDS[result.ended], failure: null };
    } catch (thrown) {
      const failure = toSpillwayError(thrown);
      return { why: failure.code, failure };
    }
  }

  /** Pending requests will never be completed: they stay as they are. */
  #cut(): void {
    for (const exchange of this.#assembler.end()) this.#give(exchange);
    this.#earlierPages = this.pages.slice(-EARLIER_PAGES);
    this.#assembler = new RequestAssembler(this.parts.nextId, this.parts.bodyBytes);
  }

  async #take(line: CaptureLine): Promise<void> {
    this.#lines += 1;
    if (line.kind === 'mark') this.#marks.get(line.mark)?.();
    if (line.kind === 'left_out') this.leftSites.set(line.origin, line.effect);
    if (line.kind === 'lost') this.lostLines += line.lines;
    if (line.kind === 'paused') this.#pause(line.at_ms);
    if (line.kind === 'resumed')
      this.pauses = this.pauses.map((pause) => (pause.to === null ? { ...pause, to: line.at_ms } : pause));
    const complete = this.#assembler.push(line);
    for (const exchange of complete) this.#give(exchange);
    await this.#giving;
    if (complete.length > 0) for (const sink of this.sinks) await sink.settled();
  }

  #pause(atMs: number): void {
    this.#cut();
    // A worker that was ended says it again.
    if (this.pauses.at(-1)?.to !== null)
      this.pauses = [...this.pauses, { from: atMs, to: null }].slice(-MAX_PAUSES);
  }

  /** Exchanges keep their order, although redaction takes each a different time. */
  #give(exchange: Exchange, sinks: readonly CaptureSink[] = [...this.sinks]): void {
    const prepared = this.#prepare(exchange);
    this.#given.add(prepared);
    this.#giving = this.#giving.then(async () => {
      const entry = await prepared;
      if (entry !== null) for (const sink of sinks) sink.add(entry);
      this.#given.delete(prepared);
    });
  }

  /** Null if it cannot be redacted: a page can make any exchange, and none may end a capture. */
  async #prepare(exchange: Exchange): Promise<PreparedEntry | null> {
    const { id } = exchange;
    try {
      const entry = buildEntry(exchange, this.name, this.#assembler.now);
      const missing = missingBody(entry);
      return await prepareEntry(entry, { id, tab: this.name, missing }, this.parts.redactor);
    } catch {
      this.leftOut.add(id);
      return null;
    }
  }
}

/** A stream that begins at once and is read when the previous one has ended. */
async function* after(earlier: Promise<void>, chunks: AsyncIterable<string>): AsyncGenerator<string> {
  const iterator = chunks[Symbol.asyncIterator]();
  let next = iterator.next();
  try {
    await Promise.race([earlier, next.then(() => earlier)]);
    for (let chunk = await next; chunk.done !== true; chunk = await next) {
      yield chunk.value;
      next = iterator.next();
    }
  } finally {
    await iterator.return?.();
  }
}
