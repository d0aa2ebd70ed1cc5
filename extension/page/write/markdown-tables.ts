import { escapeMarkdown, escapePipes, inlineCode } from './escape.ts';
import type { LineStyle } from './inline.ts';
import { Lines } from './lines.ts';
import { TableGrid, isDataTable } from './table.ts';
import type { End } from './writer.ts';

const CELL: LineStyle = {
  escape: escapeMarkdown,
  code: inlineCode,
  flanks: true,
  lineBreak: '<br>',
  indents: false,
  joiner: '<br>',
};

/** What tables need of the writer around them. */
export interface TableHost {
  /** Writes into `lines` from now on. Returns the lines before. */
  readonly swap: (lines: Lines) => Lines;
  /** Lists start fresh in a cell. Returns a function that restores those outside. */
  readonly suspendLists: () => () => void;
}

/** GFM tables: cells are collected in a grid and written when their table ends. */
export class MarkdownTables {
  readonly #host: TableHost;
  /** The open tables, innermost last. */
  readonly #grids: TableGrid[] = [];
  #caption = '';

  constructor(host: TableHost) {
    this.#host = host;
  }

  /** Whether the current text is in a cell. */
  get isInside(): boolean {
    return this.#grids.length > 0;
  }

  /** What to do when the part of a table is left; undefined if it is not one. */
  begin(el: Element, kind: string, canOpen: boolean): End | undefined {
    const grid = this.#grids.at(-1);
    if (kind === 'table') {
      if (grid !== undefined) return this.#nestedTable();
      return canOpen && isDataTable(el) ? this.#table() : undefined;
    }
    if (grid === undefined) return undefined;
    if (kind === 'tr') {
      grid.startRow(el.parentElement);
      const inHead = el.parentElement?.localName === 'thead';
      return () => grid.endRow(inHead);
    }
    if (kind === 'td' || kind === 'th') return this.#cell(el, grid, kind === 'th');
    return kind === 'caption' ? this.#collectCaption() : undefined;
  }

  #table(): End {
    const grid = new TableGrid();
    this.#grids.push(grid);
    // Content between rows and cells belongs to no cell: it is dropped as browsers move it out.
    const outer = this.#host.swap(new Lines({ write: () => undefined }, CELL));
    outer.block(2);
    return () => {
      this.#host.swap(outer);
      this.#grids.pop();
      const rows = grid.toMarkdown();
      outer.block(2);
      if (this.#caption !== '') outer.rawLines([this.#caption]);
      outer.block(2);
      this.#caption = '';
      if (rows.length > 0) outer.rawLines(rows);
      outer.block(2);
    };
  }

  /** Inside a cell a table is a line for each row. */
  #nestedTable(): End {
    const grid = new TableGrid();
    this.#grids.push(grid);
    const outer = this.#host.swap(new Lines({ write: () => undefined }, CELL));
    return () => {
      this.#host.swap(outer);
      this.#grids.pop();
      for (const row of grid.texts) {
        outer.block(1);
        outer.raw(row.join(' | '));
      }
      outer.block(1);
    };
  }

  #cell(el: Element, grid: TableGrid, isHeader: boolean): End {
    const finish = this.#collect();
    const resumeLists = this.#host.suspendLists();
    return () => {
      const text = finish();
      resumeLists();
      grid.addCell(el, escapePipes(text), isHeader);
    };
  }

  /** A caption becomes a paragraph before its table. */
  #collectCaption(): End {
    const finish = this.#collect();
    return () => {
      this.#caption = finish();
    };
  }

  /** Collects what is written, until it is asked for it. */
  #collect(): () => string {
    let text = '';
    const inner = new Lines({ write: (more) => void (text += more) }, CELL);
    const outer = this.#host.swap(inner);
    return () => {
      inner.endLine();
      this.#host.swap(outer);
      return text;
    };
  }
}
