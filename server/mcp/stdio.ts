import type { Readable, Writable } from 'node:stream';
import { z } from 'zod';
import { defer, waitAtMost } from '../../shared/base/async.ts';
import { describeIssues, jsonIn } from '../../shared/base/json-schema.ts';
import { isObject } from '../../shared/base/json.ts';
import { edgesOf, MessageBytes, type ReceivedMessage } from '../core/message-bytes.ts';
import { VALUES_MAX } from '../core/calls/turns.ts';
import { hasMoreValues } from '../core/slices.ts';
import {
  Channel,
  Id,
  isOfEra2026,
  Notification,
  Request,
  Response,
  RPC_CODE,
  type JSONRPCErrorResponse,
  type JSONRPCRequest,
  type McpServerOptions,
  type Message,
  type RequestId,
} from './rpc.ts';

const Cancelled = z.object({
  method: z.literal('notifications/cancelled'),
  params: z.looseObject({ requestId: Id.optional() }),
});

/** Clients write the id of a request before its params, or last. */
const IDS = [
  /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?(?:"method"\s*:\s*"[^"\\]*"\s*,\s*)?"id"\s*:\s*("[^"\\]*"|\d+)\s*,/,
  /,\s*"id"\s*:\s*("[^"\\]*"|\d+)\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/,
];

function idIn(line: string): unknown {
  const id = IDS.map((written) => written.exec(line)?.[1]).find((found) => found !== undefined);
  return jsonIn(id ?? '');
}

/** A client's line: a message of the protocol, or the reply to an invalid one. */
type Received = { readonly message: Message } | { readonly replies: readonly JSONRPCErrorResponse[] };

const NOTHING: Received = { replies: [] };

/**
 * Reads one line. Anything that looks like a request is answered, with its id if that is valid. The protocol
 * has no batches, so each request of a batch is refused by its own id.
 * @param maxBytes of a line
 */
export function readMessage({ text: line, isTooLarge }: ReceivedMessage, maxBytes: number): Received {
  if (!isTooLarge && line.trim() === '') return NOTHING;
  const limit = isTooLarge
    ? `${maxBytes} bytes`
    : hasMoreValues(line, VALUES_MAX)
      ? `${VALUES_MAX} values`
      : null;
  if (limit !== null)
    return refuse(RPC_CODE.invalidRequest, `A message may have ${limit}.`, idOf({ id: idIn(edgesOf(line)) }));
  const value = jsonIn(line);
  if (value === undefined) return refuse(RPC_CODE.parseError, 'The line is not JSON.');
  if (Array.isArray(value)) return { replies: value.flatMap(refuseEntry) };
  if (!isObject(value)) return refuse(RPC_CODE.invalidRequest, 'A message is an object.');
  return readObject(value);
}

const parseReceived = ({ data }: { readonly data?: Message | undefined }): Received =>
  data === undefined ? NOTHING : { message: data };

function readObject(value: Readonly<Record<string, unknown>>): Received {
  if (!('method' in value) && ('result' in value || 'error' in value))
    return parseReceived(Response.safeParse(value));
  if (!('id' in value)) return parseReceived(Notification.safeParse(value));
  const request = Request.safeParse(value);
  if (request.success) return parseReceived(request);
  const { issues } = request.error;
  const isParams = issues.every(({ path }) => path[0] === 'params');
  const code = isParams ? RPC_CODE.invalidParams : RPC_CODE.invalidRequest;
  return refuse(code, `${describeIssues(issues.slice(0, 5), 'request')}.`, idOf(value));
}

function refuseEntry(entry: unknown): readonly JSONRPCErrorResponse[] {
  if (!isObject(entry) || !('id' in entry) || !('method' in entry)) return [];
  const message = 'Batches are not supported: send one message per line.';
  return [errorResponse(RPC_CODE.invalidRequest, message, idOf(entry))];
}

const refuse = (code: number, message: string, id?: RequestId): Received => ({
  replies: [errorResponse(code, message, id)],
});

const errorResponse = (code: number, message: string, id: RequestId | undefined): JSONRPCErrorResponse => ({
  jsonrpc: '2.0',
  ...(id === undefined ? {} : { id }),
  error: { code, message },
});

const idOf = ({ id }: { readonly id?: unknown }): RequestId | undefined => Id.safeParse(id).data;

/** The longest message of a client. */
const MAX_MESSAGE_BYTES = 10 * 1024 * 1024;
/** Unread answers to a client, beyond which its next messages are left unread. */
const MAX_UNREAD_BYTES = 8 * 1024 * 1024;
/** Calls that run at once; the next ones wait, which bounds the answers that a client has to read. */
const MAX_CALLS = 64;
/** Bytes of the calls that run; a call that would add too much waits, unless it is alone. */
const MAX_RUNNING_BYTES = 64 * 1024 * 1024;
/** Waiting calls and their bytes, beyond which the client's next messages are left unread. */
const MAX_WAITING = 10_000;
const MAX_WAITING_BYTES = 32 * 1024 * 1024;
/** A client that reads nothing for this long counts as dead. */
const MAX_BLOCKED_MS = 300_000;
/** Requests that end with their client. */
const LASTING: readonly string[] = ['tools/call', 'tasks/result', 'subscriptions/listen'];
/** For the answers to a client that has closed its end, as a pipe in a shell does. */
const LAST_ANSWERS_MS = 1_000;

/**
 * JSON-RPC over stdin and stdout. Unlike the SDK's transport, it answers a malformed request with its id, a
 * message that is too long costs only itself, and it does not buffer for a client that calls without reading:
 * its input waits.
 */
export class StdioTransport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: Message) => void;
  readonly #lines = new MessageBytes(MAX_MESSAGE_BYTES);
  readonly #running = new Map<RequestId, { readonly bytes: number }>();
  readonly #waiting = new Map<RequestId, { readonly request: JSONRPCRequest; readonly bytes: number }>();
  /** The other requests without an answer. */
  readonly #asked = new Set<RequestId>();
  #answered = defer<void>();
  #blocked: NodeJS.Timeout | undefined;
  #isClosed = false;

  /** @param streams the client's end of the pipes */
  constructor(private readonly streams: { readonly input: Readable; readonly output: Writable }) {}

  async start(): Promise<void> {
    const { input, output } = this.streams;
    input.on('data', this.#read);
    output.on('drain', this.#drained);
  }

  /** Resolves when the message was written, or the pipe broke. */
  send(message: Message): Promise<void> {
    const { output } = this.streams;
    const line = `${JSON.stringify(message)}\n`;
    const written = new Promise<void>((resolve) => output.write(line, () => resolve()));
    if (!('method' in message) && message.id !== undefined) this.#noteEnded(message.id);
    this.#flow();
    return written;
  }

  /**
   * Resolves when every request that does not end with its client is answered, or after a second.
   * @param loaded resolves when there is something that answers: the second begins then
   */
  async awaitAnswered(loaded: Promise<unknown>): Promise<void> {
    await loaded;
    if (this.#asked.size > 0) await waitAtMost(this.#answered.promise, LAST_ANSWERS_MS);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const { input, output } = this.streams;
    input.off('data', this.#read);
    output.off('drain', this.#drained);
    input.pause();
    this.#clearBlocked();
    this.#waiting.clear();
    this.onclose?.();
  }

  readonly #read = (chunk: Buffer): void => {
    for (const line of this.#lines.lines(chunk)) {
      if (this.#isClosed) return;
      const received = readMessage(line, MAX_MESSAGE_BYTES);
      if ('message' in received) this.#receive(received.message, line.text.length);
      else for (const reply of received.replies) void this.send(reply);
    }
    this.#flow();
  };

  #receive(message: Message, bytes: number): void {
    if ('id' in message && 'method' in message && message.method === 'tools/call') {
      // Repeated while it is pending: it is done once, and both get the one answer.
      if (this.#running.has(message.id) || this.#waiting.has(message.id)) return;
      this.#waiting.set(message.id, { request: message, bytes });
      this.#startWaiting();
      return;
    }
    if ('id' in message && 'method' in message && !LASTING.includes(message.method))
      this.#asked.add(message.id);
    const cancelled = Cancelled.safeParse(message).data?.params.requestId;
    // A call that has not started needs no more than this.
    if (cancelled !== undefined && this.#waiting.delete(cancelled)) return;
    this.onmessage?.(message);
    // A cancelled request is never answered, so its place is free at once.
    if (cancelled !== undefined) this.#noteEnded(cancelled);
  }

  #noteEnded(id: RequestId): void {
    if (this.#asked.delete(id) && this.#asked.size === 0) {
      this.#answered.resolve();
      this.#answered = defer();
    }
    if (this.#running.delete(id)) this.#startWaiting();
  }

  #startWaiting(): void {
    let runningBytes = bytesOf(this.#running);
    for (const [id, { request, bytes }] of this.#waiting) {
      if (this.#running.size >= MAX_CALLS || this.#isUnread()) return;
      if (this.#running.size > 0 && runningBytes + bytes > MAX_RUNNING_BYTES) continue;
      runningBytes += bytes;
      this.#waiting.delete(id);
      this.#running.set(id, { bytes });
      this.onmessage?.(request);
    }
  }

  #isUnread(): boolean {
    return this.streams.output.writableLength > MAX_UNREAD_BYTES;
  }

  /** Reads on, or leaves the client's next messages in the pipe. */
  #flow(): void {
    if (this.#isClosed) return;
    const isUnread = this.#isUnread();
    const isFull = this.#waiting.size > MAX_WAITING || bytesOf(this.#waiting) > MAX_WAITING_BYTES;
    if (isUnread || isFull) this.streams.input.pause();
    else this.streams.input.resume();
    if (isUnread === (this.#blocked !== undefined)) return;
    if (isUnread) this.#blocked = setTimeout(this.#giveUp, MAX_BLOCKED_MS).unref();
    else this.#clearBlocked();
  }

  readonly #giveUp = (): void => {
    this.onerror?.(new Error('The client does not read its answers.'));
    void this.close();
  };

  readonly #drained = (): void => {
    this.#startWaiting();
    this.#flow();
  };

  #clearBlocked(): void {
    clearTimeout(this.#blocked);
    this.#blocked = undefined;
  }
}

function bytesOf(calls: ReadonlyMap<RequestId, { readonly bytes: number }>): number {
  let sum = 0;
  for (const { bytes } of calls.values()) sum += bytes;
  return sum;
}

/** Serves one client on stdin and stdout. Nothing else may write to stdout from here on. */
export async function serveStdio(options: McpServerOptions) {
  const wire = new StdioTransport({ input: process.stdin, output: process.stdout });
  const connection = new StdioConnection(wire, options);
  const ended = new Promise<string>((resolve) => {
    const noteClosed = (): void =>
      void wire.awaitAnswered(connection.loaded).then(() => resolve('the client closed stdin'));
    process.stdin.once('end', noteClosed);
    process.stdin.once('close', noteClosed);
    process.stdin.on('error', () => resolve('stdin broke'));
    process.stdout.on('error', () => resolve('stdout broke'));
    // The transport closes if its client has not read for minutes.
    wire.onclose = () => {
      connection.noteClosed();
      resolve('the transport closed');
    };
  });
  await wire.start();
  return {
    /** Resolves when the client has disconnected: its end of stdin closed, or stdout broke. */
    ended,
    /** Cancels pending calls. Idempotent. */
    close: (): Promise<void> => connection.close(),
  };
}

interface Served {
  readonly isNew: boolean;
  readonly channel: Channel;
  close(): Promise<void>;
}

/**
 * One connection, whose first message determines its era. A client that has only asked for the new era's
 * features may switch to the old one by initialising.
 */
class StdioConnection {
  #served: Served | null = null;
  /** Resolves when the last adapter that was needed has loaded. */
  loaded: Promise<unknown> = Promise.resolve();
  /** Messages that arrive while an adapter loads. */
  #waiting: Message[] | null = null;

  constructor(
    private readonly wire: StdioTransport,
    private readonly options: McpServerOptions,
  ) {
    wire.onmessage = (message) => this.#receive(message);
    wire.onerror = (error) => this.#served?.channel.onerror?.(error);
  }

  noteClosed(): void {
    this.#served?.channel.onclose?.();
  }

  close(): Promise<void> {
    return this.#served?.close() ?? this.wire.close();
  }

  #receive(message: Message): void {
    if (this.#waiting !== null) {
      this.#waiting.push(message);
      return;
    }
    const served = this.#served;
    const isOpening = 'method' in message && message.method === 'initialize';
    if (served !== null && !(served.isNew && isOpening && !isOfEra2026(message))) {
      served.channel.onmessage?.(message);
      return;
    }
    this.#waiting = [message];
    this.loaded = this.#open(isOfEra2026(message)).catch((thrown: unknown) => {
      this.options.logger.error({ err: thrown }, 'an adapter did not load');
      void this.wire.close();
    });
  }

  async #open(isNew: boolean): Promise<void> {
    const left = this.#served;
    if (left !== null) {
      left.channel.isLeft = true;
      await left.close();
    }
    const channel = new Channel(this.wire);
    const open = isNew
      ? (await import('./era-2026/server.ts')).serveChannel
      : (await import('./era-2025/server.ts')).serveChannel;
    this.#served = { isNew, channel, close: await open(channel, this.options) };
    const waiting = this.#waiting ?? [];
    this.#waiting = null;
    for (const message of waiting) this.#receive(message);
  }
}
