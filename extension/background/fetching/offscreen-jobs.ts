import browser, { type Runtime } from 'webextension-polyfill';
import { waitAtMost } from '../../../shared/async/wait.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import { ensureOffscreen } from '../chromium/offscreen.ts';
import { isOwnPage } from '../own-page.ts';
import {
  FromOffscreen,
  PAGES_PORT,
  type FetchJob,
  type FetchedPage,
  type FileHead,
  type ToOffscreen,
} from '../../offscreen/protocol.ts';
import { readMessage } from '../../ports/read-message.ts';

const OFFSCREEN_PAGE = 'offscreen/offscreen.html';
/** Time for the offscreen document to open and connect. */
const CONNECT_MS = 5_000;
/** Time beyond a job's own deadline, to parse the page and those queued before it. */
const PARSE_MS = 30_000;

type Part = Extract<FromOffscreen, { type: 'part' }>;

interface Waiting {
  readonly inbox: FromOffscreen[];
  wake: () => void;
}

/**
 * The worker's end of the offscreen document's jobs. The document opens the port; if it crashes (out of
 * memory, say), its jobs fail and the next one opens it again.
 */
export class OffscreenJobs {
  readonly #waiting = new Map<number, Waiting>();
  readonly #arrivals = new Set<() => void>();
  #port: Runtime.Port | null = null;
  #lastId = 0;

  /** Registers its listener at once: a worker that wakes must not miss the port. */
  constructor() {
    browser.runtime.onConnect.addListener((port) => {
      if (port.name === PAGES_PORT && isOwnPage(port, OFFSCREEN_PAGE)) this.#accept(port);
    });
  }

  /** An id for a job, assigned before it starts so that its requests can be recognised. */
  nextId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }

  #accept(port: Runtime.Port): void {
    this.#port = port;
    port.onMessage.addListener((message) => this.#receive(message));
    port.onDisconnect.addListener(() => {
      if (this.#port !== port) return;
      this.#port = null;
      for (const { wake } of this.#waiting.values()) wake();
    });
    for (const arrived of this.#arrivals) arrived();
    this.#arrivals.clear();
  }

  /** A malformed answer fails the job that it names. One without an id is logged and dropped. */
  #receive(data: unknown): void {
    const received = readMessage(PAGES_PORT, FromOffscreen, data);
    if (received === null) return;
    const { id, message } = received;
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return;
    waiting.inbox.push(message ?? { type: 'failed', id, message: 'the answer is malformed.' });
    waiting.wake();
  }

  async #connected(signal: AbortSignal): Promise<Runtime.Port> {
    if (this.#port !== null) return this.#port;
    let arrive: () => void = () => undefined;
    const arrived = new Promise<void>((resolve) => (arrive = resolve));
    this.#arrivals.add(arrive);
    try {
      await ensureOffscreen();
      await waitAtMost(arrived, CONNECT_MS, signal);
    } finally {
      this.#arrivals.delete(arrive);
    }
    if (this.#port !== null) return this.#port;
    throw new SpillwayError('internal_error', 'The offscreen document did not connect.');
  }

  /**
   * Runs a job and passes on its text as it arrives. `onShell` is asked about a page that is empty without scripts:
   * true writes it, false omits it.
   * @throws SpillwayError `page_crashed` if the parsing document went away, `page_unresponsive` if it does not answer,
   * `internal_error`, or the signal's reason
   */
  async run(id: number, job: FetchJob, options: RunOptions): Promise<FetchedPage> {
    const { port, waiting } = await this.#begin(id, options.signal);
    let isOver = false;
    const post = (message: ToOffscreen): void => {
      if (this.#port === port) port.postMessage(message);
    };
    try {
      post({ type: 'fetch', id, job });
      for (;;) {
        const part = await this.#part(port, waiting, job, options.signal);
        if (part.isHeld === true && part.done !== null) {
          if (!(await options.onShell(part.done))) return part.done;
          post({ type: 'pull', id });
          continue;
        }
        isOver = part.done !== null;
        if (part.head !== undefined) await options.onHead?.(part.head);
        // The next part is made while this one is sent.
        if (!isOver) post({ type: 'pull', id });
        if (part.text !== '') await options.write(part.text);
        if (part.done !== null) return part.done;
      }
    } finally {
      this.#waiting.delete(id);
      if (!isOver) post({ type: 'cancel', id });
    }
  }

  /** Reads or writes the clipboard. Null if the browser refuses. @throws SpillwayError as {@link run} */
  async clipboard(text: string | null, signal: AbortSignal): Promise<string | null> {
    const id = this.nextId();
    const { port, waiting } = await this.#begin(id, signal);
    try {
      port.postMessage({ type: 'clipboard', id, text } satisfies ToOffscreen);
      const come = new Promise<void>((resolve) => (waiting.wake = resolve));
      await waitAtMost(come, CONNECT_MS, signal);
      const [message] = waiting.inbox;
      if (message?.type === 'clipboard') return message.text;
      throw new SpillwayError('internal_error', 'The offscreen document did not answer.');
    } finally {
      this.#waiting.delete(id);
    }
  }

  async #begin(
    id: number,
    signal: AbortSignal,
  ): Promise<{ readonly port: Runtime.Port; readonly waiting: Waiting }> {
    const port = await this.#connected(signal);
    signal.throwIfAborted();
    const waiting: Waiting = { inbox: [], wake: () => undefined };
    this.#waiting.set(id, waiting);
    return { port, waiting };
  }

  async #part(port: Runtime.Port, waiting: Waiting, job: FetchJob, signal: AbortSignal): Promise<Part> {
    const come = new Promise<void>((resolve) => (waiting.wake = resolve));
    if (waiting.inbox.length === 0 && this.#port === port)
      await waitAtMost(come, job.timeoutMs + PARSE_MS, signal);
    signal.throwIfAborted();
    const message = waiting.inbox.shift();
    if (message?.type === 'part') return message;
    if (message !== undefined)
      throw new SpillwayError(
        'internal_error',
        `${job.url} could not be read: ${message.type === 'failed' ? message.message : message.type}`,
      );
    if (this.#port !== port)
      throw new SpillwayError('page_crashed', `The offscreen document closed while it parsed ${job.url}.`);
    throw new SpillwayError('page_unresponsive', `${job.url} was not parsed within ${PARSE_MS} ms.`);
  }
}

export interface RunOptions {
  readonly signal: AbortSignal;
  readonly write: (text: string) => Promise<void>;
  readonly onShell: (page: FetchedPage) => Promise<boolean>;
  /** Called with the headers of a file, before its first bytes are written. */
  readonly onHead?: (head: FileHead) => Promise<void>;
}
