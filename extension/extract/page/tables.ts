import { allIn, textIn, closestOf, holds } from '../../dom/elements.ts';
import { GRIDS } from '../../dom/numbered-rows.ts';
import type { JsonValue } from '../../../shared/base/json.ts';
import { isPlausible } from '../../../shared/libraries/values/coerce.ts';
import type { FoundRecord } from '../../../shared/libraries/values/request.ts';
import { MATCH_CONFIDENCE } from '../../../shared/libraries/values/names.ts';
import { assignLabels, isAddress, leavesOf, type Leaf, assignLinked } from './match.ts';
import type { Root, View } from './view.ts';
import { type Fields, type LeafValue, type RecordSet, recordOf, type SearchTools } from './records.ts';
import {
  headerText,
  isBanner,
  MAX_HEADERS,
  rowsOf,
  SAMPLE_ROWS,
  tablesOf,
  type Cell,
  type Row,
  type TableShape,
  columnSet,
} from './table-model.ts';
import { addressOf, imageOf, readValue } from './values.ts';

interface TableTools extends SearchTools {
  /** Rows that are records, if the caller has named them. */
  readonly only?: ReadonlySet<Element>;
}

interface Column {
  readonly leaf: Leaf;
  readonly column: number;
  readonly confidence: number;
  /** An address or image from a column with another purpose. */
  readonly isAside: boolean;
}

const ASIDE = 0.6;
const POSITION = 0.5;

/** Every table in a part of the page, in each possible reading; or only the named rows. */
export function readTables(
  scope: Root | Element,
  tools: TableTools,
  cards: readonly Element[] | null = null,
): RecordSet[] {
  if (cards !== null) return readNamedRows(cards, tools);
  return tablesOf(scope).flatMap((table) => {
    const shape = shapeOf(table, tools);
    const across = rowSet(table, shape, tools);
    const down = columnSet(table, shape, tools);
    return [across, down].filter((set) => set !== null);
  });
}

const tableOf = (el: Element): Element | null => closestOf(el, GRIDS);

/** Omits other rows. */
export function readRows(cards: readonly Element[], tools: SearchTools): ReadonlyMap<Element, Fields> {
  const named = new Set(cards);
  const values = new Map<Element, Fields>();
  for (const table of new Set(cards.map(tableOf))) {
    if (table === null) continue;
    const shape = shapeOf(table, tools);
    const { columns } = columnsOf(shape, tools);
    if (columns.length === 0) continue;
    for (const row of rowsOf(table))
      if (named.has(row.el) && isRecordRow(row, shape.heads))
        values.set(row.el, rowRecord(row, columns, tools).fields);
  }
  return values;
}

/** The rows of one table that a caller's scope names. */
function readNamedRows(cards: readonly Element[], tools: TableTools): RecordSet[] {
  const [first] = cards;
  const table = first === undefined ? null : tableOf(first);
  if (table === null || !cards.every((el) => holds(table, el))) return [];
  const only = new Set(cards);
  return readTables(table, { ...tools, only })
    .slice(0, 1)
    .map((set) => ({ ...set, size: cards.length }));
}

function shapeOf(table: Element, tools: SearchTools): TableShape {
  const rows: Row[] = [];
  let count = 0;
  for (const row of rowsOf(table)) {
    if (count < SAMPLE_ROWS + MAX_HEADERS) rows.push(row);
    count += 1;
  }
  return { rows, heads: headerRows(rows, tools), count };
}

/** Rows of `thead`, else the leading rows of headers, else a first row that names fields. */
function headerRows(rows: readonly Row[], tools: SearchTools): Row[] {
  const heads = rows.filter(({ section }) => section === 'head');
  if (heads.length > 0) return heads.slice(0, MAX_HEADERS);
  const body = rows.filter((row) => !isBanner(row) && row.own.length > 0);
  const leading: Row[] = [];
  for (const row of body) {
    if (!isHeaderRow(row)) break;
    leading.push(row);
  }
  if (leading.length > 0) return leading.length < body.length ? leading : [];
  const [first] = body;
  return first !== undefined && namesFields(first, tools) ? [first] : [];
}

/** Only headers; the corner above the row headers may be an empty cell. */
const isHeaderRow = ({ own }: Row): boolean =>
  own.length > 0 &&
  own.every(({ isHeader, el }, index) => isHeader || (index === 0 && textIn(el) === '')) &&
  own.some(({ isHeader }) => isHeader);

function namesFields(row: Row, { fields, view }: SearchTools): boolean {
  // Headers next to data, and labels with a colon, belong to the row.
  if (row.own.some(({ isHeader, el }) => isHeader || /[:：]$/.test(textIn(el)))) return false;
  const leaves = leavesOf(fields);
  const named = [
    ...assignLabels(
      leaves,
      row.places.map((cell) => [cell === null ? '' : headerText(cell, view)]),
    ).values(),
  ];
  const sure = named.filter(({ score }) => score >= MATCH_CONFIDENCE.part);
  return sure.length >= Math.min(2, leaves.length) && row.own.length > 1;
}

/** All headers above it from the top, then the last one, then the first. */
function columnLabels(heads: readonly Row[], view: View): string[][] {
  const width = Math.max(0, ...heads.map(({ places }) => places.length));
  return Array.from({ length: width }, (_, column) => {
    const above: string[] = [];
    let before: Cell | null = null;
    for (const row of heads) {
      const cell = row.places[column] ?? null;
      if (cell === null || cell === before || (isBanner(row) && heads.length > 1)) continue;
      before = cell;
      const text = headerText(cell, view);
      if (text !== '') above.push(text);
    }
    return [...new Set([above.join(' '), above.at(-1) ?? '', above[0] ?? ''])];
  });
}

/** By headers, or by content if there are none. */
function columnsOf(
  { rows, heads }: TableShape,
  { view, fields }: SearchTools,
): { readonly labels: readonly string[][]; readonly columns: readonly Column[] } {
  const body = rows.filter((row) => isRecordRow(row, heads));
  const leaves = leavesOf(fields);
  const labels = columnLabels(heads, view);
  const columns =
    heads.length > 0 ? namedColumns(leaves, labels, body, view) : placedColumns(leaves, body, view);
  return { labels, columns };
}

/** One record per row. */
function rowSet(table: Element, shape: TableShape, tools: TableTools): RecordSet | null {
  const { view, paths } = tools;
  const { heads, count } = shape;
  const { labels, columns } = columnsOf(shape, tools);
  if (columns.length === 0) return null;
  const lastHead = heads.at(-1)?.el ?? null;
  return {
    strategy: 'tables',
    where: paths.of(table),
    size: count - heads.length,
    key: columns
      .map(({ leaf, column }) => `${leaf.path.join('.')}=${labels[column]?.[0] ?? column}`)
      .join('|'),
    records: function* (): Generator<FoundRecord> {
      let isBody = lastHead === null;
      for (const row of rowsOf(table)) {
        if (!isBody) {
          isBody = row.el === lastHead;
          continue;
        }
        if (!isRecordRow(row, heads) || tools.only?.has(row.el) === false) continue;
        if (view.isShown(row.el)) yield rowRecord(row, columns, tools);
        else tools.onHidden();
      }
    },
  };
}

function isRecordRow(row: Row, heads: readonly Row[]): boolean {
  if (row.section !== 'body' || row.own.length === 0 || isBanner(row)) return false;
  if (heads.some(({ el }) => el === row.el)) return false;
  // Long tables repeat their header rows.
  return heads.length === 0 || !row.own.every(({ isHeader }) => isHeader);
}

function rowRecord(row: Row, columns: readonly Column[], tools: SearchTools): FoundRecord {
  const { view, paths } = tools;
  const values: LeafValue[] = [];
  for (const { leaf, column, confidence, isAside } of columns) {
    const cell = row.places[column];
    if (cell == null) continue;
    const value = isAside ? asideValue(cell, leaf, view) : readValue(cell.el, leaf.field, view);
    if (value === null) continue;
    const selector = paths.isAsked && cell.row === row.el ? `> :nth-child(${cell.nth})` : paths.of(cell.el);
    values.push({ leaf, value, selector, confidence });
  }
  return recordOf('tables', row.el, values, tools);
}

const asideValue = ({ el }: Cell, { field }: Leaf, view: View): string | null =>
  field.form === 'image' ? imageOf(el, view) : addressOf(el, view);

function namedColumns(
  leaves: readonly Leaf[],
  labels: readonly string[][],
  body: readonly Row[],
  view: View,
): Column[] {
  const assigned = assignLinked(leaves, labels);
  const columns: Column[] = [...assigned].map(([leaf, { index, score }]) => ({
    leaf,
    column: index,
    confidence: score,
    isAside: false,
  }));
  if (columns.length === 0) return [];
  return [...columns, ...asideColumns(leaves, columns, body, view)];
}

/** Addresses and images without a header are in cells with another purpose. */
function asideColumns(
  leaves: readonly Leaf[],
  named: readonly Column[],
  body: readonly Row[],
  view: View,
): Column[] {
  const rows = body.slice(0, SAMPLE_ROWS);
  const width = Math.max(0, ...rows.map(({ places }) => places.length));
  return leaves.flatMap((leaf): Column[] => {
    if (!isAddress(leaf.field) || named.some((column) => column.leaf === leaf)) return [];
    for (let column = 0; column < width; column += 1) {
      const found = rows.filter(({ places }) => {
        const cell = places[column];
        return cell != null && asideValue(cell, leaf, view) !== null;
      });
      if (found.length * 2 > rows.length) return [{ leaf, column, confidence: ASIDE, isAside: true }];
    }
    return [];
  });
}

const isOneText = (el: Element, value: JsonValue): boolean =>
  allIn(el, 'a').length < 2 && (typeof value !== 'string' || !/^\p{N}+$/u.test(value));

/** Without any header: one column per field, in the schema's order, if every value fits. */
function placedColumns(leaves: readonly Leaf[], body: readonly Row[], view: View): Column[] {
  const rows = body.slice(0, SAMPLE_ROWS);
  const isSame = rows.length > 0 && rows.every(({ places }) => places.length === leaves.length);
  if (!isSame || leaves.length < 2) return [];
  const columns = leaves.map((leaf, column) => ({ leaf, column, confidence: POSITION, isAside: false }));
  const fits = columns.every(({ leaf, column }) =>
    rows.every(({ places }) => {
      const cell = places[column];
      if (cell == null) return false;
      const value = readValue(cell.el, leaf.field, view);
      // A number, or two texts in one cell, does not suggest a text field.
      if (leaf.field.types[0] === 'string' && !isOneText(cell.el, value)) return false;
      return value === null || isPlausible(leaf.field, value, view.hints);
    }),
  );
  return fits ? columns : [];
}
