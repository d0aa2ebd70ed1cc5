import { SpillwayError } from '../../../shared/errors.ts';
import type { Bridge, BrowserId, BrowserState } from '../../core/services.ts';
import { deadlineSignal, waitAtMost } from '../../../shared/async/wait.ts';
import { CRAWL_BOUNDS } from './bounds.ts';

/**
 * The browser of one crawl, across its going and coming back. Numbers are of one server: a profile
 * is known by its instance. A private browser comes back as a new profile: the only one there is.
 */
export class BrowserLine {
  readonly #bridge: Bridge;
  readonly #instance: string | null;
  readonly #returnMs: number;
  readonly #onLost: (event: 'crawl_browser_lost' | 'crawl_browser_back') => void;
  #return: Promise<void> | null = null;

  constructor(options: {
    readonly bridge: Bridge;
    readonly instance: string | null;
    readonly onLost?: (event: 'crawl_browser_lost' | 'crawl_browser_back') => void;
    readonly returnMs?: number;
  }) {
    this.#bridge = options.bridge;
    this.#instance = options.instance;
    this.#returnMs = options.returnMs ?? CRAWL_BOUNDS.browserReturnMs;
    this.#onLost = options.onLost ?? (() => undefined);
  }

  /** The browser as it is now, or null. */
  current(): BrowserId | null {
    return this.#find()?.id ?? null;
  }

  /**
   * The browser, awaited if it has disconnected.
   * @throws SpillwayError `browser_disconnected` when it does not come back in time.
   */
  async browser(signal: AbortSignal): Promise<BrowserId> {
    for (;;) {
      signal.throwIfAborted();
      const found = this.#return === null ? this.#find() : undefined;
      if (found !== undefined) return found.id;
      await (this.#return ??= this.#await(signal).finally(() => (this.#return = null)));
    }
  }

  #find(): BrowserState | undefined {
    const connected = this.#bridge.browsers().filter((browser) => browser.connected);
    const same = connected.find(({ instance }) => instance === this.#instance);
    return same ?? (connected.length === 1 ? connected[0] : undefined);
  }

  async #await(signal: AbortSignal): Promise<void> {
    this.#onLost('crawl_browser_lost');
    const { signal: either, release } = deadlineSignal(this.#returnMs, () => this.#late(), signal);
    const changes = this.#changes(either);
    try {
      while (this.#find() === undefined) {
        // A server that launches its own browser starts the next one here.
        await this.#bridge.ready({ signal: either, timeoutMs: this.#returnMs }).catch(() => undefined);
        if (this.#find() !== undefined) break;
        either.throwIfAborted();
        await changes.next();
      }
    } finally {
      changes.stop();
      release();
    }
    this.#onLost('crawl_browser_back');
  }

  #late(): SpillwayError {
    const waited = Math.round(this.#returnMs / 1_000);
    return new SpillwayError(
      'browser_disconnected',
      `The browser of the crawl disconnected and did not reconnect within ${waited} s.`,
      { hint: 'Call run_resume when the browser is connected again; what was read is kept.' },
    );
  }

  /** Waits for the next browser that comes or goes, or a moment: a launch may have failed for once. */
  #changes(signal: AbortSignal): { next(): Promise<void>; stop(): void } {
    let wake = (): void => undefined;
    const stopListening = this.#bridge.onChange(() => wake());
    const next = (): Promise<void> =>
      waitAtMost(new Promise<void>((resolve) => (wake = resolve)), RETRY_MS, signal);
    return { next, stop: stopListening };
  }
}

/** Between two looks for a browser when nothing was heard of one. */
const RETRY_MS = 1_000;
