import { hash } from 'node:crypto';
import { type CleanText, identifier } from '../libraries/redaction/clean.ts';
import { getPublicSuffix } from 'tough-cookie';
import { z } from 'zod';
import { CrawlInput } from '../../shared/crawl/crawl.manifest.ts';
import { compileGlob, type GlobMatcher } from '../../shared/base/url-glob.ts';
import { parseUrl } from '../../shared/base/private-address.ts';

/** A page's address as requested, and as the identity of the page. */
export interface Address {
  /** Absolute, http or https, without fragment and credentials. */
  readonly href: string;
  readonly url: URL;
  /**
   * One form for all spellings of the page: default ports, dot segments and case of the host in URL's form,
   * percent-encoding in one case and only if needed, without tracking parameters. The order of the query
   * stays: servers may care.
   */
  readonly identity: string;
}

/** Campaign and click ids of the large analytics and mail services: they never change the page. */
const TRACKING = new Set(
  (
    'fbclid gclid gclsrc dclid gbraid wbraid msclkid yclid twclid ttclid igshid mc_cid mc_eid ' +
    'mkt_tok vero_id _ga _gl _hsenc _hsmi __hssc __hstc __hsfp hsctatracking'
  ).split(' '),
);
const SESSION = /^(?:phpsessid|jsessionid|aspsessionid[a-z]*|cfid|cftoken)$/;
/** Names that sometimes mean a session: only if the value looks like a token. */
const MAYBE_SESSION = /^(?:sid|sess|session|session_?id|sessionid)$/;
const PATH_SESSION = /;(?:jsessionid|phpsessid|sid)=[^/;?]*/gi;
const TOKEN = /^(?=.*\d)(?=.*[a-z])[a-z\d_-]{8,}$/i;
const UNRESERVED = /[A-Za-z\d\-._~]/;

/**
 * True for text that looks like a session's or an object's random id: mixed letters and digits, eight or
 * more.
 */
export const isToken = (text: string): boolean => TOKEN.test(text);

/** @returns null if it is not an http(s) URL. */
export function parseAddress(href: string, base?: string): Address | null {
  const url = parseUrl(href, base);
  if (url === null) return null;
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return null;
  if (url.hash !== '') url.hash = '';
  if (url.username !== '') url.username = '';
  if (url.password !== '') url.password = '';
  // An empty fragment leaves its `#` behind.
  const serialised = url.href;
  const clean = serialised.endsWith('#') ? serialised.slice(0, -1) : serialised;
  return { href: clean, url, identity: identify(url) };
}

function identify(url: URL): string {
  const path = url.pathname.includes(';') ? url.pathname.replace(PATH_SESSION, '') : url.pathname;
  const query = url.search.length > 1 ? cleanQuery(url.search.slice(1)) : '';
  return `${url.origin}${unify(path)}${query === '' ? '' : `?${query}`}`;
}

function cleanQuery(query: string): string {
  return query
    .split('&')
    .filter((pair) => pair !== '' && !followsVisitors(pair))
    .map(unify)
    .join('&');
}

function followsVisitors(pair: string): boolean {
  const at = pair.indexOf('=');
  const name = (at === -1 ? pair : pair.slice(0, at)).toLowerCase();
  if (name.startsWith('utm_') || TRACKING.has(name) || SESSION.test(name)) return true;
  return MAYBE_SESSION.test(name) && isToken(at === -1 ? '' : pair.slice(at + 1));
}

/** Percent-encoding in upper case, unreserved characters bare (RFC 3986, 6.2.2). */
export function unify(text: string): string {
  if (!text.includes('%')) return text;
  return text.replace(/%([\da-f]{2})?/gi, (_, hex: string | undefined) => {
    if (hex === undefined) return '%25';
    const character = String.fromCharCode(Number.parseInt(hex, 16));
    return UNRESERVED.test(character) ? character : `%${hex.toUpperCase()}`;
  });
}

const KEY_LENGTH = 22;

/** A short key of a text for the run's state: 132 bits of its SHA-256. */
export const hashKey = (text: string): CleanText =>
  identifier('digest', hash('sha256', text, 'base64url').slice(0, KEY_LENGTH));

/**
 * Decides which links belong to a crawl: within the scope of its starts, matched by a glob of `include` if
 * there are any, and by none of `exclude`. Start pages are read whatever the globs say: a person named them.
 */
export class Scope {
  readonly #glob: GlobMatcher | null;
  readonly #include: readonly GlobMatcher[];
  readonly #exclude: readonly GlobMatcher[];
  readonly #origins = new Set<string>();
  readonly #hosts = new Set<string>();

  constructor(private readonly rules: Pick<CrawlArgs, 'scope' | 'include' | 'exclude'>) {
    const { scope, include = [], exclude = [] } = rules;
    this.#glob = scope === 'origin' || scope === 'host' ? null : compileGlob(scope);
    this.#include = include.map(compileGlob);
    this.#exclude = exclude.map(compileGlob);
  }

  /** A start page, or a redirect's target: its origin and host belong to the crawl. */
  addStart(url: URL): void {
    this.#origins.add(url.origin);
    this.#hosts.add(baseHost(url.hostname));
  }

  holds(url: URL): boolean {
    if (this.#glob !== null) return this.#glob(url);
    return this.rules.scope === 'origin' ? this.#origins.has(url.origin) : this.sharesHost(url);
  }

  /** Whether an address is on the hosts of the starts, or their subdomains: sitemaps count in any scope. */
  sharesHost(url: URL): boolean {
    return isWithin(url.hostname, this.#hosts);
  }

  admits({ url }: Address): boolean {
    if (!this.holds(url)) return false;
    if (this.#include.length > 0 && !this.#include.some((matches) => matches(url))) return false;
    return !this.#exclude.some((matches) => matches(url));
  }
}

/** Whether `host` is one of `hosts` or a subdomain of one: compared label by label, never as a substring. */
function isWithin(host: string, hosts: ReadonlySet<string>): boolean {
  for (let rest = withoutDot(host); ;) {
    if (hosts.has(rest)) return true;
    const dot = rest.indexOf('.');
    if (dot === -1) return false;
    rest = rest.slice(dot + 1);
  }
}

/** `www.` is dropped, so that the other subdomains belong too; but never down to a public suffix (`www.com`). */
function baseHost(host: string): string {
  const clean = withoutDot(host);
  if (!clean.startsWith('www.')) return clean;
  const parent = clean.slice('www.'.length);
  const registrable = getPublicSuffix(clean, { allowSpecialUseDomain: true, ignoreError: true });
  const isBelow = registrable !== undefined && (parent === registrable || parent.endsWith(`.${registrable}`));
  return isBelow ? parent : clean;
}

const withoutDot = (host: string): string => (host.endsWith('.') ? host.slice(0, -1) : host);

export const CrawlArgs = CrawlInput.omit({ async: true, resume: true }).extend({
  /** The extension's instance: the same profile has another number on the next server. Null: any browser. */
  instance: z.string().nullable(),
});
export type CrawlArgs = z.output<typeof CrawlArgs>;

/** Bounds of a crawl's politeness and waits. Sizes and deadlines of single requests are in `shared/base/limits.ts`. */
export const CRAWL_BOUNDS = {
  /** Longest wait for a 429, a 503 or a crawl-delay. */
  waitMs: 60_000,
  /** Longest `Crawl-delay` that is obeyed. */
  crawlDelayMs: 30_000,
  /** First wait after a 429 or 503 without one; it doubles each time. */
  backoffMs: 1_000,
  /** How often a page is requested again after a 429 or 503. */
  retries: 3,
  /** Consecutive failures after which a host's remaining pages are not requested. */
  hostFailures: 10,
  levelPatienceMs: 5_000,
  /** Pages that crashed, after which no other is requested: the machine is at fault. */
  crashes: 50,
  /** Entries of the frontier that are looked through for a host that is ready. */
  lookAhead: 2_048,
  /** Maximum pages being written, or dropped with their closed space, in addition to those being read. */
  writesAtOnce: 64,
  /** Origins whose robots.txt is remembered. */
  robotsKept: 1_000,
  /** A longer robots.txt rule, or one with more wildcards, is ignored. */
  robotsLineLength: 2_048,
  robotsStars: 16,
  /** Maximum sitemaps in one index and the indexes in it. */
  sitemaps: 1_000,
  sitemapDepth: 3,
  /** Pages of a sitemap written in one commit. */
  seedBatch: 500,
} as const;
