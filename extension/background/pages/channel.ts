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

/** What any message of a content script has. */
export interface PageMessage {
  readonly type: string;
  readonly id: number;
}

interface Inbox<From> {
  readonly queue: From[];
  wake: (() => void) | null;
}

/**
 * One document's port: requests and their answers by id, every wait with a deadline and a signal.
 * Every content script of ours takes `cancel` and answers `failed`; the rest is its own.
 */
export class PageChannel<To extends PageMessage = ToPage, From extends PageMessage = FromPage> {
  readonly documentId: string;
  readonly #port: chrome.runtime.Port;
  readonly #inboxes = new Map<number, Inbox<From>>();
  #isClosed = false;

  constructor(port: chrome.runtime.Port) {
    this.#port = port;
    this.documentId = port.sender?.documentId ?? '';
    port.onMessage.addListener((message: From) => this.#receive(message));
    port.onDisconnect.addListener(() => this.#close());
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  #receive(message: From): void {
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
      this.#close(); // The document went away; its onDisconnect is under way.
    }
  }

  /**
   * The next answer to request `id`.
   *
   * @throws SpillwayError what the page reported; `patience.code` at the deadline; `page_changed`
   * when the document is gone
   */
  async receive(id: number, patience: Patience): Promise<Exclude<From, { type: 'failed' }>> {
    const inbox = this.#inboxes.get(id);
    if (inbox === undefined) throw new SpillwayError('internal_error', `Page request ${id} is not active.`);
    if (inbox.queue.length === 0 && !this.#isClosed) await this.#wait(inbox, patience);
    patience.signal.throwIfAborted();
    const message = inbox.queue.shift();
    if (message === undefined) {
      if (this.#isClosed)
        throw new SpillwayError('page_changed', 'The page was closed or navigated during the read.');
      throw new SpillwayError(patience.code, patience.message);
    }
    if (isAnswer(message)) return message;
    const { code, text } = failureOf(message);
    throw new SpillwayError(code, text);
  }

  async #wait(inbox: Inbox<From>, { timeoutMs, signal }: Patience): Promise<void> {
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

function isAnswer<From extends PageMessage>(message: From): message is Exclude<From, { type: 'failed' }> {
  return message.type !== 'failed';
}

function failureOf(message: PageMessage & { readonly code?: unknown; readonly message?: unknown }): {
  code: ErrorCode;
  text: string;
} {
  const { code, message: text } = message;
  return {
    code: typeof code === 'string' && isErrorCode(code) ? code : 'internal_error',
    text: typeof text === 'string' ? text : 'The read failed in the page.',
  };
}
