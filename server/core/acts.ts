/** When an act happened, and where. Times are in milliseconds since the epoch, on the clock of the browser's computer. */
export interface ActSpan {
  /** `b1:42`. */
  readonly tab: string;
  readonly startedAt: number;
  readonly endedAt: number;
  /** When the tab was acted on again; null if it was not. */
  readonly nextAt: number | null;
}

/** Acts that a session remembers; the oldest are forgotten. */
const ACTS_MAX = 200;

/** The acts of one session, by the ids that their receipts name: `a7`. */
export class SessionActs {
  readonly #acts = new Map<string, ActSpan>();
  #last = 0;

  /** Remembers an act, and returns its id. */
  add(span: Omit<ActSpan, 'nextAt'>): string {
    for (const [id, act] of this.#acts)
      if (act.tab === span.tab && act.nextAt === null) this.#acts.set(id, { ...act, nextAt: span.startedAt });
    this.#last += 1;
    const id = `a${this.#last}`;
    this.#acts.set(id, { ...span, nextAt: null });
    const [oldest] = this.#acts.keys();
    if (this.#acts.size > ACTS_MAX && oldest !== undefined) this.#acts.delete(oldest);
    return id;
  }

  find(id: string): ActSpan | null {
    return this.#acts.get(id) ?? null;
  }

  /** The id of the newest act. */
  get newest(): string | null {
    return this.#acts.size === 0 ? null : `a${this.#last}`;
  }
}
