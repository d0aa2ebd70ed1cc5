import type { RunScope } from '../core/runs.ts';
import { hashKey, parseAddress, type Address, CRAWL_BOUNDS, type CrawlArgs } from './address.ts';
import type { Ledger } from './ledger.ts';
import type { WaitingPage } from './frontier.ts';
import { type PageSource, isOfOnePage } from './source.ts';
import { XMLParser } from 'fast-xml-parser';
import { z } from 'zod';
import { isErrorCode, SpillwayError, invalidArgument } from '../../shared/base/errors.ts';
import { LIMITS } from '../../shared/base/limits.ts';
import { cutUrl } from '../../shared/base/cut.ts';

interface Seeding {
  readonly args: CrawlArgs;
  readonly scope: RunScope;
  readonly source: PageSource;
  readonly ledger: Ledger;
  readonly signal: AbortSignal;
}

/** How many addresses of a sitemap are queued beyond `max_pages`: some may be forbidden. */
const SPARE = 1_000;

/** Puts the starts into the frontier, once; each resume determines the scope again. */
export async function seedFrontier(seeding: Seeding): Promise<void> {
  const { args, scope, ledger } = seeding;
  const starts = [...(args.urls ?? []), ...(args.url === undefined ? [] : [args.url])].flatMap(toAddress);
  for (const start of [...starts, ...(args.sitemap === undefined ? [] : toAddress(args.sitemap))])
    ledger.addStart(start);
  const found = starts.map(({ identity, href }) => ledger.secrets.find(hashKey(identity), href));
  for (const { key } of scope.state.range({ start: ['o'], end: ['p'] }))
    for (const origin of toAddress(String(key[1]))) ledger.addStart(origin);
  if (ledger.tally.seeded) return;
  if (args.sitemap === undefined) await ledger.seed(found, 0, true);
  else await seedFromSitemap(seeding, args.sitemap);
}

async function seedFromSitemap({ args, source, ledger, signal }: Seeding, sitemap: string): Promise<void> {
  const { secrets } = ledger;
  const most = args.max_pages + SPARE;
  let index = 0;
  let batch: WaitingPage[] = [];
  const options = {
    signal,
    onNote: (note: string) => ledger.note(note),
    admits: (href: string) => ledger.admitsSitemap(href),
    // The address that was given may lead to `www.` or https.
    onRead: (href: string, final: string) => {
      if (href !== sitemap || !ledger.admitsSitemap(final)) return;
      for (const address of toAddress(final)) ledger.follow(address);
    },
  };
  for await (const { href, lastmod } of readSitemap(source, sitemap, options)) {
    const address = parseAddress(href);
    if (address === null || !ledger.scope.admits(address)) continue;
    batch.push({
      ...secrets.find(hashKey(address.identity), address.href),
      ...(lastmod === undefined ? {} : { lastmod: secrets.shown(lastmod) }),
    });
    if (index + batch.length >= most) {
      ledger.note(`The sitemap lists more than the ${most} URLs that were queued.`);
      break;
    }
    if (batch.length < CRAWL_BOUNDS.seedBatch) continue;
    await ledger.seed(batch, index, false);
    index += batch.length;
    batch = [];
  }
  if (index + batch.length === 0) ledger.note('No URL in the sitemap is within the scope and the globs.');
  await ledger.seed(batch, index, true);
}

const toAddress = (href: string): readonly Address[] => [parseAddress(href) ?? []].flat();

/** A page or another sitemap that a sitemap names. */
interface Entry {
  readonly kind: 'url' | 'sitemap';
  readonly href: string;
  readonly lastmod?: string;
}

export type SitemapPage = Omit<Entry, 'kind'>;

const text = z.string().optional().catch(undefined);
const Element = z.object({ loc: text, lastmod: text }).catch({ loc: undefined, lastmod: undefined });
/** The text of RSS, or the attribute of Atom, which has other kinds of links too. */
const Link = z.union([
  z.string(),
  z.object({ href: z.string(), rel: z.literal('alternate').optional() }).transform(({ href }) => href),
]);
const FeedElement = z
  .object({ link: z.array(Link.optional().catch(undefined)).catch([]), updated: text })
  .transform(({ link, updated: lastmod }) => ({ loc: link.find((loc) => loc !== undefined), lastmod }))
  .catch({ loc: undefined, lastmod: undefined });
const elements = z.array(Element).catch([]);
const feedElements = z.array(FeedElement).catch([]);
const Fragment = z.object({ url: elements, sitemap: elements, item: feedElements, entry: feedElements });

/** Entities of a document type are never expanded, and those of XML itself only to a bound. */
const parser = new XMLParser({
  ignoreAttributes: (name) => name !== 'href' && name !== 'rel',
  attributeNamePrefix: '',
  removeNSPrefix: true,
  parseTagValue: false,
  // Numbers of characters too: WordPress writes `&#038;`.
  htmlEntities: true,
  isArray: (name) => /^(?:url|sitemap|item|entry|link)$/.test(name),
  processEntities: {
    enabled: true,
    maxEntityCount: 0,
    maxTotalExpansions: 100_000,
    maxExpandedLength: 1_000_000,
  },
});

/** A feed, of RSS or Atom, is a sitemap too; the `url` in it is that of its logo. */
const FEED = /<(?:rss|rdf:RDF|(?:[\w-]+:)?feed)[\s>]/;
const entriesIn = (names: string) => ({
  end: new RegExp(`</(?:[\\w-]+:)?(?:${names})\\s*>`, 'g'),
  start: new RegExp(`<(?:[\\w-]+:)?(?:${names})(?=[\\s>])`),
});
const SITEMAP_ENTRIES = entriesIn('url|sitemap');
const FEED_ENTRIES = entriesIn('item|entry');
/** Where the root is, after a document type and comments. */
const HEAD_UNITS = 4_096;
/** Entries are parsed in portions of about this size: the expansion of XML is bounded for each. */
const PORTION_UNITS = 256 * 1024;

interface SitemapOptions {
  readonly signal: AbortSignal;
  readonly onNote: (note: string) => void;
  readonly admits: (href: string) => boolean;
  /** Called with each sitemap, before its pages, and with the address to which its redirects led. */
  readonly onRead: (href: string, final: string) => void;
}

/**
 * Pages of a sitemap and its nested sitemaps, in order (sitemaps.org; plain lists and feeds too). `onNote`
 * gets parts that are not read.
 * @throws SpillwayError `invalid_argument` if the first address is not a sitemap, or the code of the failure
 *   to read it.
 */
export async function* readSitemap(
  source: PageSource,
  href: string,
  options: SitemapOptions,
): AsyncGenerator<SitemapPage> {
  const waiting = [{ href, depth: 0 }];
  const seen = new Set([href]);
  const { sitemaps: most, sitemapDepth } = CRAWL_BOUNDS;
  let hasMore = false;
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const { depth } = next;
    const entries = await readEntries(source, next.href, options).catch((thrown: unknown) => {
      if (depth === 0 || !isOfOnePage(thrown) || thrown.code === 'page_crashed') throw thrown;
      options.onNote(thrown.message);
      return [];
    });
    for (const entry of entries) {
      if (entry.kind === 'url') yield entry;
      else if (!seen.has(entry.href) && depth < sitemapDepth) {
        if (!options.admits(entry.href)) {
          options.onNote(`sitemap: ${cutUrl(entry.href, 300)} is of another host, and was not read.`);
          continue;
        }
        if (seen.size >= most) {
          if (!hasMore)
            options.onNote(`sitemap: ${cutUrl(href, 300)} has over ${most} sitemaps; the rest was left.`);
          hasMore = true;
          continue;
        }
        seen.add(entry.href);
        waiting.push({ href: entry.href, depth: depth + 1 });
      }
    }
  }
}

async function readEntries(
  source: PageSource,
  href: string,
  { signal, onNote, onRead }: SitemapOptions,
): Promise<readonly Entry[]> {
  const name = cutUrl(href, 300);
  const { text, facts } = await source.resource({ href, maxBytes: LIMITS.sitemapBytes, signal });
  const { status, error, final_url: base } = facts;
  const entries = entriesOf(text.trimStart(), base);
  if (error !== null && (error.code !== 'response_too_large' || entries.length === 0))
    throw new SpillwayError(
      isErrorCode(error.code) ? error.code : 'upstream_error',
      `sitemap: ${name} cannot be read: ${error.message}`,
      { quotes: base },
    );
  if (status === null || status >= 400)
    throw invalidArgument(`sitemap: ${name} answers ${status ?? 'nothing'}.`);
  if (entries.length === 0) throw invalidArgument(`sitemap: ${name} lists no page and no sitemap.`);
  if (error !== null) onNote(`sitemap: ${error.message}`);
  onRead(href, base);
  return entries;
}

function entriesOf(whole: string, base: string): Entry[] {
  const entries: Entry[] = [];
  const add = (kind: Entry['kind'], { loc, lastmod }: z.infer<typeof Element>): void => {
    const address = loc === undefined ? null : parseAddress(loc.trim(), base);
    if (address === null) return;
    const dated = lastmod === undefined ? {} : { lastmod: lastmod.trim() };
    entries.push({ kind, href: address.href, ...dated });
  };
  if (!whole.startsWith('<'))
    for (const line of whole.split(/\s*[\r\n]+\s*/)) if (/^https?:\/\//.test(line)) add('url', { loc: line });
  for (const portion of portionsOf(whole)) {
    const { url, sitemap, item, entry } = parsePortion(portion, base);
    for (const element of sitemap) add('sitemap', element);
    for (const element of [...url, ...item, ...entry]) add('url', element);
  }
  return entries;
}

/** Entries that are commented out do not count, and a comment that is cut off ends nowhere. */
const withoutComments = (text: string): string =>
  text
    .split('-->')
    .map((part) => part.split('<!--', 1).join(''))
    .join('');

/** Whole entries, without the head, which may have a document type, and the root. */
function* portionsOf(whole: string): Generator<string, void> {
  const text = withoutComments(whole);
  const named = FEED.test(text.slice(0, HEAD_UNITS)) ? FEED_ENTRIES : SITEMAP_ENTRIES;
  let start = text.search(named.start);
  if (start === -1) return;
  let end = start;
  for (const match of text.matchAll(named.end)) {
    end = match.index + match[0].length;
    if (end - start < PORTION_UNITS) continue;
    yield text.slice(start, end);
    start = end;
  }
  if (end > start) yield text.slice(start, end);
}

function parsePortion(portion: string, base: string): z.infer<typeof Fragment> {
  try {
    return Fragment.parse(parser.parse(portion));
  } catch (cause) {
    const message = `sitemap: ${cutUrl(base, 300)} is not a well-formed sitemap.`;
    throw new SpillwayError('invalid_argument', message, { cause });
  }
}
