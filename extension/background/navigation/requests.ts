/** A request that has been open this long is a connection that is kept open, such as a long poll. */
export const LONG_LIVED_AFTER_MS = 10_000;

interface Request {
  readonly url: string;
  readonly startedAt: number;
  /** Order among all events, to tell the old document's requests from the new one's. */
  readonly order: number;
  longLived: boolean;
}

/** The pending requests of a tab, all frames. */
export class PendingRequests {
  readonly #requests = new Map<string, Request>();
  #order = 0;

  add(id: string, url: string, longLived: boolean): void {
    this.#requests.set(id, { url, longLived, startedAt: performance.now(), order: ++this.#order });
  }

  markLongLived(id: string): void {
    const request = this.#requests.get(id);
    if (request !== undefined) request.longLived = true;
  }

  end(id: string): void {
    this.#requests.delete(id);
  }

  isPending(id: string): boolean {
    return this.#requests.has(id);
  }

  /** A point in the order of events, for {@link dropBefore}. */
  mark(): number {
    return ++this.#order;
  }

  /** Forgets what began before `mark`, except for request `keep`: it belonged to the document before. */
  dropBefore(mark: number, keep: string | null): void {
    for (const [id, { order }] of this.#requests) if (order < mark && id !== keep) this.#requests.delete(id);
  }

  /** The requests that count, and milliseconds until the oldest of them no longer does. */
  counting(): {
    readonly ids: readonly string[];
    readonly urls: readonly string[];
    readonly nextChangeMs: number;
  } {
    const now = performance.now();
    const counting = [...this.#requests].filter(
      ([, { longLived, startedAt }]) => !longLived && now - startedAt < LONG_LIVED_AFTER_MS,
    );
    const oldest = Math.min(...counting.map(([, { startedAt }]) => startedAt));
    return {
      ids: counting.map(([id]) => id),
      urls: counting.map(([, { url }]) => url),
      nextChangeMs: oldest + LONG_LIVED_AFTER_MS - now,
    };
  }
}
