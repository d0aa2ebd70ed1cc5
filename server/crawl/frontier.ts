import { z } from 'zod';
import { isJsonList } from '../../shared/base/json.ts';
import type { CleanJson, CleanText } from '../libraries/redaction/clean.ts';
import { buildStoreCorrupt, type RunChange, type RunKey, type RunState } from '../core/runs.ts';
import { CRAWL_BOUNDS } from './address.ts';
import { isRedacted } from './source.ts';
import { SpillwayError } from '../../shared/base/errors.ts';

/*
 * The frontier in a run's state:
 *   ['q', depth, rank of the page that links to it, number of the link] → what to read
 *   ['v', key of the identity] → that place while it is queued, 0 when it was read
 * Keys are in breadth-first order: the order in which one reader alone would come by the pages.
 */

/** An address in the queue. */
export interface WaitingPage {
  readonly key: CleanText;
  /** The stored form: {@link Secrets} has the full address. */
  readonly href: CleanText;
  readonly lastmod?: CleanText;
}

export interface Entry extends WaitingPage {
  readonly depth: number;
  readonly place: QueueRank;
}

/** Its depth, the rank of the page that links to it, and the number of the link. */
const QueueRank = z.tuple([z.number(), z.number(), z.number()]);
type QueueRank = z.infer<typeof QueueRank>;

const queueKey = (place: QueueRank): RunKey => ['q', ...place];
const parsePlace = (value: unknown): QueueRank | null => QueueRank.safeParse(value).data ?? null;

const compare = (one: QueueRank, other: QueueRank): number =>
  one[0] - other[0] || one[1] - other[1] || one[2] - other[2];

function parseEntry(key: RunKey, value: CleanJson): Entry {
  const place = parsePlace(key.slice(1));
  const [id, href, lastmod] = isJsonList(value) ? value : [];
  if (place === null || typeof id !== 'string' || typeof href !== 'string')
    throw buildStoreCorrupt('The queue of the crawl');
  const entry = { key: id, href, depth: place[0], place };
  return typeof lastmod === 'string' ? { ...entry, lastmod } : entry;
}

/** The queue in order. It gives out entries whose host is ready. */
export class Frontier {
  /** Keys of the entries that were given out and are not done. Each {@link next} reads over them. */
  readonly taken = new Set<string>();
  #level = 0;

  constructor(private readonly state: RunState) {}

  get isEmpty(): boolean {
    return this.#waiting(['r'], 1).next().done === true;
  }

  get isLevelGivenOut(): boolean {
    return this.#waiting(['q', this.#level + 1], 1).next().done === true;
  }

  /** Whether there is a deeper level than those so far. */
  get hasDeeper(): boolean {
    return this.#nextLevel() !== null;
  }

  /** Begins the next entry's level: when all pages of the previous one are done, or late. */
  descend(): void {
    this.#level = this.#nextLevel() ?? this.#level;
  }

  /** The first entry whose host is ready, or null. It stays queued until {@link markDone}. */
  next(isReady: (href: string) => boolean): Entry | null {
    // Usually the first one is ready, and reading more for each page would be slow.
    for (const most of [1, CRAWL_BOUNDS.lookAhead])
      for (const entry of this.#waiting(['q', this.#level + 1], most)) {
        if (!isReady(entry.href)) continue;
        this.taken.add(entry.key);
        return entry;
      }
    return null;
  }

  /** After its commit, or to give it out again: its host asked to wait. */
  release(entry: Entry): void {
    this.taken.delete(entry.key);
  }

  /**
   * Queues new addresses within a commit. If a page is found again by a path that comes earlier in
   * breadth-first order, it moves there while it still waits.
   * @returns how many are new in the queue
   */
  admit(
    change: RunChange,
    links: readonly WaitingPage[],
    from: { readonly depth: number; readonly rank: number; readonly index?: number },
  ): number {
    let count = 0;
    for (const [at, { key, href, lastmod }] of links.entries()) {
      const seen = change.get(['v', key]);
      const before = parsePlace(seen);
      if (seen !== undefined && before === null) continue;
      const place: QueueRank = [from.depth, from.rank, (from.index ?? 0) + at];
      if (before !== null) {
        if (compare(place, before) >= 0 || this.taken.has(key)) continue;
        change.remove(queueKey(before));
      }
      change.put(queueKey(place), lastmod === undefined ? [key, href] : [key, href, lastmod]);
      change.put(['v', key], place);
      if (before === null) count += 1;
    }
    return count;
  }

  /** Takes a page out of the queue, within the commit of its item. */
  markDone(change: RunChange, entry: Entry): void {
    const place = parsePlace(change.get(['v', entry.key])) ?? entry.place;
    change.remove(queueKey(place));
    change.put(['v', entry.key], 0);
  }

  /** Marks a redirect's target as read, unless it is already in the queue. */
  markVisited(change: RunChange, key: string): void {
    if (change.get(['v', key]) === undefined) change.put(['v', key], 0);
  }

  /** The first entries before `end` that were not given out: at least `most`, if there are so many. */
  *#waiting(end: RunKey, most: number): Generator<Entry, void> {
    for (const { key, value } of this.state.range({ start: ['q'], end, limit: this.taken.size + most })) {
      const entry = parseEntry(key, value);
      if (!this.taken.has(entry.key)) yield entry;
    }
  }

  #nextLevel(): number | null {
    for (const { key } of this.state.range({ start: ['q', this.#level + 1], end: ['r'], limit: 1 }))
      return parsePlace(key.slice(1))?.[0] ?? null;
    return null;
  }
}

/**
 * Addresses that contain a secret (a token in the query, say): redacted in the run's state, complete only in
 * memory.
 */
export class Secrets {
  readonly #known = new Map<string, string>();

  /** @param shown an address as it is stored on disk */
  constructor(readonly shown: (href: string) => CleanText) {}

  /** A link in the frontier's form. */
  find(key: CleanText, href: string): WaitingPage {
    const shown = this.shown(href);
    if (shown !== href) this.#known.set(key, href);
    return { key, href: shown };
  }

  /**
   * The full address of an entry.
   * @throws SpillwayError `page_changed` for one with a secret that an earlier server found
   */
  reveal({ key, href }: WaitingPage): string {
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
