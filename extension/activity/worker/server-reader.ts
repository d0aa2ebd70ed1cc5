import { abortable, delay } from '../../../shared/base/async.ts';
import { FEED_WAIT_MS, type FeedCursor, type FeedEvent } from '../../../shared/core/feed.ts';
import { SpillwayError, toSpillwayError } from '../../../shared/base/errors.ts';
import type { FeedServer } from '../../ui/frame/feed-port.ts';
import type { ServerPort } from '../../core/handler.ts';
import { ANSWERS_SINCE } from '../../core/link/servers.ts';

/** How long queries wait for a server to name its home. */
const HOME_MS = 4_000;
/** Delay before a failed server is asked again. */
const RETRY_MS = 1_000;

interface ServerReaderOptions {
  readonly server: ServerPort;
  readonly version: string;
  readonly cursor: FeedCursor | null;
  readonly onState: () => void;
  readonly onEvents: (cursor: FeedCursor, events: readonly FeedEvent[]) => void;
}

/** Reads one server's events for one page, and asks for more once the page has handled them. */
export class ServerReader {
  readonly server: ServerPort;
  readonly #closed = new AbortController();
  #cursor: FeedCursor | null;
  #home: string | null = null;
  #seen: () => void = () => undefined;
  #settle: () => void = () => undefined;
  /** Resolves when the server's home is known, when it reports none, or when it has not named it in time. */
  readonly known = new Promise<void>((resolve) => (this.#settle = resolve));

  constructor(private readonly options: ServerReaderOptions) {
    this.server = options.server;
    this.#cursor = options.cursor;
    if (options.server.wire < ANSWERS_SINCE) this.#become(null);
    else void this.#read();
    void delay(HOME_MS, this.#closed.signal).then(this.#settle, this.#settle);
  }

  get summary(): FeedServer {
    return { server: this.server.instance, version: this.options.version, home: this.#home };
  }

  /** The page has handled its last events. */
  seen(): void {
    this.#seen();
  }

  close(): void {
    this.#closed.abort(new SpillwayError('cancelled', 'The panel was closed, or the server has left.'));
    this.#settle();
  }

  async #read(): Promise<void> {
    const { signal } = this.#closed;
    while (!signal.aborted) {
      try {
        await this.#readOnce(signal);
      } catch (thrown) {
        if (signal.aborted) return;
        if (toSpillwayError(thrown).code === 'api_not_found') return this.#become(null);
        await delay(RETRY_MS, signal).catch(() => undefined);
      }
    }
  }

  async #readOnce(signal: AbortSignal): Promise<void> {
    const { cursor, events, home } = await this.server.request(
      'feed.next',
      { cursor: this.#cursor, wait_ms: FEED_WAIT_MS },
      signal,
    );
    if (this.#home !== home) this.#become(home);
    this.#cursor = cursor;
    if (events.length === 0) return;
    const seen = new Promise<void>((resolve) => (this.#seen = resolve));
    this.options.onEvents(cursor, events);
    await abortable(seen, signal);
  }

  /** @param home null if the server's version does not report its activity */
  #become(home: string | null): void {
    this.#home = home;
    this.#settle();
    this.options.onState();
  }
}
