import type { ItemSpan, FoundText, OutputSearch } from '../../core/output/index.ts';
import type { Clock } from '../../core/services.ts';
import { withOutput, type OutputSource, type StoredOutput } from '../../core/output/reader.ts';
import type { View } from '../../core/output/checked-file.ts';
import { boundaryAfter, boundaryBefore, jsonBytes, wrongKind } from '../../core/output/format.ts';
import { Budget } from './budget.ts';

/** Bytes shown on each side of a match. */
const CONTEXT_BYTES = 80;
/** The character before a place, which an expression may examine. */
const CHARACTER_BYTES = 4;
/** Bytes shown of a long match. */
const MATCH_BYTES = 400;

interface SearchOptions<Row> {
  readonly from: number;
  readonly limit: number;
  readonly budget: Budget;
  /** A match as the answer shows it. */
  readonly rowOf: (match: FoundText) => Row;
}

/**
 * Finds matches from a byte (between two characters) or an item on; within each item, the first. Memory: two
 * mebibytes. Every call makes progress, however little time it has.
 * @returns `next`: the byte or item where the next search begins; null at the end
 */
export async function searchOutput<Row>(
  output: StoredOutput,
  finder: Finder,
  { from, limit, budget, rowOf }: SearchOptions<Row>,
): Promise<{ readonly rows: readonly Row[]; readonly next: number | null }> {
  const items = output.meta.kind === 'items' ? new ItemPlaces(output) : null;
  const rows: Row[] = [];
  /** The first byte that was not searched. */
  let at = items === null ? from : ((await output.spans(from, 1))[0]?.start ?? output.meta.size_bytes);

  /** Searches a part. Returns where the next search begins once the answer is full, else null. */
  const take = async (view: View): Promise<number | null> => {
    const { at: start, bytes, isLast } = view;
    const to = isLast ? bytes.length : boundaryBefore(bytes, bytes.length - MARGIN_BYTES);
    while (at < start + to) {
      const found = finder(bytes, at - start, to);
      if (found === null) break;
      const [first, end] = [start + found.start, start + found.end];
      const item = (await items?.after(first)) ?? null;
      at = item === null ? end : first < item.start ? item.start : item.end;
      // Bytes between items belong to neither.
      if (items !== null && (item === null || first < item.start || end > item.end)) continue;
      const row = rowOf(describeMatch(view, found, item));
      rows.push(row);
      const hasRoom = budget.take(jsonBytes(row)) && rows.length < limit;
      if (!hasRoom) return item === null ? at : item.index + 1;
    }
    at = Math.max(at, start + to);
    return null;
  };

  const scan = output.scan(Math.max(0, at - CHARACTER_BYTES));
  try {
    for (let step = await scan.next(0); step.done !== true; step = await scan.next(at - MARGIN_BYTES)) {
      const next = await take(step.value);
      if (next !== null) return { rows, next };
      if (budget.hasTime() || step.value.isLast) continue;
      const reached = items === null ? at : ((await items.after(at))?.index ?? from);
      if (reached > from) return { rows, next: reached };
    }
    return { rows, next: null };
  } finally {
    await scan.return();
  }
}

/** Places of items that are read together. */
const PLACES = 1_000;

interface FoundItem extends ItemSpan {
  readonly index: number;
}

/** Finds items by their bytes, which are asked for in rising order. */
class ItemPlaces {
  #first = 0;
  #spans: readonly ItemSpan[] = [];

  constructor(private readonly output: StoredOutput) {}

  /** The first item that ends after a byte; null beyond the last. */
  async after(position: number): Promise<FoundItem | null> {
    if ((this.#spans.at(-1)?.end ?? 0) <= position) await this.#load(position);
    const at = this.#spans.findIndex(({ end }) => end > position);
    const span = this.#spans[at];
    return span === undefined ? null : { ...span, index: this.#first + at };
  }

  async #load(position: number): Promise<void> {
    let [low, high] = [this.#first + this.#spans.length, this.output.meta.item_count ?? 0];
    while (high - low > PLACES) {
      const middle = (low + high) >>> 1;
      const [span] = await this.output.spans(middle, 1);
      if (span !== undefined && span.end > position) high = middle + 1;
      else low = middle + 1;
    }
    this.#first = low;
    this.#spans = await this.output.spans(low, high - low);
  }
}

/** A match with its surroundings, within its item. */
function describeMatch({ at, bytes }: View, { start, end }: FoundBytes, item: FoundItem | null): FoundText {
  const [first, last] = item === null ? [0, bytes.length] : [item.start - at, item.end - at];
  const before = boundaryAfter(bytes, Math.max(0, first, start - CONTEXT_BYTES));
  const after = boundaryBefore(bytes, Math.min(bytes.length, last, end + CONTEXT_BYTES));
  const shownEnd = boundaryBefore(bytes, Math.min(end, start + MATCH_BYTES));
  const text = (from: number, to: number): string => bytes.toString('utf8', from, to);
  return {
    offset: item?.index ?? at + start,
    before: text(before, start),
    match: text(start, shownEnd),
    // Next to a truncated match, it would look like a part of it.
    after: shownEnd < end ? '' : text(end, after),
  };
}

/** A longer match may be missed, and more distant context is left out. Two of them are less than a carry. */
const MARGIN_BYTES = 16 * 1024;

/** Bytes of a view, from the start of a match to its end and beyond. */
export interface FoundBytes {
  readonly start: number;
  readonly end: number;
}

/** Finds the first match in bytes that begins in `from … to`. */
export type Finder = (bytes: Buffer, from: number, to: number) => FoundBytes | null;

/** Finds a literal text. */
export function literalFinder(text: string, isJson: boolean): Finder {
  const needles = formsOf(text, isJson).map((form) => Buffer.from(form));
  let places: number[] = [];
  let known: Buffer | null = null;
  return (bytes, from, to) => {
    // If a form is far away, or absent from these bytes, it is not searched again for each match of
    // another.
    if (bytes !== known) places = needles.map(() => -1);
    known = bytes;
    places = places.map((place, at) => (place >= from ? place : indexOfNeedle(bytes, needles[at], from)));
    const start = Math.min(...places);
    const length = needles[places.indexOf(start)]?.length ?? 0;
    return start < to ? { start, end: start + length } : null;
  };
}

/** Infinity for nowhere. */
function indexOfNeedle(bytes: Buffer, needle: Buffer | undefined, from: number): number {
  const place = needle === undefined ? -1 : bytes.indexOf(needle, from);
  return place < 0 ? Infinity : place;
}

/** Finds a text whatever its case, like {@link literalFinder}. */
function anyCaseFinder(text: string, isJson: boolean): Finder {
  const pattern = new RegExp(formsOf(text, isJson).map(escapePattern).join('|'), 'iu');
  return (bytes, from, to) => {
    const start = boundaryAfter(bytes, from);
    const end = boundaryBefore(bytes, Math.min(bytes.length, to + MARGIN_BYTES));
    // Case is compared in the original text: a lower-case copy could shift positions.
    const part = bytes.toString('utf8', start, end);
    const match = pattern.exec(part);
    if (match === null) return null;
    const at = start + Buffer.byteLength(part.slice(0, match.index));
    return at >= to ? null : { start: at, end: at + Buffer.byteLength(match[0]) };
  };
}

const escapePattern = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

/** In JSON, a quote may belong to the text, where it has a backslash, or surround it. */
const formsOf = (text: string, isJson: boolean): readonly string[] => [
  ...new Set([text, ...(isJson ? [JSON.stringify(text).slice(1, -1)] : [])]),
];

/** Longest time of one search; the next one continues. */
const SEARCH_MS = 3_000;
/** Bytes of one answer. */
const ANSWER_BYTES = 256 * 1024;

/**
 * Finds a text in stored outputs, whatever its case.
 * @param searchMs milliseconds; tests use less
 */
export function createOutputSearch(
  store: OutputSource,
  clock: Pick<Clock, 'monotonic'>,
  searchMs = SEARCH_MS,
): OutputSearch {
  return async ({ handle, text, offset, limit }, signal) => {
    signal.throwIfAborted();
    return await withOutput(store, handle, async (output) => {
      const { kind, item_count: count, size_bytes: size } = output.meta;
      if (kind === 'bytes') throw wrongKind(output.meta, 'which has no text to search');
      const finder = anyCaseFinder(text, kind !== 'text');
      const budget = new Budget({ clock, signal, timeMs: searchMs, bytes: ANSWER_BYTES });
      const options = { from: offset, limit, budget, rowOf: (match: FoundText) => match };
      const { rows: matches, next } = await searchOutput(output, finder, options);
      return { unit: kind === 'items' ? 'items' : 'bytes', matches, next_offset: next, total: count ?? size };
    });
  };
}
