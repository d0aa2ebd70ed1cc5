import {
  METHODS,
  type MethodName,
  type MethodParams,
  type MethodResult,
  type StreamMethodName,
  type StreamMethodParams,
} from '../../../shared/core/bridge/methods.ts';
import { type JsonRpc, RpcMessage } from '../../../shared/core/bridge/json-rpc.ts';
import { StreamChunk, type StreamControl } from '../../../shared/core/bridge/streams.ts';
import { SpillwayError, toSpillwayError } from '../../../shared/base/errors.ts';
import { mayQuote } from '../../../shared/base/quoting.ts';
import { LIMITS } from '../../../shared/base/limits.ts';
import type { BridgeCallOptions, BridgeStream, BrowserId } from '../services.ts';
import { isObject } from '../../../shared/base/json.ts';
import { describeIssues } from '../../../shared/base/json-schema.ts';
import { defer, waitAtMost, onAbort } from '../../../shared/base/async.ts';
import { CALL_SCOPE, READ_SITES, ReadSite, type CallScope } from '../../../shared/core/policy/call-facts.ts';
import { z } from 'zod';
import type { HostConnection } from './frames.ts';
import { StreamReceiver } from './stream-receiver.ts';

/** The number of idle times that a reader may leave text waiting before its call is abandoned. */
const READER_IDLE_TIMES = 2;

/** One pending call. The first of these settles it: result, silence, signal, lost connection. */
export class PendingCall {
  readonly #idleTimeoutMs: number;
  readonly #timer: NodeJS.Timeout;
  readonly #settle = defer<unknown>();
  readonly result = this.#settle.promise;
  #stopListening: () => void = () => undefined;
  isSettled = false;
  #isTouched = false;
  #readerIdleTimes = 0;

  /** Called with the error if the call ends before its answer, so that the peer is notified. */
  onGivenUp: ((error: SpillwayError) => void) | null = null;
  /** Called once, however the call ends. */
  onSettled: (() => void) | null = null;

  constructor(
    private readonly method: string,
    options: Partial<BridgeCallOptions>,
    readonly receiver: StreamReceiver | null,
  ) {
    this.#idleTimeoutMs = options.idleTimeoutMs ?? LIMITS.callTimeoutMs;
    // The caller gets the error; a call without a waiter causes no unhandled rejection.
    this.result.catch(() => undefined);
    this.#timer = setTimeout(() => this.#onSilence(), this.#idleTimeoutMs);
    const { signal } = options;
    this.#stopListening = onAbort(signal, () => this.giveUp(toSpillwayError(signal?.reason)));
  }

  /** A sign of life: the idle time restarts. */
  touch(): void {
    this.#isTouched = true;
    this.#readerIdleTimes = 0;
    if (!this.isSettled) this.#timer.refresh();
  }

  resolve(value: unknown): void {
    if (this.#finish()) this.#settle.resolve(value);
  }

  reject(error: SpillwayError): void {
    if (!this.#finish()) return;
    this.receiver?.fail(error);
    this.#settle.reject(error);
  }

  /** Ends the call and tells the other end. */
  giveUp(error: SpillwayError): void {
    if (this.isSettled) return;
    this.onGivenUp?.(error);
    this.reject(error);
  }

  #finish(): boolean {
    if (this.isSettled) return false;
    this.isSettled = true;
    clearTimeout(this.#timer);
    this.#stopListening();
    this.onSettled?.();
    return true;
  }

  /**
   * After a stopped process continues, its timers fire before it has read its input, so one round of reading
   * goes first.
   */
  #onSilence(): void {
    this.#isTouched = false;
    setImmediate(() => {
      if (this.isSettled || this.#isTouched) return;
      if (this.receiver?.hasUnread !== true) {
        const seconds = this.#idleTimeoutMs / 1_000;
        return this.giveUp(new SpillwayError('timeout', `${this.method} sent nothing for ${seconds} s.`));
      }
      this.#readerIdleTimes += 1;
      if (this.#readerIdleTimes < READER_IDLE_TIMES) return void this.#timer.refresh();
      this.giveUp(new SpillwayError('slow_consumer', `The stream of ${this.method} was not read.`));
    });
  }
}

const ReadSites = z.array(ReadSite);

/** The first wire version whose requests name their call. */
const CALLS_SINCE = 2;

/** Time for a browser to receive the stop message. */
const LEAVE_MS = 500;

/** Calls and streams over one proved connection to a browser. */
export class BrowserLink {
  readonly #name: string;
  readonly #rpc: JsonRpc;
  readonly #calls = new Set<PendingCall>();
  readonly #streams = new Map<number, PendingCall>();
  readonly #heartbeat: NodeJS.Timeout;
  #nextStream = 1;
  isClosed = false;
  #hasHeard = true;
  #isProbing = false;

  constructor(
    private readonly options: {
      readonly id: BrowserId;
      readonly connection: HostConnection;
      readonly createRpc: (send: (message: object) => void) => JsonRpc;
      readonly onClose: (link: BrowserLink) => void;
      readonly heard?: (call: CallScope, sites: readonly ReadSite[]) => void;
    },
  ) {
    const { id, connection, createRpc } = options;
    this.#name = `browser ${id}`;
    this.#rpc = createRpc((message) => connection.send(message));
    this.#heartbeat = setInterval(() => this.#beat(), LIMITS.heartbeatIntervalMs).unref();
    connection.listen({
      onMessage: (message) => this.#receive(message),
      onClose: (error) => this.close(error ?? new SpillwayError('browser_disconnected', this.#gone())),
    });
  }

  /** @throws SpillwayError what the extension answered, `timeout`, `cancelled`, `browser_disconnected`. */
  async request<M extends MethodName>(
    method: M,
    params: MethodParams<M>,
    options: Partial<BridgeCallOptions>,
  ): Promise<MethodResult<M>> {
    const call = this.#begin(method, params, options, null);
    return parseResult(method, await call.result);
  }

  /** Requests the stream when it is first read. */
  async *stream<M extends StreamMethodName>(
    method: M,
    params: StreamMethodParams<M>,
    options: Partial<BridgeCallOptions>,
  ): BridgeStream<M> {
    const stream = this.#nextStream++;
    const windowBytes = LIMITS.streamWindowBytes;
    const receiver: StreamReceiver = new StreamReceiver({
      windowBytes,
      grant: (credit) => this.#control({ stream, credit }),
      onTaken: () => this.#streams.get(stream)?.touch(),
    });
    const call = this.#begin(method, { ...params, stream, credit: windowBytes }, options, receiver);
    this.#streams.set(stream, call);
    try {
      yield* receiver.read();
      return parseResult(method, await call.result);
    } finally {
      // Does nothing if the call has ended.
      call.giveUp(new SpillwayError('cancelled', `The reader of ${method} closed the stream.`));
    }
  }

  /**
   * Announces that the server stops, which the browser would otherwise notice only by silence, and closes
   * once that was heard: a host that writes to a closed socket loses unread data. Resolves within half a
   * second.
   */
  async leave(error: SpillwayError): Promise<void> {
    for (const call of [...this.#calls]) call.giveUp(error);
    const heard = this.request('question.leave', {}, { call: null }).catch(() => undefined);
    await waitAtMost(heard, LEAVE_MS);
    this.close(error);
  }

  /** Fails all pending calls with `error`, immediately. Idempotent. */
  close(error: SpillwayError): void {
    if (this.isClosed) return;
    this.isClosed = true;
    clearInterval(this.#heartbeat);
    this.#rpc.dispose(new SpillwayError('browser_disconnected', 'The connection was lost.'));
    this.options.connection.close();
    for (const call of [...this.#calls]) call.reject(error);
    this.options.onClose(this);
  }

  #begin(
    method: MethodName,
    params: object,
    options: Partial<BridgeCallOptions>,
    receiver: StreamReceiver | null,
  ): PendingCall {
    if (this.isClosed) throw new SpillwayError('browser_disconnected', this.#gone());
    options.signal?.throwIfAborted();
    const checked = METHODS[method].params.safeParse(params);
    if (!checked.success)
      throw new SpillwayError(
        'internal_error',
        `${method} was called with invalid arguments: ${describeIssues(checked.error.issues, 'value')}`,
      );
    this.#expectKeptApart(options.call);
    const call = new PendingCall(method, options, receiver);
    this.#calls.add(call);
    const scope =
      options.call == null || this.options.connection.peer.wire < CALLS_SINCE
        ? {}
        : { [CALL_SCOPE]: options.call };
    options.onSend?.();
    const rpc = this.#rpc.call(method, { ...checked.data, ...scope });
    call.onGivenUp = (error) => {
      rpc.cancel();
      // Calls may time out together, or just before a beat: the echo still has a whole interval.
      if (error.code !== 'timeout' || this.#isProbing) return;
      this.#heartbeat.refresh();
      this.#beat();
    };
    call.onSettled = () => this.#forget(call);
    rpc.answer.then(
      (value) => {
        const sites = isObject(value) ? ReadSites.safeParse(value[READ_SITES]).data : undefined;
        if (options.call != null && sites !== undefined) this.options.heard?.(options.call, sites);
        this.#answer(call, method, value);
      },
      (error: unknown) => this.#fail(call, toSpillwayError(error)),
    );
    return call;
  }

  /** An extension that learns of no call asks nobody whether text of one site may come to another. */
  #expectKeptApart(call: CallScope | null | undefined): void {
    const source = call?.call.sources?.find((one) => one.is_private);
    if (source === undefined || this.options.connection.peer.wire >= CALLS_SINCE) return;
    throw new SpillwayError(
      'wire_version_mismatch',
      `The call has text read from ${source.site}, and the extension of ${this.#name} is too old to ask a person about it.`,
      { hint: 'Update the extension: run `spillway install`, and reload Spillway in the browser.' },
    );
  }

  #fail(call: PendingCall, error: SpillwayError): void {
    const { questionId: id } = error;
    // Nobody needs a person's decision on an abandoned call.
    if (call.isSettled && id !== undefined && !this.isClosed)
      this.#begin('question.cancel', { id }, { call: null }, null);
    call.reject(
      error.with({
        // The question belongs to this browser.
        questionId: id === undefined ? undefined : `${this.options.id}:${id}`,
        quotes: mayQuote(error.code) ? (error.quotes ?? this.#name) : undefined,
      }),
    );
  }

  #answer(call: PendingCall, method: MethodName, value: unknown): void {
    if (call.receiver === null || call.receiver.isComplete) call.resolve(value);
    else call.reject(new SpillwayError('stream_corrupt', `${method} answered before its stream had ended.`));
  }

  #forget(call: PendingCall): void {
    this.#calls.delete(call);
    for (const [stream, owner] of this.#streams) if (owner === call) this.#streams.delete(stream);
  }

  #receive(message: unknown): void {
    this.#hasHeard = true;
    if (isObject(message) && 'stream' in message) return this.#receiveChunk(message);
    const rpc = RpcMessage.safeParse(message);
    if (!rpc.success)
      return this.close(buildMalformed('a message that is neither an answer nor part of a stream'));
    this.#rpc.receive(rpc.data);
  }

  #receiveChunk(message: object): void {
    const chunk = StreamChunk.safeParse(message);
    if (!chunk.success)
      return this.close(buildMalformed(`a broken chunk: ${describeIssues(chunk.error.issues, 'value')}`));
    // Chunks of an ended call may still arrive for a moment.
    const call = this.#streams.get(chunk.data.stream);
    if (call === undefined || call.receiver === null) return;
    call.touch();
    try {
      call.receiver.accept(chunk.data);
    } catch (error) {
      call.giveUp(toSpillwayError(error));
    }
  }

  #control(control: StreamControl): void {
    if (!this.isClosed) this.options.connection.send(control);
  }

  /** A stopped host's socket looks healthy, so after an interval of silence an echo is due. */
  #beat(): void {
    const hasHeard = this.#hasHeard;
    this.#hasHeard = false;
    if (hasHeard || this.isClosed) return;
    if (this.#isProbing)
      return this.close(
        new SpillwayError('browser_disconnected', `${this.#name} does not answer heartbeats.`),
      );
    this.#isProbing = true;
    const ended = (): void => void (this.#isProbing = false);
    this.#rpc.call('bridge.echo', { value: '' }).answer.then(ended, ended);
  }

  #gone(): string {
    return `The connection to ${this.#name} was lost.`;
  }
}

function parseResult<M extends MethodName>(method: M, value: unknown): MethodResult<M> {
  const parsed = METHODS[method].result.safeParse(value);
  if (!parsed.success)
    throw new SpillwayError(
      'internal_error',
      `${method} returned an invalid answer: ${describeIssues(parsed.error.issues, 'value')}`,
    );
  // The schema of the method's row has just accepted it.
  return parsed.data as MethodResult<M>;
}

function buildMalformed(what: string): SpillwayError {
  return new SpillwayError('frame_malformed', `The extension sent ${what}.`);
}
