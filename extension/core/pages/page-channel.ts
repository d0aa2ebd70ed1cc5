import type { Runtime } from 'webextension-polyfill';
import type * as z from 'zod/mini';
import { defer, waitAtMost } from '../../../shared/base/async.ts';
import { SpillwayError, type ErrorCode } from '../../../shared/base/errors.ts';
import type { Failure, FromPage, ToPage } from '../page/protocol.ts';
import { readMessage } from '../ports/read-message.ts';
import { onGone, originOf } from '../../platform/chromium/members.ts';

interface ReceiveOptions {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** For the message at the deadline. Default: The page. */
  readonly name?: string;
}

type Answered<From> = Exclude<From, { readonly type: 'failed' }>;
type AnswerOf<From, Type> = Extract<From, { readonly type: Type }>;

export interface PageMessage {
  readonly type: string;
  readonly id: number;
  readonly code?: ErrorCode;
  readonly message?: string;
  /** The last ref number that a request used. */
  readonly last?: number | undefined;
}

interface Borrowed {
  settle(last: number): void;
}

interface Inbox<From> {
  borrowed: Borrowed | null;
  readonly queue: (From | Failure)[];
  wake: (() => void) | null;
}

/**
 * One document's port: requests and their answers by id, every wait with a deadline and a signal. Every content script
 * of ours accepts `cancel` and answers `failed`; other messages are its own.
 */
export class PageChannel<To extends PageMessage = ToPage, From extends PageMessage = FromPage> {
  readonly tabId: number;
  readonly frameId: number;
  readonly documentId: string;
  readonly url: string;
  /** `null` for an opaque origin; undefined if the browser does not report it. */
  readonly origin: string | undefined;
  readonly #inboxes = new Map<number, Inbox<From>>();
  isClosed = false;
  /** The debugger's name for the script, once it has answered an act's question. */
  scriptId = '';
  #lastId = 0;

  /** @param schema for every message of the page */
  constructor(
    private readonly port: Runtime.Port,
    schema: z.ZodMiniType<From>,
  ) {
    this.tabId = port.sender?.tab?.id ?? -1;
    this.frameId = port.sender?.frameId ?? 0;
    this.documentId = port.sender?.documentId ?? '';
    this.url = port.sender?.url ?? '';
    this.origin = originOf(port);
    port.onMessage.addListener((message) => this.#receive(message, schema));
    onGone(port, () => this.#close());
  }

  /** A malformed answer fails the request that it names. Without an id it is logged and dropped. */
  #receive(data: unknown, schema: z.ZodMiniType<From>): void {
    const received = readMessage(this.port.name, schema, data);
    if (received === null) return;
    const inbox = this.#inboxes.get(received.id);
    if (inbox === undefined) return;
    const message = received.message ?? malformed(received.id);
    if (message.last !== undefined) inbox.borrowed?.settle(message.last);
    inbox.queue.push(message);
    inbox.wake?.();
  }

  /** Ends the port of a document that its frame no longer shows. */
  leave(): void {
    this.port.disconnect();
    this.#close();
  }

  #close(): void {
    this.isClosed = true;
    for (const inbox of this.#inboxes.values()) inbox.wake?.();
  }

  /**
   * Begins a request, and returns its id.
   * @param borrowed settled when an answer reports how much of it was used
   */
  open(borrowed: Borrowed | null = null, id = (this.#lastId += 1)): number {
    this.#inboxes.set(id, { borrowed, queue: [], wake: null });
    return id;
  }

  /** Asks one question and returns its answer. @throws SpillwayError as {@link receive} */
  async ask<Type extends From['type']>(
    question: (id: number) => To,
    type: Type,
    options: ReceiveOptions & { readonly borrowed?: Borrowed | null },
  ): Promise<AnswerOf<From, Type>> {
    const id = this.open(options.borrowed);
    try {
      this.post(question(id));
      return await this.receiveA(type, id, options);
    } finally {
      this.release(id);
    }
  }

  /** Records further numbers lent to the request. */
  lend(id: number, borrowed: Borrowed): void {
    const inbox = this.#inboxes.get(id);
    if (inbox !== undefined) inbox.borrowed = borrowed;
  }

  /** Ends an answered request without state in the page. */
  end(id: number): void {
    this.#inboxes.delete(id);
  }

  /** Ends a request; the page forgets its state. */
  release(id: number): void {
    if (!this.#inboxes.delete(id) || this.isClosed) return;
    this.post({ type: 'cancel', id });
  }

  /** Every content script accepts `cancel`. */
  post(message: To | { readonly type: 'cancel'; readonly id: number }): void {
    if (this.isClosed) return;
    try {
      this.port.postMessage(message);
    } catch {
      this.#close(); // The document went away; its onDisconnect is pending.
    }
  }

  /** The next answer to request `id`, of this type. @throws SpillwayError as {@link receive} */
  async receiveA<Type extends From['type']>(
    type: Type,
    id: number,
    options: ReceiveOptions,
  ): Promise<AnswerOf<From, Type>> {
    const answer: From = await this.receive(id, options);
    if (isOfType(answer, type)) return answer;
    throw new SpillwayError('internal_error', `The page answered ${answer.type} instead of ${type}.`);
  }

  /** The next answer to request `id`. @throws SpillwayError as {@link next}; `page_unresponsive` at the deadline */
  async receive(
    id: number,
    { timeoutMs, signal, name = 'The page' }: ReceiveOptions,
  ): Promise<Answered<From>> {
    const answer = await this.next(id, timeoutMs, signal);
    if (answer !== null) return answer;
    throw new SpillwayError('page_unresponsive', `${name} did not answer within ${timeoutMs} ms.`);
  }

  /**
   * The next answer to request `id`, or null at the time limit.
   * @throws SpillwayError the page's error; `page_changed` if the document no longer exists
   */
  async next(id: number, timeoutMs: number, signal: AbortSignal): Promise<Answered<From> | null> {
    const inbox = this.#inboxes.get(id);
    if (inbox === undefined) throw new SpillwayError('internal_error', `Page request ${id} is not active.`);
    if (inbox.queue.length === 0 && !this.isClosed) {
      const { promise, resolve } = defer<void>();
      inbox.wake = resolve;
      await waitAtMost(promise, timeoutMs, signal).finally(() => (inbox.wake = null));
    }
    signal.throwIfAborted();
    const message = inbox.queue.shift();
    if (message === undefined) {
      if (!this.isClosed) return null;
      throw new SpillwayError('page_changed', 'The page was closed or navigated during the read.');
    }
    if (isAnswer(message)) return message;
    throw new SpillwayError(message.code ?? 'internal_error', message.message ?? 'The page failed.');
  }
}

function isAnswer<From extends PageMessage>(message: From | Failure): message is Answered<From> {
  return message.type !== 'failed';
}

function isOfType<From extends PageMessage, Type extends From['type']>(
  message: From,
  type: Type,
): message is AnswerOf<From, Type> {
  return message.type === type;
}

const malformed = (id: number): Failure => ({
  type: 'failed',
  id,
  code: 'internal_error',
  message: 'The page sent a malformed message.',
});
