import { isObject, type JsonObject } from '../../../shared/base/json.ts';
import type { BodyChoice } from '../../../shared/network/network.methods.ts';
import type { RedactionReport } from '../../core/result.ts';
import type { Clean } from '../redaction/clean.ts';
import type { Redactor } from '../../core/services.ts';
import { Cookie } from 'tough-cookie';
import { parseUrl } from '../../../shared/base/private-address.ts';
import type { HeaderMap } from './cdp-events.ts';

/*
 * An entry in two parts: the small one is always read; the other, with bodies and messages, on request. Both have the
 * shape of an entry.
 */

/** A request in HAR 1.2 entry form; fields that begin with `_` are ours or DevTools'. */
export interface NetworkEntry extends JsonObject {
  /** `r17`: stable while the entry is in the ring. */
  readonly _id: string;
  readonly startedDateTime: string;
}

/** The state of a tab's capture. */
export interface CaptureView extends JsonObject {
  readonly tab: string;
  readonly state: 'capturing' | 'ended';
  /** `debugger`, or `web_request` if the debugger cannot attach: then bodies are missing. */
  readonly source: 'debugger' | 'web_request' | 'response_filter' | null;
  readonly bodies: BodyChoice;
  /** Why it ended: `stopped`, `tab_closed`, `debugger_cancelled`, `browser_disconnected`, … */
  readonly ended: string | null;
  /** How often it was resumed after the browser disconnected: events in between are missing. */
  readonly gaps: number;
  /** Loads of the tab that had failed before it began; its slices have them. */
  readonly failed_before?: number;
}

/** One stored part: redacted, with its redaction report. */
export interface StoredPart<Part extends JsonObject = JsonObject> {
  readonly part: Clean<Part>;
  readonly report: RedactionReport;
}

/** The first part, and why the body is not in the second. */
export interface StoredHead extends StoredPart<NetworkEntry> {
  readonly missing: string | null;
}

/** An entry, redacted, before it is stored. */
export interface PreparedEntry {
  readonly id: number;
  readonly tab: string;
  readonly head: StoredHead;
  readonly bodies: StoredPart | null;
}

const MESSAGE_KEYS = ['_webSocketMessages', '_eventSourceMessages'] as const;

function without(value: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([key]) => !keys.includes(key)));
}

function only(value: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([key]) => keys.includes(key)));
}

const CONTENT_KEYS = ['text', 'encoding'];
const POST_KEYS = ['text', 'params', '_encoding'];

function pickHead(entry: NetworkEntry): NetworkEntry {
  const request = memberOf(entry, 'request');
  const response = memberOf(entry, 'response');
  const postData = memberOf(request, 'postData');
  return {
    ...without(entry, MESSAGE_KEYS),
    _id: entry._id,
    startedDateTime: entry.startedDateTime,
    request:
      request['postData'] === undefined
        ? request
        : { ...request, postData: { ...without(postData, POST_KEYS), text: '' } },
    response: { ...response, content: without(memberOf(response, 'content'), CONTENT_KEYS) },
  };
}

function bodiesOf(entry: NetworkEntry): JsonObject | null {
  const postData = memberOf(memberOf(entry, 'request'), 'postData');
  const content = memberOf(memberOf(entry, 'response'), 'content');
  const messages = only(entry, MESSAGE_KEYS);
  const hasPost = typeof postData['text'] === 'string' && postData['text'] !== '';
  const hasContent = content['text'] !== undefined;
  if (!hasPost && !hasContent && Object.keys(messages).length === 0) return null;
  return {
    ...(hasPost ? { request: { postData: only(postData, ['mimeType', ...POST_KEYS]) } } : {}),
    ...(hasContent ? { response: { content: only(content, ['mimeType', ...CONTENT_KEYS]) } } : {}),
    ...messages,
  };
}

/** Redacts an entry and splits it. Nothing of it is stored or logged before. */
export async function prepareEntry(
  entry: NetworkEntry,
  facts: { readonly id: number; readonly tab: string; readonly missing: string | null },
  redactor: Redactor,
): Promise<PreparedEntry> {
  const bodies = bodiesOf(entry);
  return {
    id: facts.id,
    tab: facts.tab,
    head: { ...(await redactPart(pickHead(entry), redactor)), missing: facts.missing },
    bodies: bodies === null ? null : await redactPart(bodies, redactor),
  };
}

/** Redacts values that have the shape of an entry, or of a part of one. */
export async function redactPart<Part extends JsonObject>(
  raw: Part,
  redactor: Redactor,
): Promise<StoredPart<Part>> {
  const { entry, report } = await redactor.exchange(raw);
  return { part: entry, report };
}

function isTextMessage(message: unknown): boolean {
  return isObject(message) && message['opcode'] !== 2;
}

/** Null if nothing is left. */
export function chooseBodies(bodies: JsonObject | null, choice: BodyChoice): JsonObject | null {
  if (bodies === null || choice === 'none') return null;
  if (choice === 'all') return bodies;
  const postData = memberOf(memberOf(bodies, 'request'), 'postData');
  const content = memberOf(memberOf(bodies, 'response'), 'content');
  const sockets = bodies['_webSocketMessages'];
  const chosen: JsonObject = {
    ...('text' in postData && !('_encoding' in postData) ? { request: bodies['request'] } : {}),
    ...('text' in content && !('encoding' in content) ? { response: bodies['response'] } : {}),
    ...(Array.isArray(sockets) ? { _webSocketMessages: sockets.filter(isTextMessage) } : {}),
    ...only(bodies, ['_eventSourceMessages']),
  };
  return Object.keys(chosen).length === 0 ? null : chosen;
}

/** Joins the parts again. */
export function joinEntry(head: NetworkEntry, bodies: JsonObject | null): NetworkEntry {
  if (bodies === null) return head;
  const request = memberOf(head, 'request');
  const response = memberOf(head, 'response');
  const postData = memberOf(memberOf(bodies, 'request'), 'postData');
  const content = memberOf(memberOf(bodies, 'response'), 'content');
  return {
    ...head,
    ...only(bodies, MESSAGE_KEYS),
    request:
      'request' in bodies
        ? { ...request, postData: { ...memberOf(request, 'postData'), ...postData } }
        : request,
    response:
      'response' in bodies
        ? { ...response, content: { ...memberOf(response, 'content'), ...content } }
        : response,
  };
}

/** An object member; an empty object if it is missing. */
export function memberOf(value: JsonObject, key: string): JsonObject {
  const member = value[key];
  return isObject(member) ? member : {};
}

/** `{ name, value }` of HAR. */
export interface Pair extends JsonObject {
  readonly name: string;
  readonly value: string;
}

/** CDP joins several headers of one name with line breaks. */
export function listHeaders(map: HeaderMap): Pair[] {
  return Object.entries(map).flatMap(([name, joined]) =>
    joined.split('\n').map((value) => ({ name, value: value.trim() })),
  );
}

/** The values of a header, joined by commas, or null. */
export function findHeader(headers: readonly Pair[], name: string): string | null {
  const values = headers.filter((header) => header.name.toLowerCase() === name).map(({ value }) => value);
  return values.length === 0 ? null : values.join(', ');
}

function cookiesOf(headers: readonly Pair[], header: string, separator: RegExp): Cookie[] {
  return headers
    .filter(({ name }) => name.toLowerCase() === header)
    .flatMap(({ value }) => value.split(separator))
    .flatMap((text) => Cookie.parse(text, { loose: true }) ?? []);
}

/** Cookies that were sent. */
export const requestCookies = (headers: readonly Pair[]): Pair[] =>
  cookiesOf(headers, 'cookie', /;/).map(({ key: name, value }) => ({ name, value }));

/** No browser keeps one for longer. */
const COOKIE_SECONDS = 400 * 24 * 60 * 60;

/** `Max-Age` is stronger than `Expires`. */
function expiryOf({ maxAge, expires }: Cookie, now: number): string | null {
  const seconds = typeof maxAge === 'number' ? Math.min(Math.max(maxAge, 0), COOKIE_SECONDS) : null;
  const time = seconds === null ? expires : new Date(now + seconds * 1_000);
  return time instanceof Date && !Number.isNaN(time.getTime()) ? time.toISOString() : null;
}

/**
 * Cookies that were set, in HAR's form: one without `expires` lasts for the session.
 * @param now milliseconds since the epoch
 */
export const responseCookies = (headers: readonly Pair[], now: number) =>
  cookiesOf(headers, 'set-cookie', /\n/).map((cookie) => {
    const { key: name, value, path, domain, httpOnly, secure, sameSite } = cookie;
    const expires = expiryOf(cookie, now);
    return {
      name,
      value,
      ...(path === null ? {} : { path }),
      ...(domain === null ? {} : { domain }),
      ...(expires === null ? {} : { expires }),
      httpOnly,
      secure,
      ...(sameSite === undefined ? {} : { sameSite: sameSite.replace(/^./, (first) => first.toUpperCase()) }),
    };
  });

/** Parameters of an address's query or of an urlencoded form, decoded if possible. */
export function listParameters(encoded: string): Pair[] {
  return [...new URLSearchParams(encoded)].map(([name, value]) => ({ name, value }));
}

/** The query of an address without its `?`, or an empty text. */
export function queryOf(url: string): string {
  const start = url.indexOf('?');
  if (start < 0) return '';
  const end = url.indexOf('#', start);
  return url.slice(start + 1, end < 0 ? undefined : end);
}

/** `HTTP/1.1`, `HTTP/2.0`: the form in HAR and Playwright of CDP's `http/1.1` and `h2`. */
export function httpVersion(protocol: string | undefined): string {
  if (protocol === undefined || protocol === '') return 'unknown';
  if (protocol === 'h2') return 'HTTP/2.0';
  if (protocol === 'h3') return 'HTTP/3.0';
  return /^http\/\d/i.test(protocol) ? protocol.toUpperCase() : protocol;
}

/**
 * Bytes of a message's head, including its blank line, as HTTP/1 writes it (RFC 9112); -1 for other versions,
 * whose heads are compressed.
 */
export function headSize(version: string, startLine: string, headers: readonly Pair[]): number {
  if (!version.startsWith('HTTP/1.') || headers.length === 0) return -1;
  const lines = [startLine, ...headers.map(({ name, value }) => `${name}: ${value}`)];
  return Buffer.byteLength(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
}

/** The path and query of an address, as in a request's first line. */
export function requestTarget(url: string): string {
  const parsed = parseUrl(url);
  return parsed === null ? url : parsed.pathname + parsed.search;
}
