import type { Entry, Request } from 'har-format';
import type { JsonObject } from '../../shared/json.ts';
import type { NetworkEntry } from '../core/network.ts';
import { buildPostData, postDataSize, readBody } from './bodies.ts';
import type { Exchange, Message } from './exchange.ts';
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
} from './headers.ts';
import { memberOf } from './members.ts';
import { buildTimings, totalTime } from './timings.ts';

/** Begins what is said of a body that is missing. */
const NOT_KEPT = 'body not kept: ';

/** What the library says of an entry, but for a form: DevTools and we write its text and its parameters. */
type HarShape = Omit<Entry, 'request'> & { readonly request: Omit<Request, 'postData'> };

/** Where an exchange was seen. */
export interface EntryPlace {
  /** `b1:42`. */
  readonly tab: string;
  /** Latest time of the capture: a pending request is measured up to it. */
  readonly now: number;
}

/**
 * One exchange as an entry of HAR 1.2 (http://www.softwareishard.com/blog/har-12-spec/), bodies
 * included, not redacted yet. Sizes and timings are computed as Chrome DevTools exports them
 * (`front_end/models/har/Log.ts`); members that begin with `_` are its and ours.
 */
export function buildEntry(exchange: Exchange, place: EntryPlace): NetworkEntry {
  const requestHeaders = listHeaders(requestHeadersOf(exchange));
  const responseHeaders = listHeaders(exchange.responseExtra?.headers ?? exchange.response?.headers ?? {});
  const timings = buildTimings(exchange, place.now);
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
    ...factsOf(exchange, place.tab),
    ...(isTimeless(exchange) ? { comment: 'times not told by the browser' } : {}),
  };
  // The library's type says of each member what HAR wants; ours says that all of it is JSON.
  entry satisfies HarShape;
  return entry;
}

/** Of a challenge that was answered the browser tells headers alone. */
const isTimeless = ({ response, responseExtra, endedAt, error }: Exchange): boolean =>
  endedAt !== null && error === null && response === null && responseExtra !== null;

function requestHeadersOf({ requestExtra, response, requestHeaders }: Exchange): Exchange['requestHeaders'] {
  return requestExtra ?? response?.requestHeaders ?? requestHeaders;
}

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

/** Bytes of the body on the wire; -1 where the size of the headers is unknown (HTTP/2). */
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
    cookies: responseCookies(headers),
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
  const size = body?.sizeBytes ?? exchange.dataBytes;
  const status = statusOf(exchange);
  const isCompressed = findHeader(headers, 'content-encoding') !== null;
  const isMeasured = isCompressed && bodySize > 0 && status !== 206 && size > 0;
  return {
    size,
    mimeType,
    ...(isMeasured ? { compression: size - bodySize } : {}),
    ...(body !== null && 'data' in body ? readBody(body.data, body.base64, mimeType) : {}),
    ...(body !== null && 'reason' in body ? { comment: `${NOT_KEPT}${body.reason}` } : {}),
  };
}

/** `not_taken`: the browser had the body when the capture ended, or when this entry was read. */
function bodyOf(exchange: Exchange): Exchange['body'] {
  const { body, endedAt, isRedirect, error, source, type, dataBytes } = exchange;
  const isWithout = endedAt === null || isRedirect || error !== null || type === 'websocket';
  if (body !== null || isWithout || source !== 'debugger') return body;
  return { reason: 'not_taken', sizeBytes: dataBytes };
}

/** Why an entry has no body, null where it has one or none was to come. */
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

/** A script's request has its address on the stack only. */
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
