import { CRAWL_BOUNDS, unify } from './address.ts';
import { type PageRead, isOfOnePage, type PageSource } from './source.ts';
import robotsParser from 'robots-parser';
import { LIMITS } from '../../shared/base/limits.ts';

class Host {
  /** Undefined until robots.txt was read. */
  robots: RobotsRules | undefined;
  /** While robots.txt is being read. */
  loading: Promise<void> | null = null;
  /** Monotonic time from which the next page may be requested. */
  readyAtMs = 0;
  /** Pages in progress. */
  active = 0;
  /** Consecutive requested waits, and the start of the last. */
  waits = 0;
  waitBeganAtMs = 0;
  failures = 0;
  /** Set when the rest of its pages are not asked for, until then. */
  refusal: { readonly error: PageError; readonly untilMs: number } | null = null;

  /** @param limit of pages in progress */
  constructor(
    public delayMs: number,
    public limit: number,
  ) {}
}

interface HostsOptions {
  readonly delayMs: number;
  readonly concurrency: number;
  readonly now: () => number;
  readonly random: () => number;
  /** Reads robots.txt; null if it is ignored. */
  readonly readRobots: ((origin: string) => Promise<RobotsRules>) | null;
  /** A host may be ready now. */
  readonly onReady: () => void;
  readonly onFailure: (thrown: unknown) => void;
  readonly onNote: (note: string) => void;
}

/** Codes that are about the host and not the page. */
const HOST_FAILURES = new Set(['dns_failed', 'host_unreachable', 'tls_failed', 'response_timeout']);

/** They often pass within a moment. */
const GATEWAY_FAILURES: readonly (number | null)[] = [502, 504];
const DROPPED = /\bnet::ERR_(?:CONNECTION_(?:RESET|CLOSED|ABORTED)|EMPTY_RESPONSE|NETWORK_CHANGED)\b/;

/**
 * Politeness per origin: robots.txt before the first page, a pause between two pages, a wait with jitter
 * after 429 and 503 (or as long as Retry-After says), fewer concurrent pages for a host that asked to wait,
 * none for one that fails repeatedly. No host waits for another.
 */
export class Hosts {
  readonly #hosts = new Map<string, Host>();
  /** robots.txt files that are being read. */
  loading = 0;

  constructor(private readonly options: HostsOptions) {}

  /** Whether a page of this origin may be requested now. Reads robots.txt first if necessary. */
  isReady(origin: string): boolean {
    const host = this.#host(origin);
    if (host.robots === undefined && this.options.readRobots !== null) {
      if (host.loading === null && this.loading < this.options.concurrency) this.#load(origin, host);
      return false;
    }
    const now = this.options.now();
    if (this.#refusalOf(host, now) !== null) return true;
    return host.active < host.limit && host.readyAtMs <= now;
  }

  /** Why an address of a ready origin is not requested, or null. */
  refuse(origin: string, href: string): PageError | null {
    const host = this.#host(origin);
    return host.robots?.refuse(href) ?? this.#refusalOf(host, this.options.now())?.error ?? null;
  }

  /** Why an address of any origin is not requested, or null. Reads its robots.txt first. */
  async refuseRedirect(origin: string, href: string): Promise<PageError | null> {
    const host = this.#host(origin);
    if (host.robots === undefined && host.loading === null) this.#load(origin, host);
    await host.loading;
    return this.refuse(origin, href);
  }

  /**
   * The earliest monotonic time at which an origin that was waiting at `sinceMs` is ready; Infinity if no
   * origin was.
   */
  nextReadyAtMs(sinceMs: number): number {
    let next = Infinity;
    for (const { readyAtMs } of this.#hosts.values())
      if (readyAtMs > sinceMs && readyAtMs < next) next = readyAtMs;
    return next;
  }

  /** Between two pages of an origin. */
  delayOf(origin: string): number {
    return this.#hosts.get(origin)?.delayMs ?? this.options.delayMs;
  }

  noteStarted(origin: string): void {
    const host = this.#host(origin);
    host.active += 1;
    host.readyAtMs = Math.max(host.readyAtMs, this.options.now() + host.delayMs);
  }

  /** A page was answered, or not: the error that it has, or `again` to ask for it later. */
  ended(
    origin: string,
    page: PageRead,
    asked: { readonly atMs: number; readonly tries: number },
  ): PageError | 'again' | null {
    const host = this.#host(origin);
    host.active -= 1;
    const { status, error } = page.facts;
    if (error !== null && HOST_FAILURES.has(error.code)) {
      this.#noteFailed(host, error);
      return error;
    }
    host.failures = 0;
    if (status === 429 || status === 503) return this.#slowDown(host, page, asked);
    const mayPass = GATEWAY_FAILURES.includes(status) || DROPPED.test(error?.message ?? '');
    if (mayPass && asked.tries === 1) {
      host.readyAtMs = Math.max(host.readyAtMs, this.options.now() + CRAWL_BOUNDS.backoffMs);
      return 'again';
    }
    host.waits = 0;
    host.limit = Math.min(this.options.concurrency, host.limit + 1);
    return error;
  }

  /** A page was abandoned, which says nothing about its host. */
  left(origin: string): void {
    this.#host(origin).active -= 1;
  }

  #noteFailed(host: Host, error: PageError): void {
    host.failures += 1;
    if (host.failures > 2) host.limit = 1;
    if (host.failures >= CRAWL_BOUNDS.hostFailures) {
      const message = `Not requested: its host failed ${host.failures} times in a row, most recently with: ${error.message}`;
      host.refusal = { error: { code: error.code, message }, untilMs: Infinity };
    }
  }

  #slowDown(host: Host, { facts }: PageRead, asked: { atMs: number; tries: number }): PageError | 'again' {
    const now = this.options.now();
    // Pages that were in progress when the wait began are not a new sign.
    if (asked.atMs >= host.waitBeganAtMs) {
      host.waits += 1;
      host.waitBeganAtMs = now;
      host.limit = Math.max(1, Math.floor(host.limit / 2));
    }
    const backoffMs = Math.min(CRAWL_BOUNDS.waitMs, CRAWL_BOUNDS.backoffMs * 2 ** (host.waits - 1));
    const waitMs = facts.retry_after_ms ?? backoffMs * (0.5 + this.options.random() / 2);
    if (waitMs > CRAWL_BOUNDS.waitMs) {
      const message = `The host asks for a retry in ${Math.round(waitMs / 1_000)} s.`;
      const error = { code: 'too_many_requests', message };
      host.refusal = { error, untilMs: now + waitMs };
      return error;
    }
    host.readyAtMs = Math.max(host.readyAtMs, now + waitMs);
    if (asked.tries <= CRAWL_BOUNDS.retries) return 'again';
    const message = `The host answered ${facts.status} to ${asked.tries} requests for this page.`;
    return { code: 'too_many_requests', message };
  }

  #refusalOf(host: Host, now: number): Host['refusal'] {
    if (host.refusal !== null && host.refusal.untilMs <= now) host.refusal = null;
    return host.refusal;
  }

  #load(origin: string, host: Host): void {
    const { readRobots, delayMs, onNote, onReady, onFailure } = this.options;
    if (readRobots === null) return;
    this.loading += 1;
    host.loading = readRobots(origin)
      .then((robots) => {
        host.robots = robots;
        host.delayMs = Math.max(delayMs, robots.crawlDelayMs);
        if (robots.note !== null) onNote(robots.note);
      }, onFailure)
      .finally(() => {
        host.loading = null;
        this.loading -= 1;
        onReady();
      });
  }

  #host(origin: string): Host {
    const known = this.#hosts.get(origin);
    if (known !== undefined) return known;
    this.#forgetIdle();
    const host = new Host(this.options.delayMs, this.options.concurrency);
    this.#hosts.set(origin, host);
    return host;
  }

  /** A crawl of many hosts remembers the latest: an evicted host's robots.txt is read again. */
  #forgetIdle(): void {
    if (this.#hosts.size < CRAWL_BOUNDS.robotsKept) return;
    const now = this.options.now();
    for (const [origin, host] of this.#hosts) {
      if (host.active > 0 || host.loading !== null || host.readyAtMs > now || host.refusal !== null) continue;
      this.#hosts.delete(origin);
      return;
    }
  }
}

/** Our group of robots.txt; without one, `*` applies. */
const AGENT = 'Spillway';

export interface PageError {
  readonly code: string;
  readonly message: string;
}

interface RobotsRules {
  /** Why this address may not be read, or null. */
  refuse(href: string): PageError | null;
  /** `Crawl-delay`, up to the longest that is obeyed. */
  readonly crawlDelayMs: number;
  readonly note: string | null;
}

const ALL_ALLOWED: RobotsRules = { refuse: () => null, crawlDelayMs: 0, note: null };
/** Failures that apply to every page of the origin too. */
const OF_ALL_PAGES = new Set([
  'dns_failed',
  'host_unreachable',
  'tls_failed',
  'navigation_failed',
  'page_crashed',
  'policy_denied',
  'approval_required',
]);

/**
 * Reads `/robots.txt` of an origin (RFC 9309): 4xx allows all; 5xx and no answer forbid all until the crawl
 * is started or resumed again; anything beyond 500 KiB is ignored.
 */
export async function readRobots(
  source: PageSource,
  origin: string,
  signal: AbortSignal,
): Promise<RobotsRules> {
  const href = `${origin}/robots.txt`;
  const request = { href, maxBytes: LIMITS.robotsBytes, signal };
  return source
    .resource(request)
    .then(({ text, facts: { status, error } }) => {
      if (error !== null && error.code !== 'response_too_large') return rulesOfError(origin, error);
      if (status !== null && status >= 500) return refuseAll(origin, `it answers ${status}`);
      if (status === null || status >= 300) return ALL_ALLOWED;
      return parseRobots(href, error === null ? text : text.slice(0, text.lastIndexOf('\n') + 1));
    })
    .catch((thrown: unknown) => {
      if (signal.aborted || !isOfOnePage(thrown)) throw thrown;
      return rulesOfError(origin, thrown);
    });
}

function rulesOfError(origin: string, error: PageError): RobotsRules {
  // RFC 9309 (2.3.1.2): an endless chain of redirects counts as a missing file.
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
  // Matching takes stars times path: an absurd rule would cost each page of the crawl.
  const lines = text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\r|\n/)
    .flatMap(directiveIn)
    .filter(
      (line) => line.length <= CRAWL_BOUNDS.robotsLineLength && countStars(line) <= CRAWL_BOUNDS.robotsStars,
    );
  const robots = robotsParser(href, lines.map(spell).join('\n'));
  const wanted = Math.max(0, (robots.getCrawlDelay(AGENT) ?? 0) * 1_000);
  const crawlDelayMs = Math.min(wanted, CRAWL_BOUNDS.crawlDelayMs);
  const note =
    wanted > crawlDelayMs
      ? `${href} asks for ${wanted / 1_000} s between two pages; ${crawlDelayMs / 1_000} s were kept.`
      : null;
  const message = `${href} disallows it.`;
  return {
    refuse: (page) => {
      const { origin, pathname, search } = new URL(page);
      const isDisallowed = robots.isDisallowed(`${origin}${spell(pathname + search)}`, AGENT) === true;
      return isDisallowed ? { code: 'robots_disallowed', message } : null;
    },
    crawlDelayMs,
    note,
  };
}

/** Misspellings that files have, and that other crawlers take too: left out, a group would join the one before. */
const DIRECTIVES: readonly (readonly [spelling: RegExp, name: string])[] = [
  [/^\s*user[ -]?agent\s*:/i, 'user-agent:'],
  [/^\s*allow\s*:/i, 'allow:'],
  [/^\s*(?:diss?all?ow|diasllow|disallaw)\s*:/i, 'disallow:'],
  [/^\s*crawl[ -]?delay\s*:/i, 'crawl-delay:'],
];

/** The line with its directive in one spelling; other lines do not end a group (RFC 9309, 2.2). */
function directiveIn(line: string): readonly string[] {
  const found = DIRECTIVES.find(([spelling]) => spelling.test(line));
  return found === undefined ? [] : [line.replace(...found)];
}

/** One spelling for rules and addresses: URLs leave some of these as they are, and `encodeURI` leaves others. */
const spell = (text: string): string =>
  unify(text.replace(/[[\]|^{}`"'<>\\]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`));

const countStars = (line: string): number => line.split('*').length - 1;
