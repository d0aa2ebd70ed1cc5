import { SpillwayError } from '../../../shared/errors.ts';
import type { ItemSpan, FoundText, OutputSearch } from '../../core/output.ts';
import type { Clock } from '../../core/services.ts';
import type { StoredOutput } from '../reader.ts';
import type { View } from '../checked-file.ts';
import type { OutputStore } from '../store.ts';
import { boundaryAfter, boundaryBefore } from '../format.ts';
import { Budget } from './budget.ts';

/** Bytes shown on each side of a match. */
const CONTEXT_BYTES = 80;
/** The character before a place, which an expression may examine. */
const CHARACTER_BYTES = 4;
/** Bytes shown of a long match. */
const MATCH_BYTES = 400;

interface Searched {
  readonly matches: readonly FoundText[];
  /** The byte or item where the next search begins; null at the end. */
  readonly next: number | null;
}

export interface SearchOptions {
  /** A byte between two characters, or an item. */
  readonly from: number;
  readonly limit: number;
  readonly budget: Budget;
}

/**
 * Finds matches from a byte or an item on; within each item, the first. Memory: two mebibytes. Every call
 * makes progress, however little time it has.
 */
export async function searchOutput(
  output: StoredOutput,
  finder: Finder,
  { from, limit, budget }: SearchOptions,
): Promise<Searched> {
  const isItems = output.meta.kind === 'items';
  const search = new Search(output, finder, { limit, budget });
  search.at = isItems ? await startOf(output, from) : from;
  const { matches } = search;
  const scan = output.scan(Math.max(0, search.at - CHARACTER_BYTES));
  try {
    for (let view = await scan.next(0); view !== null; view = await scan.next(search.at - MARGIN_BYTES)) {
      const next = await search.take(view);
      if (next !== null) return { matches, next };
      if (budget.hasTime() || view.isLast) continue;
      const reached = isItems ? await indexAt(output, search.at) : search.at;
      if (reached > from) return { matches, next: reached };
    }
    return { matches, next: null };
  } finally {
    await scan.end();
  }
}

/** The state of a search. */
class Search {
  readonly matches: FoundText[] = [];
  /** The first byte that was not searched. */
  at = 0;

  constructor(
    private readonly output: StoredOutput,
    private readonly finder: Finder,
    private readonly options: Pick<SearchOptions, 'limit' | 'budget'>,
  ) {}

  /** Searches a part. Returns where the next search begins once the answer is full, else null. */
  async take(view: View): Promise<number | null> {
    const { at, bytes, isLast } = view;
    const to = isLast ? bytes.length : this.finder.cut(bytes, this.at - at, bytes.length - MARGIN_BYTES);
    while (this.at < at + to) {
      const found = this.finder.next(bytes, this.at - at, to);
      if (found === null) break;
      const next = await this.#add(view, found);
      if (next !== null) return next;
    }
    this.at = Math.max(this.at, at + to);
    return null;
  }

  async #add(view: View, found: Found): Promise<number | null> {
    const isItems = this.output.meta.kind === 'items';
    const item = isItems ? await this.output.itemAt(view.at + found.start) : null;
    this.at = item?.end ?? view.at + found.end;
    // Bytes between items belong to neither.
    if (isItems && item === null) return null;
    const match = { ...shown(view, found, item), offset: item?.index ?? view.at + found.start };
    this.matches.push(match);
    const { limit, budget } = this.options;
    const hasRoom = budget.take(JSON.stringify(match).length) && this.matches.length < limit;
    if (hasRoom) return null;
    return item === null ? this.at : item.index + 1;
  }
}

const startOf = async (output: StoredOutput, item: number): Promise<number> =>
  (await output.spans(item, 1)).at(0)?.start ?? output.meta.size_bytes;

/** The item that contains or precedes a byte. */
async function indexAt(output: StoredOutput, at: number): Promise<number> {
  for (let back = 0; back < 4; back += 1) {
    const item = await output.itemAt(at - back);
    if (item !== null) return item.index;
  }
  return 0;
}

/** A match with its surroundings, within its item. */
function shown({ at, bytes }: View, { start, end }: Found, item: ItemSpan | null): Omit<FoundText, 'offset'> {
  const [first, last] = item === null ? [0, bytes.length] : [item.start - at, item.end - at];
  const before = boundaryAfter(bytes, Math.max(0, first, start - CONTEXT_BYTES));
  const after = boundaryBefore(bytes, Math.min(bytes.length, last, end + CONTEXT_BYTES));
  const shownEnd = boundaryBefore(bytes, Math.min(end, start + MATCH_BYTES));
  const text = (from: number, to: number): string => bytes.toString('utf8', from, to);
  return {
    before: text(before, start),
    match: text(start, shownEnd),
    // Next to a truncated match, it would look like a part of it.
    after: shownEnd < end ? '' : text(end, after),
  };
}

/** A longer match may be missed, and more distant context is left out. Two of them are less than a carry. */
const MARGIN_BYTES = 16 * 1024;

/** Bytes of a view, from the start of a match to its end and beyond. */
export interface Found {
  readonly start: number;
  readonly end: number;
}

/** Finds matches in bytes that begin in `from … to`. */
export interface Finder {
  /** Where to end a part near `to` so that no match is cut. */
  cut(bytes: Buffer, from: number, to: number): number;
  next(bytes: Buffer, from: number, to: number): Found | null;
}

/** Finds a literal text. */
export function literalFinder(text: string, isJson: boolean): Finder {
  const needles = formsOf(text, isJson).map((form) => Buffer.from(form));
  let places: number[] = [];
  let known: Buffer | null = null;
  return {
    cut: (_bytes, _from, to) => to,
    next(bytes, from, to) {
      // If a form is far away, or absent from these bytes, it is not searched again for each match of
      // another.
      if (bytes !== known) places = needles.map(() => -1);
      known = bytes;
      places = places.map((place, at) => (place >= from ? place : placeOf(bytes, needles[at], from)));
      const start = Math.min(...places);
      const length = needles[places.indexOf(start)]?.length ?? 0;
      return start < to ? { start, end: start + length } : null;
    },
  };
}

/** Infinity for nowhere. */
function placeOf(bytes: Buffer, needle: Buffer | undefined, from: number): number {
  const place = needle === undefined ? -1 : bytes.indexOf(needle, from);
  return place < 0 ? Infinity : place;
}

/** Finds a text whatever its case, like {@link literalFinder}. */
function anyCaseFinder(text: string, isJson: boolean): Finder {
  const pattern = new RegExp(formsOf(text, isJson).map(escaped).join('|'), 'giu');
  return {
    cut: (bytes, _from, to) => boundaryBefore(bytes, to),
    next(bytes, from, to) {
      const start = boundaryAfter(bytes, from);
      // Case is compared in the original text: a lower-case copy could shift positions.
      const part = bytes.toString(
        'utf8',
        start,
        boundaryBefore(bytes, Math.min(bytes.length, to + MARGIN_BYTES)),
      );
      pattern.lastIndex = 0;
      const match = pattern.exec(part);
      if (match === null) return null;
      const at = start + Buffer.byteLength(part.slice(0, match.index));
      return at >= to ? null : { start: at, end: at + Buffer.byteLength(match[0]) };
    },
  };
}

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

/** In JSON, a quote may belong to the text, where it has a backslash, or surround it. */
const formsOf = (text: string, isJson: boolean): readonly string[] => [
  ...new Set([text, ...(isJson ? [JSON.stringify(text).slice(1, -1)] : [])]),
];

/** Longest time of one search; the next one continues. */
const SEARCH_MS = 3_000;
/** Bytes of one answer. */
const ANSWER_BYTES = 256 * 1024;

interface OutputSearchOptions {
  readonly store: Pick<OutputStore, 'open'>;
  readonly clock: Pick<Clock, 'monotonic'>;
  /** Milliseconds; tests use less. */
  readonly searchMs?: number;
}

/** Finds a text in stored outputs, whatever its case. */
export function createOutputSearch({
  store,
  clock,
  searchMs = SEARCH_MS,
}: OutputSearchOptions): OutputSearch {
  return async ({ handle, text, offset, limit }, signal) => {
    signal.throwIfAborted();
    const output = await store.open(handle);
    try {
      const { kind, mime_type: type, item_count: count, size_bytes: size } = output.meta;
      if (kind === 'bytes')
        throw new SpillwayError(
          'invalid_format_for_payload',
          `${handle} contains ${type}, which has no text to search.`,
        );
      const finder = anyCaseFinder(text, kind !== 'text');
      const budget = new Budget({ clock, signal, timeMs: searchMs, bytes: ANSWER_BYTES });
      const { matches, next } = await searchOutput(output, finder, { from: offset, limit, budget });
      return { unit: kind === 'items' ? 'items' : 'bytes', matches, next_offset: next, total: count ?? size };
    } finally {
      await output.close();
    }
  };
}
