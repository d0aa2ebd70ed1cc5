import { BoundedMap, valueIn } from '../../../shared/base/maps.ts';
import type { CdpResponse, HeaderMap, Initiator, NotKept } from './cdp-events.ts';
import { parseUrl } from '../../../shared/base/private-address.ts';
import { findHeader, listHeaders } from './parts.ts';

/** A WebSocket message or an EventSource event, as received. */
export interface Message {
  /** Seconds since the epoch. */
  readonly time: number;
  readonly data: string;
  readonly notKept: NotKept | null;
  readonly socket?: { readonly type: 'send' | 'receive'; readonly opcode: number };
  readonly event?: { readonly name: string; readonly id: string };
}

/** Cookies included. */
interface ResponseExtra {
  readonly headers: HeaderMap;
  readonly status: number | null;
}

/** The body of a response, or why it is missing. */
type ResponseBody =
  | { readonly data: string; readonly base64: boolean; readonly sizeBytes: number }
  | { readonly reason: string; readonly sizeBytes: number | null };

/** One request and its response, filled in as events arrive. A redirect is a separate exchange. */
export class Exchange {
  /** For the entry's `_id`: `r17`. */
  readonly id: number = 0;
  readonly requestId: string = '';
  /** CDP session below the tab, null for the tab itself. */
  readonly session: string | null = null;
  readonly frameId: string | null = null;
  readonly documentUrl: string = '';
  url = '';
  readonly method: string = '';
  requestHeaders: HeaderMap = {};
  readonly initiator: Initiator | null = null;
  postData: { readonly data: string; readonly base64: boolean } | null = null;
  /** A request body, or a part of one, was not kept; its size is -1 if unknown. */
  postDataNotKept: NotKept | null = null;
  readonly pageref: string | null = null;
  readonly source: 'debugger' | 'web_request' = 'debugger';
  /** Lower case of `Network.ResourceType`. */
  type = '';
  priority: string | null = null;
  /** Seconds of the monotonic clock of the browser. */
  issuedAt = 0;
  /** Seconds since the epoch at {@link issuedAt}. */
  wallAt = 0;
  /** Whether extra info of this hop follows; null until the response says so. */
  expectsExtra: boolean | null = null;
  requestExtra: HeaderMap | null = null;
  responseExtra: ResponseExtra | null = null;
  response: CdpResponse | null = null;
  respondedAt: number | null = null;
  isFromMemoryCache = false;
  transferBytes: number | null = null;
  /** Null while it is pending. */
  endedAt: number | null = null;
  isRedirect = false;
  /**
   * The script of a worker that the debugger is not attached to: the browser reports only status and headers
   * of its response.
   */
  isOfWorker = false;
  error: string | null = null;
  errorDetail: string | null = null;
  body: ResponseBody | null = null;
  messages: Message[] = [];
  messageBytes = 0;
  /** Received messages, kept or not. */
  messageCount = 0;

  /** @param start facts that are known at its start */
  constructor(
    start: Pick<Exchange, 'id' | 'requestId' | 'url' | 'method' | 'issuedAt' | 'wallAt' | 'type'> &
      Partial<Exchange>,
  ) {
    Object.assign(this, start);
  }
}

/** Maximum messages of one connection while it is open. */
const MAX_MESSAGES = 5_000;
/** Messages of all open connections together, in multiples of one connection's limit. */
const FULL_CONNECTIONS = 8;
const OVERHEAD_BYTES = 64;

const costOf = (message: Message): number => Buffer.byteLength(message.data) + OVERHEAD_BYTES;

/**
 * Keeps the newest messages of open connections, which may stay open for days: the oldest of a
 * connection go first, and are counted.
 */
export class MessageLog {
  readonly #connectionBytes: number;
  #bytes = 0;

  /** @param connectionBytes messages that are kept of one connection */
  constructor(connectionBytes: number) {
    this.#connectionBytes = connectionBytes + OVERHEAD_BYTES;
  }

  add(exchange: Exchange, message: Message): void {
    if (isDuplicate(exchange.messages, message)) return;
    exchange.messageCount += 1;
    exchange.messages.push(message);
    this.#grow(exchange, costOf(message));
    while (
      exchange.messages.length > MAX_MESSAGES ||
      exchange.messageBytes > this.#connectionBytes ||
      (this.#bytes > FULL_CONNECTIONS * this.#connectionBytes && exchange.messages.length > 0)
    ) {
      const oldest = exchange.messages.shift();
      if (oldest === undefined) break;
      this.#grow(exchange, -costOf(oldest));
    }
  }

  /** The connection has ended: its messages no longer count. */
  release(exchange: Exchange): void {
    this.#bytes -= exchange.messageBytes;
  }

  #grow(exchange: Exchange, bytes: number): void {
    exchange.messageBytes += bytes;
    this.#bytes += bytes;
  }
}

/** If two streams overlap, a message arrives twice, at the very same microsecond. */
function isDuplicate(messages: readonly Message[], { time, data, socket }: Message): boolean {
  for (let index = messages.length - 1; index >= 0; index -= 1) {
    const earlier = messages[index];
    if (earlier === undefined || earlier.time < time) return false;
    if (earlier.time === time && earlier.data === data && earlier.socket?.type === socket?.type) return true;
  }
  return false;
}

/** A page of a HAR document: one navigation of a tab's main frame. */
export interface PageFacts {
  readonly id: string;
  readonly url: string;
  readonly issuedAt: number;
  readonly wallAt: number;
  /** Milliseconds after the start; null until it happened. */
  contentLoadMs: number | null;
  loadMs: number | null;
}

/** Pages that are remembered; older ones appear only in entries. */
const PAGES = 256;

/** Tracks which page a tab shows, so that each request belongs to one. */
export class PageTracker {
  readonly pages: PageFacts[] = [];
  mainFrame: string | null = null;
  /** A page whose document was requested: it may become a file, or never come. */
  #next: { readonly loader: string; readonly page: PageFacts } | null = null;

  /** The page on show, or null before the first one. */
  get current(): string | null {
    return this.pages.at(-1)?.id ?? null;
  }

  /** The document of a loader is on show. */
  show(loader: string): void {
    if (this.#next?.loader !== loader) return;
    this.pages.push(this.#next.page);
    if (this.pages.length > PAGES) this.pages.shift();
    this.#next = null;
  }

  /** The page that a loader's requests belong to; they may be reported before it is shown. Frames have other loaders. */
  pageOf(loader: string): string | null {
    this.show(loader);
    return this.current;
  }

  /**
   * Whether a document of this frame is the tab's own; the first frame that loads is, until the browser says
   * otherwise.
   */
  isMainFrame(frameId: string | null): boolean {
    this.mainFrame ??= frameId;
    return frameId !== null && frameId === this.mainFrame;
  }

  start(document: Pick<Exchange, 'id' | 'url' | 'issuedAt' | 'wallAt'>, loader: string): string {
    const { url, issuedAt, wallAt } = document;
    const page = { id: `page_${document.id}`, url, issuedAt, wallAt, contentLoadMs: null, loadMs: null };
    this.#next = { loader, page };
    return page.id;
  }

  /** @param timestamp monotonic seconds */
  reach(moment: 'contentLoadMs' | 'loadMs', timestamp: number): void {
    const page = this.pages.at(-1);
    if (page !== undefined) page[moment] ??= Math.max(Math.round((timestamp - page.issuedAt) * 1e6) / 1e3, 0);
  }
}

/** Pending hops of one CDP request id: a redirect keeps the id. */
interface Chain {
  hops: Exchange[];
  /** Extra info that arrived before its hop. */
  requestExtras: HeaderMap[];
  responseExtras: ResponseExtra[];
}

/** Maximum requests pending at once; beyond that the oldest is delivered incomplete. */
const MAX_CHAINS = 4_096;
const MAX_ENDED = 4_096;
/** Extra infos of a hop that has not started. */
const MAX_EXTRAS = 32;

/** The browser repeats the hop with credentials from a person or the address. */
const CHALLENGES = new Set([401, 407]);

/** The server asks for credentials, and the browser has not answered, or asks a person. */
export const isChallenged = ({ response, responseExtra }: Exchange): boolean =>
  response === null && CHALLENGES.has(responseExtra?.status ?? 0);

/** The address that the script of a worker is redirected to. The browser reports this by headers alone. */
function redirectTarget({ isOfWorker, response, responseExtra, url }: Exchange): string | null {
  if (!isOfWorker || response !== null || responseExtra === null) return null;
  const { status, headers } = responseExtra;
  const target = findHeader(listHeaders(headers), 'location');
  const isRedirect = status !== null && status >= 300 && status < 400 && target !== null;
  return isRedirect ? (parseUrl(target, url)?.href ?? null) : null;
}

/** A file of an upload, or a body that the browser does not keep. */
export const NOT_REPORTED = { reason: 'not_told', size_bytes: -1 } as const;

/** A request for whose response the browser reports status and headers but no times. */
export const withoutTimes = (exchange: Exchange): Exchange => ({
  ...exchange,
  endedAt: exchange.issuedAt,
  body: { reason: NOT_REPORTED.reason, sizeBytes: -1 },
});

/** A pending request without times that will get nothing more: the script of a worker that several tabs share. */
const asTold = (exchange: Exchange): Exchange =>
  exchange.isOfWorker && exchange.responseExtra !== null && !isChallenged(exchange)
    ? withoutTimes(exchange)
    : exchange;

const moves = (hop: Exchange): boolean => hop.expectsExtra !== false;

/** Whether the extra info of a hop leads where its response leads. */
function leadsAlike({ response, responseExtra }: Exchange): boolean {
  const [shown, extra] = [response, responseExtra].map((answer) =>
    findHeader(listHeaders(answer?.headers ?? {}), 'location'),
  );
  return shown === extra;
}

/**
 * Pending requests by CDP request id. Extra infos arrive before or after their event and do not name a hop:
 * the n-th belongs to the n-th hop that has one (DevTools' `ExtraInfoBuilder`).
 */
export class Chains {
  readonly #chains = new Map<string, Chain>();
  /** Ids that ended recently: overlapping streams report them again. */
  readonly #ended = new BoundedMap<string, true>(MAX_ENDED);

  /** The hop that this id's events are currently about. */
  latest(requestId: string): Exchange | null {
    return this.#chains.get(requestId)?.hops.at(-1) ?? null;
  }

  hasEnded(requestId: string): boolean {
    return this.#ended.has(requestId);
  }

  hops(requestId: string): readonly Exchange[] {
    return this.#chains.get(requestId)?.hops ?? [];
  }

  all(): Exchange[] {
    return [...this.#chains.values()].flatMap(({ hops }) => hops);
  }

  /** The same in the order in which they began, as far as the browser will report them. */
  told(): Exchange[] {
    return this.all()
      .sort((a, b) => a.id - b.id)
      .map(asTold);
  }

  add(exchange: Exchange): void {
    const chain = this.#open(exchange.requestId);
    chain.hops.push(exchange);
    this.#assign(chain);
  }

  /** If these headers answer a hop's challenge, or follow the redirect of a worker's script: that hop as it was before. */
  addRequestExtra(requestId: string, headers: HeaderMap): Exchange | null {
    if (this.#isOver(requestId)) return null;
    const chain = this.#open(requestId);
    const answered = chain.hops.find((hop) => isChallenged(hop) || redirectTarget(hop) !== null);
    const target = answered === undefined ? null : redirectTarget(answered);
    const before = answered === undefined ? null : { ...answered, isRedirect: target !== null };
    if (answered !== undefined) {
      answered.requestExtra = null;
      answered.responseExtra = null;
      answered.url = target ?? answered.url;
    }
    if (chain.requestExtras.length < MAX_EXTRAS) chain.requestExtras.push(headers);
    this.#assign(chain);
    return before;
  }

  addResponseExtra(requestId: string, extra: ResponseExtra): void {
    if (this.#isOver(requestId)) return;
    const chain = this.#open(requestId);
    if (chain.responseExtras.length < MAX_EXTRAS) chain.responseExtras.push(extra);
    this.#assign(chain);
  }

  /**
   * Extra info for a hop without any belongs to the next, unless it repeats the response: a service worker may
   * answer with the response that the browser has preloaded.
   */
  setExpectsExtra(hop: Exchange, expects: boolean): void {
    hop.expectsExtra = expects;
    const chain = this.#chains.get(hop.requestId);
    if (chain === undefined) return;
    if (!expects && !(hop.response?.status === hop.responseExtra?.status && leadsAlike(hop))) {
      if (hop.requestExtra !== null) chain.requestExtras.unshift(hop.requestExtra);
      if (hop.responseExtra !== null) chain.responseExtras.unshift(hop.responseExtra);
      hop.requestExtra = null;
      hop.responseExtra = null;
    }
    this.#assign(chain);
  }

  remove(exchange: Exchange): void {
    const chain = this.#chains.get(exchange.requestId);
    if (chain === undefined) return;
    chain.hops = chain.hops.filter((hop) => hop !== exchange);
    if (chain.hops.length > 0) return;
    this.#chains.delete(exchange.requestId);
    this.#ended.set(exchange.requestId, true);
  }

  /** Hops of the oldest ids beyond the bound, removed. */
  overflow(): Exchange[] {
    const removed: Exchange[] = [];
    for (const [requestId, { hops }] of this.#chains) {
      if (this.#chains.size <= MAX_CHAINS) break;
      this.#chains.delete(requestId);
      removed.push(...hops);
    }
    return removed;
  }

  #isOver(requestId: string): boolean {
    return this.#ended.has(requestId) && !this.#chains.has(requestId);
  }

  #open(requestId: string): Chain {
    return valueIn(this.#chains, requestId, () => ({ hops: [], requestExtras: [], responseExtras: [] }));
  }

  #assign(chain: Chain): void {
    for (const hop of chain.hops.filter(moves)) {
      hop.requestExtra ??= chain.requestExtras.shift() ?? null;
      hop.responseExtra ??= chain.responseExtras.shift() ?? null;
      // A preload that a service worker ignores gives the hop before this one a second extra info.
      while (hop.response !== null && chain.responseExtras.length > 0 && !leadsAlike(hop)) {
        hop.requestExtra = chain.requestExtras.shift() ?? hop.requestExtra;
        hop.responseExtra = chain.responseExtras.shift() ?? null;
      }
    }
  }
}
