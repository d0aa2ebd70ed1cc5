import type { Readable, Writable } from 'node:stream';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  CancelledNotificationSchema,
  isJSONRPCRequest,
  type JSONRPCMessage,
  type JSONRPCRequest,
  type RequestId,
} from '@modelcontextprotocol/sdk/types.js';
import { LineReader } from './line-reader.ts';
import { readMessage } from './read-message.ts';

/** The longest message of a client. */
const MAX_MESSAGE_BYTES = 10 * 1024 * 1024;
/** Answers that wait for a client that does not read, before its next messages are left unread. */
const MAX_UNREAD_BYTES = 8 * 1024 * 1024;
/** Calls that run at once; the next ones wait, which bounds the answers that a client has to read. */
const MAX_CALLS = 64;
/** Calls that wait, before the client's next messages are left unread. */
const MAX_WAITING = 10_000;
/** A client that has read nothing for so long is taken for dead. */
const MAX_BLOCKED_MS = 300_000;

/** The client's end of the pipes. */
export interface StdioStreams {
  readonly input: Readable;
  readonly output: Writable;
}

/**
 * JSON-RPC over stdin and stdout. In contrast to the SDK's transport, a malformed request is answered
 * with its id, a message that is too long costs only itself, and a client that keeps calling without
 * reading is not buffered for: its input waits.
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #lines = new LineReader(MAX_MESSAGE_BYTES);
  readonly #running = new Set<RequestId>();
  readonly #waiting = new Set<JSONRPCRequest>();
  #blocked: NodeJS.Timeout | null = null;
  #isClosed = false;

  constructor(private readonly streams: StdioStreams) {}

  start(): Promise<void> {
    const { input, output } = this.streams;
    input.on('data', this.#read);
    output.on('drain', this.#drained);
    return Promise.resolve();
  }

  /** Resolves when the message was written, or the pipe broke. */
  send(message: JSONRPCMessage): Promise<void> {
    const { output } = this.streams;
    const written = new Promise<void>((resolve) =>
      output.write(`${JSON.stringify(message)}\n`, () => resolve()),
    );
    if (!('method' in message) && message.id !== undefined) this.#ended(message.id);
    this.#flow();
    return written;
  }

  close(): Promise<void> {
    if (this.#isClosed) return Promise.resolve();
    this.#isClosed = true;
    const { input, output } = this.streams;
    input.off('data', this.#read);
    output.off('drain', this.#drained);
    input.pause();
    this.#clearBlocked();
    this.#waiting.clear();
    this.onclose?.();
    return Promise.resolve();
  }

  readonly #read = (chunk: Buffer): void => {
    for (const line of this.#lines.push(chunk)) {
      if (this.#isClosed) return;
      const received = readMessage(line, MAX_MESSAGE_BYTES);
      if ('message' in received) this.#receive(received.message);
      else for (const reply of received.replies) void this.send(reply);
    }
    this.#flow();
  };

  #receive(message: JSONRPCMessage): void {
    if (isJSONRPCRequest(message) && message.method === 'tools/call') {
      // Sent again while it is pending: it is not done twice, and the one answer is for both.
      if (this.#isPending(message.id)) return;
      this.#waiting.add(message);
      this.#startWaiting();
      return;
    }
    const cancelled = CancelledNotificationSchema.safeParse(message).data?.params.requestId;
    if (cancelled !== undefined && this.#forget(cancelled)) return;
    this.onmessage?.(message);
    // A cancelled request is never answered: its place is free at once.
    if (cancelled !== undefined) this.#ended(cancelled);
  }

  #isPending(id: RequestId): boolean {
    return this.#running.has(id) || [...this.#waiting].some((request) => request.id === id);
  }

  /** Removes a call that has not started. */
  #forget(id: RequestId): boolean {
    for (const request of this.#waiting) if (request.id === id) return this.#waiting.delete(request);
    return false;
  }

  #ended(id: RequestId): void {
    if (this.#running.delete(id)) this.#startWaiting();
  }

  #startWaiting(): void {
    for (const request of this.#waiting) {
      if (this.#running.size >= MAX_CALLS || this.#isUnread()) return;
      this.#waiting.delete(request);
      this.#running.add(request.id);
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
    if (isUnread || this.#waiting.size > MAX_WAITING) this.streams.input.pause();
    else this.streams.input.resume();
    if (isUnread === (this.#blocked !== null)) return;
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
    if (this.#blocked !== null) clearTimeout(this.#blocked);
    this.#blocked = null;
  }
}
