import type { CallScope } from '../../../shared/policy/call-facts.ts';
import { createHash } from 'node:crypto';
import { SpillwayError } from '../../../shared/errors.ts';
import type { JsonValue } from '../../../shared/json.ts';
import { LIMITS } from '../../../shared/limits.ts';
import { CrawlLine, type CrawlPageResult } from '../../../shared/tools/crawl/methods.ts';
import type { CrawlFormat, RenderMode } from '../../../shared/tools/crawl/options.ts';
import type { MethodResult } from '../../../shared/bridge/methods.ts';
import { parseJsonLines } from '../../toolkit/tab-stream.ts';
import type { Bridge, BrowserId, BrowserState } from '../../core/services.ts';
import { CRAWL_BOUNDS } from './args.ts';
import { followRedirects, type AddressGuard, type RefuseRedirect } from '../../toolkit/redirects.ts';
import { deadlineSignal, waitAtMost } from '../../../shared/async/wait.ts';

/** A link of a page. */
export interface PageLink {
  readonly href: string;
  readonly text?: string;
  readonly isNofollow: boolean;
}

/** One page as it was read. */
export interface PageRead {
  readonly facts: CrawlPageResult;
  readonly links: readonly PageLink[];
  /** Text, or the elements of format `nodes`. */
  readonly content: string | readonly JsonValue[];
  /** SHA-256 of the content, or null when there is none. */
  readonly contentHash: string | null;
}

type ResourceFacts = MethodResult<'crawl.resource'>;

/** A text in progress; `done` settles after the last chunk. */
export interface ResourceRead {
  readonly chunks: AsyncIterable<string>;
  readonly done: Promise<ResourceFacts>;
}

/** Where pages come from: the browser, or a test. Failures of a page are in its facts. */
export interface PageSource {
  /**
   * @param refuse asked for each redirect; one that is refused is a page with that error
   * @throws SpillwayError `browser_disconnected` when the browser does not come back.
   */
  page(href: string, signal: AbortSignal, refuse?: RefuseRedirect): Promise<PageRead>;
  resource<T>(
    request: { readonly href: string; readonly maxBytes: number; readonly signal: AbortSignal },
    use: (read: ResourceRead) => Promise<T>,
  ): Promise<T>;
  /** Closes what the crawl opened. Never throws. */
  release(): Promise<void>;
}

/** Time beyond a page's own deadline after which its browser is taken for silent. */
const SILENCE_MS = 15_000;
/** Failures that no other page would escape. */
const FATAL = new Set(['api_not_found', 'wire_version_mismatch', 'browser_disconnected', 'agent_stopped']);

/** Pages of the person's browser, through `crawl.page`. A browser that goes is waited for. */
export class BrowserSource implements PageSource {
  readonly #bridge: Bridge;
  readonly #line: BrowserLine;
  readonly #crawl: string;
  readonly #call: CallScope | null;
  readonly #render: RenderMode;
  readonly #format: CrawlFormat;
  readonly #mainContentOnly: boolean;
  readonly #guard: AddressGuard;

  constructor(options: {
    readonly bridge: Bridge;
    readonly line: BrowserLine;
    readonly crawl: string;
    readonly call: CallScope | null;
    readonly render: RenderMode;
    readonly format: CrawlFormat;
    readonly mainContentOnly: boolean;
    readonly guard: AddressGuard;
  }) {
    this.#bridge = options.bridge;
    this.#line = options.line;
    this.#crawl = options.crawl;
    this.#call = options.call;
    this.#render = options.render;
    this.#format = options.format;
    this.#mainContentOnly = options.mainContentOnly;
    this.#guard = options.guard;
  }

  async page(href: string, signal: AbortSignal, refuse?: RefuseRedirect): Promise<PageRead> {
    const { answer, redirects, error } = await followRedirects(href, {
      guard: this.#guard,
      refuse,
      ask: (at) => this.#page(at, signal),
      factsOf: ({ facts }) => facts,
    });
    const { facts } = answer;
    const page = error === null ? answer : emptyPage(facts.final_url, error);
    return { ...page, facts: { ...page.facts, status: facts.status, redirects: [...redirects] } };
  }

  async #page(href: string, signal: AbortSignal): Promise<PageRead> {
    for (let losses = 0; ; losses += 1) {
      const browser = await this.#line.browser(signal);
      try {
        return await this.#read(browser, href, signal);
      } catch (thrown) {
        signal.throwIfAborted();
        if (!isLost(thrown)) return failedPage(href, thrown);
        // Some pages take the browser with them: the next time is not waited for.
        if (losses >= CRAWL_BOUNDS.browserLosses)
          return emptyPage(href, {
            code: 'page_crashed',
            message: 'The browser disconnected each time the page was read.',
          });
      }
    }
  }

  async resource<T>(
    { href, maxBytes, signal }: { href: string; maxBytes: number; signal: AbortSignal },
    use: (read: ResourceRead) => Promise<T>,
  ): Promise<T> {
    for (let losses = 0; ; losses += 1) {
      const browser = await this.#line.browser(signal);
      const stream = this.#bridge.stream(
        browser,
        'crawl.resource',
        {
          url: href,
          timeout_ms: LIMITS.crawlPageTimeoutMs,
          max_bytes: maxBytes,
          allow_private: this.#guard.allowsPrivate,
        },
        { call: this.#call, signal, idleTimeoutMs: LIMITS.crawlPageTimeoutMs + SILENCE_MS },
      );
      try {
        return await use(stream);
      } catch (thrown) {
        signal.throwIfAborted();
        if (!isLost(thrown) || losses >= CRAWL_BOUNDS.browserLosses) throw thrown;
      }
    }
  }

  async release(): Promise<void> {
    const signal = AbortSignal.timeout(CRAWL_BOUNDS.releaseMs);
    const browser = this.#line.current();
    // The tabs of a disconnected browser are gone with it, and a silent browser is not waited for.
    if (browser !== null)
      await this.#bridge
        .request(browser, 'crawl.release', { crawl: this.#crawl }, { call: null, signal })
        .catch(() => undefined);
  }

  async #read(browser: BrowserId, href: string, signal: AbortSignal): Promise<PageRead> {
    const stream = this.#bridge.stream(
      browser,
      'crawl.page',
      {
        crawl: this.#crawl,
        url: href,
        render: this.#render,
        format: this.#format,
        main_content_only: this.#mainContentOnly,
        allow_private: this.#guard.allowsPrivate,
        timeout_ms: LIMITS.crawlPageTimeoutMs,
        max_bytes: LIMITS.crawlPageBytes,
        extract: null,
      },
      { call: this.#call, signal, idleTimeoutMs: LIMITS.crawlPageTimeoutMs + SILENCE_MS },
    );
    const page = await collect(stream.chunks, this.#format);
    return { ...page, facts: await stream.done };
  }
}

async function collect(chunks: AsyncIterable<string>, format: CrawlFormat): Promise<Omit<PageRead, 'facts'>> {
  const links: PageLink[] = [];
  const texts: string[] = [];
  const nodes: JsonValue[] = [];
  const hash = createHash('sha256');
  for await (const value of parseJsonLines(chunks)) {
    const line = CrawlLine.parse(value);
    if (line.kind === 'links')
      for (const { url, text, rel } of line.links)
        links.push({ href: url, text, isNofollow: hasNofollow(rel) });
    else if (line.kind === 'text') {
      texts.push(line.text);
      hash.update(line.text);
    } else if (line.kind === 'node') {
      nodes.push(line.node);
      hash.update(JSON.stringify(line.node));
    }
  }
  const content = format === 'nodes' ? nodes : texts.join('');
  return { links, content, contentHash: content.length > 0 ? hash.digest('hex') : null };
}

const hasNofollow = (rel: string | undefined): boolean =>
  rel !== undefined && rel.toLowerCase().split(/\s+/).includes('nofollow');

const isLost = (thrown: unknown): boolean =>
  thrown instanceof SpillwayError && thrown.code === 'browser_disconnected';

/** A page that could not be asked for is a page with an error; what all pages share fails the crawl. */
function failedPage(href: string, thrown: unknown): PageRead {
  if (!isOfOnePage(thrown)) throw thrown;
  const code = thrown.code === 'timeout' ? 'response_timeout' : thrown.code;
  return emptyPage(href, { code, message: thrown.message });
}

/** False for characters that no other page would escape. */
export function isOfOnePage(thrown: unknown): thrown is SpillwayError {
  return thrown instanceof SpillwayError && !FATAL.has(thrown.code);
}

/** A page of which nothing came. */
export function emptyPage(
  href: string,
  error: { readonly code: string; readonly message: string },
): PageRead {
  const timing = { fetch_ms: 0, parse_ms: 0, size_bytes: 0 };
  const nothing = { redirects: [], status: null, content_type: null, title: '', canonical: null, robots: [] };
  const facts: CrawlPageResult = {
    ...nothing,
    moves_to: null,
    remote_address: null,
    final_url: href,
    rendered: false,
    retry_after_ms: null,
    timing,
    error,
  };
  return { facts, links: [], content: '', contentHash: null };
}

/**
 * The browser of one crawl, across its going and coming back. Numbers are of one server: a profile
 * is known by its instance. A private browser comes back as a new profile: the only one there is.
 */
export class BrowserLine {
  readonly #bridge: Bridge;
  readonly #instance: string | null;
  readonly #returnMs: number;
  readonly #onLost: (event: 'crawl_browser_lost' | 'crawl_browser_back') => void;
  #return: Promise<void> | null = null;

  constructor(options: {
    readonly bridge: Bridge;
    readonly instance: string | null;
    readonly onLost?: (event: 'crawl_browser_lost' | 'crawl_browser_back') => void;
    readonly returnMs?: number;
  }) {
    this.#bridge = options.bridge;
    this.#instance = options.instance;
    this.#returnMs = options.returnMs ?? CRAWL_BOUNDS.browserReturnMs;
    this.#onLost = options.onLost ?? (() => undefined);
  }

  /** The browser as it is now, or null. */
  current(): BrowserId | null {
    return this.#find()?.id ?? null;
  }

  /**
   * The browser, awaited if it has disconnected.
   * @throws SpillwayError `browser_disconnected` when it does not come back in time.
   */
  async browser(signal: AbortSignal): Promise<BrowserId> {
    for (;;) {
      signal.throwIfAborted();
      const found = this.#return === null ? this.#find() : undefined;
      if (found !== undefined) return found.id;
      await (this.#return ??= this.#await(signal).finally(() => (this.#return = null)));
    }
  }

  #find(): BrowserState | undefined {
    const connected = this.#bridge.browsers().filter((browser) => browser.connected);
    const same = connected.find(({ instance }) => instance === this.#instance);
    return same ?? (connected.length === 1 ? connected[0] : undefined);
  }

  async #await(signal: AbortSignal): Promise<void> {
    this.#onLost('crawl_browser_lost');
    const { signal: either, release } = deadlineSignal(this.#returnMs, () => this.#late(), signal);
    const changes = this.#changes(either);
    try {
      while (this.#find() === undefined) {
        // A server that launches its own browser starts the next one here.
        await this.#bridge.ready({ signal: either, timeoutMs: this.#returnMs }).catch(() => undefined);
        if (this.#find() !== undefined) break;
        either.throwIfAborted();
        await changes.next();
      }
    } finally {
      changes.stop();
      release();
    }
    this.#onLost('crawl_browser_back');
  }

  #late(): SpillwayError {
    const waited = Math.round(this.#returnMs / 1_000);
    return new SpillwayError(
      'browser_disconnected',
      `The browser of the crawl disconnected and did not reconnect within ${waited} s.`,
      { hint: 'Call run_resume when the browser is connected again; what was read is kept.' },
    );
  }

  /** Waits for the next browser that comes or goes, or a moment: a launch may have failed for once. */
  #changes(signal: AbortSignal): { next(): Promise<void>; stop(): void } {
    let wake = (): void => undefined;
    const stopListening = this.#bridge.onChange(() => wake());
    const next = (): Promise<void> =>
      waitAtMost(new Promise<void>((resolve) => (wake = resolve)), RETRY_MS, signal);
    return { next, stop: stopListening };
  }
}

/** Between two looks for a browser when nothing was heard of one. */
const RETRY_MS = 1_000;
