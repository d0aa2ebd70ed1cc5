import { formatNote, type Note, type NoteValues } from '../../shared/core/notes.ts';
import { BoundedMap, valueIn } from '../../shared/base/maps.ts';
import { defined, type JsonObject, type JsonValue } from '../../shared/base/json.ts';
import type { CrawlFormat } from '../../shared/crawl/crawl.methods.ts';
import { parseAddress, hashKey, type Address, type CrawlArgs, type Scope } from './address.ts';
import type { PageError } from './hosts.ts';
import type { PageRead, PageLink } from './source.ts';
import type { CleanText } from '../libraries/redaction/clean.ts';
import type { Entry, WaitingPage, Secrets } from './frontier.ts';
import { z } from 'zod';
import { parseStored } from '../core/runs.ts';
import { SpillwayError } from '../../shared/base/errors.ts';
import { cut, withoutFragment } from '../../shared/base/cut.ts';
import type { Outcome } from '../core/result.ts';

interface ItemFacts {
  readonly found?: PageRead['content'] | undefined;
  readonly entry: Entry;
  readonly href: string;
  readonly format: CrawlFormat;
  /** Only the main content was read. */
  readonly isMain: boolean;
  readonly fetchedAtMs: number;
  /** Address of an earlier item with the same content. */
  readonly duplicateOf: string | null;
  readonly error: PageError | null;
}

/** One item of a crawl. Nothing is cut silently: `error` names missing parts. */
export function buildItem(page: PageRead, item: ItemFacts): JsonObject {
  const { found, error } = item;
  return found !== undefined && error === null
    ? buildMatch(page.facts, item, found)
    : buildWhole(page, item, found ?? page.content);
}

function buildWhole(page: PageRead, item: ItemFacts, content: PageRead['content']): JsonObject {
  const { facts, contentHash } = page;
  const { error, format } = item;
  return {
    url: item.href,
    final_url: facts.final_url,
    depth: item.entry.depth,
    status: facts.status,
    title: facts.title,
    ...defined({ article: facts.article }),
    ...(contentHash === null && error !== null ? {} : { [format]: content }),
    // Mostly of menus, which such a caller does not want, and many tokens.
    ...(item.isMain ? {} : { links: absoluteLinks(page) }),
    ...(contentHash === null ? {} : { content_hash: contentHash }),
    fetched_at: new Date(item.fetchedAtMs).toISOString(),
    timing: roundTiming(facts.timing),
    ...(facts.content_type === null ? {} : { content_type: facts.content_type }),
    ...(facts.rendered ? { rendered: true } : {}),
    ...(facts.redirects.length > 0 ? { redirects: facts.redirects.map((hop) => ({ ...hop })) } : {}),
    ...(facts.canonical === null ? {} : { canonical: facts.canonical }),
    ...(facts.robots.length > 0 ? { robots: facts.robots } : {}),
    ...(facts.coverage === undefined || facts.coverage.length === 0 ? {} : { coverage: facts.coverage }),
    ...defined({ lastmod: item.entry.lastmod }),
    ...(item.duplicateOf === null ? {} : { duplicate_of: item.duplicateOf }),
    ...(error === null ? {} : { error: { code: error.code, message: error.message } }),
  };
}

/** A caller that searches wants the lines: a page's other facts cost more tokens than they do. */
function buildMatch(facts: PageRead['facts'], item: ItemFacts, found: PageRead['content']): JsonObject {
  return {
    url: item.href,
    ...(facts.final_url === item.href ? {} : { final_url: facts.final_url }),
    depth: item.entry.depth,
    status: facts.status,
    title: facts.title,
    [item.format]: found,
    ...(item.duplicateOf === null ? {} : { duplicate_of: item.duplicateOf }),
  };
}

/** Tenths of a millisecond: further digits are noise, and cost tokens. */
function roundTiming({ fetch_ms, parse_ms, size_bytes }: PageRead['facts']['timing']): JsonObject {
  const round = (ms: number): number => Math.round(ms * 10) / 10;
  return { fetch_ms: round(fetch_ms), parse_ms: round(parse_ms), size_bytes };
}

/** Links to pages, without fragments, each once, in the document's order. */
function absoluteLinks({ links }: PageRead): string[] {
  const hrefs = new Set(links.map(({ href }) => withoutFragment(href)));
  return [...hrefs].filter((href) => /^https?:/.test(href) || parseAddress(href) !== null);
}

/*
 * Addresses that give a trap away by themselves: longer than a browser's bar, very deep, a part of the
 * path that comes again and again. Spaces without an end are found by their pages, see spaces.ts.
 */

const BOUNDS = {
  /** Longest address that is followed. */
  addressLength: 2_048,
  pathSegments: 32,
  repeats: 3,
} as const;

type TrapKind = 'long_address' | 'deep_path' | 'repeating_path';

export function findPathTrap({ href, url }: Address): TrapKind | null {
  if (href.length > BOUNDS.addressLength) return 'long_address';
  const segments = url.pathname.split('/').filter((segment) => segment !== '');
  if (segments.length > BOUNDS.pathSegments) return 'deep_path';
  const timesOf = (segment: string): number => segments.filter((each) => each === segment).length;
  return segments.some((segment) => timesOf(segment) > BOUNDS.repeats) ? 'repeating_path' : null;
}

/** Links of a page by their treatment. */
export interface ClassifiedLinks {
  readonly follow: readonly WaitingPage[];
  readonly nofollow: number;
  /** Pages that the scope or a glob leaves out. */
  readonly outside: number;
  readonly traps: readonly { readonly kind: TrapKind; readonly href: string }[];
}

type LinkClass =
  | { readonly key: CleanText; readonly href: string }
  | { readonly trap: TrapKind; readonly href: string }
  | { readonly outside: string };

/** Navigation is the same on each page of a site, so the classes of the latest addresses are kept. */
const KEPT = 8_192;

/** Decides which links of a page are followed. */
export function linkClassifier(scope: Scope, secrets: Secrets, respectRobots: boolean) {
  const kept = new BoundedMap<string, LinkClass | null>(KEPT);
  const classOf = (href: string): LinkClass | null => valueIn(kept, href, () => decide(href, scope));
  return {
    classify(links: readonly PageLink[]): ClassifiedLinks {
      const follow = new Map<string, WaitingPage>();
      const traps: { kind: TrapKind; href: string }[] = [];
      const outside = new Set<string>();
      let nofollow = 0;
      for (const link of links) {
        const found = classOf(link.href);
        if (found === null) continue;
        if ('outside' in found) outside.add(found.outside);
        else if ('trap' in found) traps.push({ kind: found.trap, href: secrets.shown(found.href) });
        else if (link.isNofollow && respectRobots) nofollow += 1;
        else if (!follow.has(found.key)) follow.set(found.key, secrets.find(found.key, found.href));
      }
      return { follow: [...follow.values()], nofollow, outside: outside.size, traps };
    },
    /** The scope has grown: outside addresses may now be inside. */
    forget: (): void => kept.clear(),
  };
}

function decide(href: string, scope: Scope): LinkClass | null {
  const address = parseAddress(href);
  if (address === null) return null;
  const key = hashKey(address.identity);
  if (!scope.admits(address)) return { outside: key };
  const trap = findPathTrap(address);
  return trap === null ? { key, href: address.href } : { trap, href: address.href };
}

const number = z.int().default(0);
const counts = z.record(z.string(), z.int()).default(() => ({}));

/** Counts of a crawl, kept in the run's state and changed in the commit of the counted pages. */
const Tally = z.object({
  /** The starts are in the frontier. */
  seeded: z.boolean().default(false),
  /** The last place in breadth-first order that a page got. */
  rank: number,
  items: number,
  /** Requested pages, which `max_pages` bounds. */
  pages: number,
  failed: number,
  /** Pages with the text of `find`, and pages without it, which are not items. */
  matched: number,
  unmatched: number,
  queued: number,
  duplicates: number,
  deepest: number,
  /** Addresses that robots.txt forbids; beyond `max_pages` of them they are not items. */
  disallowed: number,
  nofollow: number,
  /** Links that the scope or a glob leaves out, counted separately for each page. */
  outside: number,
  /** Whether links were left because of `max_depth`. */
  beyondDepth: z.boolean().default(false),
  traps: counts,
  trapExamples: z.record(z.string(), z.string()).default(() => ({})),
  /** Spaces that are no longer read, by their templates. */
  closed: z
    .record(z.string(), z.object({ pages: z.int(), unread: z.int(), next: z.string() }))
    .default(() => ({})),
  errors: counts,
  notes: z.array(z.string()).default(() => []),
});
export type Tally = z.infer<typeof Tally>;

export const TALLY_KEY = ['m'] as const;

export const parseTally = (value: JsonValue | undefined): Tally =>
  parseStored(Tally, structuredClone(value), 'The counts of the crawl') ?? Tally.parse({});

export function count(counts: Record<string, number>, name: string, more = 1): void {
  counts[name] = (counts[name] ?? 0) + more;
}

/** Counts an address that is not read because it looks like a trap. */
export function countTrap(tally: Tally, kind: string, example: string): void {
  count(tally.traps, kind);
  tally.trapExamples[kind] ??= example;
}

/** Templates that are listed. */
const MAX_CLOSED = 20;

/** Counts an unread address of a closed space; the first one is where to continue. */
export function countClosed(
  tally: Tally,
  { template, pages }: { readonly template: string; readonly pages: number },
  href: string,
): void {
  countTrap(tally, 'endless', href);
  const known = tally.closed[template];
  if (known === undefined && Object.keys(tally.closed).length >= MAX_CLOSED) return;
  tally.closed[template] = { pages, unread: (known?.unread ?? 0) + 1, next: known?.next ?? href };
}

const most = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .sort(([, one], [, other]) => other - one)
    .map(([name, number]) => `${name} ${number}`)
    .join(', ');

/** The report of a crawl: its counts, and everything that it did not read. */
export function reportOf(tally: Tally, args: CrawlArgs): Outcome {
  const coverage: string[] = [];
  const say = (note: Note, values: NoteValues = {}): unknown => coverage.push(formatNote(note, values));
  const { matched, unmatched, outside, disallowed: forbidden, nofollow } = tally;
  if (args.find !== undefined)
    say('found', {
      found: matched,
      pages: matched + unmatched,
      text: JSON.stringify(cut(args.find, 100)),
    });
  if (tally.queued > 0 && tally.pages >= args.max_pages)
    say('max_pages', { most: args.max_pages, left: tally.queued });
  if (tally.beyondDepth) say('max_depth', { most: args.max_depth });
  if (outside > 0) say('outside', { scope: args.scope, count: outside });
  if (forbidden > 0) say(tally.pages === 0 ? 'robots_all' : 'robots', { count: forbidden });
  if (nofollow > 0) say('nofollow', { count: nofollow });
  const trapped = Object.values(tally.traps).reduce((sum, number) => sum + number, 0);
  const [example = ''] = Object.values(tally.trapExamples);
  if (trapped > 0) say('traps', { count: trapped, kinds: most(tally.traps), example });
  for (const space of describeClosed(tally)) say('space', space);
  const { robots_disallowed: _robots, ...errors } = tally.errors;
  if (Object.keys(errors).length > 0) say('failed', { codes: most(errors) });
  if (tally.errors['approval_required'] !== undefined) say('asked');
  coverage.push(...tally.notes);
  const { items, failed, duplicates, queued, deepest, disallowed } = tally;
  return {
    state: { pages: items + tally.unmatched, failed, duplicates, queued, deepest, disallowed, trapped },
    coverage,
  };
}

/** The same for a crawl with pages that crashed, which fails: a resumed one tries them again. */
export function withCrashes(report: Outcome, crashed: readonly string[]): Outcome {
  const count = crashed.length;
  if (count === 0) return report;
  const examples = crashed.slice(0, MAX_NAMED).map((href) => cut(href, MAX_SHOWN));
  return {
    ...report,
    coverage: [formatNote('crashed', { count, examples: examples.join(', ') }), ...report.coverage],
    failure: new SpillwayError('page_crashed', `Pages that crashed twice and were not read: ${count}.`),
  };
}

/** Maximum spaces or pages that are named individually. */
const MAX_NAMED = 5;

function describeClosed({ closed }: Tally): NoteValues[] {
  const spaces = Object.entries(closed).sort(([, one], [, other]) => other.unread - one.unread);
  return spaces.slice(0, MAX_NAMED).map(([space, { pages: read, unread, next }]) => ({
    space,
    pages: read,
    unread,
    next: cut(next, MAX_SHOWN),
    glob: cut(globOf(next, space), MAX_SHOWN),
  }));
}

const MAX_SHOWN = 300;

/** A glob of the addresses of a space: its template up to the first variable part. */
function globOf(href: string, template: string): string {
  const [path = '', query] = template.split('?', 2);
  const fixed = path.replace(/[{*].*$/, '');
  const scheme = href.slice(0, href.indexOf('://') + '://'.length);
  if (query !== undefined && fixed === path) return `${scheme}${fixed}?**`;
  return `${scheme}${fixed}**`;
}
