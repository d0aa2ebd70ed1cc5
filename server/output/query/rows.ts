import { SpillwayError } from '../../../shared/errors.ts';
import { isJsonList, type JsonValue } from '../../../shared/json.ts';
import type { Budget } from './budget.ts';
import { compileExpression, isTruthy, type Expression } from './expression.ts';
import { itemBatches } from './items.ts';
import type { QueriedOutput } from './table.ts';
import { RowPage, type Rows } from './row-page.ts';

/** Rows that are kept to be sorted: the first of all. */
const SORTED_MAX = 10_000;
/** Bytes of them. */
const SORTED_BYTES = 16 * 1024 * 1024;

export interface RowQuery {
  readonly fields?: readonly string[] | undefined;
  readonly where?: string | undefined;
  readonly sort?: string | undefined;
  readonly offset: number;
  readonly limit: number;
}

/** An item in the order that is asked for. */
interface Ranked {
  readonly key: JsonValue;
  readonly row: JsonValue;
  readonly size: number;
}

/** What an answer has of one item. */
type Shape = (item: JsonValue, index: number) => JsonValue;

/** Items for which a condition holds, or some of their fields, in their order or sorted. */
export function queryRows(output: QueriedOutput, query: RowQuery, budget: Budget): Promise<Rows> {
  const condition = query.where === undefined ? null : compileExpression('where', query.where);
  const holds = (item: JsonValue): boolean => condition === null || isTruthy(condition.of(item));
  const shape = shapeOf(query.fields);
  if (query.sort === undefined) return inOrder(output, { ...query, holds, shape }, budget);
  return sorted(output, { ...query, holds, shape, sort: query.sort }, budget);
}

/** What each item of a list answers by itself; items without an answer are left out, as JMESPath does. */
export async function queryEach(
  output: QueriedOutput,
  {
    expression,
    offset,
    limit,
  }: { readonly expression: Expression; readonly offset: number; readonly limit: number },
  budget: Budget,
): Promise<Rows> {
  const answers = (item: JsonValue): readonly JsonValue[] => {
    const list = expression.of([item]);
    return isJsonList(list) ? list : [];
  };
  return collect(output, { answers, offset, limit }, budget);
}

/** Each field of its own name: the expression itself, or what is before `:` in `name: expression`. */
function shapeOf(fields: readonly string[] | undefined): Shape {
  if (fields === undefined || fields.length === 0) return (item) => item;
  const shown = fields.map((text) => {
    const named = /^\s*([\w-]+)\s*:(?!:)(.+)$/s.exec(text);
    return [named?.[1] ?? text, compileExpression('fields', named?.[2] ?? text)] as const;
  });
  return (item, index) => ({
    index,
    ...Object.fromEntries(shown.map(([name, expression]) => [name, expression.of(item)])),
  });
}

interface Shaped {
  readonly holds: (item: JsonValue) => boolean;
  readonly shape: Shape;
  readonly offset: number;
  readonly limit: number;
}

const inOrder = (output: QueriedOutput, { holds, shape, ...page }: Shaped, budget: Budget): Promise<Rows> =>
  collect(output, { ...page, answers: (item, index) => (holds(item) ? [shape(item, index)] : []) }, budget);

async function collect(
  output: QueriedOutput,
  {
    answers,
    offset,
    limit,
  }: {
    readonly answers: (item: JsonValue, index: number) => readonly JsonValue[];
    readonly offset: number;
    readonly limit: number;
  },
  budget: Budget,
): Promise<Rows> {
  const rows: JsonValue[] = [];
  for await (const { first, items } of itemBatches(output, offset)) {
    for (const [at, item] of items.entries()) {
      // One expression may take long with one item.
      if (at > 0 && !budget.hasTime()) return { rows, next: first + at, notes: [] };
      for (const row of answers(item, first + at)) {
        const shown = budget.fit(row);
        rows.push(shown);
        const hasRoom = budget.take(JSON.stringify(shown).length);
        if (rows.length >= limit || !hasRoom) return { rows, next: first + at + 1, notes: [] };
      }
    }
    const next = first + items.length;
    if (!budget.hasTime()) return { rows, next, notes: [] };
  }
  return { rows, next: null, notes: [] };
}

/** The first of all, of which as many are kept as a page needs. */
async function sorted(
  output: QueriedOutput,
  { holds, shape, offset, limit, sort }: Shaped & { readonly sort: string },
  budget: Budget,
): Promise<Rows> {
  const isReversed = sort.startsWith('-');
  const by = compileExpression('sort', isReversed ? sort.slice(1) : sort);
  const most = offset + limit;
  if (most > SORTED_MAX)
    throw new SpillwayError('invalid_argument', `offset: a sorted answer has at most ${SORTED_MAX} rows.`, {
      hint: 'Say more in where, or ask for the other end of the order.',
    });
  const compare = ({ key: a }: Ranked, { key: b }: Ranked): number =>
    // What has no value is last in both orders.
    a === null || b === null ? compareValues(a, b) : compareValues(a, b) * (isReversed ? -1 : 1);
  const kept: Ranked[] = [];
  let size = 0;
  let total = 0;
  let seen = 0;
  let isWhole = true;
  for await (const { first, items } of itemBatches(output, 0)) {
    for (const [at, item] of items.entries()) {
      if (!holds(item)) continue;
      total += 1;
      const row = shape(item, first + at);
      const ranked = { key: by.of(item), row, size: JSON.stringify(row).length };
      size += insert(kept, ranked, compare) - (kept.length > most ? (kept.pop()?.size ?? 0) : 0);
    }
    if (size > SORTED_BYTES)
      throw new SpillwayError('invalid_argument', 'sort: the rows are too large to be sorted.', {
        hint: 'Name the fields that you need in fields, or ask for fewer rows.',
      });
    seen = first + items.length;
    isWhole = budget.hasTime();
    if (!isWhole) break;
  }
  const page = new RowPage(offset, limit, budget);
  for (const { row } of kept) page.add(row);
  const notes = isWhole
    ? []
    : [`Only the first ${seen} items were sorted: it took too long. Say more in where.`];
  return page.end(notes, total);
}

/** Inserts in order, behind what is equal. Returns the size of what was inserted. */
function insert(kept: Ranked[], ranked: Ranked, compare: (a: Ranked, b: Ranked) => number): number {
  let [low, high] = [0, kept.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const other = kept[middle];
    if (other !== undefined && compare(other, ranked) <= 0) low = middle + 1;
    else high = middle;
  }
  kept.splice(low, 0, ranked);
  return ranked.size;
}

/** Numbers before texts, and what has no value last. */
function compareValues(a: JsonValue, b: JsonValue): number {
  const [rankA, rankB] = [rankOf(a), rankOf(b)];
  if (rankA !== rankB) return rankA - rankB;
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  const [textA, textB] = [String(a), String(b)];
  return textA < textB ? -1 : textA > textB ? 1 : 0;
}

const rankOf = (value: JsonValue): number =>
  typeof value === 'number' ? 0 : typeof value === 'string' ? 1 : value === null ? 3 : 2;
