/** A cell with the places it takes. */
export interface SpanCell<T> {
  readonly cell: T;
  readonly colSpan: number;
  /** 0 reaches to the end of its section. */
  readonly rowSpan: number;
}

/** HTML's own bounds for spans. */
const MOST_COLUMNS = 1_000;
const MOST_ROWS = 65_534;

interface Hanging<T> {
  readonly cell: T;
  /** Rows that it still reaches into. */
  left: number;
}

/**
 * Resolves row and column spans, one row at a time: each row comes out with one entry a column, the
 * same cell in every place that it takes. Where cells overlap the earlier one stays, as in browsers'
 * own tables. Call `endSection` between sections: spans do not reach across.
 */
export class SpanResolver<T> {
  #hanging: (Hanging<T> | undefined)[] = [];

  /** The cells of the next row, in order, made places. */
  row(cells: readonly SpanCell<T>[]): (T | null)[] {
    const places: (T | null)[] = [];
    this.#hanging.forEach((hanging, column) => {
      if (hanging === undefined) return;
      places[column] = hanging.cell;
      hanging.left -= 1;
      if (hanging.left <= 0) this.#hanging[column] = undefined;
    });
    let column = 0;
    for (const { cell, colSpan, rowSpan } of cells) {
      while (places[column] !== undefined) column += 1;
      const width = Math.min(Math.max(1, colSpan), MOST_COLUMNS - column);
      const more = rowSpan === 0 ? MOST_ROWS : Math.min(rowSpan, MOST_ROWS) - 1;
      for (let offset = 0; offset < width; offset += 1) {
        if (places[column + offset] !== undefined) continue;
        places[column + offset] = cell;
        if (more > 0) this.#hanging[column + offset] = { cell, left: more };
      }
      column += width;
      if (column >= MOST_COLUMNS) break;
    }
    return Array.from(places, (place) => place ?? null);
  }

  endSection(): void {
    this.#hanging = [];
  }
}
