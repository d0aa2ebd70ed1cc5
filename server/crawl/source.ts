import { gather, withResult } from '../../shared/base/queue.ts';
import type { CallScope } from '../../shared/core/policy/call-facts.ts';
import { createHash } from 'node:crypto';
import { SpillwayError } from '../../shared/base/errors.ts';
import type { JsonValue } from '../../shared/base/json.ts';
import { LIMITS } from '../../shared/base/limits.ts';
import { CrawlLine, type CrawlPageResult } from '../../shared/crawl/crawl.methods.ts';
import type { CrawlFormat, RenderMode } from '../../shared/crawl/crawl.methods.ts';
import type { MethodResult } from '../../shared/core/bridge/methods.ts';
import { parseJsonLines } from '../core/targets.ts';
import type { ToldProgress } from '../core/runs.ts';
import type { Bridge, BrowserId } from '../core/services.ts';
import type { ExtractRequest } from '../../shared/libraries/values/plan.ts';
import { followRedirects, type AddressGuard, type RefuseRedirect } from './redirects.ts';
import { abortable, deadlineSignal, waitAtMost } from '../../shared/base/async.ts';

/** A link of a page. */
export interface PageLink {
  readonly href: string;
  readonly text?: string | undefined;
  readonly isNofollow: boolean;
}

export interface PageRead {
  readonly facts: CrawlPageResult;
  readonly links: readonly PageLink[];
  /** Text, or the elements of format `nodes`. */
  readonly content: string | readonly JsonValue[];
  /** SHA-256 of the content, or null if there is none. */
  readonly contentHash: string | null;
  /** Records, if any were requested. */
  readonly found?: readonly JsonValue[];
}

/** robots.txt or a sitemap. */
export interface ResourceRead {
  readonly text: string;
  readonly facts: MethodResult<'crawl.resource'>;
}

/** Who reads, or why nobody does. */
export type SourceNote = Pick<ToldProgress, 'message' | 'workers'>;

/** Reads addresses one by one: a browser, or a queue of them. A page's facts contain its failures. */
export interface HopSource {
  /**
   * A page, or the redirect that is there instead.
   * @throws SpillwayError `browser_disconnected` if the browser does not come back
   */
  hop(href: string, signal: AbortSignal): Promise<PageRead>;
  resource(request: {
    readonly href: string;
    readonly maxBytes: number;
    readonly signal: AbortSignal;
  }): Promise<ResourceRead>;
  /** Closes the crawl's tabs. Never throws. */
  release(): Promise<void>;
  /** Calls back with what is new about the source, for run_status. */
  onNote?(listener: (note: SourceNote) => void): void;
  /** For a source that others share: how long after a page its host is left alone, in milliseconds. */
  paceBy?(delayOf: (href: string) => number): void;
}

/** The source of pages, behind all their redirects. */
export interface PageSource extends Omit<HopSource, 'hop'> {
  /** @param refuse asked for each redirect; a refused redirect is a page with that error */
  page(href: string, signal: AbortSignal, refuse?: RefuseRedirect): Promise<PageRead>;
}

/** Follows the redirects that the guard and the crawl allow. */
export const followHops = ({ hop, ...others }: HopSource, guard: AddressGuard): PageSource => ({
  ...others,
  async page(href, signal, refuse) {
    const { answer, redirects, error } = await followRedirects(href, {
      guard,
      refuse,
      ask: (at) => hop(at, signal),
      factsOf: ({ facts }) => facts,
    });
    const { facts } = answer;
    const page = error === null ? answer : emptyPage(facts.final_url, error);
    return { ...page, facts: { ...page.facts, status: facts.status, redirects: [...redirects] } };
  },
});

/** Options of all pages of a crawl. */
interface CrawlPages {
  readonly crawl: string;
  readonly render: RenderMode;
  readonly format: CrawlFormat;
  readonly mainContentOnly: boolean;
  readonly extract?: ExtractRequest | undefined;
}

/** Asks workers for the pages of a crawl: `server/queue`. */
export interface PageQueue {
  hops(pages: CrawlPages & { readonly guard: AddressGuard }): HopSource;
}

/** How long a crawl waits for its browser to return. */
const BROWSER_RETURN_MS = 45_000;
/** How often a page may crash the browser, or its process there, and is asked for again. */
const BROWSER_LOSSES = 2;
const PAGE_CRASHES = 1;
const RELEASE_MS = 800;
/** Time beyond a page's own deadline after which its browser counts as silent. */
const SILENCE_MS = 15_000;
/** Failures that every other page would share. */
const FATAL = new Set([
  ...['api_not_found', 'wire_version_mismatch', 'browser_disconnected', 'agent_stopped'],
  ...['queue_unavailable', 'no_worker'],
]);

interface BrowserHopsOptions extends CrawlPages {
  readonly bridge: Bridge;
  readonly line: BrowserLine;
  readonly call: CallScope | null;
  readonly allowPrivate: boolean;
  readonly maxBytes?: number | undefined;
}

/**
 * A browser that goes is waited for. What crashed is asked for once more.
 * @throws SpillwayError `page_crashed`, `browser_disconnected` if the browser does not come back, or what `use` throws
 */
async function withBrowser<T>(
  { line, signal }: { readonly line: BrowserLine; readonly signal: AbortSignal },
  use: (browser: BrowserId) => Promise<T>,
): Promise<T> {
  for (let losses = 0, crashes = 0; ;) {
    const browser = await line.browser(signal);
    try {
      return await use(browser);
    } catch (thrown) {
      signal.throwIfAborted();
      const code = thrown instanceof SpillwayError ? thrown.code : null;
      if (code === 'browser_disconnected') losses += 1;
      else if (code === 'page_crashed') crashes += 1;
      else throw thrown;
      if (losses > BROWSER_LOSSES)
        throw new SpillwayError('page_crashed', 'The browser disconnected each time the page was read.');
      if (crashes > PAGE_CRASHES) throw thrown;
    }
  }
}

/** Addresses in the person's browser, through `crawl.page`. A browser that goes is waited for. */
export function browserHops(options: BrowserHopsOptions): HopSource {
  const { bridge, line, crawl, call, render, format, mainContentOnly, extract = null } = options;
  const { maxBytes = LIMITS.crawlPageBytes } = options;
  const idleTimeoutMs = LIMITS.crawlPageTimeoutMs + SILENCE_MS;
  const bounds = { timeout_ms: LIMITS.crawlPageTimeoutMs, allow_private: options.allowPrivate };

  const read = async (browser: BrowserId, href: string, signal: AbortSignal): Promise<PageRead> => {
    const how = { render, format, main_content_only: mainContentOnly, max_bytes: maxBytes, extract };
    const params = { crawl, url: href, ...how, ...bounds };
    const stream = bridge.stream(browser, 'crawl.page', params, { call, signal, idleTimeoutMs });
    const { values, result } = withResult(stream);
    const page = { ...(await collect(values, format)), facts: result() };
    const { error } = page.facts;
    // Some of its links may be missing.
    if (error?.code === 'page_crashed') throw new SpillwayError(error.code, error.message);
    return page;
  };

  return {
    hop: (href, signal) =>
      withBrowser({ line, signal }, (browser) => read(browser, href, signal)).catch((thrown: unknown) => {
        signal.throwIfAborted();
        // A failed request is a page with an error, but a failure that all pages share fails the crawl.
        if (!isOfOnePage(thrown)) throw thrown;
        const code = thrown.code === 'timeout' ? 'response_timeout' : thrown.code;
        return emptyPage(href, { code, message: thrown.message });
      }),
    resource: ({ href, maxBytes, signal }) =>
      withBrowser({ line, signal }, async (browser) => {
        const params = { url: href, max_bytes: maxBytes, ...bounds };
        const stream = bridge.stream(browser, 'crawl.resource', params, { call, signal, idleTimeoutMs });
        const { values, result } = withResult(stream);
        return { text: (await gather(values)).join(''), facts: result() };
      }),
    async release() {
      const signal = AbortSignal.timeout(RELEASE_MS);
      const browser = line.current();
      // A disconnected browser's tabs are gone with it, and a silent browser is not waited for.
      if (browser !== null)
        await bridge
          .request(browser, 'crawl.release', { crawl }, { call: null, signal })
          .catch(() => undefined);
    },
  };
}

async function collect(chunks: AsyncIterable<string>, format: CrawlFormat): Promise<Omit<PageRead, 'facts'>> {
  const links: PageLink[] = [];
  const texts: string[] = [];
  const nodes: JsonValue[] = [];
  const found: JsonValue[] = [];
  const hash = createHash('sha256');
  for await (const value of parseJsonLines(chunks)) {
    const line = CrawlLine.parse(value);
    if (line.kind === 'links')
      for (const { url: href, text, rel = '' } of line.links)
        links.push({ href, text, isNofollow: rel.toLowerCase().split(/\s+/).includes('nofollow') });
    else if (line.kind === 'text') {
      texts.push(line.text);
      hash.update(line.text);
    } else if (line.kind === 'node') {
      nodes.push(line.node);
      hash.update(JSON.stringify(line.node));
    } else found.push(line.found);
  }
  const content = format === 'nodes' ? nodes : texts.join('');
  return { links, content, contentHash: content.length > 0 ? hash.digest('hex') : null, found };
}

/** False for characters that no other page would escape. */
export const isOfOnePage = (thrown: unknown): thrown is SpillwayError =>
  thrown instanceof SpillwayError && !FATAL.has(thrown.code);

/** The stored form of a secret. */
const REDACTED = /(?:«|%C2%AB)redacted(?::|%3A)/i;

export const isRedacted = (text: string): boolean => REDACTED.test(text);

/** A page without any content. */
export function emptyPage(
  href: string,
  error: { readonly code: string; readonly message: string },
): PageRead {
  const timing = { fetch_ms: 0, parse_ms: 0, size_bytes: 0 };
  const nothing = { redirects: [], status: null, content_type: null, title: '', canonical: null, robots: [] };
  const nowhere = { moves_to: null, remote_address: null, retry_after_ms: null };
  const facts = { ...nothing, ...nowhere, final_url: href, rendered: false, timing, error };
  return { facts, links: [], content: '', contentHash: null };
}

export type BrowserLine = ReturnType<typeof browserLine>;

/** The interval between checks for a browser when nothing was reported. */
const RETRY_MS = 1_000;

/**
 * The browser of one crawl, across reconnects. Numbers are per server, but the instance identifies a profile.
 * Without one, it is the only browser: a private one comes back as a new profile.
 */
export function browserLine({
  bridge,
  instance,
  onLost = () => undefined,
  returnMs = BROWSER_RETURN_MS,
}: {
  readonly bridge: Bridge;
  readonly instance: string | null;
  readonly onLost?: (event: 'crawl_browser_lost' | 'crawl_browser_back') => void;
  readonly returnMs?: number;
}) {
  let coming: Promise<void> | null = null;
  const current = (): BrowserId | null => {
    const connected = bridge.browsers().filter((browser) => browser.connected);
    const only = connected.length === 1 ? connected[0] : undefined;
    const same = connected.find((browser) => browser.instance === instance);
    return (instance === null ? only : same)?.id ?? null;
  };
  const late = (): SpillwayError => {
    const waited = `did not reconnect within ${Math.round(returnMs / 1_000)} s`;
    return new SpillwayError('browser_disconnected', `The browser of the crawl disconnected and ${waited}.`, {
      hint: 'Call run_resume when the browser is connected again; what was read is kept.',
    });
  };
  const comeBack = async (given: AbortSignal): Promise<void> => {
    onLost('crawl_browser_lost');
    const { signal, release } = deadlineSignal(returnMs, late, given);
    let wake = (): void => undefined;
    const stopListening = bridge.onChange(() => wake());
    try {
      for (;;) {
        // A server that launches its own browser starts the next one here, which may fail once, also in place of one
        // that does not answer.
        await bridge.ready({ signal, timeoutMs: returnMs / 2 }).catch(() => undefined);
        if (current() !== null) break;
        signal.throwIfAborted();
        await waitAtMost(new Promise<void>((resolve) => (wake = resolve)), RETRY_MS, signal);
      }
    } finally {
      stopListening();
      release();
    }
    onLost('crawl_browser_back');
  };
  return {
    /** The browser in its current state, or null. */
    current,
    /**
     * The browser, awaited if it has disconnected.
     * @throws SpillwayError `browser_disconnected` if it does not return in time.
     */
    async browser(signal: AbortSignal): Promise<BrowserId> {
      for (;;) {
        signal.throwIfAborted();
        const found = coming === null ? current() : null;
        if (found !== null) return found;
        // All callers share one search. If its caller is cancelled, the others search again.
        coming ??= comeBack(signal)
          .catch((thrown: unknown) => {
            if (!signal.aborted) throw thrown;
          })
          .finally(() => (coming = null));
        await abortable(coming, signal);
      }
    },
  };
}

/** Addresses that the arguments of a crawl name. */
export const startsOf = (args: {
  readonly url?: string | undefined;
  readonly urls?: readonly string[] | undefined;
  readonly sitemap?: string | undefined;
}): readonly string[] =>
  [args.url, ...(args.urls ?? []), args.sitemap].filter((start) => start !== undefined);
