import { nameOf } from '../aria/name.ts';
import { statesOf } from '../aria/role.ts';
import { SnapshotLine } from './snapshot-line.ts';
import { headOf, genericAction, withSpace } from './snapshot-words.ts';
import { TableGrid, isDataTable, widthOf } from './table.ts';
import type { End, WriterTools } from './out.ts';

/** What tables need of the writer around them. */
export interface SnapshotTableHost {
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
