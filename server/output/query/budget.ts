import { SpillwayError } from '../../../shared/errors.ts';
import type { Clock } from '../../core/services.ts';

interface BudgetOptions {
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly signal: AbortSignal;
  /** Longest that it works before it answers what it has, in milliseconds. */
  readonly timeMs: number;
  /** Of its answer, serialised. */
  readonly bytes: number;
}

/** What one query may use: time, and bytes of its answer. */
export class Budget {
  readonly #options: BudgetOptions;
  readonly #until: number;
  #left: number;

  constructor(options: BudgetOptions) {
    this.#options = options;
    this.#until = options.clock.monotonic() + options.timeMs;
    this.#left = options.bytes;
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
