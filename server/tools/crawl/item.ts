import type { JsonObject } from '../../../shared/json.ts';
import type { CrawlFormat } from '../../../shared/tools/crawl/options.ts';
import { parseAddress } from './address.ts';
import type { PageError } from './robots.ts';
import type { PageRead } from './source.ts';

/** What is known of a page besides its content. */
export interface ItemFacts {
  /** What a search kept of the content, for a crawl that searches. */
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
