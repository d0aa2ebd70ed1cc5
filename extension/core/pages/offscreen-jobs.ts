import browser from 'webextension-polyfill';
import { waitAtMost } from '../../../shared/base/async.ts';
import { SpillwayError, toSpillwayError } from '../../../shared/base/errors.ts';
import { FILM_MS } from '../../../shared/base/limits.ts';
import { Waiters } from '../../../shared/base/waiters.ts';
import { ensureOffscreen, OFFSCREEN_PAGE } from '../../platform/chromium/offscreen.ts';
import { isOwnPage } from '../../platform/chromium/members.ts';
import {
  FromOffscreen,
  PAGES_PORT,
  type FetchJob,
  type FetchedPage,
  type FileHead,
  type FilmFacts,
  type FilmStep,
  type ToOffscreen,
} from '../offscreen/protocol.ts';
import { PageChannel } from './page-channel.ts';

/** Time for the offscreen document to open and connect. */
const CONNECT_MS = 5_000;
/** Time beyond a job's own deadline, to parse the page and those queued before it. */
const PARSE_MS = 30_000;

const NO_FILM = 'The video could not be made.';

/** A video that is being made. */
export interface FilmPort {
  take(step: FilmStep): void;
  /** @throws SpillwayError `internal_error` with the encoder's reason, `page_changed` if the document crashed */
  end(at: number, write: (text: string) => Promise<void>, until: AbortSignal): Promise<FilmFacts>;
  /** Idempotent. Call it in every case. */
  drop(): void;
}

type JobPart = Extract<FromOffscreen, { type: 'part' }>;
type Channel = PageChannel<ToOffscreen, FromOffscreen>;

/**
 * The worker's end of the offscreen document's jobs. The document opens the port; if it crashes (out of
 * memory, say), its jobs fail and the next one opens it again.
 */
export class OffscreenJobs {
  readonly #arrivals = new Waiters<'port', void>();
  #channel: Channel | null = null;
  #lastId = 0;

  /** Registers its listener at once: a worker that wakes must not miss the port. */
  constructor() {
    browser.runtime.onConnect.addListener((port) => {
      if (port.name !== PAGES_PORT || !isOwnPage(port, OFFSCREEN_PAGE)) return;
      this.#channel = new PageChannel<ToOffscreen, FromOffscreen>(port, FromOffscreen);
      this.#arrivals.notify('port', undefined);
    });
  }

  /** An id for a job, assigned before it starts so that its requests can be recognised. */
  nextId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }

  get #open(): Channel | null {
    return this.#channel?.isClosed === false ? this.#channel : null;
  }

  async #connected(signal: AbortSignal): Promise<Channel> {
    if (this.#open !== null) return this.#open;
    const { next: arrived, stop } = this.#arrivals.open('port');
    try {
      await ensureOffscreen();
      await waitAtMost(arrived, CONNECT_MS, signal);
    } finally {
      stop();
    }
    if (this.#open !== null) return this.#open;
    throw new SpillwayError('page_crashed', 'The offscreen document did not connect.', {
      hint: 'Call again.',
    });
  }

  /**
   * Runs a job and passes on its text as it arrives. `onShell` is asked about a page that is empty without scripts:
   * true writes it, false omits it.
   * @throws SpillwayError `page_crashed` if the parsing document went away, `page_unresponsive` if it does not answer,
   * `internal_error`, or the signal's reason
   */
  async run(id: number, job: FetchJob, options: RunOptions): Promise<FetchedPage> {
    const channel = await this.#begin(id, options.signal);
    let isOver = false;
    try {
      channel.post({ type: 'fetch', id, job });
      for (;;) {
        const part = await nextPart(channel, id, job, options.signal);
        if (part.isHeld === true && part.done !== null) {
          if (!(await options.onShell(part.done))) return part.done;
          channel.post({ type: 'pull', id });
          continue;
        }
        isOver = part.done !== null;
        if (part.head !== undefined) await options.onHead?.(part.head);
        // The next part is made while this one is sent.
        if (!isOver) channel.post({ type: 'pull', id });
        if (part.text !== '') await options.write(part.text);
        if (part.done !== null) return part.done;
      }
    } finally {
      if (isOver) channel.end(id);
      else channel.release(id);
    }
  }

  /** Reads or writes the clipboard. Null if the browser refuses. @throws SpillwayError as {@link run} */
  async clipboard(text: string | null, signal: AbortSignal): Promise<string | null> {
    const id = this.nextId();
    const channel = await this.#begin(id, signal);
    try {
      channel.post({ type: 'clipboard', id, text });
      const answer = await channel.next(id, CONNECT_MS, signal);
      if (answer?.type === 'clipboard') return answer.text;
      throw new SpillwayError('internal_error', 'The offscreen document did not answer.');
    } finally {
      channel.end(id);
    }
  }

  /** Begins a video. @throws SpillwayError as {@link clipboard} */
  async film(begin: FilmStep, signal: AbortSignal): Promise<FilmPort> {
    const id = this.nextId();
    const channel = await this.#begin(id, signal);
    const take = (step: FilmStep): void => channel.post({ type: 'film', id, step });
    take(begin);
    return {
      take,
      end: async (at, write, until) => {
        take({ is: 'end', at });
        for (;;) {
          const part = await channel.next(id, FILM_MS, until);
          if (part?.type !== 'filmed') throw new SpillwayError('internal_error', NO_FILM);
          if (part.facts === null) channel.post({ type: 'pull', id });
          if (part.text !== '') await write(part.text);
          if (part.facts !== null) return part.facts;
        }
      },
      drop: () => channel.release(id),
    };
  }

  async #begin(id: number, signal: AbortSignal): Promise<Channel> {
    const channel = await this.#connected(signal);
    signal.throwIfAborted();
    channel.open(null, id);
    return channel;
  }
}

async function nextPart(channel: Channel, id: number, job: FetchJob, signal: AbortSignal): Promise<JobPart> {
  const waiting = { timeoutMs: job.timeoutMs + PARSE_MS, signal, name: `The parser of ${job.url}` };
  try {
    return await channel.receiveA('part', id, waiting);
  } catch (thrown) {
    signal.throwIfAborted();
    const { code, message: reason } = toSpillwayError(thrown);
    if (code === 'page_changed')
      throw new SpillwayError('page_crashed', `The offscreen document closed while it parsed ${job.url}.`);
    if (code !== 'internal_error') throw thrown;
    throw new SpillwayError(code, `${job.url} could not be read: ${reason}`);
  }
}

export interface RunOptions {
  readonly signal: AbortSignal;
  readonly write: (text: string) => Promise<void>;
  readonly onShell: (page: FetchedPage) => Promise<boolean>;
  /** Called with the headers of a file, before its first bytes are written. */
  readonly onHead?: (head: FileHead) => Promise<void>;
}
