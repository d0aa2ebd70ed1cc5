import { attrOf } from './elements.ts';

/** Tables and grids, without tables that only lay out: those may contain the rows of a grid. */
export const GRIDS =
  'table:not([role="presentation"],[role="none"]),[role="table"],[role="grid"],[role="treegrid"]';

/** `aria-rowindex` or `aria-colindex`; 0 if it is missing or wrong. */
export function ariaIndex(el: Element, kind: 'row' | 'col'): number {
  const index = el.hasAttributes() ? Number(attrOf(el, `aria-${kind}index`)) : 0;
  return Number.isInteger(index) && index > 0 ? index : 0;
}

export interface NumberedRow<C extends { readonly column: number }> {
  /** From 1; 0 without a number. The same for its cells' columns. */
  readonly index: number;
  cells: C[];
}

/**
 * The rows of a grid by their numbers. Scripts that place rows and cells by style add them in any order, and columns
 * that do not scroll as rows of their own.
 */
export class NumberedRows<C extends { readonly column: number }, R extends NumberedRow<C>> {
  #rows: R[] = [];
  readonly #byIndex = new Map<number, R>();
  /** No two rows have the same number. */
  #isSure = true;

  /** Adds a row, or the other columns of one. Returns the row that has the cells. */
  add(row: R): R {
    const begun = this.#byIndex.get(row.index);
    if (begun !== undefined && areApart(begun.cells, row.cells)) {
      begun.cells.push(...row.cells);
      return begun;
    }
    this.#isSure &&= begun === undefined;
    if (row.index > 0) this.#byIndex.set(row.index, row);
    this.#rows.push(row);
    return row;
  }

  ordered(): R[] {
    for (const row of this.#rows) row.cells = inOrder(row.cells, ({ column }) => column);
    return this.#isSure ? inOrder(this.#rows, ({ index }) => index) : this.#rows;
  }

  /** Takes and forgets the rows so far. */
  take(): R[] {
    const rows = this.ordered();
    this.#rows = [];
    return rows;
  }
}

type Columns = readonly { readonly column: number }[];

const areApart = (begun: Columns, more: Columns): boolean =>
  more.every(({ column }) => column > 0 && begun.every((cell) => cell.column > 0 && cell.column !== column));

/** An item without a number stays behind its predecessor. */
function inOrder<T>(items: T[], indexOf: (item: T) => number): T[] {
  if (items.every((item) => indexOf(item) === 0)) return items;
  let last = 0;
  const placed = items.map((item) => {
    last = indexOf(item) || last;
    return { item, at: last };
  });
  return placed.toSorted((a, b) => a.at - b.at).map(({ item }) => item);
}
