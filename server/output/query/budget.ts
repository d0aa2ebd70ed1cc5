import { SpillwayError } from '../../../shared/errors.ts';
import type { JsonValue } from '../../../shared/json.ts';
import type { Clock } from '../../core/services.ts';

interface BudgetOptions {
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly signal: AbortSignal;
  /** Longest that it works before it answers what it has, in milliseconds. */
  readonly timeMs: number;
  /** Of its answer, serialised. */
  readonly bytes: number;
}

/** What is shown of a row that is larger than a page: whole characters. */
const BEGINNING = /^.{0,400}/su;

/** What one query may use: time, and bytes of its answer. */
export class Budget {
  readonly #options: BudgetOptions;
  readonly #until: number;
  #left: number;
  #hasCut = false;

  constructor(options: BudgetOptions) {
    this.#options = options;
    this.#until = options.clock.monotonic() + options.timeMs;
    this.#left = options.bytes;
  }

  /** Whether a row was cut. */
  get hasCut(): boolean {
    return this.#hasCut;
  }

  /** Whether a page has room for a value. */
  holds(value: JsonValue): boolean {
    return JSON.stringify(value).length <= this.#options.bytes;
  }

  /** A row as the page has it: of one that is larger than a page, the beginning. */
  fit(row: JsonValue): JsonValue {
    const text = JSON.stringify(row);
    if (text.length <= this.#options.bytes) return row;
    this.#hasCut = true;
    return { too_large_bytes: Buffer.byteLength(text), begins: BEGINNING.exec(text)?.[0] ?? '' };
  }

  /** Takes the bytes of a row from what is left. False when nothing is left for another one. */
  take(bytes: number): boolean {
    this.#left -= bytes;
    return this.#left > 0;
  }

  /** @throws the signal's reason, or SpillwayError `timeout` for work that cannot answer a part of itself */
  check(): void {
    if (!this.hasTime())
      throw new SpillwayError('timeout', `The query took longer than ${this.#options.timeMs / 1000} s.`);
  }

  /** @throws the signal's reason */
  hasTime(): boolean {
    const { signal, clock } = this.#options;
    signal.throwIfAborted();
    return clock.monotonic() < this.#until;
  }
}
