import type { JsonValue } from '../../../shared/json.ts';
import type { Budget } from './budget.ts';

/** What a query found. */
export interface Rows {
  readonly rows: readonly JsonValue[];
  /** Where it is continued: an item, a byte, or a row where all are counted; null at the end. */
  readonly next: number | null;
  /** Rows in all, where all were counted. */
  readonly total?: number;
  readonly notes: readonly string[];
}

/** One page of rows that come in an order; all are counted. */
export class RowPage {
  readonly #rows: JsonValue[] = [];
  readonly #offset: number;
  readonly #limit: number;
  readonly #budget: Budget;
  #total = 0;
  #isFull = false;

  constructor(offset: number, limit: number, budget: Budget) {
    this.#offset = offset;
    this.#limit = limit;
    this.#budget = budget;
  }

  add(row: JsonValue): void {
    this.#total += 1;
    if (this.#isFull || this.#total <= this.#offset) return;
    const shown = this.#budget.fit(row);
    this.#rows.push(shown);
    this.#isFull = !this.#budget.take(JSON.stringify(shown).length) || this.#rows.length === this.#limit;
  }

  /** @param total rows that there are, where not all were added */
  end(notes: readonly string[] = [], total = this.#total): Rows {
    const next = this.#offset + this.#rows.length;
    return { rows: this.#rows, next: next < total ? next : null, total, notes };
  }
}
