import { invalidArgument } from '../../../shared/base/errors.ts';
import type { JsonValue, JsonObject } from '../../../shared/base/json.ts';
import type { QueryRequest } from '../../core/output/index.ts';
import { type Budget, type RowSource, compileExpression, isTruthy, readWhole } from './budget.ts';
import { jsonBytes, unfit } from '../../core/output/format.ts';
import { itemBatches, type StoredOutput } from '../../core/output/reader.ts';
import Papa from 'papaparse';
import { MIME } from '../../../shared/base/mime.ts';

/** Maximum rows kept for sorting: the first of all. */
const SORTED_MAX = 10_000;
/** Bytes of them. */
const SORTED_BYTES = 16 * 1024 * 1024;

/** An item with its sort key. */
interface Ranked {
  readonly key: JsonValue;
  readonly row: JsonValue;
  readonly size: number;
  readonly index: number;
}

type RowRange = Pick<QueryRequest, 'offset' | 'limit'>;
/** The rows of one item. */
type RowOrder = (item: JsonValue, index: number) => readonly JsonValue[];

/** Items that meet a condition, or some of their fields, in their order or sorted. */
export function queryRows(output: StoredOutput, query: QueryRequest, budget: Budget): Promise<Rows> {
  const condition = query.where === undefined ? null : compileExpression('where', query.where);
  const shape = shapeOf(query.fields);
  const answer: RowOrder = (item, index) =>
    condition === null || isTruthy(condition.of(item)) ? [shape(item, index)] : [];
  if (query.sort === undefined) return collect(output, query, budget, answer);
  return sortRows(output, { ...query, sort: query.sort }, budget, answer);
}

/** Each field under its name: the expression itself, or the part before `:` in `name: expression`. */
function shapeOf(fields: readonly string[] | undefined): (item: JsonValue, index: number) => JsonValue {
  if (fields === undefined || fields.length === 0) return (item) => item;
  const shown = fields.map((text) => {
    const named = /^\s*([\w-]+)\s*:(?!:)(.+)$/s.exec(text);
    return [named?.[1] ?? text, compileExpression('fields', named?.[2] ?? text)] as const;
  });
  return (item, index) => {
    const values = shown.map(([name, expression]) => [name, expression.of(item)] as const);
    // Models ask for index, which rows have, as for a field.
    const own = values.filter(([name, value]) => name !== 'index' || value !== null);
    return { index, ...Object.fromEntries(own) };
  };
}

/** Rows of items from `offset` on, in their order. */
export async function collect(
  output: StoredOutput,
  { offset, limit }: RowRange,
  budget: Budget,
  answer: RowOrder,
): Promise<Rows> {
  const page = new RowPage(0, limit, budget);
  for await (const { first, items } of itemBatches(output, offset)) {
    for (const [at, item] of items.entries()) {
      // One expression may take long with one item.
      if (at > 0 && !budget.hasTime()) return page.endAt(first + at);
      for (const row of answer(item, first + at)) page.add(row, { output, index: first + at });
      if (page.isFull) return page.endAt(first + at + 1);
    }
    if (!budget.hasTime()) return page.endAt(first + items.length);
  }
  return page.endAt(null);
}

/** The first of all rows, as many as a page needs. */
async function sortRows(
  output: StoredOutput,
  { offset, limit, sort }: RowRange & { readonly sort: string },
  budget: Budget,
  answer: RowOrder,
): Promise<Rows> {
  const isReversed = sort.startsWith('-');
  const by = compileExpression('sort', isReversed ? sort.slice(1) : sort);
  const most = offset + limit;
  if (most > SORTED_MAX)
    throw invalidArgument(
      `offset: a sorted answer has at most ${SORTED_MAX} rows.`,
      'Say more in where, or ask for the other end of the order.',
    );
  const compare = ({ key: a }: Ranked, { key: b }: Ranked): number =>
    // Rows without a value come last in both orders.
    a === null || b === null ? compareValues(a, b) : compareValues(a, b) * (isReversed ? -1 : 1);
  const kept: Ranked[] = [];
  let size = 0;
  let total = 0;
  let seen = 0;
  let isWhole = true;
  for await (const { first, items } of itemBatches(output, 0)) {
    for (const [at, item] of items.entries())
      for (const row of answer(item, first + at)) {
        total += 1;
        const ranked = { key: by.of(item), row, size: jsonBytes(row), index: first + at };
        kept.push(ranked);
        size += ranked.size;
      }
    kept.sort(compare);
    for (const { size: left } of kept.splice(most)) size -= left;
    if (size > SORTED_BYTES)
      throw invalidArgument(
        'sort: the rows are too large to be sorted.',
        'Name the fields that you need in fields, or ask for fewer rows.',
      );
    seen = first + items.length;
    isWhole = budget.hasTime();
    if (!isWhole) break;
  }
  const page = new RowPage(offset, limit, budget);
  for (const { row, index } of kept) page.add(row, { output, index });
  const notes = isWhole
    ? []
    : [`Only the first ${seen} items were sorted: it took too long. Say more in where.`];
  return page.end(notes, total);
}

/** Numbers before texts, rows without a value last. */
function compareValues(a: JsonValue, b: JsonValue): number {
  const [rankA, rankB] = [rankOf(a), rankOf(b)];
  if (rankA !== rankB) return rankA - rankB;
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  const [textA, textB] = [String(a), String(b)];
  return textA < textB ? -1 : textA > textB ? 1 : 0;
}

const rankOf = (value: JsonValue): number =>
  typeof value === 'number' ? 0 : typeof value === 'string' ? 1 : value === null ? 3 : 2;

export interface Rows {
  readonly rows: readonly JsonValue[];
  /** Where the next page begins: an item, a byte, or a row if all are counted; null at the end. */
  readonly next: number | null;
  /** Total rows, if all were counted. */
  readonly total?: number;
  readonly notes: readonly string[];
}

/** One page of rows that arrive in order; all are counted. */
export class RowPage {
  readonly #rows: JsonValue[] = [];
  #total = 0;
  isFull = false;

  constructor(
    private readonly offset: number,
    private readonly limit: number,
    private readonly budget: Budget,
  ) {}

  add(row: JsonValue, source: RowSource | null = null): void {
    this.#total += 1;
    if (this.isFull || this.#total <= this.offset) return;
    const { shown, bytes } = this.budget.fit(row, source);
    this.#rows.push(shown);
    this.isFull = !this.budget.take(bytes) || this.#rows.length === this.limit;
  }

  /** @param total rows that there are, where not all were added */
  end(notes: readonly string[] = [], total = this.#total): Rows {
    const next = this.offset + this.#rows.length;
    return { rows: this.#rows, next: next < total ? next : null, total, notes };
  }

  /** Rows that were not all counted. */
  endAt(next: number | null): Rows {
    return { rows: this.#rows, next, notes: [] };
  }
}

/** Bytes of a table, which is read as a whole. */
const TABLE_MAX = 16 * 1024 * 1024;

export const isTable = ({ meta }: StoredOutput): boolean =>
  meta.kind === 'text' && (meta.mime_type === MIME.csv || meta.mime_type === MIME.tsv);

/**
 * CSV or TSV as records named by its first line; any other output unchanged.
 * @throws SpillwayError `invalid_format_for_payload` for text that is not such a table
 */
export async function withRecords(output: StoredOutput, field: string): Promise<StoredOutput> {
  if (!isTable(output)) return output;
  const text = (await readWhole(output, field, TABLE_MAX)).toString('utf8');
  const records = parseTable(text, output.meta);
  return { ...output, meta: { ...output.meta, kind: 'items', item_count: records.length }, records };
}

function parseTable(text: string, { handle, mime_type: type }: StoredOutput['meta']): JsonObject[] {
  const { data, errors } = Papa.parse<Record<string, string>>(text, {
    header: true,
    skipEmptyLines: 'greedy',
    // CSV's delimiter is guessed: semicolons are as common as commas.
    delimiter: type === MIME.tsv ? '\t' : '',
  });
  const broken = errors.find((error) => error.type === 'Quotes');
  if (broken !== undefined)
    throw unfit(
      `${handle} is not a table: ${broken.message} (record ${broken.row ?? 0}).`,
      'Use search or regex.',
    );
  const numeric = numericNames(data);
  return data.map((record) =>
    Object.fromEntries(
      Object.entries(record).map(([name, cell]) => [name, numeric.has(name) ? parseCell(cell) : cell]),
    ),
  );
}

/** Codes and telephone numbers are not numbers: they would lose their zeros, sign or last digits. */
const NUMBER = /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?$/;

/** Columns in which every cell is a number, or empty. */
function numericNames(records: readonly Readonly<Record<string, unknown>>[]): ReadonlySet<string> {
  const names = new Set(records.flatMap((record) => Object.keys(record)));
  for (const record of records)
    for (const [name, cell] of Object.entries(record))
      if (cell !== '' && !(typeof cell === 'string' && NUMBER.test(cell))) names.delete(name);
  return names;
}

const parseCell = (cell: string): number | null => (cell === '' ? null : Number(cell));
