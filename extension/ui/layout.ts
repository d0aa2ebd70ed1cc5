import { isObject, type JsonObject, type JsonValue } from '../../shared/base/json.ts';
import { readShown } from '../../shared/core/tools/shown.ts';
import { excerptOf, formatAddress, safeHref, startOf } from './text.ts';

export interface ExcerptRow {
  /** Among all items, from 0. */
  readonly index: number;
  readonly value: JsonValue;
  /** Size in bytes of an item that is too large for a page; `value` is then an excerpt. */
  readonly oversizedBytes?: number | undefined;
}

export interface ItemPage {
  readonly offset: number;
  readonly total: number;
  readonly isBusy: boolean;
  /** The way to items on other pages. */
  readonly pager: {
    readonly hasPrevious: boolean;
    readonly hasNext: boolean;
    turn(direction: 'next' | 'previous'): Promise<void> | void;
  };
}

/** Items of a page, each with its place among all. */
export const rowsOf = (items: readonly JsonValue[], offset = 0): readonly ExcerptRow[] =>
  items.map((item, at) => ({ index: offset + at, ...splitExcerpt(item) }));

/** An excerpt without what the server adds for agents. */
function splitExcerpt(value: JsonValue): Omit<ExcerptRow, 'index'> {
  if (!isObject(value) || !isObject(value['read_with'])) return { value };
  const { oversized_bytes: oversizedBytes, read_with: _, ...excerpt } = value;
  return typeof oversizedBytes === 'number' ? { value: excerpt, oversizedBytes } : { value };
}

/** Wider tables are hard to read; each row's detail has the other columns. */
const MAX_COLUMNS = 6;
const SUMMARY_CHARACTERS = 120;

/** Numeric if all its values are numbers: they are right-aligned. */
type Column = { readonly key: string; readonly isNumeric: boolean };

export type Layout =
  | { readonly kind: 'pages' }
  | { readonly kind: 'requests' }
  | { readonly kind: 'table'; readonly columns: readonly Column[]; readonly hidden: number }
  | { readonly kind: 'lines' };

/**
 * Pages of a crawl become a list, network requests their table, flat records a table,
 * everything else lines.
 */
export function layoutOf(rows: readonly ExcerptRow[]): Layout {
  const records = rows.map(({ value }) => value).filter(isObject);
  if (records.length === 0 || records.length < rows.length) return { kind: 'lines' };
  if (records.every((record) => readPageItem(record) !== null)) return { kind: 'pages' };
  if (readEntries(records) !== null) return { kind: 'requests' };
  const columns = columnsOf(records);
  if (columns.length === 0 || !isFlat(records)) return { kind: 'lines' };
  return {
    kind: 'table',
    columns: columns.slice(0, MAX_COLUMNS),
    hidden: Math.max(0, columns.length - MAX_COLUMNS),
  };
}

/** The union of the keys: the most frequent first, then in the records' own order. */
function columnsOf(records: readonly JsonObject[]): readonly Column[] {
  const seen = new Map<string, { count: number; kinds: Set<string> }>();
  for (const record of records)
    for (const [key, value] of Object.entries(record)) {
      const column = seen.get(key) ?? { count: 0, kinds: new Set() };
      column.count += 1;
      if (value !== null && value !== undefined) column.kinds.add(typeof value);
      seen.set(key, column);
    }
  return [...seen]
    .sort(([, a], [, b]) => b.count - a.count)
    .map(([key, { kinds }]) => ({ key, isNumeric: kinds.size === 1 && kinds.has('number') }));
}

/** At most one value in four may be nested. */
function isFlat(records: readonly JsonObject[]): boolean {
  const values = records.flatMap((record) => Object.values(record));
  const nested = values.filter((value) => typeof value === 'object' && value !== null && !isShortList(value));
  return nested.length * 4 <= values.length;
}

const isShortList = (value: JsonValue): boolean =>
  Array.isArray(value) && value.length <= 5 && value.every((entry) => typeof entry !== 'object');

/** A crawl's page; null for any other value. */
export function readPageItem(value: JsonValue) {
  const [page] = readShown('crawl', { value: [value] })?.value.items ?? [];
  const href = page?.fetched_at === undefined ? null : safeHref(page.url);
  if (page === undefined || href === null) return null;
  const { title, status, error, markdown, text = '' } = page;
  const name = title?.trim() ?? '';
  return {
    title: name === '' ? formatAddress(href) : name,
    href,
    excerpt: excerptOf(withoutTitle(markdown ?? text, name)),
    markdown,
    status: status ?? 0,
    error: error?.message,
  };
}

/** Captured requests; null for any other values. */
export const readEntries = (values: readonly JsonValue[]) =>
  readShown('network', { value: values })?.value.items ?? null;

export type CapturedEntry = NonNullable<ReturnType<typeof readEntries>>[number];

/** A page usually begins with its own title, which is already above the excerpt. */
function withoutTitle(body: string, title: string): string {
  const start = body.trimStart().replace(/^#+\s*/, '');
  return title !== '' && start.startsWith(title) ? start.slice(title.length) : body;
}

/** A value in one line. */
export function summarise(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return excerptLine(value);
  if (Array.isArray(value) && isShortList(value)) return excerptLine(value.map(String).join(', '));
  return excerptLine(typeof value === 'object' ? JSON.stringify(value) : String(value));
}

function excerptLine(text: string): string {
  const line = text
    .slice(0, SUMMARY_CHARACTERS * 4)
    .replace(/\s+/g, ' ')
    .trim();
  return line.length <= SUMMARY_CHARACTERS ? line : `${startOf(line, SUMMARY_CHARACTERS)}…`;
}
