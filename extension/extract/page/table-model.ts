import { isLive } from '../../dom/sight.ts';
import { RENDERING, renderingOf } from '../../dom/visible.ts';
import {
  allIn,
  attrOf,
  childrenOf,
  firstIn,
  firstOf,
  isCell,
  lookUp,
  squash,
  tagOf,
  closestOf,
  isMatch,
} from '../../dom/elements.ts';
import { GRIDS, NumberedRows, ariaIndex, type NumberedRow } from '../../dom/numbered-rows.ts';
import type { Root, View } from './view.ts';
import type { FoundRecord } from '../../../shared/libraries/values/request.ts';
import { assignLinked, leavesOf } from './match.ts';
import { type LeafValue, type RecordSet, recordOf, type SearchTools } from './records.ts';
import { readValue } from './values.ts';

/** A cell with its spans. */
export interface SpanCell<T> {
  readonly cell: T;
  readonly colSpan: number;
  /** 0 extends to the end of its section. */
  readonly rowSpan: number;
}

/** HTML's own bounds for spans. */
const MAX_COLUMNS = 1_000;
const MAX_ROWS = 65_534;

interface Hanging<T> {
  readonly cell: T;
  /** Rows that it still extends into. */
  left: number;
}

/**
 * Resolves row and column spans, one row at a time: each row has one entry per column, with the same cell in every
 * place it spans. Where cells overlap the earlier one stays, as in browsers. Call `endSection` between sections: no
 * span crosses them.
 */
export class SpanResolver<T> {
  #hanging: (Hanging<T> | undefined)[] = [];

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
      const width = Math.min(Math.max(1, colSpan), MAX_COLUMNS - column);
      const more = rowSpan === 0 ? MAX_ROWS : Math.min(rowSpan, MAX_ROWS) - 1;
      for (let offset = 0; offset < width; offset += 1) {
        if (places[column + offset] !== undefined) continue;
        places[column + offset] = cell;
        if (more > 0) this.#hanging[column + offset] = { cell, left: more };
      }
      column += width;
      if (column >= MAX_COLUMNS) break;
    }
    return Array.from(places, (place) => place ?? null);
  }

  endSection(): void {
    this.#hanging = [];
  }
}

export interface Cell {
  readonly el: Element;
  readonly row: Element;
  /** From 1, for `:nth-child`. */
  readonly nth: number;
  readonly isHeader: boolean;
  /** From 1; 0 without a number. */
  readonly column: number;
}

export interface Row {
  readonly el: Element;
  readonly section: 'head' | 'body' | 'foot';
  /** This row's own cells. */
  readonly own: readonly Cell[];
  /** One entry per column, spans resolved. */
  readonly places: readonly (Cell | null)[];
}

/** Header rows that are examined, and rows sampled to judge a table. */
export const MAX_HEADERS = 8;
export const SAMPLE_ROWS = 12;

/** The first rows of a table, the headers among them, and how many rows it has. */
export interface TableShape {
  readonly count: number;
  readonly rows: readonly Row[];
  readonly heads: readonly Row[];
}

/** Data tables, without those that only lay out another table. */
export function tablesOf(scope: Root | Element): Element[] {
  const own = 'localName' in scope && isMatch(scope, GRIDS) ? [scope] : [];
  return [...own, ...allIn(scope, GRIDS)];
}

/** Rows of a table with their spans resolved, without those of nested tables. */
export function* rowsOf(table: Element): Generator<Row> {
  const resolver = new SpanResolver<Cell>();
  let last: Element | null = null;
  for (const { el, section, group, cells: own } of tagOf(table) === 'table'
    ? htmlRows(table)
    : ariaRows(table)) {
    if (group !== last) resolver.endSection();
    last = group;
    const spans = own.map((cell) => ({
      cell,
      colSpan: spanOf(cell.el, 'colspan', 'aria-colspan', 1),
      rowSpan: spanOf(cell.el, 'rowspan', 'aria-rowspan', 0),
    }));
    yield { el, section, own, places: resolver.row(spans) };
  }
}

interface RowPlace extends NumberedRow<Cell> {
  readonly el: Element;
  readonly section: Row['section'];
  readonly group: Element;
}

const SECTIONS: Readonly<Record<string, Row['section']>> = { thead: 'head', tbody: 'body', tfoot: 'foot' };

function* htmlRows(table: Element): Generator<RowPlace> {
  for (let child = table.firstElementChild; child !== null; child = child.nextElementSibling) {
    if (tagOf(child) === 'tr') yield describeRow(child, 'body', table);
    const section = lookUp(SECTIONS, tagOf(child));
    if (section === undefined) continue;
    for (let row = child.firstElementChild; row !== null; row = row.nextElementSibling)
      if (tagOf(row) === 'tr') yield describeRow(row, section, child);
  }
}

function ariaRows(table: Element): RowPlace[] {
  const rows = new NumberedRows<Cell, RowPlace>();
  for (const el of allIn(table, '[role="row"]'))
    if (closestOf(el, GRIDS) === table)
      rows.add({ ...describeRow(el, 'body', table), index: ariaIndex(el, 'row') });
  return rows.ordered();
}

const describeRow = (el: Element, section: Row['section'], group: Element): RowPlace => ({
  el,
  section,
  group,
  cells: cellsOf(el),
  index: 0,
});

/** Whether a cell is left out of its row, so that the next one is in its column. */
function isLeftOut(el: Element): boolean {
  if (isLive(el) && renderingOf(el) !== RENDERING.none) return false;
  // A document that was only parsed has no computed style.
  const display = getComputedStyle(el).display || (attrOf(el, 'style') ?? '');
  return el.hasAttribute('hidden') || /^none|display\s*:\s*none/i.test(display);
}

const cellsOf = (row: Element): Cell[] =>
  childrenOf(row).flatMap((el, index): Cell[] => {
    const role = el.hasAttributes() ? attrOf(el, 'role') : null;
    const isHeader = tagOf(el) === 'th' || role === 'columnheader' || role === 'rowheader';
    const isData = isCell(el) || role === 'cell' || role === 'gridcell';
    return (isHeader || isData) && !isLeftOut(el)
      ? [{ el, row, nth: index + 1, isHeader, column: ariaIndex(el, 'col') }]
      : [];
  });

/** Browsers read `rowspan="0"` as "to the end", and anything that is not a number as 1. */
function spanOf(el: Element, name: string, aria: string, least: number): number {
  const declared = el.hasAttributes() ? (attrOf(el, name) ?? attrOf(el, aria)) : null;
  if (declared === null) return 1;
  const span = Number.parseInt(declared, 10);
  return Number.isNaN(span) || span < least ? 1 : span;
}

const MAX_SHORT = 4;

/** The text of a header, or its replacement. */
export function headerText(cell: Cell, view: View): string {
  const text = view.text(cell.el);
  // `<abbr title="Wins">W</abbr>`
  const named = text.length > MAX_SHORT ? null : (firstIn(cell.el, 'abbr[title]') ?? cell.el);
  const full = attrOf(named, 'title') ?? text;
  return full !== '' ? full : squash(attrOf(cell.el, 'aria-label') ?? attrOf(cell.el, 'abbr') ?? '');
}

/** A row of one cell across the whole table: a caption, or the name of the group below. */
export function isBanner(row: Row): boolean {
  const [only] = row.own;
  return (
    row.own.length === 1 &&
    row.places.length > 1 &&
    row.places.every((cell) => cell === only || cell === null)
  );
}

/** How likely columns are records if rows have no headers. */
const ASIDE = 0.6;

/** One record per column: the first column names the fields. */
export function columnSet(table: Element, { rows, heads }: TableShape, tools: SearchTools): RecordSet | null {
  const { fields, view, paths } = tools;
  const body = rowsWithin(table, rows).filter(
    (row) => row.places.length > 1 && !isBanner(row) && !heads.includes(row),
  );
  if (body.length === 0) return null;
  const pairs = body.flatMap(({ places }) => pairsOf(places));
  const isInfoBox =
    pairs.length > 0 && body.every(({ places }) => places.length % 2 === 0) && hasSeveralHeaders(body);
  const width = isInfoBox ? 2 : body.reduce((most, { places }) => Math.max(most, places.length), 0);
  const lines = isInfoBox ? pairs : body.map(({ places }) => places);
  const leaves = leavesOf(fields);
  const labels = lines.map(([label]) => [label == null ? '' : headerText(label, view)]);
  const assigned = assignLinked(leaves, labels);
  if (assigned.size === 0) return null;
  return {
    strategy: 'tables',
    where: paths.of(table),
    size: width - 1,
    worth: lines.every(([label]) => label?.isHeader === true) || width === 2 ? 1 : ASIDE,
    records: function* (): Generator<FoundRecord> {
      for (let column = 1; column < width; column += 1) {
        const values = [...assigned].flatMap(([leaf, { index, score }]): LeafValue[] => {
          const cell = lines[index]?.[column] ?? null;
          if (cell === null || !view.isShown(cell.el)) return [];
          const value = readValue(cell.el, leaf.field, view);
          return value === null ? [] : [{ leaf, value, selector: paths.of(cell.el), confidence: score }];
        });
        yield recordOf('tables', table, values, tools);
      }
    },
  };
}

/** A short table is in the sample whole; a longer one is read up to a bound, since field names down the side are few. */
function rowsWithin(table: Element, sample: readonly Row[]): readonly Row[] {
  return sample.length < SAMPLE_ROWS + MAX_HEADERS ? sample : firstOf(rowsOf(table), MAX_SIDE_ROWS);
}

const MAX_SIDE_ROWS = 400;

/** `th td th td` → two lines of `th td`. */
function pairsOf(places: readonly (Cell | null)[]): (Cell | null)[][] {
  const pairs: (Cell | null)[][] = [];
  for (let at = 0; at + 1 < places.length; at += 2) pairs.push([places[at] ?? null, places[at + 1] ?? null]);
  return pairs;
}

const hasSeveralHeaders = (body: readonly Row[]): boolean =>
  body.every(
    ({ places }) =>
      places.length >= 4 &&
      places.every((cell, index) => (cell?.isHeader ?? index % 2 === 0) === (index % 2 === 0)),
  );
