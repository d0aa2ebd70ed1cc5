import type { FieldPlan } from '../../../shared/extract/plan.ts';
import type { FoundRecord } from '../../../shared/extract/request.ts';
import { assignLinked } from './links.ts';
import { assignLabels, leavesOf } from './match.ts';
import type { Paths } from './paths.ts';
import { assemble, type LeafValue, type RecordSet } from './records.ts';
import {
  headerText,
  isBanner,
  MOST_HEADERS,
  rowsOf,
  SAMPLE_ROWS,
  type Cell,
  type Row,
  type TableShape,
} from './table-model.ts';
import { readValue } from './values.ts';
import type { View } from './view.ts';

interface DownTools {
  readonly view: View;
  readonly paths: Paths;
  readonly fields: readonly FieldPlan[];
}

/** How likely it is that columns without headers of rows are records. */
const ASIDE = 0.6;

/** Records down: the first column names the fields, each further one is a record. */
export function columnSet(
  table: Element,
  { rows, heads }: TableShape,
  { fields, view, paths }: DownTools,
): RecordSet | null {
  const body = [...rowsWithin(table, rows)].filter(
    (row) => row.places.length > 1 && !isBanner(row) && !heads.includes(row),
  );
  if (body.length === 0) return null;
  const pairs = body.flatMap(({ places }) => pairsOf(places));
  const isInfoBox =
    pairs.length > 0 && body.every(({ places }) => places.length % 2 === 0) && hasSeveralHeaders(body);
  const width = isInfoBox ? 2 : Math.max(...body.map(({ places }) => places.length));
  const lines = isInfoBox ? pairs : body.map(({ places }) => places);
  const leaves = leavesOf(fields);
  const labels = lines.map(([label]) => [label == null ? '' : headerText(label, view)]);
  const assigned = assignLinked(leaves, labels, assignLabels(leaves, labels));
  if (assigned.size === 0) return null;
  return {
    strategy: 'tables',
    where: paths.of(table),
    size: width - 1,
    key: null,
    worth: lines.every(([label]) => label?.isHeader === true) || width === 2 ? 1 : ASIDE,
    records: function* (): Generator<FoundRecord> {
      for (let column = 1; column < width; column += 1) {
        const values = [...assigned].flatMap(([leaf, { index, score }]): LeafValue[] => {
          const cell = lines[index]?.[column] ?? null;
          if (cell === null || !view.isShown(cell.el)) return [];
          const value = readValue(cell.el, leaf.field, view);
          return value === null ? [] : [{ leaf, value, selector: paths.of(cell.el), confidence: score }];
        });
        yield {
          strategy: 'tables',
          where: paths.of(table),
          lang: view.lang,
          fields: assemble('tables', values),
        };
      }
    },
  };
}

/** A table that names its fields down the side has few rows: those that were looked at, or none. */
function rowsWithin(table: Element, sample: readonly Row[]): Iterable<Row> {
  return sample.length < SAMPLE_ROWS + MOST_HEADERS ? sample : rowsUpTo(table, MOST_SIDE_ROWS);
}

const MOST_SIDE_ROWS = 400;

function* rowsUpTo(table: Element, most: number): Generator<Row> {
  let count = 0;
  for (const row of rowsOf(table)) {
    if ((count += 1) > most) return;
    yield row;
  }
}

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
