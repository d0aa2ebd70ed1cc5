import { KEPT_BODIES_BYTES } from '../../platform/chromium/network-tap.ts';

/** A tab without events for this long has loaded, and collecting its bodies delays nothing. */
const QUIET_MS = 400;
/** The same while requests are pending: a slow answer, or one that never ends. */
const QUIET_PENDING_MS = 2_000;
/** A page that is never quiet waits no longer; the server gives a body up after 30 s. */
const AGE_MS = 10_000;
/** Half of what the browser keeps, so that the other half can arrive meanwhile. */
const WAITING_BYTES = KEPT_BODIES_BYTES / 2;
/** Waiting requests are pending at the server, which keeps 4,096 of them. */
const WAITING = 2_000;

/**
 * Bodies that the browser keeps and that are collected late: once the tab is quiet, when somebody waits for them, or
 * before the browser would drop the oldest.
 */
export class LateBodies<Item> {
  #waiting: Item[] = [];
  #waitingBytes = 0;
  #oldestAt = 0;
  #lastEventAt = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /**
   * @param take collects an item now; called in order of arrival
   * @param isPending whether the tab waits for an answer
   */
  constructor(
    private readonly take: (item: Item) => void,
    private readonly isPending: () => boolean,
  ) {}

  touch(): void {
    this.#lastEventAt = performance.now();
  }

  add(item: Item, sizeBytes: number): void {
    if (this.#waiting.length === 0) this.#oldestAt = performance.now();
    this.#waiting.push(item);
    this.#waitingBytes += sizeBytes;
    if (this.#waiting.length >= WAITING || this.#waitingBytes >= WAITING_BYTES) this.flush();
    else this.#timer ??= setTimeout(() => this.#look(), QUIET_MS);
  }

  /** Collects everything that waits. */
  flush(): void {
    const items = this.#waiting;
    this.clear();
    for (const item of items) this.take(item);
  }

  /** Drops the waiting events. */
  clear(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#waiting = [];
    this.#waitingBytes = 0;
  }

  #look(): void {
    this.#timer = undefined;
    const now = performance.now();
    const leftMs = (this.isPending() ? QUIET_PENDING_MS : QUIET_MS) - (now - this.#lastEventAt);
    if (leftMs <= 0 || now - this.#oldestAt >= AGE_MS) this.flush();
    else this.#timer = setTimeout(() => this.#look(), Math.min(Math.ceil(leftMs), QUIET_MS));
  }
}
