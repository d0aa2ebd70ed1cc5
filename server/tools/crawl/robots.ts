import robotsParser from 'robots-parser';
import { LIMITS } from '../../../shared/limits.ts';
import { CRAWL_BOUNDS } from './bounds.ts';
import { isOfOnePage, type PageSource, type ResourceRead } from './source.ts';

/** The group of robots.txt that is ours; without one, `*` holds. */
const AGENT = 'Spillway';

export interface PageError {
  readonly code: string;
  readonly message: string;
}

/** What an origin's robots.txt says. */
export interface RobotsRules {
  /** Why this address may not be read, or null. */
  refuse(href: string): PageError | null;
  /** `Crawl-delay`, as far as it is kept. */
  readonly crawlDelayMs: number;
  /** What a reader of the crawl has to know, or null. */
  readonly note: string | null;
}

const ALL_ALLOWED: RobotsRules = { refuse: () => null, crawlDelayMs: 0, note: null };
/** Then the pages cannot be read either, for the same reason. */
const OF_ALL_PAGES = new Set([
  'dns_failed',
  'host_unreachable',
  'tls_failed',
  'navigation_failed',
  'policy_denied',
  'approval_required',
]);

/**
 * Reads `/robots.txt` of an origin (RFC 9309): 4xx allows all; 5xx and no answer forbid all until the
 * crawl is started or resumed again; more than 500 KiB are not looked at.
 */
export async function readRobots(
  source: PageSource,
  origin: string,
  signal: AbortSignal,
): Promise<RobotsRules> {
  const href = `${origin}/robots.txt`;
  const request = { href, maxBytes: LIMITS.robotsBytes, signal };
  return source
    .resource(request, (read) => rulesOf(href, origin, read))
    .catch((thrown: unknown) => {
      if (signal.aborted || !isOfOnePage(thrown)) throw thrown;
      return rulesOfError(origin, thrown);
    });
}

async function rulesOf(href: string, origin: string, read: ResourceRead): Promise<RobotsRules> {
  const text = await readText(read);
  const { status, error } = await read.done;
  if (error !== null && error.code !== 'response_too_large') return rulesOfError(origin, error);
  if (status !== null && status >= 500) return refuseAll(origin, `it answers ${status}`);
  if (status === null || status >= 300) return ALL_ALLOWED;
  return parseRobots(href, error === null ? text : text.slice(0, text.lastIndexOf('\n') + 1));
}

async function readText({ chunks }: ResourceRead): Promise<string> {
  const parts: string[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  return parts.join('');
}

function rulesOfError(origin: string, error: PageError): RobotsRules {
  // RFC 9309 (2.3.1.2): a chain of redirects that does not end is a file that is not there.
  if (error.code === 'redirect_loop') return ALL_ALLOWED;
  if (!OF_ALL_PAGES.has(error.code)) return refuseAll(origin, `${error.code}: ${error.message}`);
  const { code, message } = error;
  return { refuse: () => ({ code, message }), crawlDelayMs: 0, note: null };
}

function refuseAll(origin: string, why: string): RobotsRules {
  const message = `${origin}/robots.txt cannot be read (${why}), so all of ${origin} is disallowed.`;
  return { refuse: () => ({ code: 'robots_disallowed', message }), crawlDelayMs: 0, note: message };
}

/** Exported for its tests. */
export function parseRobots(href: string, text: string): RobotsRules {
  // Matching takes stars times path: a rule beyond any use would cost each page of the crawl.
  const lines = text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\r|\n/)
    .filter(
      (line) => line.length <= CRAWL_BOUNDS.robotsLineLength && countStars(line) <= CRAWL_BOUNDS.robotsStars,
    );
  const robots = robotsParser(href, lines.join('\n'));
  const wanted = Math.max(0, (robots.getCrawlDelay(AGENT) ?? 0) * 1_000);
  const crawlDelayMs = Math.min(wanted, CRAWL_BOUNDS.crawlDelayMs);
  const note =
    wanted > crawlDelayMs
      ? `${href} asks for ${wanted / 1_000} s between two pages; ${crawlDelayMs / 1_000} s were kept.`
      : null;
  const message = `${href} disallows it.`;
  return {
    refuse: (page) =>
      robots.isDisallowed(page, AGENT) === true ? { code: 'robots_disallowed', message } : null,
    crawlDelayMs,
    note,
  };
}

const countStars = (line: string): number => line.split('*').length - 1;
