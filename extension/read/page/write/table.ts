import { isPresentational } from '../../../dom/names/role.ts';
import { isCell } from '../../../dom/elements.ts';
import { NumberedRows, ariaIndex, type NumberedRow } from '../../../dom/numbered-rows.ts';
import type { End } from './out.ts';

/** Cells with these are more than a line: such a table is layout. */
const LAYOUT_PARTS = 'h1,h2,h3,h4,h5,h6,section,article,form,hr';
const MAX_SPAN = 1_000;
const DOCUMENTS = 'iframe,frame,object';
const TABLES = 'table,[role="table"],[role="grid"],[role="treegrid"]';
const HEADS_BY_ROLE = '[role="columnheader"],[role="rowheader"]';
const CELLS = `td,th,[role="cell"],[role="gridcell"],${HEADS_BY_ROLE}`;
const HEADS = `th,thead,caption,${HEADS_BY_ROLE}`;
/** A nested table with more cells is not read in one line. */
const MAX_NESTED_CELLS = 24;

/** Whether a table contains data rather than layout: only then it becomes a Markdown table. */
export function isDataTable(el: Element): boolean {
  if (el.querySelector(DOCUMENTS) !== null) return false;
  const nested = [...el.querySelectorAll(TABLES)];
  // The parts of a grid, its head and its body, may be tables that only lay out.
  const isApart = (table: Element): boolean =>
    !isPresentational(table.getAttribute('role') ?? '') || el.contains(table.closest(CELLS));
  if (nested.some((table) => isApart(table) && table.querySelectorAll(CELLS).length > MAX_NESTED_CELLS))
    return false;
  if (/^(?:table|(?:tree)?grid)$/.test(el.getAttribute('role') ?? '')) return true;
  for (const head of el.querySelectorAll(HEADS)) if (head.closest(TABLES) === el) return true;
  if (nested.length > 0 || el.querySelector(LAYOUT_PARTS) !== null) return false;
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

/** Whether the rows of a grid have to wait for its last one: their numbers are in another order. */
export function isReordered(el: Element): boolean {
  let last = 0;
  for (const row of el.querySelectorAll('[role="row"][aria-rowindex]')) {
    const index = rowIndexOf(row);
    if (index > 0 && index <= last) return true;
    last = Math.max(last, index);
  }
  return false;
}

/** HTML tables are shown in the order of the document, whatever the numbers of their parts. */
const rowIndexOf = (el: Element): number => (el.localName === 'tr' ? 0 : ariaIndex(el, 'row'));

interface Cell {
  readonly text: string;
  readonly align: string;
  readonly column: number;
}

interface TableRow extends NumberedRow<Cell> {
  isHead: boolean;
  /** A line of content outside of the cells. */
  readonly isAside: boolean;
}

const EMPTY: Cell = { text: '', align: '', column: 0 };

/** Collects the rows of a table and resolves spans: the content in the first cell, the others empty. */
export class TableGrid {
  readonly #rows = new NumberedRows<Cell, TableRow>();
  /** Rows that a cell of an earlier row still covers, by column. */
  #covered: number[] = [];
  #row: Cell[] = [];
  #section: Element | null = null;
  #isHeader = true;
  isInCell = false;

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
    const first = isCell(el) ? 0 : ariaIndex(el, 'col');
    for (let i = 0; i < columns; i += 1) {
      if (rows > 1) this.#covered[this.#row.length] = rows;
      this.#row.push({ text: i === 0 ? text : '', align, column: first === 0 ? 0 : first + i });
    }
    this.#skipCovered();
  }

  endRow(el: Element): void {
    const cells = this.#row;
    this.#covered = Array.from(this.#covered, (rows: number | undefined) => Math.max(0, (rows ?? 0) - 1));
    if (cells.length === 0) return;
    const isHead = this.#isHeader || el.parentElement?.localName === 'thead';
    const row = this.#rows.add({ cells, index: rowIndexOf(el), isHead, isAside: false });
    row.isHead &&= isHead;
  }

  /** Adds content outside of the cells, which is a line between the rows. */
  addAside(text: string): void {
    this.#rows.add({ cells: [{ ...EMPTY, text }], index: 0, isHead: false, isAside: true });
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
    return this.#rows.take().map((row) => textsOf(row, Math.max(width, row.cells.length)));
  }

  /** Rows of texts, all of the same width; trailing empty columns are removed. */
  get texts(): string[][] {
    return this.#textsOf(this.#rows.ordered());
  }

  #textsOf(rows: readonly TableRow[]): string[][] {
    let width = 0;
    for (const { cells, isAside } of rows)
      if (!isAside) width = Math.max(width, cells.findLastIndex(({ text }) => text !== '') + 1);
    return rows.map((row) => textsOf(row, width));
  }

  /** The lines of a GFM table; a table without a header row gets a blank one. */
  toMarkdown(): string[] {
    const rows = this.#rows.ordered();
    const texts = this.#textsOf(rows);
    const width = texts[0]?.length ?? 0;
    if (width === 0) return [];
    const aligns = Array.from({ length: width }, (_, i) => delimiter(alignAt(rows, i)));
    const head = rows[0]?.isHead === true ? (texts.shift() ?? []) : Array.from({ length: width }, () => '');
    return [line(head), line(aligns), ...texts.map(line)];
  }
}

const textsOf = ({ cells, isAside }: TableRow, width: number): string[] =>
  Array.from({ length: isAside ? 1 : width }, (_, i) => cells[i]?.text ?? '');

const alignAt = (rows: readonly TableRow[], column: number): string =>
  rows.map(({ cells }) => cells[column]?.align ?? '').find((align) => align !== '') ?? '';

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

/** How a format writes tables. */
interface TableFormat {
  /** An outermost table begins; returns its writer, called when it has ended. Content outside of its cells is collected there. */
  readonly open: (el: Element, grid: TableGrid, role: string) => () => void;
  /** The same for a table in a cell. */
  readonly nest: (grid: TableGrid) => () => void;
  /** Collects a cell, in the syntax of the format and without line breaks. */
  readonly cell: (el: Element, role: string) => () => string;
  /** Undefined: the caption is content outside of the cells. */
  readonly caption: (el: Element, isNested: boolean) => End | undefined;
  readonly row?: (el: Element, grid: TableGrid) => End;
}

/** The open data tables of any format: cells are collected in grids, which are written when their tables end. */
export class Tables {
  readonly #grids: TableGrid[] = [];

  constructor(private readonly format: TableFormat) {}

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
    if (grid === undefined) {
      if (kind !== 'table' || !canOpen()) return undefined;
      const opened = new TableGrid();
      return this.#table(opened, this.format.open(el, opened, role));
    }
    // In a cell, a table that only lays out has rows of its own too.
    if (kind === 'table' || (grid.isInCell && el.localName === 'table')) {
      const nested = new TableGrid();
      return this.#table(nested, this.format.nest(nested));
    }
    return grid.isInCell ? undefined : this.#part(el, kind, grid, role);
  }

  #table(grid: TableGrid, write: () => void): End {
    this.#grids.push(grid);
    return () => {
      this.#grids.pop();
      write();
    };
  }

  #part(el: Element, kind: string, grid: TableGrid, role: string): End | undefined {
    const isNested = this.#grids.length > 1;
    switch (kind) {
      case 'tr':
        return this.#row(el, grid, isNested);
      case 'td':
      case 'th':
        return this.#cell(el, grid, kind === 'th', role);
      case 'caption':
        return this.format.caption(el, isNested);
      default:
        return undefined;
    }
  }

  #cell(el: Element, grid: TableGrid, isHeader: boolean, role: string): End {
    const finish = this.format.cell(el, role);
    grid.isInCell = true;
    return () => {
      grid.isInCell = false;
      grid.addCell(el, finish(), isHeader);
    };
  }

  #row(el: Element, grid: TableGrid, isNested: boolean): End {
    const after = isNested ? null : this.format.row?.(el, grid);
    grid.startRow(el.parentElement);
    return () => {
      grid.endRow(el);
      after?.();
    };
  }
}
