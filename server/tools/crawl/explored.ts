import type { RunChange, RunState } from '../../core/runs.ts';
import type { CrawlFormat } from '../../../shared/tools/crawl/options.ts';
import { isJsonList, isObject } from '../../../shared/json.ts';
import type { CleanJson, CleanRecord } from '../../redact/clean.ts';
import { parseAddress, type Address } from './address.ts';
import { proseOf, textHash, wordsOf } from './prose.ts';
import type { Waiting } from './frontier.ts';
import type { Found } from './secrets.ts';
import type { PageRead } from './source.ts';
import { decoded, isBelow, spacesOf, type Space, type SpaceKind } from './spaces.ts';

export const SPACE_BOUNDS = {
  /** Pages in a row without anything new after which a space is closed; numbers and names may be those of a real list. */
  stale: 14,
  staleListed: 20,
  /** Pages in a row without new text after which links into a space are nothing new. */
  quiet: 5,
  /** What a record remembers at most. */
  texts: 512,
  parts: 256,
} as const;

/** What the pages of a space brought, as it is in the run's state. */
export interface SpaceRecord extends CleanRecord {
  /** Pages that were read. */
  readonly taken: number;
  /** Pages in a row without anything new, and without new text. */
  readonly stale: number;
  readonly quiet: number;
  /** Hashes of texts. */
  readonly texts: readonly number[];
  readonly parts: readonly number[];
}

export const NEW_RECORD: SpaceRecord = { taken: 0, stale: 0, quiet: 0, texts: [], parts: [] };

interface Brought {
  readonly text: number;
  /** Whether the page counts as something new although its text is known. */
  readonly isFresh: boolean;
}

/** The record after a page of the space was read. */
export function withPage(record: SpaceRecord, space: Space, { text, isFresh }: Brought): SpaceRecord {
  const isNewText = !record.texts.includes(text);
  return {
    taken: record.taken + 1,
    stale: isNewText || isFresh ? 0 : record.stale + 1,
    quiet: isNewText ? 0 : record.quiet + 1,
    texts: latest(record.texts, [text], SPACE_BOUNDS.texts),
    parts: latest(record.parts, space.parts, SPACE_BOUNDS.parts),
  };
}

/**
 * How many more pages without anything new the space may have before this address is skipped; `Infinity` if it is
 * always read.
 */
function pagesLeftOf({ parts, stale }: SpaceRecord, space: Space): number {
  // A part of the site, or a value, that was never seen may still come.
  if (!space.parts.every((part) => parts.includes(part))) return Infinity;
  const isListed = space.kind === 'numbers' || space.kind === 'names';
  return (isListed ? SPACE_BOUNDS.staleListed : SPACE_BOUNDS.stale) - stale;
}

/** Whether an address of the space is no longer read. */
export const isClosed = (record: SpaceRecord, space: Space): boolean => pagesLeftOf(record, space) <= 0;

/** The latest hashes; those that came again are among them. */
function latest(before: readonly number[], now: readonly number[], most: number): readonly number[] {
  const again = new Set(now);
  return [...before.filter((hash) => !again.has(hash)), ...again].slice(-most);
}

/** Reads back what this module wrote. */
function parseSpaceRecord(value: CleanJson | undefined): SpaceRecord {
  if (!isObject(value)) return NEW_RECORD;
  const { taken, stale, quiet, texts, parts } = value;
  if (typeof taken !== 'number' || typeof stale !== 'number' || typeof quiet !== 'number') return NEW_RECORD;
  return { taken, stale, quiet, texts: numbersOf(texts), parts: numbersOf(parts) };
}

const numbersOf = (value: CleanJson | undefined): readonly number[] =>
  isJsonList(value) ? value.filter((each) => typeof each === 'number') : [];

/** Records that are held in memory; the others are read back from the run's state. */
const HELD = 1_024;
/** Addresses whose spaces are held, and links that counted as new. */
const KEPT = 8_192;

/** A space that is no longer read. */
export interface ClosedSpace {
  readonly kind: SpaceKind;
  readonly template: string;
  /** Pages that were read of it. */
  readonly pages: number;
}

/** A page as a space sees it. */
export interface Explored {
  /** Its address as it is stored on disk, as those of the links are. */
  readonly entry: Waiting;
  readonly page: PageRead;
  readonly links: readonly Found[];
  readonly isDuplicate: boolean;
}

interface Located {
  readonly address: Address;
  readonly spaces: readonly Space[];
}

interface Link extends Located {
  readonly key: string;
  /** Whether it was found before. */
  readonly isSeen: boolean;
}

/** Spaces that nearly all addresses belong to: they say little of a link. */
const BY_FOLDER: ReadonlySet<SpaceKind> = new Set(['names', 'growing_path']);

/** Spaces that a real list may have, of pages that differ in little. */
const LISTED: ReadonlySet<SpaceKind> = new Set(['numbers', 'facets', 'session']);

/** Spaces whose pages are told apart by all of their text. */
const COUNTED: ReadonlySet<SpaceKind> = new Set(['numbers', 'names']);

/**
 * What the pages of each space brought, in the run's state: ['t', space] → its record.
 *
 * A page is new by its text, or by a link to an address that was not seen before. A link into a space
 * whose own pages bring no new text does not count: a calendar's months would always find new days.
 */
export class ExploredSpaces {
  readonly #state: RunState;
  readonly #format: CrawlFormat;
  readonly #held = new Map<string, SpaceRecord>();
  readonly #located = new Map<string, Located | null>();
  readonly #counted = new Set<string>();
  /** Pages in progress by the key of their space. */
  readonly #active = new Map<string, number>();

  constructor(options: { readonly state: RunState; readonly format: CrawlFormat }) {
    this.#state = options.state;
    this.#format = options.format;
  }

  /** Why an address is no longer read, or null. */
  closed(href: string): ClosedSpace | null {
    for (const space of this.#locate(href)?.spaces ?? []) {
      const record = this.#record(space);
      if (!isClosed(record, space)) continue;
      return { kind: space.kind, template: space.template, pages: record.taken };
    }
    return null;
  }

  /** Whether an address may be read, or left out, now: pages in progress may close its space. */
  isReady(href: string): boolean {
    const spaces = this.#locate(href)?.spaces ?? [];
    return spaces.every((space) => {
      const left = pagesLeftOf(this.#record(space), space);
      return left <= 0 || (this.#active.get(space.key) ?? 0) < left;
    });
  }

  /** A page is in progress, or no longer. */
  count(href: string, change: 1 | -1): void {
    for (const { key } of this.#locate(href)?.spaces ?? []) {
      const active = (this.#active.get(key) ?? 0) + change;
      if (active === 0) this.#active.delete(key);
      else this.#active.set(key, active);
    }
  }

  /** Notes what a page brought, at once; the change belongs into the commit of its item. */
  learn(explored: Explored): (change: RunChange) => void {
    const located = this.#locate(explored.entry.href);
    if (located === null || explored.page.contentHash === null) return () => undefined;
    const prose = proseOf(explored.page, this.#format);
    const links = explored.links.flatMap((link) => this.#follow(link));
    const brought: { readonly space: Space; readonly what: Brought }[] = [];
    for (const space of located.spaces) {
      const what = this.#read(space, located.address, { ...explored, links, prose });
      if (what === null) continue;
      this.#hold(space.key, withPage(this.#record(space), space, what));
      brought.push({ space, what });
    }
    if (this.#counted.size >= KEPT) this.#counted.clear();
    for (const { key } of explored.links) this.#counted.add(key);
    // The state has pages with their items alone: what a kill takes away is read, and judged, again.
    return (change) => {
      for (const { space, what } of brought) {
        const record = parseSpaceRecord(change.get(['t', space.key]));
        change.put(['t', space.key], withPage(record, space, what));
      }
    };
  }

  /** Null for a page that does not count in the space. */
  #read(
    space: Space,
    address: Address,
    page: Omit<Explored, 'links'> & { readonly links: readonly Link[]; readonly prose: string },
  ): Brought | null {
    const { entry, prose, isDuplicate } = page;
    const isOwn = (link: Link): boolean =>
      space.kind === 'growing_path'
        ? isBelow(link.address, address)
        : link.spaces.some(({ key }) => key === space.key);
    const near = page.links.filter((link) => isOwn(link) && link.key !== entry.key);
    // A folder of names has no end only where its pages name new ones, and a path where they lead further down.
    if (space.kind === 'names' && (isDuplicate || near.every(({ isSeen }) => isSeen))) return null;
    if (space.kind === 'growing_path' && near.length === 0) return null;
    // However alike their addresses, pages whose texts differ in what no address says are real ones.
    const text = textHash(prose, {
      words: wordsOfAddresses([address, ...near.map((link) => link.address)]),
      numbers: near.length > 0 && !COUNTED.has(space.kind),
      dates: space.kind === 'calendar' || space.kind === 'epoch',
    });
    // Pages that only lists outside name are as many as these name: they differ where anything does.
    const isListed = near.length === 0 && LISTED.has(space.kind) && !isDuplicate;
    return { text, isFresh: isListed || page.links.some((link) => !isOwn(link) && this.#isPromising(link)) };
  }

  /** Whether an address was never seen, and is of no space whose pages have stopped bringing anything. */
  #isPromising({ spaces, isSeen }: Link): boolean {
    const isQuiet = (space: Space): boolean => this.#record(space).quiet >= SPACE_BOUNDS.quiet;
    return !isSeen && !spaces.some((space) => !BY_FOLDER.has(space.kind) && isQuiet(space));
  }

  #follow({ key, href }: Found): readonly Link[] {
    const located = this.#locate(href);
    if (located === null) return [];
    return [{ ...located, key, isSeen: this.#counted.has(key) || this.#state.get(['v', key]) !== undefined }];
  }

  #record({ key }: Space): SpaceRecord {
    return this.#held.get(key) ?? parseSpaceRecord(this.#state.get(['t', key]));
  }

  /** The record that was used least recently is dropped: the state has it. */
  #hold(key: string, record: SpaceRecord): void {
    this.#held.delete(key);
    this.#held.set(key, record);
    const [oldest] = this.#held.keys();
    if (this.#held.size > HELD && oldest !== undefined) this.#held.delete(oldest);
  }

  #locate(href: string): Located | null {
    const known = this.#located.get(href);
    if (known !== undefined) return known;
    const address = parseAddress(href);
    const located = address === null ? null : { address, spaces: spacesOf(address) };
    if (this.#located.size >= KEPT) this.#located.clear();
    this.#located.set(href, located);
    return located;
  }
}

const wordsOfAddresses = (addresses: readonly Address[]): ReadonlySet<string> =>
  new Set(addresses.flatMap(({ url }) => wordsOf(decoded(url.pathname + url.search))));
