import { SpillwayError, isErrorCode, type ErrorCode } from '../../../shared/errors.ts';
import type { FromPage, ToPage } from '../../page/protocol.ts';

/** How long to wait for an answer, and what it means when none comes. */
export interface Patience {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Raised when the time is over. */
  readonly code: ErrorCode;
  readonly message: string;
}

interface Inbox {
  readonly queue: FromPage[];
  wake: (() => void) | null;
}

/** One document's port: requests and their answers by id, every wait with a deadline and a signal. */
export class PageChannel {
  readonly documentId: string;
  readonly #port: chrome.runtime.Port;
  readonly #inboxes = new Map<number, Inbox>();
  #isClosed = false;

  constructor(port: chrome.runtime.Port) {
    this.#port = port;
    this.documentId = port.sender?.documentId ?? '';
    port.onMessage.addListener((message: FromPage) => this.#receive(message));
    port.onDisconnect.addListener(() => this.#close());
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  #receive(message: FromPage): void {
    const inbox = this.#inboxes.get(message.id);
    if (inbox === undefined) return;
    inbox.queue.push(message);
    inbox.wake?.();
  }

  #close(): void {
    this.#isClosed = true;
    for (const inbox of this.#inboxes.values()) inbox.wake?.();
  }

  open(id: number): void {
    this.#inboxes.set(id, { queue: [], wake: null });
  }

  /** Ends a request; the page forgets what it kept for it. */
  release(id: number): void {
    if (!this.#inboxes.delete(id) || this.#isClosed) return;
    this.post({ type: 'cancel', id });
  }

  post(message: ToPage): void {
    if (this.#isClosed) return;
    try {
      this.#port.postMessage(message);
    } catch {
      this.#close(); // The document went away; its onDisconnect is under way.
    }
  }

  /**
   * The next answer to request `id`.
   *
   * @throws SpillwayError what the page reported; `patience.code` at the deadline; `page_changed`
   * when the document is gone
   */
  async receive(id: number, patience: Patience): Promise<Exclude<FromPage, { type: 'failed' }>> {
    const inbox = this.#inboxes.get(id);
    if (inbox === undefined) throw new SpillwayError('internal_error', `Page request ${id} is not open.`);
    if (inbox.queue.length === 0 && !this.#isClosed) await this.#wait(inbox, patience);
    patience.signal.throwIfAborted();
    const message = inbox.queue.shift();
    if (message === undefined) {
      if (this.#isClosed) throw new SpillwayError('page_changed', 'The page went away while it was read.');
      throw new SpillwayError(patience.code, patience.message);
    }
    if (message.type !== 'failed') return message;
    throw new SpillwayError(isErrorCode(message.code) ? message.code : 'internal_error', message.message);
  }

  async #wait(inbox: Inbox, { timeoutMs, signal }: Patience): Promise<void> {
    if (signal.aborted) return;
    await new Promise<void>((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', done);
        inbox.wake = null;
        resolve();
      };
      const timer = setTimeout(done, timeoutMs);
      signal.addEventListener('abort', done, { once: true });
      inbox.wake = done;
    });
  }
}
