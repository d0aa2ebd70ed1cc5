import { BoundedMap } from '../../../shared/bounded-map.ts';
import type { JsonObject } from '../../../shared/json.ts';
import type { CrawlFormat } from '../../../shared/tools/crawl/options.ts';
import { parseAddress, keyOf, type Address, type Scope } from './address.ts';
import type { PageError } from './hosts.ts';
import type { PageRead, PageLink } from '../../toolkit/crawl-source.ts';
import type { CleanText } from '../../redact/clean.ts';
import type { Waiting } from './frontier.ts';
import type { Secrets } from './secrets.ts';

interface ItemFacts {
  readonly found?: PageRead['content'] | undefined;
  readonly href: string;
  readonly depth: number;
  readonly format: CrawlFormat;
  readonly fetchedAtMs: number;
  readonly lastmod: string | undefined;
  /** Address of an earlier item with the same content. */
  readonly duplicateOf: string | null;
  readonly error: PageError | null;
}

/** One item of a crawl. Nothing is cut: what is missing is named by `error`. */
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
    depth: item.depth,
    status: facts.status,
    title: facts.title,
    ...(facts.article === undefined ? {} : { article: facts.article }),
    ...(contentHash === null && error !== null ? {} : { [format]: content }),
    links: absoluteLinks(page),
    ...(contentHash === null ? {} : { content_hash: contentHash }),
    fetched_at: new Date(item.fetchedAtMs).toISOString(),
    timing: roundTiming(facts.timing),
    ...(facts.content_type === null ? {} : { content_type: facts.content_type }),
    ...(facts.rendered ? { rendered: true } : {}),
    ...(facts.redirects.length > 0 ? { redirects: facts.redirects.map((hop) => ({ ...hop })) } : {}),
    ...(facts.canonical === null ? {} : { canonical: facts.canonical }),
    ...(facts.robots.length > 0 ? { robots: facts.robots } : {}),
    ...(facts.coverage === undefined || facts.coverage.length === 0 ? {} : { coverage: facts.coverage }),
    ...(item.lastmod === undefined ? {} : { lastmod: item.lastmod }),
    ...(item.duplicateOf === null ? {} : { duplicate_of: item.duplicateOf }),
    ...(error === null ? {} : { error: { code: error.code, message: error.message } }),
  };
}

/** A caller that searches wants the lines: the other facts of a page cost more tokens than they do. */
function buildMatch(facts: PageRead['facts'], item: ItemFacts, found: PageRead['content']): JsonObject {
  return {
    url: item.href,
    ...(facts.final_url === item.href ? {} : { final_url: facts.final_url }),
    depth: item.depth,
    status: facts.status,
    title: facts.title,
    [item.format]: found,
    ...(item.duplicateOf === null ? {} : { duplicate_of: item.duplicateOf }),
  };
}

/** Tenths of a millisecond: what is beyond them is noise, and costs tokens. */
function roundTiming({ fetch_ms, parse_ms, size_bytes }: PageRead['facts']['timing']): JsonObject {
  const round = (ms: number): number => Math.round(ms * 10) / 10;
  return { fetch_ms: round(fetch_ms), parse_ms: round(parse_ms), size_bytes };
}

/** Links to pages, without fragments, each once, in the document's order. */
function absoluteLinks({ links }: PageRead): string[] {
  const hrefs = new Set<string>();
  for (const { href } of links) {
    const hash = href.indexOf('#');
    hrefs.add(hash === -1 ? href : href.slice(0, hash));
  }
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

/** What the address alone gives away, or null. */
export function findPathTrap({ href, url }: Address): TrapKind | null {
  if (href.length > BOUNDS.addressLength) return 'long_address';
  const segments = url.pathname.split('/').filter((segment) => segment !== '');
  if (segments.length > BOUNDS.pathSegments) return 'deep_path';
  return repeats(segments) ? 'repeating_path' : null;
}

function repeats(segments: readonly string[]): boolean {
  if (segments.length <= BOUNDS.repeats) return false;
  const counts = new Map<string, number>();
  for (const segment of segments) {
    const count = (counts.get(segment) ?? 0) + 1;
    if (count > BOUNDS.repeats) return true;
    counts.set(segment, count);
  }
  for (let length = 1; length * BOUNDS.repeats <= segments.length; length += 1)
    if (hasCycle(segments, length)) return true;
  return false;
}

/** Whether a sequence of `length` segments comes `repeats` times in a row. */
function hasCycle(segments: readonly string[], length: number): boolean {
  let same = 0;
  for (let at = length; at < segments.length; at += 1) {
    same = segments[at] === segments[at - length] ? same + 1 : 0;
    if (same >= length * (BOUNDS.repeats - 1)) return true;
  }
  return false;
}

/** Links of a page by what the crawl does with them. */
export interface ClassifiedLinks {
  readonly follow: readonly Waiting[];
  readonly nofollow: number;
  /** Pages that the scope or a glob leaves out. */
  readonly outside: number;
  readonly traps: readonly { readonly kind: TrapKind; readonly href: string }[];
}

type LinkClass =
  | { readonly key: CleanText; readonly href: string }
  | { readonly trap: TrapKind; readonly href: string }
  | { readonly outside: string };

/** Navigation is the same on each page of a site: the classes of the latest addresses are kept. */
const KEPT = 8_192;

interface Classifying {
  readonly scope: Scope;
  readonly secrets: Secrets;
  readonly respectRobots: boolean;
}

/** Decides which links of a page are followed. */
export function linkClassifier({ scope, secrets, respectRobots }: Classifying) {
  const kept = new BoundedMap<string, LinkClass | null>(KEPT);
  const classOf = (href: string): LinkClass | null => {
    const known = kept.get(href);
    if (known !== undefined) return known;
    const linkClass = decide(href, scope);
    kept.set(href, linkClass);
    return linkClass;
  };
  return {
    classify(links: readonly PageLink[]): ClassifiedLinks {
      const follow = new Map<string, Waiting>();
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
    /** The scope has grown: what was outside may be inside. */
    forget: (): void => kept.clear(),
  };
}

function decide(href: string, scope: Scope): LinkClass | null {
  const address = parseAddress(href);
  if (address === null) return null;
  const key = keyOf(address.identity);
  if (!scope.admits(address)) return { outside: key };
  const trap = findPathTrap(address);
  return trap === null ? { key, href: address.href } : { trap, href: address.href };
}
