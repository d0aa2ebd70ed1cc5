import { getPublicSuffix } from 'tough-cookie';
import type { Address } from './address.ts';
import { compileGlob, type GlobMatcher } from '../../toolkit/url-glob.ts';

/** What belongs to a crawl. */
export interface ScopeRules {
  /** `origin`, `host`, or a glob. */
  readonly scope: string;
  readonly include?: readonly string[] | undefined;
  readonly exclude?: readonly string[] | undefined;
}

/**
 * Decides which links belong to a crawl: within the scope of its starts, matched by a glob of
 * `include` where there are any, and by none of `exclude`. Start pages are read whatever the globs
 * say: a person named them.
 */
export class Scope {
  readonly #kind: 'origin' | 'host' | 'glob';
  readonly #glob: GlobMatcher | null;
  readonly #include: readonly GlobMatcher[];
  readonly #exclude: readonly GlobMatcher[];
  readonly #origins = new Set<string>();
  readonly #hosts = new Set<string>();

  constructor({ scope, include = [], exclude = [] }: ScopeRules) {
    this.#kind = scope === 'origin' || scope === 'host' ? scope : 'glob';
    this.#glob = this.#kind === 'glob' ? compileGlob(scope) : null;
    this.#include = include.map(compileGlob);
    this.#exclude = exclude.map(compileGlob);
  }

  /** A start page, or where one redirected to: its origin and host belong to the crawl. */
  addStart(url: URL): void {
    this.#origins.add(url.origin);
    this.#hosts.add(baseHost(url.hostname));
  }

  /** Whether a page's links may be followed. */
  holds(url: URL): boolean {
    if (this.#glob !== null) return this.#glob(url);
    if (this.#kind === 'origin') return this.#origins.has(url.origin);
    return isWithin(url.hostname, this.#hosts);
  }

  /** Whether an address is of the hosts of the starts, or of their subdomains: sitemaps are, in any scope. */
  sharesHost(url: URL): boolean {
    return isWithin(url.hostname, this.#hosts);
  }

  /** Whether a link may be followed. */
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

/** `www.` is left out, so that the other subdomains belong too; but never down to a public suffix (`www.com`). */
function baseHost(host: string): string {
  const clean = withoutDot(host);
  if (!clean.startsWith('www.')) return clean;
  const parent = clean.slice('www.'.length);
  const registrable = getPublicSuffix(clean, { allowSpecialUseDomain: true, ignoreError: true });
  const isBelow = registrable !== undefined && (parent === registrable || parent.endsWith(`.${registrable}`));
  return isBelow ? parent : clean;
}

const withoutDot = (host: string): string => (host.endsWith('.') ? host.slice(0, -1) : host);
