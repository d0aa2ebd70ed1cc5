import { nameOf } from '../aria/name.ts';
import { statesOf } from '../aria/state.ts';
import { SnapshotLine } from './snapshot-line.ts';
import { headOf, isGenericAction, withSpace } from './snapshot-words.ts';
import { TableGrid, isDataTable } from './table.ts';
import type { End, WriterTools } from './writer.ts';

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

/** Tables of data: cells are collected in a grid and written as rows when their table ends. */
export class SnapshotTables {
  readonly #host: SnapshotTableHost;
  readonly #grids: TableGrid[] = [];

  constructor(host: SnapshotTableHost) {
    this.#host = host;
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
      grid.startRow();
      return () => grid.endRow(false);
    }
    if (kind === 'td' || kind === 'th') return this.#cell(el, grid, { tag, role, isHeader: kind === 'th' });
    return tag === 'caption' ? this.#host.mute() : undefined;
  }

  #table(el: Element, role: string): End {
    const grid = new TableGrid();
    this.#grids.push(grid);
    const unflatten = this.#host.flatten();
    // Content between rows and cells belongs to no cell: it is dropped as browsers move it out.
    const outer = this.#host.swap(new SnapshotLine(() => undefined));
    outer.end();
    return () => {
      this.#grids.pop();
      unflatten();
      this.#host.swap(outer);
      const rows = grid.texts.filter((row) => row.some((text) => text !== ''));
      if (rows.length === 0) return;
      this.#host.writeLine(`@table${withSpace(nameOf(el, role))}`);
      for (const row of rows) this.#host.writeLine(row.join('|'));
      outer.afterTable = true;
    };
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
    if (statesOf(el, role).length > 0 || isGenericAction(el, role, this.#host.tools.view)) return true;
    return role === 'gridcell' && (el.hasAttribute('tabindex') || el.hasAttribute('aria-selected'));
  }
}
