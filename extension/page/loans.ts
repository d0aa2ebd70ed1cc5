import type { Showing } from './protocol.ts';
import { LentNumbers } from './refs.ts';

/** Numbers that the requests of one port have borrowed, until each says how many it used. */
export class Loans {
  readonly #loans = new Map<number, LentNumbers>();

  /** Null for a request that shows no refs. */
  borrow(id: number, showing: Showing | null | undefined): LentNumbers | null {
    if (showing == null) return null;
    const lent = new LentNumbers(showing);
    this.#loans.set(id, lent);
    return lent;
  }

  /** What the last answer to a request says of its numbers. */
  settle(id: number): { last: number } | undefined {
    const last = this.#loans.get(id)?.last;
    this.#loans.delete(id);
    return last === undefined ? undefined : { last };
  }

  clear(): void {
    this.#loans.clear();
  }
}
