import type { ItemSpan } from '../../core/item-page.ts';
import type { FoundText } from '../../core/output.ts';
import type { StoredOutput } from '../reader.ts';
import type { View } from '../scan.ts';
import { boundaryAfter, boundaryBefore } from '../utf8.ts';
import type { Budget } from './budget.ts';
import { MARGIN_BYTES, type Finder, type Found } from './finders.ts';

/** Bytes that are shown on each side of a match. */
const CONTEXT_BYTES = 80;
/** The character before a place, which an expression may ask for. */
const CHARACTER_BYTES = 4;
/** Bytes that are shown of a long match. */
const MATCH_BYTES = 400;

/** Where a search ended. */
export interface Searched {
  readonly matches: readonly FoundText[];
  /** The byte or item with which it is continued; null at the end. */
  readonly next: number | null;
}

/** What a search looks at, and how much it may answer. */
export interface SearchOptions {
  /** A byte between two characters, or an item. */
  readonly from: number;
  readonly limit: number;
  readonly budget: Budget;
}

/**
 * Matches from a byte on, or from an item on: of an item, the first. It holds two mebibytes, however long the output is, and
 * comes further each time, however little time there is.
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

/** A search, as far as it has come. */
class Search {
  readonly matches: FoundText[] = [];
  /** The first byte that was not searched. */
  at = 0;
  readonly #output: StoredOutput;
  readonly #finder: Finder;
  readonly #options: Pick<SearchOptions, 'limit' | 'budget'>;

  constructor(output: StoredOutput, finder: Finder, options: Pick<SearchOptions, 'limit' | 'budget'>) {
    this.#output = output;
    this.#finder = finder;
    this.#options = options;
  }

  /** Searches a part. Returns where the search is continued once the answer is full, else null. */
  async take(view: View): Promise<number | null> {
    const { at, bytes, isLast } = view;
    const to = isLast ? bytes.length : this.#finder.cut(bytes, this.at - at, bytes.length - MARGIN_BYTES);
    while (this.at < at + to) {
      const found = this.#finder.next(bytes, this.at - at, to);
      if (found === null) break;
      const next = await this.#add(view, found);
      if (next !== null) return next;
    }
    this.at = Math.max(this.at, at + to);
    return null;
  }

  async #add(view: View, found: Found): Promise<number | null> {
    const isItems = this.#output.meta.kind === 'items';
    const item = isItems ? await this.#output.itemAt(view.at + found.start) : null;
    this.at = item?.end ?? view.at + found.end;
    // What is between items belongs to neither.
    if (isItems && item === null) return null;
    const match = { ...shown(view, found, item), offset: item?.index ?? view.at + found.start };
    this.matches.push(match);
    const { limit, budget } = this.#options;
    const hasRoom = budget.take(JSON.stringify(match).length) && this.matches.length < limit;
    if (hasRoom) return null;
    return item === null ? this.at : item.index + 1;
  }
}

const startOf = async (output: StoredOutput, item: number): Promise<number> =>
  (await output.spans(item, 1)).at(0)?.start ?? output.meta.size_bytes;

/** The item that a byte is in, or comes after. */
async function indexAt(output: StoredOutput, at: number): Promise<number> {
  for (let back = 0; back < 4; back += 1) {
    const item = await output.itemAt(at - back);
    if (item !== null) return item.index;
  }
  return 0;
}

/** A match with what is around it: of an item, nothing that is of another. */
function shown({ at, bytes }: View, { start, end }: Found, item: ItemSpan | null): Omit<FoundText, 'offset'> {
  const [first, last] = item === null ? [0, bytes.length] : [item.start - at, item.end - at];
  const before = boundaryAfter(bytes, Math.max(0, first, start - CONTEXT_BYTES));
  const after = boundaryBefore(bytes, Math.min(bytes.length, last, end + CONTEXT_BYTES));
  const shownEnd = boundaryBefore(bytes, Math.min(end, start + MATCH_BYTES));
  const text = (from: number, to: number): string => bytes.toString('utf8', from, to);
  return {
    before: text(before, start),
    match: text(start, shownEnd),
    // Next to a match that is cut, it would be read as a part of it.
    after: shownEnd < end ? '' : text(end, after),
  };
}
