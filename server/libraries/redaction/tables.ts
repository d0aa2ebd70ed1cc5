import { findByNames, isNameInString } from './json-names.ts';
import { HtmlTables } from './html-tables.ts';
import { nameEnds } from './neighbours.ts';
import { Inserts } from './sql.ts';
import { execAt, type LineWindow, type Span, mergeSpans } from './tally.ts';
import { Columns, type Table } from './columns.ts';

/*
 * Tables, in which the name of a value is rows above it: of comma- or tab-separated values, of Markdown, of a snapshot,
 * of HTML, of SQL. What is known of one is kept from line to line, wherever the stream is cut between them.
 */

interface Cell {
  readonly start: number;
  readonly value: string;
}

const DATA_CELL = /"(?:[^"\n]|"")*"|[^",;\t\n\r]*/y;
const PIPED_CELL = /(?:[^|\\\n\r]|\\.)*/y;
/** Before the text of a cell: emphasis, quotes, a ref with role and states. */
const LEAD =
  /^[\s"'*_`>~+-]*(?:\[?(?:f\d+)*e\d+ (?:(?:button|link|columnheader|rowheader|cell|gridcell)(?= |\]))?(?: ?\[[^\]]*\])*)?[\s"'*_`[]*/;
/** After it: the same, an address, a button, the sign of a sorted column. */
const TAIL =
  /(?<![\s"'*_`\]▲▼↑↓⇅↕])(?:\]\([^()]*\)| -> \S+|[ \t]+\[[^\]]*\]|[ \t]+(?:Copy|Show|Hide|Reveal|Edit)|[\s"'*_`\]▲▼↑↓⇅↕])+$/;
/** Nearly all cells end in a letter, a digit or a full stop. */
const HAS_TAIL = /(?:[^\w.,;:!?/@%-]|Copy|Show|Hide|Reveal|Edit)$| -> \S+$/;

function cellsOf(line: string, separator: string): Cell[] {
  const cells: Cell[] = [];
  const isPiped = separator === '|';
  for (let at = 0; ; at += 1) {
    const raw = execAt(isPiped ? PIPED_CELL : DATA_CELL, line, at)?.[0] ?? '';
    const lead = (isPiped ? LEAD : /^[ "]*/).exec(raw)?.[0].length ?? 0;
    const rest = isPiped ? raw.slice(lead).trimEnd() : raw.slice(lead).replace(/[ "]+$/, '');
    cells.push({ start: at + lead, value: isPiped && HAS_TAIL.test(rest) ? rest.replace(TAIL, '') : rest });
    at += raw.length;
    if (line.charAt(at) !== separator) return cells;
  }
}

/** A header follows nothing, a blank line, a fence, or a line that ends in a colon. */
const BEFORE_HEAD = /^(?:[^A-Za-z0-9]{0,12}|`{3}\w{0,8}|.{0,120}:)[ \t]*\r?\n$/;
const BREAK = 10;
const COLON = 58;
const SHORT_UNITS = 14;
const isLetter = (code: number): boolean => (code | 32) >= 97 && (code | 32) <= 122;
/** Names of columns, and nothing else in the line. */
const HEAD =
  /"?[\w.#() -]{1,48}"?(?<separator>[,;\t])(?:"?[\w.#() -]{0,48}"?\k<separator>){0,199}"?[\w.#() -]{0,48}"?\r?\n/y;
const HEAD_END = /[\w#)"]\s{1,3}$/;
/** The line below the names of a Markdown table. */
const DELIMITER = /^[\s>]{0,12}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*){0,199}\|?\s*$/;
/** The line above a table of a snapshot. */
const TABLE = /^[\s~+>-]{0,12}@table\b/;
/** A longer line is not a row. */
const ROW_UNITS = 16_384;

const PIPED: Table = { columns: Columns.NONE, separator: '|', count: null, isData: false };

function parsePipedTable(head: string, isHead: boolean): Table | null {
  const columns = Columns.of(
    cellsOf(head.trimEnd(), '|').map(({ value }) => value),
    isHead,
  );
  return columns === null ? null : { ...PIPED, columns };
}

/** Reads a line as a header of separated values. Null if it names no secret column. */
function parseTableHead(line: string, isData: boolean): Table | null {
  // Most lines are sentences: their ends rule them out at less cost than names would.
  if (line.length > ROW_UNITS || !HEAD_END.test(line.slice(-4))) return null;
  const separator = execAt(HEAD, line, 0)?.groups?.['separator'];
  if (separator === undefined) return null;
  const names = cellsOf(line.trimEnd(), separator).map(({ value }) => value);
  const columns = names.includes('') ? null : Columns.of(names, true);
  return columns === null ? null : { columns, separator, count: names.length, isData };
}

/** Adds the values of a row that are secret by the names of their columns, or by the cell before them. */
function findInRow(table: Table, line: string, at: number, spans: Span[]): void {
  const { columns, isData, separator } = table;
  const cells = cellsOf(line, separator);
  const values = cells.map(({ value }) => value);
  for (const [index, { start, value }] of cells.entries()) {
    const kind = columns.kindAt(index, values, isData);
    if (kind !== null) spans.push({ start: at + start, end: at + start + value.length, kind });
  }
}

const JSON_PART = /\{\s{0,9}"[^"\n]{0,64}"\s{0,9}:.*\}|\[\s{0,9}[[{"].*\]/;

/** Values in a line's JSON whose names are not their keys. */
function findInJson(line: string, at: number, spans: Span[]): void {
  const part = JSON_PART.exec(line);
  if (part !== null) findByNames(part[0], at + part.index, spans);
}

const NONE: readonly number[] = [];

/** The names that end between two places; `next.name` is the first that may. */
function namesBetween(
  names: readonly number[],
  next: { name: number },
  start: number,
  end: number,
): readonly number[] {
  while ((names[next.name] ?? Infinity) <= start) next.name += 1;
  const first = next.name;
  if ((names[first] ?? Infinity) > end) return NONE;
  while ((names[next.name] ?? Infinity) <= end) next.name += 1;
  return names.slice(first, next.name);
}

/** Whether a line can be before the head of a table. */
const canIntroduce = (text: string, start: number, end: number): boolean =>
  (text.charCodeAt(end - 2) === COLON || (end - start < SHORT_UNITS && !isLetter(text.charCodeAt(start)))) &&
  BEFORE_HEAD.test(text.slice(start, end));

function indexOfSign(text: string, sign: string, from: number): number {
  const at = text.indexOf(sign, from);
  return at < 0 ? Infinity : at;
}

/** Follows rows from line to line. */
export class ColumnState {
  #table: Table | null = null;
  /** The next line can be the first row. */
  #isFirst = true;
  /** The line before, if it can name the columns of a Markdown table. */
  #above = '';
  /** The line before announced a table. */
  #isAnnounced = false;
  /** The text continues a line that is too long for a row. */
  #isRest = false;
  readonly #inserts = new Inserts();
  readonly #html = new HtmlTables();

  /** Adds values from a window's secret columns. */
  apply(window: LineWindow, spans: Span[]): Span[] {
    const { text, from, to } = window;
    const found: Span[] = [];
    const names = nameEnds(text, from);
    const signs = { name: 0, table: -1 };
    for (let start = from; start < to;) {
      const lineBreak = text.indexOf('\n', start);
      const end = lineBreak < 0 || lineBreak >= to ? to : lineBreak + 1;
      const own = namesBetween(names, signs, start, end);
      // Few lines name a secret or follow one that does: the others are looked at in place.
      if (own.length > 0 || this.#isOpen) this.#line(text.slice(start, end), start, own.length > 0, found);
      if (own.some((name) => isNameInString(text, name))) findInJson(text.slice(start, end), start, found);
      if (signs.table < start) signs.table = indexOfSign(text, '@table', start);
      this.#isAnnounced = signs.table < end && TABLE.test(text.slice(start, end));
      this.#isRest = text.charCodeAt(end - 1) !== BREAK;
      this.#isFirst = canIntroduce(text, start, end);
      start = end;
    }
    this.#html.find(window, names, found);
    return found.length === 0 ? spans : mergeSpans([...found, ...spans]);
  }

  /** The lines before may make a row of any line. */
  get #isOpen(): boolean {
    return this.#isFirst || this.#above !== '' || this.#table !== null || this.#inserts.isOpen;
  }

  #line(line: string, at: number, hasName: boolean, found: Span[]): void {
    const isPiped = line.includes('|') && line.length <= ROW_UNITS && !this.#isRest;
    if (!isPiped || !this.#takePiped(line, at, hasName, found)) this.#takeSeparated(line, at, found);
    if (!isPiped) this.#above = '';
    if (hasName || this.#inserts.isOpen) this.#table = this.#inserts.find(line, at, found) ?? this.#table;
  }

  /** True if the line is part of a table whose cells have `|` between them. */
  #takePiped(line: string, at: number, hasName: boolean, found: Span[]): boolean {
    const above = this.#above;
    this.#above = '';
    if (this.#isAnnounced) this.#table = parsePipedTable(line, false);
    else if (above !== '' && DELIMITER.test(line)) this.#table = parsePipedTable(above, true);
    else if (hasName && this.#table === null) this.#above = line;
    if (this.#table !== null) return this.#table.separator === '|' && this.#row(line.trimEnd(), at, found);
    if (hasName) findInRow(PIPED, line.trimEnd(), at, found);
    return hasName;
  }

  #takeSeparated(line: string, at: number, found: Span[]): void {
    const canHead = this.#isFirst || (this.#table === null && line.includes('\t'));
    const table = canHead ? parseTableHead(line, this.#isFirst) : null;
    if (table !== null) this.#table = table;
    else if (this.#table !== null) this.#row(line.trimEnd(), at, found);
  }

  #row(line: string, at: number, found: Span[]): boolean {
    const table = this.#table;
    const isRow =
      table !== null &&
      (table.count === null ? line.includes('|') : cellsOf(line, table.separator).length === table.count);
    if (!isRow) this.#table = null;
    else findInRow(table, line, at, found);
    return isRow;
  }
}
