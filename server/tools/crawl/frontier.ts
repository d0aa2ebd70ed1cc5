import { isJsonList, type JsonValue } from '../../../shared/json.ts';
import type { CleanJson, CleanText } from '../../redact/clean.ts';
import { storedDamaged, type RunChange, type RunKey, type RunState, type RunScope } from '../../core/runs.ts';
import { CRAWL_BOUNDS, isRedacted } from './address.ts';
import { SpillwayError } from '../../../shared/errors.ts';

/*
 * The frontier in a run's state:
 *   ['q', depth, rank of the page that links to it, number of the link] → what to read
 *   ['v', key of the identity] → that place while it is queued, 0 when it was read
 * Keys are in breadth-first order: the order in which one reader alone would come by the pages.
 */

/** An address in the queue. */
export interface Waiting {
  readonly key: CleanText;
  /** The stored form: {@link Secrets} has the full address. */
  readonly href: CleanText;
  readonly lastmod?: CleanText;
}

export interface Entry extends Waiting {
  readonly depth: number;
  /** Rank of the page that links to it. */
  readonly parent: number;
  readonly index: number;
}

type Place = readonly [depth: number, parent: number, index: number];

const queueKey = ([depth, parent, index]: Place): RunKey => ['q', depth, parent, index];
const placeOf = ({ depth, parent, index }: Entry): Place => [depth, parent, index];

function compare(one: Place, other: Place): number {
  return one[0] - other[0] || one[1] - other[1] || one[2] - other[2];
}

function parsePlace(value: JsonValue | undefined): Place | null {
  if (!isJsonList(value)) return null;
  const [depth, parent, index] = value;
  if (typeof depth !== 'number' || typeof parent !== 'number' || typeof index !== 'number') return null;
  return [depth, parent, index];
}

function parseEntry(key: RunKey, value: CleanJson): Entry {
  const place = parsePlace(key.slice(1));
  const [id, href, lastmod] = isJsonList(value) ? value : [];
  if (place === null || typeof id !== 'string' || typeof href !== 'string')
    throw storedDamaged('The queue of the crawl');
  const [depth, parent, index] = place;
  const entry = { key: id, href, depth, parent, index };
  return typeof lastmod === 'string' ? { ...entry, lastmod } : entry;
}

interface Admitted {
  /** New in the queue. */
  readonly count: number;
  /** These, and those that moved in the queue: to be passed to {@link Frontier.admitted} after the commit. */
  readonly entries: readonly Entry[];
}

/** Reads the queue in order, a part ahead, and gives out entries whose host is ready. */
export class Frontier {
  /** Read ahead, in order. All of one level, except latecomers. */
  readonly #ahead: Entry[] = [];
  readonly #taken = new Set<string>();
  /** All of the state before it was read ahead. */
  #cursor: Place = [0, 0, 0];
  #level = 0;

  constructor(private readonly state: RunState) {}

  get isEmpty(): boolean {
    return this.#ahead.length === 0 && this.#peek() === undefined;
  }

  get isLevelGivenOut(): boolean {
    return this.#ahead.length === 0;
  }

  /** Whether there is a deeper level than those so far. */
  get hasDeeper(): boolean {
    const next = this.#peek();
    return next !== undefined && next[0] > this.#level;
  }

  /** Begins the next entry's level: when all pages of the previous one are done, or late. */
  descend(): void {
    const next = this.#peek();
    if (next !== undefined) this.#level = Math.max(this.#level, next[0]);
  }

  /** The first entry whose host is ready, or null. It stays queued until {@link markDone}. */
  next(isReady: (href: string) => boolean): Entry | null {
    for (let from = 0; ;) {
      for (; from < this.#ahead.length; from += 1) {
        const entry = this.#ahead[from];
        if (entry === undefined || !isReady(entry.href)) continue;
        this.#ahead.splice(from, 1);
        return entry;
      }
      if (this.#ahead.length >= CRAWL_BOUNDS.readAheadMost || !this.#readOn()) return null;
    }
  }

  /** Puts an entry back, to be given out again: its host asked to wait. */
  putBack(entry: Entry): void {
    this.#insert(entry);
  }

  /** Forgets a committed entry. */
  forget(entry: Entry): void {
    this.#taken.delete(entry.key);
  }

  /** New ones go before those that were read ahead. */
  admitted(entries: readonly Entry[]): void {
    for (const entry of entries) {
      if (this.#taken.has(entry.key) || compare(placeOf(entry), this.#cursor) >= 0) continue;
      this.#taken.add(entry.key);
      this.#insert(entry);
    }
  }

  /**
   * Queues new addresses within a commit. If a page is found again by a path that comes earlier in
   * breadth-first order, it moves there while it still waits.
   */
  admit(
    change: RunChange,
    links: readonly Waiting[],
    from: { readonly depth: number; readonly rank: number; readonly index?: number },
  ): Admitted {
    const entries: Entry[] = [];
    let count = 0;
    for (const [at, link] of links.entries()) {
      const seen = change.get(['v', link.key]);
      const before = parsePlace(seen);
      if (seen !== undefined && before === null) continue;
      const index = (from.index ?? 0) + at;
      const place: Place = [from.depth, from.rank, index];
      if (before !== null) {
        const isFixed = compare(place, before) >= 0 || compare(before, this.#cursor) < 0;
        if (isFixed || this.#taken.has(link.key)) continue;
        change.remove(queueKey(before));
      }
      const { key, href, lastmod } = link;
      change.put(queueKey(place), lastmod === undefined ? [key, href] : [key, href, lastmod]);
      change.put(['v', key], place);
      entries.push({ ...link, depth: from.depth, parent: from.rank, index });
      if (before === null) count += 1;
    }
    return { count, entries };
  }

  /** Takes a page out of the queue, within the commit of its item. */
  markDone(change: RunChange, entry: Entry): void {
    const place = parsePlace(change.get(['v', entry.key])) ?? placeOf(entry);
    change.remove(queueKey(place));
    change.put(['v', entry.key], 0);
  }

  /** Marks a redirect's target as read, unless it is already in the queue. */
  markVisited(change: RunChange, key: string): void {
    if (change.get(['v', key]) === undefined) change.put(['v', key], 0);
  }

  #peek(): Place | undefined {
    for (const { key } of this.state.range({ start: queueKey(this.#cursor), end: ['r'], limit: 1 }))
      return parsePlace(key.slice(1)) ?? undefined;
    return undefined;
  }

  /** Reads more of the level ahead; false when there are none. */
  #readOn(): boolean {
    const end: RunKey = ['q', this.#level + 1];
    const limit = CRAWL_BOUNDS.readAhead;
    let found = 0;
    for (const { key, value } of this.state.range({ start: queueKey(this.#cursor), end, limit })) {
      found += 1;
      const entry = parseEntry(key, value);
      this.#cursor = [entry.depth, entry.parent, entry.index + 1];
      if (this.#taken.has(entry.key)) continue;
      this.#taken.add(entry.key);
      this.#ahead.push(entry);
    }
    return found > 0;
  }

  #insert(entry: Entry): void {
    const place = placeOf(entry);
    const at = this.#ahead.findIndex((other) => compare(placeOf(other), place) > 0);
    this.#ahead.splice(at === -1 ? this.#ahead.length : at, 0, entry);
  }
}

/**
 * Addresses that contain a secret (a token in the query, say): redacted in the run's state, complete only in
 * memory.
 */
export class Secrets {
  readonly #known = new Map<string, string>();

  constructor(private readonly redact: RunScope['redact']) {}

  /** An address as it is stored on disk. */
  shown(href: string): CleanText {
    return this.redact(href);
  }

  /** A link in the frontier's form. */
  find(key: CleanText, href: string): Waiting {
    const shown = this.shown(href);
    if (shown !== href) this.#known.set(key, href);
    return { key, href: shown };
  }

  /**
   * The full address of an entry.
   * @throws SpillwayError `page_changed` for one with a secret that an earlier server found
   */
  reveal({ key, href }: Waiting): string {
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    if (!isRedacted(href)) return href;
    throw new SpillwayError(
      'page_changed',
      'The URL contains a secret, which is not stored: a worker found it, or it was found before the crawl was resumed.',
      { hint: 'Start another crawl at the page that links to it.' },
    );
  }
}
