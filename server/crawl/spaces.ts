import { decodePercent } from '../../shared/base/file-name.ts';
import { hash } from 'node:crypto';
import { z } from 'zod';
import { BoundedMap, valueIn } from '../../shared/base/maps.ts';
import type { CrawlFormat } from '../../shared/crawl/crawl.methods.ts';
import type { RunChange, RunState } from '../core/runs.ts';
import type { CleanJson, CleanText } from '../libraries/redaction/clean.ts';
import { isToken, hashKey, parseAddress, type Address } from './address.ts';
import { isRedacted, type PageRead } from './source.ts';
import type { WaitingPage } from './frontier.ts';

/*
 * A space is a set of addresses that differ only in their variable parts: numbers, random tokens, query values. If its
 * pages lead to each other and bring nothing new, it is endless, and is closed.
 */

export const SPACE_BOUNDS = {
  /** Consecutive pages without anything new after which a space is closed. */
  stale: 14,
  /** Consecutive pages without new text after which links into a space are not new. */
  quiet: 5,
  texts: 512,
  parts: 256,
} as const;

/** Longest part of a text that is compared, and of the link texts removed from it. */
const TEXT_UNITS = 65_536;
const LINK_TEXTS = 300;
/** Spaces in memory, and addresses whose spaces are. */
const HELD = 1_024;
const LOCATED = 8_192;

export interface Space {
  /** Key of its record in the run's state. */
  readonly key: CleanText;
  /** For people: host and path, variable parts in braces, and names of the query. */
  readonly template: string;
  /** Hashes of the parts of its addresses: an address with a new part is still read. */
  readonly parts: readonly number[];
  /** Only pages that link deeper into their own folder count. */
  readonly isGrowing?: true;
}

/** A slug has at least three words: a number in it is part of a name. */
const SLUG = /^[^-_]+(?:[-_][^-_]+){2,}$/;
/** Numbers, dates and times with their separators. */
const VARYING = /^[\d\W_tzw]*\d[\d\W_tzw]*$/i;
const NAMED_YEAR = /^(?:[a-z]+[-_.]?\d{4}|\d{4}[-_.]?[a-z]+)$/i;
const UUID = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i;

const segmentsOf = ({ pathname }: URL): readonly string[] =>
  pathname.split('/').filter((segment) => segment !== '');

/** 32 bits of a text. */
const hashOf = (text: string): number => Number.parseInt(hash('sha256', text).slice(0, 8), 16);

/** `s-8f3a…`, `(S(lit3py55t21z5v55vlm25s55))`, `;sid=…`, a UUID: random, and longer than a word of an address. */
function isRandom(segment: string): boolean {
  if (isRedacted(segment)) return true;
  const value = segment.replace(/^.*[;=(]/, '').replace(/\)+$/, '');
  if (UUID.test(value)) return true;
  if (/[-_.].*[-_.]/.test(value) || NAMED_YEAR.test(value) || !isToken(value)) return false;
  const runs = value.match(/\d+|\D+/g)?.length ?? 0;
  return value.length >= 12 ? value.replace(/\D/g, '').length >= 3 : runs >= 5;
}

/** A segment with its variable parts in braces. */
function shapeOf(segment: string): string {
  if (VARYING.test(segment)) return '{n}';
  if (isRandom(segment)) return '{token}';
  if (SLUG.test(segment)) return segment;
  return segment.replaceAll(/%[\da-f]{2}|\d+/gi, (found) => (found.startsWith('%') ? found : '{n}'));
}

/** A year, in any calendar. */
const YEARLY = /(?<!\d)\d{4}(?!\d)/;
const ONE_WORD = /^\p{L}[\p{L}\p{M}]*(?:\.\w*)?$/u;
const LETTERS = /\p{L}[\p{L}\p{M}]*/gu;

/**
 * The months of a calendar that have names: a word with a year in one segment, or in the segment after or before it. The
 * words of a language are few and the years are endless, so an address with a new word is still read.
 */
function namedSpaces(
  segments: readonly string[],
): readonly (readonly [path: string, words: readonly string[]])[] {
  const plain = segments.map((segment) => decodePercent(segment) ?? segment);
  if (!plain.some((segment) => YEARLY.test(segment)) || plain.some(isRandom)) return [];
  return [-1, 1].map((side) => {
    const words: string[] = [];
    const shapes = plain.map((segment, at) => {
      const isNamed = ONE_WORD.test(segment) && YEARLY.test(plain[at + side] ?? '');
      if (!isNamed && !/\d/.test(segment)) return segments[at] ?? '';
      if (!VARYING.test(segment)) words.push(...(segment.toLowerCase().match(LETTERS) ?? []));
      return '{date}';
    });
    return [withoutRepeats(shapes, '{date}').join('/'), words] as const;
  });
}

/** Months and days of a calendar share a space. */
const withoutRepeats = (shapes: readonly string[], varying: string): readonly string[] =>
  shapes.filter((shape, at) => shape !== varying || shapes[at - 1] !== varying);

/** The spaces of an address: by its own shape, by its query, by names in it, and by the path that it grows from. */
export function spacesOf({ url }: Address): readonly Space[] {
  const segments = segmentsOf(url);
  const space = (template: string, parts: readonly string[] = []): Space => ({
    key: hashKey(template),
    template,
    parts: [...new Set(parts.map(hashOf))],
  });
  const shapes = segments.map(shapeOf);
  // The part after a token is ordinary again.
  const path = withoutRepeats(shapes, '{n}');
  const token = path.indexOf('{token}');
  const shown =
    token === -1 ? path : [...path.slice(0, token + 1), ...(token < path.length - 1 ? ['**'] : [])];
  const base = `${url.host}/${shown.join('/')}`;
  const query = [...url.searchParams];
  const names = [...new Set(query.map(([name]) => name))].sort().map((name) => `${name}={}`);
  const isVaried = query.length > 0 || path.some((shape) => shape.includes('{'));
  return [
    ...(isVaried ? [space(query.length === 0 ? base : `${base}?${names.join('&')}`)] : []),
    // Facets list the same things in endless combinations.
    ...(query.length < 2
      ? []
      : [
          space(
            `${base}?*`,
            query.map((pair) => pair.join('=')),
          ),
        ]),
    ...namedSpaces(segments).flatMap(([dated, words]) =>
      words.length === 0 ? [] : [space(`${url.host}/${dated}`, words)],
    ),
    // Folders that contain each other endlessly have the same names on each level.
    ...(segments.length < 2 ? [] : [{ ...space(`${url.host}/**/`, shapes), isGrowing: true as const }]),
  ];
}

/** Whether an address is deeper in the folder of another. */
function isBelow({ url }: Address, { url: above }: Address): boolean {
  const folder = above.pathname.replace(/[^/]*$/, '');
  const isInside = url.host === above.host && url.pathname.startsWith(folder);
  return isInside && segmentsOf(url).length > segmentsOf(above).length;
}

const MARKDOWN_LINK = /!?\[(?:[^[\]\\]|\\.)*\]\((?:<[^<>]*>|[^()\s<>]*)(?:\s+"[^"]*")?\)/g;
const WORD = /[\p{L}\p{M}\p{N}_]+/gu;
/** `november` and `2026` of `november2026`. */
const RUN = /\p{L}[\p{L}\p{M}]*|\d+/gu;
const lowerWords = (text: string): readonly string[] => text.toLowerCase().match(WORD) ?? [];

/** The title and text of a page without its links' texts, which describe other pages. */
function proseOf({ facts, content, links }: PageRead, format: CrawlFormat): string {
  const text = (typeof content === 'string' ? content : JSON.stringify(content)).slice(0, TEXT_UNITS);
  const title = `${facts.title}\n\n`;
  // Pictures first, since a link may contain one.
  if (format === 'markdown') return title + text.replace(MARKDOWN_LINK, ' ').replace(MARKDOWN_LINK, ' ');
  if (format === 'html')
    return (
      title + text.replace(/<(a|script|style)\b[^>]*>[^]*?<\/\1>/gi, ' ').replace(/<[^>]*>|&[a-z]+;/gi, ' ')
    );
  const longestFirst = [...new Set(links.map((link) => link.text?.trim() ?? ''))]
    .filter((each) => each !== '')
    .sort((one, other) => other.length - one.length);
  return title + longestFirst.slice(0, LINK_TEXTS).reduce((rest, each) => rest.replaceAll(each, ' '), text);
}

const YEAR = /^(?:19|20|21)\d\d$/;
/** The number of a page or an article, not a date or a time. */
const COUNTED = /^(?!(?:19|20|21)\d\d(?:\d\d){0,2}$)\d{1,9}$/;
const MAX_DAYS = 31;

/** Whether numbers of a text count, as they may be prices: its address has no token, and one number at most in its query. */
function countsNumbers(url: URL): boolean {
  if (segmentsOf(url).some(isRandom)) return false;
  const [number, ...more] = [...url.searchParams.values()].filter((value) => /\d/.test(value));
  return number === undefined ? url.search === '' : more.length === 0 && COUNTED.test(number);
}

/** Hash of a page's words that its address does not contain. A query's number may stand for a date, whose year and day do not count. */
export function textHash(prose: string, { url, href }: Address): number {
  const shown = decodePercent(href) ?? href;
  const own = new Set([...lowerWords(shown), ...(shown.toLowerCase().match(RUN) ?? [])]);
  const words = lowerWords(prose).filter((word) => !own.has(word));
  const isDated = url.search !== '' && words.some((word) => YEAR.test(word));
  const counts = countsNumbers(url)
    ? (word: string) => !isDated || !(YEAR.test(word) || Number(word) <= MAX_DAYS)
    : (word: string) => !/\p{N}/u.test(word);
  return hashOf(words.filter(counts).join(' '));
}

const SpaceRecord = z.object({
  /** Pages that were read. */
  taken: z.int(),
  /** Consecutive pages without anything new, and without new text. */
  stale: z.int(),
  quiet: z.int(),
  /** Hashes of texts. */
  texts: z.array(z.int()).readonly(),
  parts: z.array(z.int()).readonly(),
});
type SpaceRecord = z.infer<typeof SpaceRecord>;

export const NEW_RECORD: SpaceRecord = { taken: 0, stale: 0, quiet: 0, texts: [], parts: [] };

interface Brought {
  readonly text: number;
  /** The page counts as new although its text is known. */
  readonly isFresh: boolean;
}

/** The record after reading a page of the space. */
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

/** The latest hashes, including repeated ones. */
const latest = (before: readonly number[], now: readonly number[], most: number): readonly number[] =>
  [...before.filter((known) => !now.includes(known)), ...now].slice(-most);

const hasParts = ({ parts }: SpaceRecord, space: Space): boolean =>
  space.parts.every((part) => parts.includes(part));

/** Whether an address of the space is no longer read. */
export const isClosed = (record: SpaceRecord, space: Space): boolean =>
  record.stale >= SPACE_BOUNDS.stale && hasParts(record, space);

/** Whether a link to an address of the space is not new. */
const isQuiet = (record: SpaceRecord, space: Space): boolean =>
  !space.isGrowing && record.quiet >= SPACE_BOUNDS.quiet && hasParts(record, space);

const parseSpaceRecord = (value: CleanJson | undefined): SpaceRecord =>
  SpaceRecord.safeParse(value).data ?? NEW_RECORD;

/** A space that is no longer read. */
export interface ClosedSpace {
  readonly template: string;
  /** Pages that were read of it. */
  readonly pages: number;
}

interface Located {
  readonly address: Address;
  readonly spaces: readonly Space[];
}

/**
 * The results of each space's pages, in the run's state: ['t', space] → its record. A page counts in a space
 * whose pages it links to. It is new by its text, or by a link to an unseen address outside. A link into a
 * space whose own pages bring no new text does not count: a calendar's months would always find new days.
 */
export class ExploredSpaces {
  readonly #held = new BoundedMap<string, SpaceRecord>(HELD);
  readonly #located = new BoundedMap<string, Located | null>(LOCATED);
  /** Links that counted as new. */
  readonly #counted = new BoundedMap<string, true>(LOCATED);

  constructor(
    private readonly state: RunState,
    private readonly format: CrawlFormat,
  ) {}

  /** Why an address is no longer read, or null. */
  findClosed(href: string): ClosedSpace | null {
    const space = this.#locate(href)?.spaces.find((each) => isClosed(this.#record(each), each));
    return space === undefined ? null : { template: space.template, pages: this.#record(space).taken };
  }

  /**
   * Notes a page's result immediately; the change belongs in the commit of its item. After a kill, lost pages
   * are read and judged again.
   */
  learn(entry: WaitingPage, page: PageRead, found: readonly WaitingPage[]): (change: RunChange) => void {
    const located = this.#locate(entry.href);
    if (located === null || page.contentHash === null) return () => undefined;
    const text = textHash(proseOf(page, this.format), located.address);
    const links = found.flatMap(({ key, href }) => {
      const target = this.#locate(href);
      return target === null || key === entry.key ? [] : [{ ...target, key }];
    });
    const brought = located.spaces.flatMap((space) => {
      const isOwn = ({ address, spaces }: Located): boolean =>
        space.isGrowing ? isBelow(address, located.address) : spaces.some(({ key }) => key === space.key);
      if (!links.some(isOwn)) return [];
      const isFresh = links.some((link) => !isOwn(link) && !this.#isQuiet(link) && !this.#isSeen(link.key));
      return [{ space, what: { text, isFresh } }];
    });
    for (const { space, what } of brought)
      this.#held.set(space.key, withPage(this.#record(space), space, what));
    for (const { key } of found) this.#counted.set(key, true);
    return (change) => {
      for (const { space, what } of brought) {
        const record = parseSpaceRecord(change.get(['t', space.key]));
        change.put(['t', space.key], withPage(record, space, what));
      }
    };
  }

  #isSeen(key: string): boolean {
    return this.#counted.has(key) || this.state.get(['v', key]) !== undefined;
  }

  #isQuiet({ spaces }: Located): boolean {
    return spaces.some((space) => isQuiet(this.#record(space), space));
  }

  #record({ key }: Space): SpaceRecord {
    return this.#held.get(key) ?? parseSpaceRecord(this.state.get(['t', key]));
  }

  #locate(href: string): Located | null {
    return valueIn(this.#located, href, () => {
      const address = parseAddress(href);
      return address === null ? null : { address, spaces: spacesOf(address) };
    });
  }
}
