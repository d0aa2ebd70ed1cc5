import { onGone } from '../chromium/last-error.ts';
import type { Runtime } from 'webextension-polyfill';
import { waitAtMost } from '../../../shared/async/wait.ts';
import type * as z from 'zod/mini';
import { SpillwayError, type ErrorCode } from '../../../shared/errors.ts';
import type { Failure, FromPage, ToPage } from '../../page/protocol.ts';
import { originOf } from '../chromium/members.ts';
import { readMessage } from '../../ports/read-message.ts';

/** How long to wait for an answer, and what it means when none comes. */
export interface ReceiveOptions {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Raised when the time is over. */
  readonly code: ErrorCode;
  readonly message: string;
}

/** What any message of a content script has. */
export interface PageMessage {
  readonly type: string;
  readonly id: number;
  /** Of `failed`. */
  readonly code?: ErrorCode;
  readonly message?: string;
  /** The last number that a request used for refs. */
  readonly last?: number | undefined;
}

/** What a request borrowed, see `RefBook`. */
interface Borrowed {
  settle(last: number): void;
}

interface Inbox<From> {
  borrowed: Borrowed | null;
  readonly queue: (From | Failure)[];
  wake: (() => void) | null;
}

/**
 * One document's port: requests and their answers by id, every wait with a deadline and a signal.
 * Every content script of ours takes `cancel` and answers `failed`; the rest is its own.
 */
export class PageChannel<To extends PageMessage = ToPage, From extends PageMessage = FromPage> {
  readonly tabId: number;
  readonly frameId: number;
  readonly documentId: string;
  /** Of the document when it opened its port. */
  readonly url: string;
  /** `null` for a document without one; undefined where the browser does not say. */
  readonly origin: string | undefined;
  readonly #port: Runtime.Port;
  readonly #inboxes = new Map<number, Inbox<From>>();
  #isClosed = false;

  /** @param schema what every message of the page is parsed with */
  constructor(port: Runtime.Port, schema: z.ZodMiniType<From>) {
    this.#port = port;
    this.tabId = port.sender?.tab?.id ?? -1;
    this.frameId = port.sender?.frameId ?? 0;
    this.documentId = port.sender?.documentId ?? '';
    this.url = port.sender?.url ?? '';
    this.origin = originOf(port);
    port.onMessage.addListener((message) => this.#receive(message, schema));
    onGone(port, () => this.#close());
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** A malformed answer fails the request that it names. One without an id is logged and dropped. */
  #receive(data: unknown, schema: z.ZodMiniType<From>): void {
    const received = readMessage(this.#port.name, schema, data);
    if (received === null) return;
    const inbox = this.#inboxes.get(received.id);
    if (inbox === undefined) return;
    const message = received.message ?? malformed(received.id);
    if (message.last !== undefined) inbox.borrowed?.settle(message.last);
    inbox.queue.push(message);
    inbox.wake?.();
  }

  #close(): void {
    this.#isClosed = true;
    for (const inbox of this.#inboxes.values()) inbox.wake?.();
  }

  /** @param borrowed is settled when an answer says how much of it was used */
  open(id: number, borrowed: Borrowed | null = null): void {
    this.#inboxes.set(id, { borrowed, queue: [], wake: null });
  }

  /** The request has borrowed more. */
  lend(id: number, borrowed: Borrowed): void {
    const inbox = this.#inboxes.get(id);
    if (inbox !== undefined) inbox.borrowed = borrowed;
  }

  /** Ends a request; the page forgets what it kept for it. */
  release(id: number): void {
    if (!this.#inboxes.delete(id) || this.#isClosed) return;
    this.#send({ type: 'cancel', id });
  }

  post(message: To): void {
    this.#send(message);
  }

  #send(message: PageMessage): void {
    if (this.#isClosed) return;
    try {
      this.#port.postMessage(message);
    } catch {
      this.#close(); // The document went away; its onDisconnect is pending.
    }
  }

  /**
   * The next answer to request `id`.
   *
   * @throws SpillwayError what the page reported; `options.code` at the deadline; `page_changed`
   * when the document no longer exists
   */
  async receive(id: number, options: ReceiveOptions): Promise<Exclude<From, { type: 'failed' }>> {
    const inbox = this.#inboxes.get(id);
    if (inbox === undefined) throw new SpillwayError('internal_error', `Page request ${id} is not active.`);
    if (inbox.queue.length === 0 && !this.#isClosed) await this.#wait(inbox, options);
    options.signal.throwIfAborted();
    const message = inbox.queue.shift();
    if (message === undefined) {
      if (this.#isClosed)
        throw new SpillwayError('page_changed', 'The page was closed or navigated during the read.');
      throw new SpillwayError(options.code, options.message);
    }
    if (isAnswer(message)) return message;
    throw new SpillwayError(message.code ?? 'internal_error', message.message ?? 'The page failed.');
  }

  async #wait(inbox: Inbox<From>, { timeoutMs, signal }: ReceiveOptions): Promise<void> {
    const woken = new Promise<void>((resolve) => (inbox.wake = resolve));
    try {
      await waitAtMost(woken, timeoutMs, signal);
    } finally {
      inbox.wake = null;
    }
  }
}

function isAnswer<From extends PageMessage>(
  message: From | Failure,
): message is Exclude<From, { type: 'failed' }> {
  return message.type !== 'failed';
}

const malformed = (id: number): Failure => ({
  type: 'failed',
  id,
  code: 'internal_error',
  message: 'The page sent a malformed message.',
});
