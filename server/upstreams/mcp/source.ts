import { ProtocolError, ProtocolErrorCode, SdkError, SdkErrorCode } from '@modelcontextprotocol/client';
import { Listeners } from '../../../shared/base/queue.ts';
import { anySignal, waitAtMost } from '../../../shared/base/async.ts';
import { z } from 'zod';
import { SpillwayError } from '../../../shared/base/errors.ts';
import { defined, type JsonObject } from '../../../shared/base/json.ts';
import { JsonRecord } from '../../../shared/base/json-schema.ts';
import type { CallContext } from '../../core/context.ts';
import type { PassedThrough } from '../../core/registry/definition.ts';
import {
  notConnected,
  type Cleaner,
  type OfferLists,
  type UpstreamSource,
  type UpstreamStatus,
  type UpstreamTool,
} from '../answers.ts';
import { Countdown, UpstreamCalls, type UpstreamCall, Pages } from './questions.ts';
import { callAsTask, ResourceFollows } from './follows.ts';
import {
  beginningOf,
  expectFit,
  isAnswer,
  isMissing,
  isSessionOver,
  mayHaveRun,
  notAgain,
  needsPerson,
  reasonOf,
  refusesSessions,
  unknownEnd,
} from './failures.ts';
import { Link, type LinkOptions } from './link.ts';
import { type Step, stepsOf, withoutTask } from './news.ts';

const RETRY_FIRST_MS = 500;
const RETRY_MAX_MS = 60_000;
/** A connection that lasted this long restarts the delays. */
const STABLE_MS = 30_000;
const READY_WAIT_MS = 5_000;
/** After a call that timed out: if the upstream does not answer even this, it is restarted. */
const PING_TIMEOUT_MS = 5_000;
const CAUSE_LENGTH = 400;

const Answer = z.record(z.string(), z.unknown());
/** The registry checks the form of answers, and reports differences. */
const Passing = z.custom<PassedThrough>();

type McpSourceOptions = Omit<
  LinkOptions,
  'calls' | 'pages' | 'isNewEra' | 'onListChange' | 'onOffersChange' | 'onUpdate' | 'onTrouble' | 'onEnd'
> & { /** Knows the credentials of the entry alone. */ readonly redactOwn: Cleaner };

/** Another MCP server: connected in the background, and again after a disconnect. */
export class McpSource implements UpstreamSource {
  readonly id: string;
  readonly changes = new Listeners<void>();
  readonly #over = new AbortController();
  readonly #calls = new UpstreamCalls();
  readonly #follows = new ResourceFollows();
  readonly #pages: Pages;
  status: UpstreamStatus = { state: 'starting', problem: null };
  tools: readonly UpstreamTool[] = [];
  offers: OfferLists = { resources: [], templates: [], prompts: [] };
  #link: Link | null = null;
  #attempt: Promise<void> | null = null;
  #timer: NodeJS.Timeout | undefined;
  #failures = 0;
  #readyAt = 0;
  #isProbing = false;
  #isNewEra = false;
  #refusal: SpillwayError | null = null;

  constructor(private readonly options: McpSourceOptions) {
    this.id = options.id;
    this.#pages = new Pages(options);
    // A person has signed in: refused requests are tried again, also those of an active attempt.
    options.session?.onChange?.(() => {
      void Promise.resolve(this.#attempt).then(() => {
        if (this.status.state === 'failed' && this.#attempt === null) this.#start();
      });
    }, this.#over.signal);
    this.#start();
  }

  get isCut(): boolean {
    return this.#link?.isCut ?? false;
  }

  get hasOffers(): boolean {
    return this.#link?.hasOffers ?? false;
  }

  async ask(method: string, params: JsonObject, signal: AbortSignal): Promise<JsonObject> {
    const link = await this.#ready(signal);
    const { timeoutMs } = this.options.entry;
    try {
      return JsonRecord.parse(await link.request(method, params, { signals: [signal], timeoutMs }));
    } catch (thrown) {
      throw this.#refusalOf(thrown, link, signal);
    }
  }

  async follow(uri: string, listener: (uri: string) => void, signal: AbortSignal): Promise<() => void> {
    const link = await this.#ready(signal);
    if (!link.hasUpdates)
      throw new SpillwayError('resource_not_found', `The upstream ${this.id} does not announce changes.`, {
        hint: 'Read the resource again instead of subscribing to it.',
      });
    try {
      return await this.#follows.follow(uri, listener);
    } catch (thrown) {
      throw this.#refusalOf(thrown, link, signal);
    }
  }

  async call(rawName: string, args: JsonObject, context: CallContext): Promise<PassedThrough> {
    let link = await this.#ready(context.signal);
    const tool = this.tools.find((each) => each.rawName === rawName);
    const call: UpstreamCall = { context, countdown: new Countdown(this.options.entry.timeoutMs) };
    const ended = this.#calls.begin(call);
    const send = () => this.#send(link, { name: rawName, arguments: args }, { call, tool });
    let isSent = true;
    let answer: object;
    try {
      answer = await send().catch(async (thrown: unknown) => {
        // In that case, nothing was done.
        if (!isSessionOver(thrown) || call.taskId !== undefined) throw thrown;
        isSent = false;
        link = await this.#renewLink(link, context.signal);
        isSent = true;
        return send();
      });
    } catch (thrown) {
      context.signal.throwIfAborted();
      const page = this.#pageRequired(thrown, context);
      if (page !== null) throw page;
      const failure = this.#failureOf(thrown, link);
      if (isAnswer(thrown)) throw failure.with({ retryable: tool?.isReadOnly === true });
      if (call.taskId !== undefined) throw unknownEnd(failure);
      const isSafe = tool?.isReadOnly === true || !isSent || link.isOfSignIn(thrown);
      throw isSafe || !mayHaveRun(thrown) ? failure : notAgain(failure);
    } finally {
      call.countdown.stop();
      ended();
    }
    const { content = [], structuredContent, isError = false, _meta: meta } = Answer.parse(answer);
    if (isError !== true) await expectFit(this.id, tool?.outputSchema, structuredContent);
    const more = defined({ structuredContent, meta: withoutTask(meta) });
    return Passing.parse({ passed: { content, isError, ...more } });
  }

  /** Calls a tool plainly, or as a task if it requires one, or allows one and our client has made one of it. */
  async #send(
    link: Link,
    params: JsonObject,
    { call, tool }: { readonly call: UpstreamCall; readonly tool: UpstreamTool | undefined },
  ): Promise<object> {
    const { context, countdown } = call;
    const steps = stepsOf(context, this.options.redact);
    const onProgress = (step: Step): void => {
      countdown.restart();
      steps.count(step);
    };
    const signals = [context.signal, countdown.signal];
    const { taskSupport = 'forbidden' } = tool ?? {};
    if (taskSupport === 'forbidden' || (taskSupport === 'optional' && context.syncWaitMs !== Infinity))
      return link.request('tools/call', params, { signals, onProgress });
    const { signal, release } = anySignal(signals);
    const { timeoutMs: silenceMs } = this.options.entry;
    return callAsTask(link, params, { call, signal, silenceMs, onProgress, onMessage: steps.say }).finally(
      release,
    );
  }

  async close(): Promise<void> {
    this.#over.abort();
    this.#follows.close();
    clearTimeout(this.#timer);
    await this.#link?.close();
    await this.#attempt;
  }

  #set(status: UpstreamStatus): void {
    this.status = status;
    this.changes.notify();
  }

  #start(): void {
    clearTimeout(this.#timer);
    if (this.#over.signal.aborted) return;
    this.#attempt = this.#connect().finally(() => (this.#attempt = null));
  }

  async #connect(): Promise<void> {
    const { signal } = this.#over;
    let link: Link | null = null;
    try {
      const made: Link = new Link({
        ...this.options,
        calls: this.#calls,
        pages: this.#pages,
        isNewEra: this.#isNewEra,
        onListChange: runOneAtATime(() => this.#listTools(made)),
        onOffersChange: () => listOffers(),
        onUpdate: (uri) => this.#follows.noteUpdated(uri),
        onTrouble: () => void this.#probe(made, made.problem),
        onEnd: () => this.#drop(made, made.problem),
      });
      const listOffers = runOneAtATime(() => this.#listOffers(made));
      link = made;
      // The end of the source ends this attempt.
      this.#link = made;
      await made.connect(signal);
      const tools = await made.list(signal);
      if (this.#link !== made || signal.aborted) throw new Error(made.problem);
      this.tools = tools;
      this.#readyAt = performance.now();
      this.#set({ state: 'ready', problem: null });
      if (made.hasUpdates)
        this.#follows.connected(made, (thrown) =>
          this.options.logger.warn({ upstream: this.id, err: thrown }, 'a resource is no longer followed'),
        );
      listOffers();
    } catch (thrown) {
      if (this.#link === link) this.#link = null;
      await link?.close();
      if (!this.#isNewEra && refusesSessions(thrown)) {
        this.#isNewEra = true;
        return this.#connect();
      }
      this.#isNewEra = false;
      this.#noteFailed(
        thrown instanceof SpillwayError
          ? thrown.message.replace(/\.$/, '')
          : (link?.problem ?? reasonOf(thrown)),
        thrown,
      );
    }
  }

  #noteFailed(why: string, thrown?: unknown): void {
    const { signal } = this.#over;
    if (signal.aborted) return;
    this.#refusal = needsPerson(thrown) ? thrown : null;
    const known = thrown === undefined || why !== 'the connection has ended' ? why : reasonOf(thrown);
    const delayMs = Math.min(RETRY_MAX_MS, RETRY_FIRST_MS * 2 ** this.#failures);
    this.#failures += 1;
    const cause = beginningOf(this.options.redact.json(known), CAUSE_LENGTH);
    this.options.logger.warn(
      { upstream: this.id, retry_ms: delayMs },
      `an upstream is not connected: ${cause}`,
    );
    this.#timer = setTimeout(() => this.#start(), delayMs);
    this.#timer.unref();
    this.#set({ state: 'failed', problem: cause });
  }

  async #listTools(link: Link): Promise<void> {
    if (this.#link !== link) return;
    try {
      const tools = await link.list(this.#over.signal);
      if (this.#link !== link) return;
      this.tools = tools;
      this.changes.notify();
    } catch (thrown) {
      // It may now lead back to us.
      if (needsPerson(thrown)) this.#drop(link, thrown.message, thrown);
      else this.options.logger.warn({ upstream: this.id, err: thrown }, 'a list of tools failed');
    }
  }

  async #listOffers(link: Link): Promise<void> {
    try {
      const offers = await link.offers(this.#over.signal);
      if (this.#link !== link) return;
      this.offers = offers;
      this.changes.notify();
    } catch (thrown) {
      if (this.#link === link)
        this.options.logger.warn({ upstream: this.id, err: thrown }, 'a list of resources or prompts failed');
    }
  }

  /** Begins a new session, as MCP requires when one is over. @throws SpillwayError `upstream_error` */
  #renewLink(link: Link, signal: AbortSignal): Promise<Link> {
    if (this.#link === link) {
      this.#link = null;
      this.status = { state: 'starting', problem: null };
      void link.close();
      this.#start();
    }
    return this.#ready(signal);
  }

  /** @throws SpillwayError `upstream_error` that says why it is not there */
  async #ready(signal: AbortSignal): Promise<Link> {
    if (this.#attempt !== null) await waitAtMost(this.#attempt, READY_WAIT_MS, signal);
    if (this.#link !== null && this.status.state === 'ready') return this.#link;
    throw this.away();
  }

  away(): SpillwayError {
    return notConnected(this.id, this.status.problem, this.#refusal);
  }

  /** The reason why a request other than a call was not answered. */
  #refusalOf(thrown: unknown, link: Link, signal: AbortSignal): unknown {
    if (signal.aborted) return signal.reason;
    if (!isMissing(thrown)) return this.#pageRequired(thrown) ?? this.#failureOf(thrown, link);
    const message = `The upstream ${this.id} has no such resource.`;
    return new SpillwayError('resource_not_found', message, { cause: thrown });
  }

  #pageRequired(thrown: unknown, context?: CallContext): SpillwayError | null {
    return thrown instanceof ProtocolError && thrown.code === ProtocolErrorCode.UrlElicitationRequired
      ? this.#pages.askPages(thrown.data, context?.pages)
      : null;
  }

  #failureOf(thrown: unknown, link: Link): SpillwayError {
    if (thrown instanceof SpillwayError) return thrown;
    const { timeoutMs } = this.options.entry;
    const isRefusal = isAnswer(thrown);
    if (thrown instanceof SdkError && thrown.code === SdkErrorCode.RequestTimeout) {
      void this.#probe(link);
      return new SpillwayError('timeout', `The upstream ${this.id} did not answer within ${timeoutMs} ms.`, {
        hint: 'Call again; if it stays slow, raise timeoutMs of its entry in spillway.json.',
      });
    }
    const why: string = this.options.redact.json(reasonOf(thrown));
    if (!isRefusal) void this.#probe(link, why);
    return new SpillwayError(
      'upstream_error',
      `The upstream ${this.id} ${isRefusal ? 'refused' : 'failed'}: ${beginningOf(why, CAUSE_LENGTH)}.`,
      { cause: thrown, quotes: `the upstream ${this.id}` },
    );
  }

  /**
   * Restarts an upstream that does not answer. If it answers, only one call has failed, and it keeps the
   * others.
   */
  async #probe(link: Link, why = 'it does not answer'): Promise<void> {
    if (this.#isProbing || this.#link !== link || this.#attempt !== null) return;
    this.#isProbing = true;
    try {
      await link.request('ping', {}, { signals: [this.#over.signal], timeoutMs: PING_TIMEOUT_MS });
    } catch (thrown) {
      if (isAnswer(thrown)) return;
      this.#drop(link, why);
    } finally {
      this.#isProbing = false;
    }
  }

  /** A good connection is over. */
  #drop(link: Link, why: string, thrown?: unknown): void {
    if (this.#link !== link || this.#attempt !== null) return;
    this.#link = null;
    // Children that the process left behind.
    void link.close();
    if (performance.now() - this.#readyAt > STABLE_MS) this.#failures = 0;
    this.#noteFailed(why, thrown);
  }
}

/** Runs work whenever it is asked for, one run at a time: of several requests during a run, one more run follows. */
function runOneAtATime(work: () => Promise<void>): () => void {
  let [isWanted, isRunning] = [false, false];
  const run = async (): Promise<void> => {
    isRunning = true;
    while (isWanted) {
      isWanted = false;
      await work();
    }
    isRunning = false;
  };
  return () => {
    isWanted = true;
    if (!isRunning) void run();
  };
}
