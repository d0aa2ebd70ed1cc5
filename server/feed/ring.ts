import type { FeedCursor } from '../../shared/bridge/feed.ts';
import type { CleanEvent } from './events.ts';

/** Events that are kept for readers; the oldest beyond them are in the journal alone. */
const EVENTS_MAX = 1_000;
/** What one answer holds: it has to fit in a frame of the bridge, where a character may take three bytes. */
const BATCH_UNITS = 120 * 1024;

interface Kept {
  /** Made when it is read: most steps never are. */
  readonly event: () => CleanEvent;
  /** A newer event of the same key replaces it. Null for a line of the journal, which nothing replaces. */
  readonly key: string | null;
  /** Lines of the journal up to it. */
  readonly lines: number;
}

export interface Batch {
  readonly cursor: FeedCursor;
  readonly events: readonly CleanEvent[];
  /** Lines that were dropped before the first of them. */
  readonly missed: number;
}

/**
 * The newest events. It is bounded whatever its readers do: a reader whose place is gone learns how many lines it has missed.
 * Lines of the journal are counted also while nothing is kept.
 */
export class FeedRing {
  readonly #kept = new Map<number, Kept>();
  readonly #byKey = new Map<string, number>();
  #seq = 0;
  #lines = 0;
  /** Lines up to the last that was dropped. */
  #droppedLines = 0;

  /** Where a reader begins that wants only what comes. */
  get end(): FeedCursor {
    return { seq: this.#seq, lines: this.#lines };
  }

  /** Adds a line of the journal. */
  add(event: CleanEvent): void {
    this.#lines += 1;
    this.#keep({ event: () => event, key: null, lines: this.#lines });
  }

  /** Adds what is of no use once a newer event of its key has come. */
  replace(key: string, event: () => CleanEvent): void {
    this.forget(key);
    this.#byKey.set(key, this.#seq + 1);
    this.#keep({ event, key, lines: this.#lines });
  }

  /** What {@link replace} kept under `key` is over. */
  forget(key: string): void {
    const seq = this.#byKey.get(key);
    if (seq === undefined) return;
    this.#byKey.delete(key);
    this.#kept.delete(seq);
  }

  /** Counts a line that nobody reads. */
  skip(): void {
    this.#seq += 1;
    this.#lines += 1;
    this.#droppedLines = this.#lines;
  }

  clear(): void {
    this.#kept.clear();
    this.#byKey.clear();
    this.#droppedLines = this.#lines;
  }

  hasAfter({ seq, lines }: FeedCursor): boolean {
    return seq < this.#seq && (this.#kept.size > 0 || lines < this.#droppedLines);
  }

  read(after: FeedCursor, limit: number): Batch {
    // A place that was never given out is one at the end.
    const from = Math.min(after.seq, this.#seq);
    const missed = Math.max(0, this.#droppedLines - after.lines);
    const events: CleanEvent[] = [];
    let cursor = this.end;
    let units = 0;
    for (const [seq, { event: make, lines }] of this.#kept) {
      if (seq <= from) continue;
      if (events.length >= limit || units >= BATCH_UNITS) return { cursor, events, missed };
      const event = make();
      events.push(event);
      units += JSON.stringify(event).length;
      cursor = { seq, lines };
    }
    return { cursor: this.end, events, missed };
  }

  #keep(kept: Kept): void {
    this.#seq += 1;
    this.#kept.set(this.#seq, kept);
    if (this.#kept.size <= EVENTS_MAX) return;
    const [oldest] = this.#kept;
    if (oldest === undefined) return;
    const [seq, { key, lines }] = oldest;
    this.#kept.delete(seq);
    if (key === null) this.#droppedLines = lines;
    else this.#byKey.delete(key);
  }
}
