import { Cookie } from 'tough-cookie';
import type { JsonObject } from '../../shared/json.ts';
import { parseUrl } from '../toolkit/urls.ts';
import type { HeaderMap } from './cdp-events.ts';

/** `{ name, value }` of HAR. */
export interface Pair extends JsonObject {
  readonly name: string;
  readonly value: string;
}

/** A cookie of HAR. */
export interface HarCookie extends Pair {
  readonly path?: string;
  readonly domain?: string;
  /** ISO time; missing for a session's cookie. */
  readonly expires?: string;
  readonly httpOnly?: boolean;
  readonly secure?: boolean;
  readonly sameSite?: string;
}

/** CDP joins several headers of one name by line breaks. */
export function listHeaders(map: HeaderMap): Pair[] {
  return Object.entries(map).flatMap(([name, joined]) =>
    joined.split('\n').map((value) => ({ name, value: value.trim() })),
  );
}

/** The value of a header, null where there is none; several are joined by a comma. */
export function findHeader(headers: readonly Pair[], name: string): string | null {
  const values = headers.filter((header) => header.name.toLowerCase() === name).map(({ value }) => value);
  return values.length === 0 ? null : values.join(', ');
}

/** Cookies that were sent. */
export function requestCookies(headers: readonly Pair[]): HarCookie[] {
  const sent = headers.filter(({ name }) => name.toLowerCase() === 'cookie');
  return sent
    .flatMap(({ value }) => value.split(';'))
    .flatMap((text) => {
      const cookie = Cookie.parse(text, { loose: true });
      return cookie === undefined ? [] : [{ name: cookie.key, value: cookie.value }];
    });
}

/** Cookies that were set. */
export function responseCookies(headers: readonly Pair[]): HarCookie[] {
  const set = headers.filter(({ name }) => name.toLowerCase() === 'set-cookie');
  return set.flatMap(({ value }) => {
    const cookie = Cookie.parse(value, { loose: true });
    return cookie === undefined ? [] : [describeCookie(cookie)];
  });
}

function describeCookie(cookie: Cookie): HarCookie {
  const { key: name, value, path, domain, expires, httpOnly, secure, sameSite } = cookie;
  return {
    name,
    value,
    ...(path === null ? {} : { path }),
    ...(domain === null ? {} : { domain }),
    ...(expires instanceof Date && !Number.isNaN(expires.getTime())
      ? { expires: expires.toISOString() }
      : {}),
    httpOnly,
    secure,
    ...(sameSite === undefined ? {} : { sameSite }),
  };
}

/** Parameters of an address's query or of an urlencoded form, decoded where they can be. */
export function listParameters(encoded: string): Pair[] {
  return [...new URLSearchParams(encoded)].map(([name, value]) => ({ name, value }));
}

/** The query of an address without its `?`; '' where there is none. */
export function queryOf(url: string): string {
  const start = url.indexOf('?');
  if (start < 0) return '';
  const end = url.indexOf('#', start);
  return url.slice(start + 1, end < 0 ? undefined : end);
}

/** `HTTP/1.1`, `HTTP/2.0`: as HAR and Playwright write what CDP calls `http/1.1` and `h2`. */
export function httpVersion(protocol: string | undefined): string {
  if (protocol === undefined || protocol === '') return 'unknown';
  if (protocol === 'h2') return 'HTTP/2.0';
  if (protocol === 'h3') return 'HTTP/3.0';
  return /^http\/\d/i.test(protocol) ? protocol.toUpperCase() : protocol;
}

/**
 * Bytes of a message's head up to and with its blank line, as HTTP/1 writes it (RFC 9112); -1 for
 * other versions, whose heads are compressed.
 */
export function headSize(version: string, startLine: string, headers: readonly Pair[]): number {
  if (!version.startsWith('HTTP/1.') || headers.length === 0) return -1;
  const lines = [startLine, ...headers.map(({ name, value }) => `${name}: ${value}`)];
  return Buffer.byteLength(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
}

/** The path and query of an address, as a request's first line has them. */
export function requestTarget(url: string): string {
  const parsed = parseUrl(url);
  return parsed === null ? url : parsed.pathname + parsed.search;
}
