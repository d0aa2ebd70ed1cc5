import { isCell } from '../dom.ts';
import { nameOf } from '../aria/name.ts';
import { statesOf } from '../aria/role.ts';
import { SnapshotLine } from './snapshot-line.ts';
import { headOf, genericAction, withSpace } from './snapshot-words.ts';
import type { End, WriterTools } from './out.ts';

/** What makes a cell more than a line: such a table lays a page out. */
const LAYOUT_PARTS = 'table,iframe,frame,object,h1,h2,h3,h4,h5,h6,section,article,form,hr';
const MAX_SPAN = 1_000;
/** What cannot be in a cell that is a line. */
const DOCUMENTS = 'iframe,frame,object';
const TABLES = 'table,[role="table"],[role="grid"],[role="treegrid"]';
const CELLS = 'td,th,[role="cell"],[role="gridcell"],[role="columnheader"],[role="rowheader"]';
const HEADS = 'th,thead,caption,[role="columnheader"],[role="rowheader"]';
/** A table of more cells in a cell is not read in one line. */
const MAX_NESTED_CELLS = 24;

/** Whether a table holds data, rather than laying out a page: only then it becomes a Markdown table. */
export function isDataTable(el: Element): boolean {
  const role = el.getAttribute('role');
  if (el.querySelector(DOCUMENTS) !== null) return false;
  const nested = [...el.querySelectorAll(TABLES)];
  if (nested.some((table) => table.querySelectorAll(CELLS).length > MAX_NESTED_CELLS)) return false;
  if (role === 'table' || role === 'grid' || role === 'treegrid') return true;
  for (const head of el.querySelectorAll(HEADS)) if (head.closest(TABLES) === el) return true;
  if (nested.length > 0) return false;
  if (el.querySelector(LAYOUT_PARTS) !== null) return false;
  const rows = el.querySelectorAll('tr,[role="row"]');
  let widest = 0;
  for (const row of rows) widest = Math.max(widest, row.childElementCount);
  return rows.length > 1 && widest > 1;
}

/** The columns of the first row of a table. */
function widthOf(el: Element): number {
  const row = el.querySelector('tr,[role="row"]');
  let width = 0;
  for (const cell of row?.children ?? []) width += columnsOf(cell);
  return width;
}

const columnsOf = (el: Element): number =>
  clampSpan(isCell(el) ? el.colSpan : Number(el.getAttribute('aria-colspan') ?? '1'));

interface Cell {
  readonly text: string;
  readonly align: string;
}

const EMPTY: Cell = { text: '', align: '' };

/** Collects the rows of a table and lays spans out: the content in the first cell, blanks in the rest. */
export class TableGrid {
  readonly #rows: Cell[][] = [];
  /** Rows that a cell of an earlier row still covers, by column. */
  #covered: number[] = [];
  #row: Cell[] = [];
  #section: Element | null = null;
  #isHeader = true;
  #headerRows = 0;

  /** A cell reaches no further than the section that it is in. */
  startRow(section: Element | null): void {
    if (section !== this.#section) this.#covered = [];
    this.#section = section;
    this.#row = [];
    this.#isHeader = true;
    this.#skipCovered();
  }

  /** The cell's text is in the writer's own syntax already, without line breaks. */
  addCell(el: Element, text: string, isHeader: boolean): void {
    if (!isHeader) this.#isHeader = false;
    const columns = columnsOf(el);
    const rows = isCell(el) ? (el.rowSpan === 0 ? MAX_SPAN : clampSpan(el.rowSpan)) : 1;
    const align = alignOf(el);
    for (let i = 0; i < columns; i += 1) {
      if (rows > 1) this.#covered[this.#row.length] = rows;
      this.#row.push(i === 0 ? { text, align } : { ...EMPTY, align });
    }
    this.#skipCovered();
  }

  endRow(inHead: boolean): void {
    const isEmpty = this.#row.length === 0;
    this.#covered = Array.from(this.#covered, (rows: number | undefined) => Math.max(0, (rows ?? 0) - 1));
    if (isEmpty) return;
    if ((inHead || this.#isHeader) && this.#headerRows === this.#rows.length) this.#headerRows += 1;
    this.#rows.push(this.#row);
  }

  /** A cell of an earlier row reaches into the next one. */
  get isCovered(): boolean {
    return this.#covered.some((rows) => rows > 0);
  }

  #skipCovered(): void {
    while ((this.#covered[this.#row.length] ?? 0) > 0) this.#row.push(EMPTY);
  }

  /** The rows that are there, which are forgotten; each as wide as the table begins. */
  takeRows(width: number): string[][] {
    const rows = this.#rows.splice(0);
    return rows.map((row) =>
      Array.from({ length: Math.max(width, row.length) }, (_, i) => row[i]?.text ?? ''),
    );
  }

  /** Rows of texts, all of the same width; trailing empty columns are removed. */
  get texts(): string[][] {
    const rows = this.#rows.map((row) => row.map((cell) => cell.text));
    const width = Math.max(0, ...rows.map((row) => row.findLastIndex((text) => text !== '') + 1));
    return rows.map((row) => Array.from({ length: width }, (_, i) => row[i] ?? ''));
  }

  get hasHeader(): boolean {
    return this.#headerRows > 0;
  }

  /** The lines of a GFM table; without a header row of its own the header stays blank. */
  toMarkdown(): string[] {
    const rows = this.texts;
    const width = rows[0]?.length ?? 0;
    if (width === 0) return [];
    const aligns = Array.from({ length: width }, (_, i) => delimiter(this.#alignAt(i)));
    const head = this.hasHeader ? (rows.shift() ?? []) : Array.from({ length: width }, () => '');
    return [line(head), line(aligns), ...rows.map(line)];
  }

  #alignAt(column: number): string {
    for (const row of this.#rows) {
      const align = row[column]?.align ?? '';
      if (align !== '') return align;
    }
    return '';
  }
}

const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

function delimiter(align: string): string {
  if (align === 'center') return ':-:';
  if (align === 'right') return '--:';
  return align === 'left' ? ':--' : '---';
}

function clampSpan(span: number): number {
  return Number.isInteger(span) ? Math.min(MAX_SPAN, Math.max(1, span)) : 1;
}

function alignOf(el: Element): string {
  const given = el.getAttribute('align');
  if (given !== null) return given.toLowerCase();
  return /text-align:\s*(left|right|center)/.exec(el.getAttribute('style') ?? '')?.[1] ?? '';
}

interface SnapshotTableHost {
  readonly tools: WriterTools;
  /** Writes into `line` from now on. Returns the line before. */
  readonly swap: (line: SnapshotLine) => SnapshotLine;
  /** Block boundaries are blanks from now on. Returns a function that ends this. */
  readonly flatten: () => () => void;
  /** Leaves text out until the returned function is called. */
  readonly mute: () => () => void;
  /** Writes what a cell's label says in addition to its content. */
  readonly writeName: (el: Element, tag: string, role: string) => void;
  readonly writeLine: (line: string) => void;
}

/** Writes the rows of one table, its head before the first that is not empty. */
class RowLines {
  readonly #head: string;
  readonly #writeLine: (line: string) => void;
  hasWritten = false;

  constructor(head: string, writeLine: (line: string) => void) {
    this.#head = head;
    this.#writeLine = writeLine;
  }

  write(rows: readonly (readonly string[])[]): void {
    for (const row of rows) {
      if (row.every((text) => text === '')) continue;
      if (!this.hasWritten) this.#writeLine(this.#head);
      this.hasWritten = true;
      this.#writeLine(row.join('|'));
    }
  }
}

/** Tables of data: cells are collected in a grid and written as rows when their table ends, or with a budget when their row does. */
export class SnapshotTables {
  readonly #host: SnapshotTableHost;
  readonly #grids: TableGrid[] = [];
  /** The outermost table, where its rows are written as they come. */
  #streamed: { readonly grid: TableGrid; readonly rows: RowLines; readonly width: number } | null = null;

  constructor(host: SnapshotTableHost) {
    this.#host = host;
  }

  /** Inside of a table. */
  get isOpen(): boolean {
    return this.#grids.length > 0;
  }

  /**
   * What to do when the part of a table is left; undefined if it is not one.
   *
   * @param kind the HTML element that it is in effect
   */
  begin(
    el: Element,
    { tag, kind, role, canOpen }: { tag: string; kind: string; role: string; canOpen: boolean },
  ): End | undefined {
    const grid = this.#grids.at(-1);
    if (kind === 'table' && grid !== undefined) return this.#nestedTable();
    if (grid === undefined)
      return kind === 'table' && canOpen && isDataTable(el) ? this.#table(el, role) : undefined;
    if (kind === 'tr') {
      if (this.#grids.length === 1) this.#beginRow(el, grid);
      grid.startRow(el.parentElement);
      return () => this.#endRow(grid);
    }
    if (kind === 'td' || kind === 'th') return this.#cell(el, grid, { tag, role, isHeader: kind === 'th' });
    return tag === 'caption' ? this.#host.mute() : undefined;
  }

  #table(el: Element, role: string): End {
    const grid = new TableGrid();
    this.#grids.push(grid);
    const rows = new RowLines(`@table${withSpace(nameOf(el, role))}`, this.#host.writeLine);
    // With a budget the walk may stop at any row, so that rows are written as they come.
    if (this.#host.tools.options.budget !== undefined) this.#streamed = { grid, rows, width: widthOf(el) };
    const unflatten = this.#host.flatten();
    // Content between rows and cells belongs to no cell: it is dropped as browsers move it out.
    const outer = this.#host.swap(new SnapshotLine(() => undefined));
    outer.end();
    return () => {
      this.#grids.pop();
      unflatten();
      this.#host.swap(outer);
      this.#streamed = null;
      rows.write(grid.texts);
      outer.afterTable = rows.hasWritten;
    };
  }

  /** A row that cells of earlier ones reach into is read again with those. */
  #beginRow(el: Element, grid: TableGrid): void {
    const { places } = this.#host.tools;
    if (grid.isCovered) places?.begin();
    else places?.enter(el, 0);
  }

  #endRow(grid: TableGrid): void {
    grid.endRow(false);
    const streamed = this.#streamed;
    if (streamed?.grid === grid) streamed.rows.write(grid.takeRows(streamed.width));
  }

  /** Inside a cell rows follow each other in its line. */
  #nestedTable(): End {
    const grid = new TableGrid();
    this.#grids.push(grid);
    const outer = this.#host.swap(new SnapshotLine(() => undefined));
    return () => {
      this.#grids.pop();
      this.#host.swap(outer);
      outer.space();
      outer.text(grid.texts.map((row) => row.join('|')).join('; '));
      outer.space();
    };
  }

  #cell(
    el: Element,
    grid: TableGrid,
    { tag, role, isHeader }: { tag: string; role: string; isHeader: boolean },
  ): End {
    let text = '';
    const line = new SnapshotLine((written) => void (text += written));
    const outer = this.#host.swap(line);
    const at = this.#isActive(el, role) ? line.open() : null;
    this.#host.writeName(el, tag, role);
    return () => {
      if (at !== null) line.close(at, headOf(el, role, this.#host.tools.refs), '');
      line.end();
      this.#host.swap(outer);
      grid.addCell(el, text.replaceAll('|', '\\|'), isHeader);
    };
  }

  /** A cell that is selected, sorted by or acted on, rather than only read. */
  #isActive(el: Element, role: string): boolean {
    if (statesOf(el, role).length > 0 || genericAction(el, role, this.#host.tools) !== null) return true;
    return role === 'gridcell' && (el.hasAttribute('tabindex') || el.hasAttribute('aria-selected'));
  }
}
