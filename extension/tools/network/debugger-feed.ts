import type { DebuggerEvent } from '../../background/chromium/debugger/sessions.ts';
import { Bodies, type BodyBudget } from './bodies.ts';
import { keepContent } from './messages.ts';
import type { Outbox } from './outbox.ts';
import type { CaptureFeed, FeedParts } from './feed.ts';
import type { Tap, Taps } from './tap.ts';
import { trimEvent } from './trim.ts';

/** Feeds a capture from the tab's debugger. */
export class DebuggerFeed implements CaptureFeed {
  readonly source = 'debugger';
  readonly #tap: Tap;
  readonly #outbox: Outbox;
  readonly #budget: BodyBudget;
  readonly #bodies: Bodies;
  readonly #unsubscribe: () => void;
  readonly #release: () => Promise<void>;

  private constructor(held: Awaited<ReturnType<Taps['acquire']>>, { outbox, budget, filter }: FeedParts) {
    this.#tap = held.tap;
    this.#release = held.release;
    this.#outbox = outbox;
    this.#budget = budget;
    this.#bodies = new Bodies({
      budget,
      send: (method, params, session) => held.tap.send(method, params, session),
      areKept: held.tap.keepsBodies,
      room: (sizeBytes) => outbox.room(sizeBytes),
      push: (line) => outbox.push(line),
    });
    this.#unsubscribe = held.tap.subscribe((event) => {
      for (const taken of filter.take(event)) this.#event(taken);
    });
  }

  /** @throws SpillwayError of the attachment */
  static async open(taps: Taps, tabId: number, parts: FeedParts): Promise<DebuggerFeed> {
    return new DebuggerFeed(await taps.acquire(tabId), parts);
  }

  get lost(): AbortSignal {
    return this.#tap.signal;
  }

  get progress(): number {
    return this.#bodies.progress;
  }

  async settle(): Promise<void> {
    await this.#tap.settle();
    await this.#bodies.settle();
  }

  async stopObserving(): Promise<void> {
    await this.#tap.settle();
    this.#unsubscribe();
  }

  async close(): Promise<void> {
    this.#unsubscribe();
    this.#bodies.close();
    await this.#release();
  }

  #event(event: DebuggerEvent): void {
    const { method, sessionId: session } = event;
    const trimmed = trimEvent(method, event.params);
    if (trimmed !== null) {
      const params = keepContent(method, trimmed, this.#budget);
      this.#outbox.push({ kind: 'event', at_ms: Date.now(), session, method, params });
    }
    this.#bodies.observe(event);
  }
}
