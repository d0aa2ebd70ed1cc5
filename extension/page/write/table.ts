import { isCell } from '../dom.ts';
import type { End } from './out.ts';

/** Cells with these are more than a line: such a table is layout. */
const LAYOUT_PARTS = 'table,iframe,frame,object,h1,h2,h3,h4,h5,h6,section,article,form,hr';
const MAX_SPAN = 1_000;
const DOCUMENTS = 'iframe,frame,object';
const TABLES = 'table,[role="table"],[role="grid"],[role="treegrid"]';
const CELLS = 'td,th,[role="cell"],[role="gridcell"],[role="columnheader"],[role="rowheader"]';
const HEADS = 'th,thead,caption,[role="columnheader"],[role="rowheader"]';
/** A nested table with more cells is not read in one line. */
const MAX_NESTED_CELLS = 24;

/** Whether a table contains data rather than layout: only then it becomes a Markdown table. */
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
export function widthOf(el: Element): number {
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

/** Collects the rows of a table and resolves spans: the content in the first cell, the others empty. */
export class TableGrid {
  readonly #rows: Cell[][] = [];
  /** Rows that a cell of an earlier row still covers, by column. */
  #covered: number[] = [];
  #row: Cell[] = [];
  #section: Element | null = null;
  #isHeader = true;
  #headerRows = 0;

  /** A cell does not extend beyond its section. */
  startRow(section: Element | null): void {
    if (section !== this.#section) this.#covered = [];
    this.#section = section;
    this.#row = [];
    this.#isHeader = true;
    this.#skipCovered();
  }

  /** The cell's text is already in the writer's own syntax, without line breaks. */
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

  /** Whether a cell of an earlier row extends into the next one. */
  get isCovered(): boolean {
    return this.#covered.some((rows) => rows > 0);
  }

  #skipCovered(): void {
    while ((this.#covered[this.#row.length] ?? 0) > 0) this.#row.push(EMPTY);
  }

  /** Takes and forgets the rows so far; each as wide as the table's first. */
  takeRows(width: number): string[][] {
    const rows = this.#rows.splice(0);
    return rows.map((row) =>
      Array.from({ length: Math.max(width, row.length) }, (_, i) => row[i]?.text ?? ''),
    );
  }

  /** Rows of texts, all of the same width; trailing empty columns are removed. */
  get texts(): string[][] {
    const rows = this.#rows.map((row) => row.map((cell) => cell.text));
    const widths = rows.map((row) => row.findLastIndex((text) => text !== '') + 1);
    const width = widths.reduce((most, own) => Math.max(most, own), 0);
    return rows.map((row) => Array.from({ length: width }, (_, i) => row[i] ?? ''));
  }

  get hasHeader(): boolean {
    return this.#headerRows > 0;
  }

  /** The lines of a GFM table; a table without a header row gets a blank one. */
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

/** @param between text between rows and cells, which browsers move out of the table */
export type WriteTable = (grid: TableGrid, between: string) => void;

/** How a format writes tables. */
interface TableFormat {
  /** Redirects output to a buffer. Returns a function that ends this and returns the text. */
  readonly collect: () => () => string;
  /** An outermost table begins; returns its writer, called when it has ended. */
  readonly open: (el: Element, grid: TableGrid, role: string) => WriteTable;
  /** The same for a table in a cell. */
  readonly nest: () => WriteTable;
  /** Collects a cell, in the syntax of the format and without line breaks. */
  readonly cell: (el: Element, role: string) => () => string;
  readonly caption: () => End;
  readonly row?: (el: Element, grid: TableGrid) => End;
}

/** The open data tables of any format: cells are collected in grids, which are written when their tables end. */
export class Tables {
  readonly #format: TableFormat;
  readonly #grids: TableGrid[] = [];

  constructor(format: TableFormat) {
    this.#format = format;
  }

  get isOpen(): boolean {
    return this.#grids.length > 0;
  }

  /**
   * The action for leaving a part of a table; undefined for other elements.
   * @param kind the HTML element that it acts as
   * @param canOpen asked of an outermost table
   */
  begin(el: Element, kind: string, canOpen: () => boolean, role = ''): End | undefined {
    const grid = this.#grids.at(-1);
    if (kind === 'table') {
      if (grid !== undefined) return this.#table(new TableGrid(), this.#format.nest());
      if (!canOpen()) return undefined;
      const opened = new TableGrid();
      return this.#table(opened, this.#format.open(el, opened, role));
    }
    if (grid === undefined) return undefined;
    if (kind === 'tr') return this.#row(el, grid);
    if (kind === 'td' || kind === 'th') {
      const finish = this.#format.cell(el, role);
      return () => grid.addCell(el, finish(), kind === 'th');
    }
    return kind === 'caption' ? this.#format.caption() : undefined;
  }

  #table(grid: TableGrid, write: WriteTable): End {
    this.#grids.push(grid);
    const finish = this.#format.collect();
    return () => {
      const between = finish();
      this.#grids.pop();
      write(grid, between);
    };
  }

  #row(el: Element, grid: TableGrid): End {
    const after = this.#grids.length === 1 ? this.#format.row?.(el, grid) : null;
    grid.startRow(el.parentElement);
    return () => {
      grid.endRow(el.parentElement?.localName === 'thead');
      after?.();
    };
  }
}
