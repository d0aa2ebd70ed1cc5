import { keyMeaning, type KeyMeaning } from './key-names.ts';
import { isSample } from './plausible.ts';
import { mergeSpans, type Span } from './span.ts';

/* Rows of comma- or tab-separated values: the first names the columns, and a column may be secret. */

const CELL = /"(?:[^"\n]|"")*"|[^",;\t\n\r]*/y;
/** A header follows nothing, a blank line, a fence, or a line that ends in a colon. */
const BEFORE_HEAD = /^(?:[^A-Za-z0-9]{0,12}|`{3}\w{0,8}|.{0,120}:)[ \t]*\r?\n$/;
const COLON = 58;
const SHORT_UNITS = 14;
const isLetter = (code: number): boolean => (code | 32) >= 97 && (code | 32) <= 122;
/** Names of columns, and nothing else in the line. */
const HEAD =
  /"?[\w.#() -]{1,48}"?(?<separator>[,;\t])(?:"?[\w.#() -]{0,48}"?\k<separator>){0,199}"?[\w.#() -]{0,48}"?\r?\n/y;
const HEAD_END = /[\w#)"]\s{1,3}$/;
/** A longer line is not a row. */
const ROW_UNITS = 16_384;

interface Columns {
  readonly separator: string;
  readonly count: number;
  readonly secret: ReadonlyMap<number, KeyMeaning>;
}

interface Cell {
  readonly start: number;
  readonly value: string;
}

function cellsOf(line: string, separator: string): Cell[] {
  const cells: Cell[] = [];
  for (let at = 0; ; at += 1) {
    CELL.lastIndex = at;
    const raw = CELL.exec(line)?.[0] ?? '';
    const lead = /^[ "]*/.exec(raw)?.[0].length ?? 0;
    cells.push({ start: at + lead, value: raw.slice(lead).replace(/[ "]+$/, '') });
    at += raw.length;
    if (line.charAt(at) !== separator) return cells;
  }
}

/** Reads a line as a header. Null where it names no secret column. */
function columnsAt(text: string, start: number, end: number): Columns | null {
  // Most lines are sentences: their ends tell them from names at less cost than the names do.
  if (end - start > ROW_UNITS || !HEAD_END.test(text.slice(end - 4, end))) return null;
  HEAD.lastIndex = start;
  const separator = HEAD.exec(text)?.groups?.['separator'];
  if (separator === undefined) return null;
  const cells = cellsOf(text.slice(start, end).trimEnd(), separator);
  const secret = new Map<number, KeyMeaning>();
  for (const [index, { value }] of cells.entries()) {
    const meaning = keyMeaning(value);
    if (meaning?.strength === 'strong') secret.set(index, meaning);
  }
  return secret.size === 0 || cells.some(({ value }) => value === '')
    ? null
    : { separator, count: cells.length, secret };
}

/** Follows rows from line to line, wherever the stream is cut between them. */
export class ColumnState {
  #columns: Columns | null = null;
  /** The next line can be the first row. */
  #isFirst = true;

  reset(): void {
    this.#columns = null;
    this.#isFirst = true;
  }

  /** Adds what the lines of a window have in secret columns. */
  apply(
    window: { readonly text: string; readonly from: number; readonly to: number },
    spans: Span[],
  ): Span[] {
    const { text, from, to } = window;
    const found: Span[] = [];
    for (let start = from; start < to;) {
      const lineBreak = text.indexOf('\n', start);
      const end = lineBreak < 0 || lineBreak >= to ? to : lineBreak + 1;
      const columns = this.#isFirst ? columnsAt(text, start, end) : null;
      if (columns !== null) this.#columns = columns;
      else if (this.#columns !== null) this.#row(text.slice(start, end).trimEnd(), start, found);
      const canIntroduce =
        text.charCodeAt(end - 2) === COLON ||
        (end - start < SHORT_UNITS && !isLetter(text.charCodeAt(start)));
      this.#isFirst = canIntroduce && BEFORE_HEAD.test(text.slice(start, end));
      start = end;
    }
    return found.length === 0 ? spans : mergeSpans([...found, ...spans]);
  }

  #row(line: string, at: number, found: Span[]): void {
    const columns = this.#columns;
    const cells = columns === null ? [] : cellsOf(line, columns.separator);
    if (columns === null || cells.length !== columns.count) {
      this.#columns = null;
      return;
    }
    for (const [index, { kind }] of columns.secret) {
      const { start = 0, value = '' } = cells[index] ?? {};
      if (value !== '' && keyMeaning(value) === null && !/[\s«]/.test(value) && !isSample(value))
        found.push({ start: at + start, end: at + start + value.length, kind });
    }
  }
}
