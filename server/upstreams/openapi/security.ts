import { lookup } from 'node:dns/promises';
import { SpillwayError, invalidArgument } from '../../../shared/base/errors.ts';
import { messageOf } from '../../../shared/base/message-of.ts';
import {
  type JsonObject,
  isJsonList,
  isObject,
  type JsonValue,
  stringOrEmpty,
} from '../../../shared/base/json.ts';
import { mayHaveArrived, NAMED, SHORTEST_UNITS, UNKNOWN_OUTCOME } from '../answers.ts';
import { expectHeaders, HEADER_NAME } from '../config.ts';
import { patientFetch } from '../patient-fetch.ts';
import { membersOf, resolveObject } from './bindings.ts';
import { cutUrl, cut } from '../../../shared/base/cut.ts';
import { isPrivateHost, isPrivateIp, parseUrl } from '../../../shared/base/private-address.ts';
import { VERSION } from '../../../shared/base/version.ts';
import { errnoOf } from '../../core/machine/errno.ts';

/** A body and its content type. */
export interface WrittenBody {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly contentType: string;
}

/** A request to the service, complete but for the headers of its credentials. */
export interface ApiRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies: readonly string[];
  readonly body: WrittenBody | null;
  readonly credentials: Credentials;
}

export interface Credentials {
  readonly headers: Readonly<Record<string, string>>;
  readonly query: readonly (readonly [string, string])[];
  readonly cookies: readonly (readonly [string, string])[];
  /** A text without them: each value of a scheme, and of other headers that are named like credentials. */
  readonly without: (this: void, text: string) => string;
  /** A short text without them, and without the other secrets of the entry. */
  readonly clean: (this: void, text: string) => string;
}

const same = (text: string): string => text;

/** A request that anybody may send. */
export function plainGet(url: URL): ApiRequest {
  const credentials = { headers: {}, query: [], cookies: [], without: same, clean: same };
  return { method: 'GET', url, headers: {}, cookies: [], body: null, credentials };
}

/** A scheme, and its value or null. */
interface Scheme {
  readonly at: 'headers' | 'query' | 'cookies';
  readonly key: string;
  readonly value: string | null;
}

/** Finds configured values by name. */
interface Given {
  /** A header's value, which each request sends. */
  readonly header: (name: string) => string | null;
  /** Any other value: it is sent where its scheme says, and only there. */
  readonly take: (name: string) => string | null;
}

/**
 * Places configured values where the document's schemes want them. A value is found by the name of its
 * header, query parameter or cookie, or by the name of the scheme; every other one becomes a header of each
 * request.
 * @param redactOwn removes the secrets of the entry from a text
 * @throws SpillwayError `invalid_argument` for a name or a value that no header can have
 */
export function securityOf(
  root: JsonObject,
  configured: Readonly<Record<string, string>>,
  redactOwn: (text: string) => string = same,
) {
  const values = new Map(Object.entries(configured).map(([name, value]) => [name.toLowerCase(), value]));
  const used = new Set<string>();
  const header = (name: string): string | null => values.get(name.toLowerCase()) ?? null;
  const take = (name: string): string | null => {
    used.add(name.toLowerCase());
    return header(name);
  };
  const components = resolveObject(root, root['components']);
  const schemes = new Map(
    membersOf(components['securitySchemes']).map(([name, value]) => [
      name,
      readScheme(name, resolveObject(root, value), { header, take }),
    ]),
  );
  const plain = Object.fromEntries([...values].filter(([name]) => !used.has(name)));
  for (const name of Object.keys(plain))
    if (!HEADER_NAME.test(name))
      throw invalidArgument(
        `headers.${name}: It is neither the name of a header nor of a security scheme of the document.`,
        'Correct the named field.',
      );
  const set = [...schemes].filter(([, { at, value }]) => at === 'headers' && value !== null);
  expectHeaders(plain, 'headers');
  expectHeaders(Object.fromEntries(set.map(([name, { value }]) => [name, value ?? ''])), 'headers');
  const without = withoutValues([
    ...[...schemes.values()].map(({ value }) => value ?? ''),
    ...Object.entries(plain).flatMap(([name, value]) => (NAMED.test(name) ? [value] : [])),
  ]);
  return {
    /** Lower-case names of headers that the configuration sets and callers cannot. */
    headerNames: new Set([...Object.keys(plain), ...set.map(([, { key }]) => key)]),
    /**
     * The first alternative of an operation with all its values.
     * @throws SpillwayError `upstream_credential_missing`
     */
    credentialsFor(alternatives: readonly JsonObject[]): Credentials {
      const named = alternatives.map((alternative) => Object.keys(alternative));
      const fitting = named.filter((names) => names.every((name) => schemes.get(name)?.value != null));
      // An optional credential is sent if it exists.
      const chosen = fitting.find(({ length }) => length > 0) ?? fitting[0];
      if (chosen === undefined && named.length > 0) throw buildMissing(named, schemes);
      const sent = (place: Scheme['at']) =>
        (chosen ?? []).flatMap((name) => {
          const { at, key, value = null } = schemes.get(name) ?? {};
          return at === place && key !== undefined && value !== null ? [[key, value] as const] : [];
        });
      return {
        headers: { ...plain, ...Object.fromEntries(sent('headers')) },
        query: sent('query'),
        cookies: sent('cookies'),
        without,
        clean: (text) => redactOwn(without(text)),
      };
    },
  };
}

const KINDS = { headers: 'header', query: 'query', cookies: 'cookie' } as const;

function buildMissing(
  named: readonly (readonly string[])[],
  schemes: ReadonlyMap<string, Scheme>,
): SpillwayError {
  const options = named.map((names) => names.map((name) => `"${name}"`).join(' and ')).join(', or ');
  const places = (named[0] ?? []).flatMap((name) => {
    const scheme = schemes.get(name);
    return scheme?.value === null ? [`the ${KINDS[scheme.at]} "${scheme.key}"`] : [];
  });
  const where = places.length === 0 ? '' : ` It is sent in ${[...new Set(places)].join(' and ')}.`;
  return new SpillwayError(
    'upstream_credential_missing',
    `The service requires a credential that is not configured: ${options}.${where}`,
  );
}

function readScheme(name: string, scheme: JsonObject, { header, take }: Given): Scheme {
  const type = stringOrEmpty(scheme['type']);
  const key = stringOrEmpty(scheme['name']);
  const place = stringOrEmpty(scheme['in']);
  if (type === 'apiKey' && (place === 'query' || place === 'cookie'))
    return { at: place === 'query' ? 'query' : 'cookies', key, value: take(key) ?? take(name) };
  if (type === 'apiKey') return { at: 'headers', key: key.toLowerCase(), value: header(key) ?? take(name) };
  // OAuth and OpenID tokens are bearer tokens that another program has obtained. Certificates are not
  // supported.
  const own = type === 'mutualTLS' ? null : header('authorization');
  const value = own ?? withScheme(take(name), type === 'http' ? stringOrEmpty(scheme['scheme']) : 'bearer');
  return { at: 'headers', key: 'authorization', value };
}

/** Adds `Bearer …` or `Basic …` if the value lacks it. */
function withScheme(value: string | null, scheme: string): string | null {
  if (value === null) return null;
  if (/^[A-Za-z][\w-]* \S/.test(value)) return value;
  const kind = scheme.toLowerCase();
  if (kind === 'basic')
    return `Basic ${value.includes(':') ? Buffer.from(value, 'utf8').toString('base64') : value}`;
  return kind === 'bearer' || kind === '' ? `Bearer ${value}` : `${scheme} ${value}`;
}

/** Removes values and their parts from texts, also as they are written in addresses. */
function withoutValues(values: readonly string[]): (text: string) => string {
  const parts = values
    .flatMap((value) => [value, ...value.split(/[ ;=]/)])
    .filter((part) => part.length >= SHORTEST_UNITS)
    .flatMap((part) => [part, encodeURIComponent(part.toWellFormed())]);
  const longest = [...new Set(parts)].toSorted((a, b) => b.length - a.length);
  return (text) => longest.reduce((left, part) => left.replaceAll(part, '[credential]'), text);
}

const HINT = 'Give baseUrl for this upstream.';

/**
 * The address that paths are appended to: `baseUrl`, or the first of the document's servers with the defaults
 * of its variables.
 * @param documentUrl where the document came from, or null
 * @throws SpillwayError `openapi_invalid`, `url_not_allowed`
 */
export function serverOf(
  servers: JsonValue | undefined,
  { baseUrl, documentUrl }: { readonly baseUrl?: string | undefined; readonly documentUrl: string | null },
) {
  if (baseUrl !== undefined) return { url: httpUrl(baseUrl, undefined, 'baseUrl'), mustBePublic: false };
  const first = isJsonList(servers) ? servers[0] : undefined;
  const stated = isObject(first) ? fillServer(first) : '/';
  const url = httpUrl(stated, documentUrl ?? undefined, 'The server of the document');
  const source = documentUrl === null ? null : parseUrl(documentUrl);
  // The document named it, and came from a public address: it may not lead inwards.
  const mustBePublic = source !== null && !isPrivateHost(source.hostname);
  if (mustBePublic && isPrivateHost(url.hostname)) throw inward(url);
  return { url, mustBePublic };
}

/** The address in a document, without anything after its path; empty if no request can be made of it. */
export function readServer(servers: JsonValue | undefined, documentUrl: string | null): string {
  try {
    const { url } = serverOf(servers, { documentUrl });
    return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
  } catch {
    return '';
  }
}

/** @throws SpillwayError `url_not_allowed` where a public name leads to the machine or its network */
export async function checkPlace({ url, mustBePublic }: ReturnType<typeof serverOf>): Promise<void> {
  if (!mustBePublic) return;
  const found = await lookup(url.hostname.replaceAll(/^\[|\]$/g, ''), { all: true }).catch(() => []);
  if (found.some(({ address }) => isPrivateIp(address))) throw inward(url);
}

const inward = (url: URL): SpillwayError =>
  new SpillwayError(
    'url_not_allowed',
    `The document came from a public address, and its server ${url.host} is one of this machine or its network.`,
    { hint: 'Give baseUrl for this upstream, if that is where it should go.' },
  );

function fillServer(server: JsonObject): string {
  const variables = isObject(server['variables']) ? server['variables'] : {};
  return stringOrEmpty(server['url']).replaceAll(/\{([^{}]+)\}/g, (whole, name: string) => {
    const variable = Object.hasOwn(variables, name) ? resolveObject({}, variables[name]) : {};
    const preset = variable['default'];
    return typeof preset === 'string' || typeof preset === 'number' ? String(preset) : whole;
  });
}

function httpUrl(text: string, base: string | undefined, what: string): URL {
  const url = parseUrl(text, base);
  if (url === null) throw new SpillwayError('openapi_invalid', `${what} is not an address.`, { hint: HINT });
  if (!/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    throw new SpillwayError(
      'url_not_allowed',
      `${what} has to be http(s), without a user name or password: ${cutUrl(url.host, 100)}`,
      { hint: 'Give credentials in headers.' },
    );
  return url;
}

const REDIRECTS_MAX = 5;
const CAUSE_UNITS = 200;
const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308];
const BODILESS: readonly string[] = ['GET', 'HEAD'];

/**
 * Methods that may be repeated after a failure that does not show whether anything was done (RFC 9110,
 * 9.2.2).
 */
export const isRepeatable = (method: string): boolean => !['POST', 'PATCH'].includes(method);

/** A request that was sent was not answered in time, or not to its end. */
export const lateAnswer = (method: string, message: string): SpillwayError =>
  new SpillwayError('timeout', message, isRepeatable(method) ? {} : UNKNOWN_OUTCOME);

/**
 * Sends a request and follows its redirects: within the origin like browsers, elsewhere only as a GET without
 * credentials, and never into the machine's own network from outside it.
 * @throws SpillwayError `upstream_error`, or the signal's reason
 */
export async function send(request: ApiRequest, signal: AbortSignal): Promise<Response> {
  const start = request.url;
  const refused = (how: string): SpillwayError =>
    new SpillwayError('upstream_error', `${start.host} redirects ${how}.`, { retryable: false });
  let sent: ApiRequest = { ...request, headers: { ...request.headers, ...request.credentials.headers } };
  for (let hops = 0; hops <= REDIRECTS_MAX; hops++) {
    const response = await sendOnce(sent, signal, { method: request.method, hasArrived: hops > 0 });
    const to = response.headers.get('location');
    if (!REDIRECTS.includes(response.status) || to === null) return response;
    await response.body?.cancel();
    const url = parseUrl(to, sent.url.href);
    const isFromOutside = !isPrivateHost(start.hostname);
    if (url === null || !/^https?:$/.test(url.protocol) || (isFromOutside && isPrivateHost(url.hostname)))
      throw refused('to an address that is refused');
    sent = { ...sent, url };
    if (response.status === 303 || (response.status < 303 && sent.method === 'POST'))
      sent = { ...sent, method: sent.method === 'HEAD' ? 'HEAD' : 'GET', body: null };
    if (url.origin === start.origin) continue;
    if (!BODILESS.includes(sent.method))
      throw refused(`a ${sent.method} to ${url.host}, and only a GET is sent to another origin`);
    sent = { ...sent, headers: {}, cookies: [] };
    await checkPlace({ url, mustBePublic: isFromOutside });
  }
  throw refused(`more than ${REDIRECTS_MAX} times`);
}

async function sendOnce(
  request: ApiRequest,
  signal: AbortSignal,
  /** The method is that of the call's request: a redirect may have led to another one. */
  asked: { readonly method: string; readonly hasArrived: boolean },
): Promise<Response> {
  const { method, url, body, cookies } = request;
  const headers = new Headers({
    accept: 'application/json, */*;q=0.8',
    'user-agent': `spillway/${VERSION}`,
    ...request.headers,
    ...(body === null ? {} : { 'content-type': body.contentType }),
  });
  if (cookies.length > 0) headers.append('cookie', cookies.join('; '));
  try {
    const bytes = body?.bytes ?? null;
    return await patientFetch(url, { method, headers, body: bytes, redirect: 'manual', signal });
  } catch (thrown) {
    signal.throwIfAborted();
    throw connectionError(thrown, { ...request, method: asked.method }, asked.hasArrived);
  }
}

/** The message may quote the request. @param hasArrived it has answered before */
export function connectionError(
  thrown: unknown,
  { method, url, credentials }: ApiRequest,
  hasArrived: boolean,
): SpillwayError {
  const cause = thrown instanceof Error ? (thrown.cause ?? thrown) : thrown;
  const reason = errnoOf(cause) ?? cut(credentials.clean(messageOf(cause)), CAUSE_UNITS);
  const isUnknown = !isRepeatable(method) && (hasArrived || mayHaveArrived(cause));
  return new SpillwayError(
    'upstream_error',
    `The connection to ${url.host} failed: ${reason}.`,
    isUnknown ? UNKNOWN_OUTCOME : {},
  );
}
