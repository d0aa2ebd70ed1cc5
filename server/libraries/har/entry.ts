import { isUtf8 } from 'node:buffer';
import type { Entry, Request } from 'har-format';
import type { JsonObject } from '../../../shared/base/json.ts';
import { charsetOf, isTextType } from '../../../shared/base/mime.ts';
import { decodeAs } from '../../core/charsets.ts';
import type { HeaderMap } from './cdp-events.ts';
import { isChallenged, type Exchange, type Message } from './exchange.ts';
import {
  findHeader,
  headSize,
  httpVersion,
  listHeaders,
  listParameters,
  queryOf,
  requestCookies,
  requestTarget,
  responseCookies,
  type Pair,
  memberOf,
  type NetworkEntry,
} from './parts.ts';

type ResourceTiming = NonNullable<NonNullable<Exchange['response']>['timing']>;

/** HAR timings in milliseconds; -1 for a phase that did not happen. `ssl` is part of `connect`. */
type Timings = Readonly<Record<'blocked' | 'dns' | 'connect' | 'ssl' | 'send' | 'wait' | 'receive', number>>;

/** The browser measures microseconds; further digits are rounding errors of its doubles. */
const toMs = (seconds: number): number => (seconds === -1 ? -1 : round(seconds * 1_000));
const round = (ms: number): number => Math.round(ms * 1_000) / 1_000;

function minNonNegative(values: readonly number[]): number {
  return values.reduce((best, value) => (value >= 0 && value < best ? value : best), Infinity);
}

/**
 * Timings as Chrome DevTools exports them (`front_end/models/har/Log.ts`, `buildTimings`, with the setters of
 * `NetworkRequest`), except that `connect` begins when the name is resolved: DevTools includes `dns`, so its
 * phases add up to more than the whole. A pending request is measured up to `now`.
 * @param now latest time of an event, monotonic seconds
 */
function buildTimings({ issuedAt, respondedAt, endedAt, response }: Exchange, now: number): Timings {
  const ended = endedAt ?? Math.max(now, issuedAt);
  const none = { blocked: -1, dns: -1, connect: -1, ssl: -1, send: 0, wait: 0, receive: 0 };
  if (respondedAt === null) return { ...none, blocked: toMs(ended - issuedAt) };
  const timing = response?.timing;
  if (timing !== undefined) return timingsOfResponse(timing, { issuedAt, respondedAt, ended });
  // The browser sent no timing: only the times of the events are known.
  const wait = Math.max(toMs(respondedAt - issuedAt), 0);
  return { ...none, wait, receive: Math.max(toMs(ended - respondedAt), 0) };
}

/** The response's own timing is more accurate than the times of the events. */
function timingsOfResponse(
  timing: ResourceTiming,
  events: Readonly<Record<'issuedAt' | 'respondedAt' | 'ended', number>>,
): Timings {
  const { requestTime } = timing;
  const headersAt = requestTime + timing.receiveHeadersEnd / 1_000;
  const respondedAt = Math.max(Math.min(events.respondedAt, headersAt), requestTime);
  const endedAt = Math.max(events.ended, respondedAt);
  const queued = events.issuedAt < requestTime ? toMs(requestTime - events.issuedAt) : -1;
  const blockedStart = minNonNegative([timing.dnsStart, timing.connectStart, timing.sendStart]);
  const proxy = timing.proxyEnd === -1 ? 0 : timing.proxyEnd - timing.proxyStart;
  const stalled = blockedStart === Infinity ? queued : Math.max(queued, 0) + blockedStart;
  const dnsEnd = timing.dnsEnd >= 0 ? timing.dnsEnd : -1;
  const connectEnd = timing.connectEnd >= 0 ? timing.connectEnd : -1;
  const sendEnd = timing.sendEnd >= 0 ? timing.sendEnd : 0;
  const base = blockedStart === Infinity ? 0 : blockedStart;
  const sendStart = timing.sendEnd >= 0 ? Math.max(connectEnd, dnsEnd, base) : 0;
  const waitStart = Math.max(sendEnd, connectEnd, timing.sslEnd > 0 ? timing.sslEnd : -1, dnsEnd, base, 0);
  const waitEnd = toMs(respondedAt - requestTime);
  return {
    blocked: round(Math.max(stalled, proxy)),
    dns: dnsEnd < 0 ? -1 : round(dnsEnd - base),
    connect: connectEnd < 0 ? -1 : round(connectEnd - (dnsEnd < 0 ? base : dnsEnd)),
    ssl: timing.sslEnd > 0 ? round(timing.sslEnd - timing.sslStart) : -1,
    send: Math.max(round(sendEnd - sendStart), 0),
    wait: Math.max(round(waitEnd - waitStart), 0),
    receive: Math.max(round(toMs(endedAt - requestTime) - waitEnd), 0),
  };
}

/** `ssl` is inside `connect`. */
function totalTime(timings: Timings): number {
  const { blocked, dns, connect, send, wait, receive } = timings;
  return round([blocked, dns, connect, send, wait, receive].reduce((sum, ms) => sum + Math.max(ms, 0), 0));
}

/** A body in HAR's form: text, or base64 for binary. */
interface BodyText extends JsonObject {
  readonly text: string;
  readonly encoding?: 'base64';
}

const NUL = 0;

/** Types whose content can name its encoding, and that browsers read as windows-1252 if it does not. */
const MARKUP = /^(?:text\/html|application\/xhtml)/i;
const NOTHING = new Uint8Array();

/** The text of a body of a text type, or null if its bytes are not all characters of its encoding. */
function decodeBody(bytes: Buffer, mimeType: string): string | null {
  const charset = charsetOf(MARKUP.test(mimeType) ? bytes : NOTHING, mimeType);
  if (charset === 'windows-1252' && bytes.includes(NUL)) return null;
  try {
    return decodeAs(bytes, charset, { fatal: true, ignoreBOM: true });
  } catch {
    return null;
  }
}

/**
 * Text if all bytes are text, since only text can be read: a body of a text type in its charset, and any other that is
 * UTF-8 without a NUL. Other bytes stay base64, so that they can be sent again.
 */
function readBody(data: string, base64: boolean, mimeType: string): BodyText {
  if (!base64) return { text: data.toWellFormed() };
  const bytes = Buffer.from(data, 'base64');
  const isPlain = !/^(?:image|video|audio|font)\//i.test(mimeType) && isUtf8(bytes) && !bytes.includes(NUL);
  const text = isTextType(mimeType) ? decodeBody(bytes, mimeType) : isPlain ? bytes.toString('utf8') : null;
  return text === null ? { text: data, encoding: 'base64' } : { text: text.toWellFormed() };
}

/** `postData` of HAR; for an urlencoded form also its parameters, as in DevTools. */
function buildPostData(exchange: Exchange, contentType: string): JsonObject | null {
  const { postData, postDataNotKept } = exchange;
  const comment =
    postDataNotKept === null ? {} : { comment: `the body was not kept in full: ${postDataNotKept.reason}` };
  if (postData === null) return postDataNotKept === null ? null : { mimeType: contentType, ...comment };
  const { text, encoding } = readBody(postData.data, postData.base64, contentType);
  if (encoding !== undefined) return { mimeType: contentType, text, _encoding: encoding, ...comment };
  const isForm = /^application\/x-www-form-urlencoded/i.test(contentType);
  return { mimeType: contentType, text, ...(isForm ? { params: listParameters(text) } : {}), ...comment };
}

/** Bytes of the request's body, -1 if the browser did not say. */
function postDataSize({ postData, postDataNotKept }: Exchange): number {
  if (postDataNotKept !== null) return postDataNotKept.size_bytes;
  if (postData === null) return 0;
  return Buffer.byteLength(postData.data, postData.base64 ? 'base64' : 'utf8');
}

/** Prefix of notes about a missing body. */
const NOT_KEPT = 'body not kept: ';
const LOSSY = 'some bytes are not text, and the browser told them as U+FFFD';

/** Why there is no body, or that a browser which gives no bytes has decoded it with losses. */
function noteOf(body: NonNullable<Exchange['body']>): { readonly comment?: string } {
  if ('reason' in body) return { comment: `${NOT_KEPT}${body.reason}` };
  const isLossy = body.data.includes('\ufffd') && Buffer.byteLength(body.data) !== body.sizeBytes;
  return isLossy && !body.base64 ? { comment: LOSSY } : {};
}

/** Like DevTools, we write both its text and its parameters. */
type HarShape = Omit<Entry, 'request'> & { readonly request: Omit<Request, 'postData'> };

/**
 * One exchange as an entry of HAR 1.2 (http://www.softwareishard.com/blog/har-12-spec/), including bodies,
 * not yet redacted. Sizes and timings match Chrome DevTools' export (`front_end/models/har/Log.ts`); members
 * that begin with `_` are DevTools' and ours.
 * @param tab `b1:42`
 * @param now latest time of the capture: a pending request is measured up to it
 */
export function buildEntry(exchange: Exchange, tab: string, now: number): NetworkEntry {
  const requestHeaders = listHeaders(requestHeadersOf(exchange));
  const responseHeaders = listHeaders(exchange.responseExtra?.headers ?? exchange.response?.headers ?? {});
  const timings = buildTimings(exchange, now);
  const { response } = exchange;
  const ip = response?.remoteIPAddress?.replaceAll(/[[\]]/g, '') ?? '';
  const { connectionId = 0 } = response ?? {};
  const entry = {
    _id: `r${exchange.id}`,
    ...(exchange.pageref === null ? {} : { pageref: exchange.pageref }),
    startedDateTime: new Date(exchange.wallAt * 1_000).toISOString(),
    time: totalTime(timings),
    request: buildRequest(exchange, requestHeaders),
    response: buildResponse(exchange, responseHeaders),
    cache: {},
    timings: { ...timings },
    ...(ip === '' ? {} : { serverIPAddress: ip }),
    ...(connectionId === 0 ? {} : { connection: String(connectionId) }),
    ...factsOf(exchange, tab),
    ...commentOf(exchange),
  };
  // The library's type describes HAR's form of each member; ours says that all of it is JSON.
  entry satisfies HarShape;
  return entry;
}

/** For an answered challenge, and for the script of a shared worker, the browser reports only headers. */
function commentOf(exchange: Exchange): { readonly comment?: string } {
  const { response, responseExtra, endedAt, error } = exchange;
  if (error !== null || response !== null || responseExtra === null) return {};
  if (endedAt !== null) return { comment: 'times not told by the browser' };
  return isChallenged(exchange) ? { comment: 'the server asks for a name and a password' } : {};
}

const requestHeadersOf = ({ requestExtra, response, requestHeaders }: Exchange): HeaderMap =>
  requestExtra ?? response?.requestHeaders ?? requestHeaders;

function buildRequest(exchange: Exchange, headers: readonly Pair[]) {
  const version = httpVersion(exchange.response?.protocol);
  const startLine = `${exchange.method} ${requestTarget(exchange.url)} ${version}`;
  const postData = buildPostData(exchange, findHeader(headers, 'content-type') ?? '');
  return {
    method: exchange.method,
    url: exchange.url,
    httpVersion: version,
    cookies: requestCookies(headers),
    headers: [...headers],
    queryString: listParameters(queryOf(exchange.url)),
    headersSize: exchange.requestExtra === null ? -1 : headSize(version, startLine, headers),
    bodySize: postDataSize(exchange),
    ...(postData === null ? {} : { postData: { mimeType: '', ...postData } }),
  };
}

function isCached({ isFromMemoryCache, response }: Exchange): boolean {
  return isFromMemoryCache || response?.fromDiskCache === true || response?.fromPrefetchCache === true;
}

/** Bytes of the body on the wire; -1 if the size of the headers is unknown (HTTP/2). */
function responseBodySize(exchange: Exchange, headersSize: number): number {
  if (isCached(exchange) || statusOf(exchange) === 304) return 0;
  if (headersSize < 0 || exchange.transferBytes === null) return -1;
  return Math.max(exchange.transferBytes - headersSize, 0);
}

/** The page sees 200 for a response that the cache confirmed; the server sent 304. */
function statusOf({ responseExtra, response }: Exchange): number {
  return responseExtra?.status ?? response?.status ?? 0;
}

function buildResponse(exchange: Exchange, headers: readonly Pair[]) {
  const { response } = exchange;
  const version = httpVersion(response?.protocol);
  const startLine = `${version} ${statusOf(exchange)} ${response?.statusText ?? ''}`;
  const headersSize = exchange.responseExtra === null ? -1 : headSize(version, startLine, headers);
  const bodySize = responseBodySize(exchange, headersSize);
  return {
    status: statusOf(exchange),
    statusText: response?.statusText ?? '',
    httpVersion: version,
    cookies: responseCookies(headers, exchange.wallAt * 1_000),
    headers: [...headers],
    content: buildContent(exchange, headers, bodySize),
    redirectURL: exchange.isRedirect ? (findHeader(headers, 'location') ?? '') : '',
    headersSize,
    bodySize,
    ...(exchange.transferBytes === null ? {} : { _transferSize: exchange.transferBytes }),
    ...(exchange.error === null ? {} : { _error: exchange.error }),
    ...(exchange.errorDetail === null ? {} : { _errorDetail: exchange.errorDetail }),
  };
}

function buildContent(exchange: Exchange, headers: readonly Pair[], bodySize: number) {
  const { response } = exchange;
  const body = bodyOf(exchange);
  const reportedType = response?.mimeType ?? '';
  const mimeType = findHeader(headers, 'content-type') ?? (reportedType === '' ? 'x-unknown' : reportedType);
  const size = body?.sizeBytes ?? 0;
  const status = statusOf(exchange);
  const isCompressed = findHeader(headers, 'content-encoding') !== null;
  const isMeasured = isCompressed && bodySize > 0 && status !== 206 && size > 0;
  return {
    size,
    mimeType,
    ...(isMeasured ? { compression: size - bodySize } : {}),
    ...(body !== null && 'data' in body ? readBody(body.data, body.base64, mimeType) : {}),
    ...(body === null ? {} : noteOf(body)),
  };
}

/** `not_taken`: the browser had the body when the capture ended, or when this entry was read. */
function bodyOf(exchange: Exchange): Exchange['body'] {
  const { body, endedAt, isRedirect, error, source, type } = exchange;
  const isWithout = endedAt === null || isRedirect || error !== null || type === 'websocket';
  if (body !== null || isWithout || source !== 'debugger') return body;
  return { reason: 'not_taken', sizeBytes: null };
}

/** Why an entry has no body; null if it has one or none was expected. */
export function missingBody(entry: NetworkEntry): string | null {
  const comment = memberOf(memberOf(entry, 'response'), 'content')['comment'];
  if (typeof comment !== 'string' || !comment.startsWith(NOT_KEPT)) return null;
  const reason = comment.slice(NOT_KEPT.length);
  return reason === 'no_body' ? null : reason;
}

function factsOf(exchange: Exchange, tab: string): JsonObject {
  const { messages, messageCount } = exchange;
  return {
    _tab: tab,
    ...(exchange.frameId === null ? {} : { _frame: exchange.frameId }),
    ...(exchange.session === null ? {} : { _session: exchange.session }),
    ...(exchange.documentUrl === '' ? {} : { _document: exchange.documentUrl }),
    _resourceType: exchange.type,
    ...(exchange.initiator === null ? {} : { _initiator: initiatorOf(exchange.initiator) }),
    ...(exchange.priority === null ? {} : { _priority: exchange.priority }),
    ...cacheFactsOf(exchange),
    ...(exchange.source === 'web_request' ? { _source: 'web_request' } : {}),
    ...(exchange.endedAt === null ? { _pending: true } : {}),
    ...(messageCount === 0 ? {} : { _messageCount: messageCount, ...messagesOf(messages) }),
  };
}

function cacheFactsOf({ isFromMemoryCache, response }: Exchange): JsonObject {
  return {
    ...(isFromMemoryCache ? { _fromCache: 'memory' } : {}),
    ...(response?.fromDiskCache === true ? { _fromCache: 'disk' } : {}),
    ...(response?.fromPrefetchCache === true ? { _fromCache: 'prefetch' } : {}),
    ...(response?.fromServiceWorker === true ? { _fromServiceWorker: true } : {}),
  };
}

/** A script's request has its address only on the stack. */
function initiatorOf({ stack, ...initiator }: NonNullable<Exchange['initiator']>): JsonObject {
  const url = initiator.url ?? stack?.callFrames.find((frame) => frame.url !== '')?.url;
  return {
    ...initiator,
    ...(url === undefined ? {} : { url }),
    ...(stack === undefined
      ? {}
      : { stack: { callFrames: stack.callFrames.map((frame) => ({ ...frame })) } }),
  };
}

function messagesOf(messages: readonly Message[]): JsonObject {
  const contentOf = ({ data, notKept }: Message): JsonObject => ({
    data: data.toWellFormed(),
    ...(notKept === null ? {} : { _notKept: notKept.reason, _size: notKept.size_bytes }),
  });
  const sockets = messages.flatMap((message) =>
    message.socket === undefined ? [] : [{ ...message.socket, time: message.time, ...contentOf(message) }],
  );
  const events = messages.flatMap(({ event, ...message }) =>
    event === undefined
      ? []
      : [{ time: message.time, eventName: event.name, eventId: event.id, ...contentOf(message) }],
  );
  return {
    ...(sockets.length === 0 ? {} : { _webSocketMessages: sockets }),
    ...(events.length === 0 ? {} : { _eventSourceMessages: events }),
  };
}
