import { lookup } from 'node:dns/promises';
import { SpillwayError, invalidArgument } from '../../../shared/errors.ts';
import { messageOf } from '../../../shared/message-of.ts';
import { type JsonObject, isJsonList, isObject, type JsonValue } from '../../../shared/json.ts';
import { expectHeaders, HEADER_NAME } from '../config.ts';
import { membersOf, resolveObject, textOf } from './bindings.ts';
import { cutUrl, cut } from '../../../shared/cut.ts';
import { isPrivateHost, isPrivateIp, parseUrl } from '../../../shared/private-address.ts';
import { VERSION } from '../../../shared/version.ts';
import { errnoOf } from '../../machine/errno.ts';

/** A body and its content type. */
export interface WrittenBody {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly contentType: string;
}

/** A request to the service, complete. */
export interface ApiRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies: readonly string[];
  readonly body: WrittenBody | null;
}

export interface Credentials {
  readonly headers: Readonly<Record<string, string>>;
  readonly query: readonly (readonly [string, string])[];
  readonly cookies: readonly (readonly [string, string])[];
}

export const NO_CREDENTIALS: Credentials = { headers: {}, query: [], cookies: [] };

/** A scheme, and its value or null. */
interface Scheme {
  readonly name: string;
  readonly at: 'header' | 'query' | 'cookie';
  readonly key: string;
  readonly value: string | null;
}

/**
 * Places configured values where the document's schemes want them. A value is found by the name of its
 * header, query parameter or cookie, or by the name of the scheme; every other one becomes a header of each
 * request.
 */
export class Security {
  readonly #schemes = new Map<string, Scheme>();
  readonly #plain: Readonly<Record<string, string>>;

  constructor(root: JsonObject, configured: Readonly<Record<string, string>>) {
    const values = new Map(Object.entries(configured).map(([name, value]) => [name.toLowerCase(), value]));
    const used = new Set<string>();
    const given: Given = {
      header: (name) => values.get(name.toLowerCase()) ?? null,
      take: (name) => {
        used.add(name.toLowerCase());
        return values.get(name.toLowerCase()) ?? null;
      },
    };
    const components = resolveObject(root, root['components']);
    for (const [name, value] of membersOf(components['securitySchemes'])) {
      const scheme = readScheme(name, resolveObject(root, value), given);
      this.#schemes.set(name, scheme);
    }
    this.#plain = Object.fromEntries([...values].filter(([name]) => !used.has(name)));
    for (const name of Object.keys(this.#plain))
      if (!HEADER_NAME.test(name))
        throw invalidArgument(
          `headers.${name}: It is neither the name of a header nor of a security scheme of the document.`,
          'Correct the named field.',
        );
    const schemes = [...this.#schemes.values()].flatMap(({ name, at, value }) =>
      at === 'header' && value !== null ? [[name, value] as const] : [],
    );
    expectHeaders({ ...this.#plain, ...Object.fromEntries(schemes) }, 'headers');
  }

  /** Lower-case names of headers that the configuration sets and callers cannot. */
  get headerNames(): ReadonlySet<string> {
    const schemes = [...this.#schemes.values()].filter(({ at, value }) => at === 'header' && value !== null);
    return new Set([...Object.keys(this.#plain), ...schemes.map(({ key }) => key)]);
  }

  /**
   * The first alternative of an operation with all its values.
   * @throws SpillwayError `upstream_credential_missing`
   */
  credentialsFor(alternatives: readonly JsonObject[]): Credentials {
    const named = alternatives.map((alternative) => Object.keys(alternative));
    const fitting = named.filter((names) => names.every((name) => this.#has(name)));
    // An optional credential is sent if it exists.
    const chosen = fitting.find(({ length }) => length > 0) ?? fitting[0];
    if (chosen === undefined && named.length > 0) throw this.#missing(named);
    const schemes = (chosen ?? []).flatMap((name) => this.#schemes.get(name) ?? []);
    const of = (place: Scheme['at']) =>
      schemes.flatMap(({ at, key, value }) =>
        at === place && value !== null ? [[key, value] as const] : [],
      );
    return {
      headers: { ...this.#plain, ...Object.fromEntries(of('header')) },
      query: of('query'),
      cookies: of('cookie'),
    };
  }

  #has(name: string): boolean {
    const value = this.#schemes.get(name)?.value;
    return value !== null && value !== undefined;
  }

  #missing(named: readonly (readonly string[])[]): SpillwayError {
    const options = named.map((names) => names.map((name) => `"${name}"`).join(' and ')).join(', or ');
    const [nearest = []] = named;
    const places = nearest.flatMap((name) => {
      const scheme = this.#has(name) ? undefined : this.#schemes.get(name);
      return scheme === undefined ? [] : [`the ${scheme.at} "${scheme.key}"`];
    });
    const [only, ...others] = new Set(places);
    const where =
      only === undefined
        ? ''
        : others.length === 0
          ? ` It is ${only}.`
          : ` They are ${[only, ...others].join(', ')}.`;
    return new SpillwayError(
      'upstream_credential_missing',
      `The service requires a credential that is not configured: ${options}.${where}`,
    );
  }
}

interface Given {
  /** A header's value, which each request sends. */
  readonly header: (name: string) => string | null;
  /** Any other value: it is sent where its scheme says, and only there. */
  readonly take: (name: string) => string | null;
}

function readScheme(name: string, scheme: JsonObject, { header, take }: Given): Scheme {
  const type = textOf(scheme['type']);
  const key = textOf(scheme['name']);
  const place = textOf(scheme['in']);
  if (type === 'apiKey' && (place === 'query' || place === 'cookie'))
    return { name, at: place, key, value: take(key) ?? take(name) };
  if (type === 'apiKey')
    return { name, at: 'header', key: key.toLowerCase(), value: header(key) ?? take(name) };
  // OAuth and OpenID tokens are bearer tokens that another program has obtained. Certificates are not
  // supported.
  const own = type === 'mutualTLS' ? null : header('authorization');
  const value = own ?? withScheme(take(name), type === 'http' ? textOf(scheme['scheme']) : 'bearer');
  return { name, at: 'header', key: 'authorization', value };
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

/** Whether a text contains one of the values, and the text without them. */
export function withoutCredentials(text: string, { headers, query, cookies }: Credentials): string {
  const values = [
    ...Object.values(headers),
    ...query.map(([, value]) => value),
    ...cookies.map(([, value]) => value),
  ];
  const parts = values
    .flatMap((value) => [value, ...value.split(/[ ;=]/)])
    .filter((value) => value.length >= 8);
  return parts
    .toSorted((a, b) => b.length - a.length)
    .reduce((left, value) => left.replaceAll(value, '[credential]'), text);
}

const HINT = 'Give baseUrl for this upstream.';

interface ServerPlace {
  readonly url: URL;
  /** The document named it, and came from a public address: it may not lead inwards. */
  readonly mustBePublic: boolean;
}

/**
 * The address that paths are appended to: `baseUrl`, or the first of the document's servers with the defaults
 * of its variables.
 * @param documentUrl where the document came from, or null
 * @throws SpillwayError `openapi_invalid`, `url_not_allowed`
 */
export function serverOf(
  servers: JsonValue | undefined,
  { baseUrl, documentUrl }: { readonly baseUrl?: string | undefined; readonly documentUrl: string | null },
): ServerPlace {
  if (baseUrl !== undefined) return { url: httpUrl(baseUrl, undefined, 'baseUrl'), mustBePublic: false };
  const first = isJsonList(servers) ? servers[0] : undefined;
  const stated = isObject(first) ? filled(first) : '/';
  const url = httpUrl(stated, documentUrl ?? undefined, 'The server of the document');
  const source = documentUrl === null ? null : parseUrl(documentUrl);
  const mustBePublic = source !== null && !isPrivateHost(source.hostname);
  if (mustBePublic && isPrivateHost(url.hostname)) throw inward(url);
  return { url, mustBePublic };
}

/** The address in a document, without anything after its path; empty if no request can be made of it. */
export function statedServer(servers: JsonValue | undefined, documentUrl: string | null): string {
  try {
    const { url } = serverOf(servers, { documentUrl });
    return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
  } catch {
    return '';
  }
}

/** @throws SpillwayError `url_not_allowed` where a public name leads to the machine or its network */
export async function checkPlace({ url, mustBePublic }: ServerPlace): Promise<void> {
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

function filled(server: JsonObject): string {
  const variables = isObject(server['variables']) ? server['variables'] : {};
  return textOf(server['url']).replaceAll(/\{([^{}]+)\}/g, (whole, name: string) => {
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

/**
 * Sends a request and follows its redirects: within the origin like browsers, elsewhere only as a GET without
 * credentials, and never into the machine's own network from outside it.
 * @throws SpillwayError `upstream_error`, or the signal's reason
 */
export async function send(
  request: ApiRequest,
  { credentials, signal }: { readonly credentials: Credentials; readonly signal: AbortSignal },
): Promise<Response> {
  const start = request.url;
  let [url, method, body] = [request.url, request.method, request.body];
  let isTrusted = true;
  for (let hops = 0; hops <= REDIRECTS_MAX; hops++) {
    const response = await ask({ ...request, url, method, body }, { credentials, signal, isTrusted });
    const to = response.headers.get('location');
    if (!REDIRECTS.includes(response.status) || to === null) return response;
    await response.body?.cancel();
    const next = parseUrl(to, url.href);
    if (next === null || !/^https?:$/.test(next.protocol) || isInward(start, next))
      throw refused(start, 'to an address that is refused');
    if (response.status === 303 || (response.status < 303 && method === 'POST'))
      [method, body] = [method === 'HEAD' ? 'HEAD' : 'GET', null];
    if (next.origin !== start.origin) {
      if (!BODILESS.includes(method))
        throw refused(start, `a ${method} to ${next.host}, and only a GET is sent to another origin`);
      isTrusted = false;
      await checkPlace({ url: next, mustBePublic: !isPrivateHost(start.hostname) });
    }
    url = next;
  }
  throw refused(start, `more than ${REDIRECTS_MAX} times`);
}

/** Whether an address inside the machine or its network is reached from outside. */
const isInward = (from: URL, to: URL): boolean => !isPrivateHost(from.hostname) && isPrivateHost(to.hostname);

const refused = (from: URL, how: string): SpillwayError =>
  new SpillwayError('upstream_error', `${from.host} redirects ${how}.`, { retryable: false });

interface Asking {
  readonly credentials: Credentials;
  readonly signal: AbortSignal;
  readonly isTrusted: boolean;
}

async function ask(request: ApiRequest, { credentials, signal, isTrusted }: Asking): Promise<Response> {
  const { method, url, body } = request;
  const cookies = isTrusted ? request.cookies : [];
  const headers = new Headers({
    accept: 'application/json, */*;q=0.8',
    'user-agent': `spillway/${VERSION}`,
    ...(isTrusted ? { ...request.headers, ...credentials.headers } : {}),
    ...(body === null ? {} : { 'content-type': body.contentType }),
  });
  if (cookies.length > 0) headers.append('cookie', cookies.join('; '));
  try {
    return await fetch(url, { method, headers, body: body?.bytes ?? null, redirect: 'manual', signal });
  } catch (thrown) {
    signal.throwIfAborted();
    throw connectionError(thrown, { method, host: url.host, credentials });
  }
}

/** The message may quote the request. */
export function connectionError(
  thrown: unknown,
  {
    method,
    host,
    credentials,
  }: { readonly method: string; readonly host: string; readonly credentials: Credentials },
): SpillwayError {
  const cause = thrown instanceof Error ? (thrown.cause ?? thrown) : thrown;
  const reason = errnoOf(cause) ?? cut(withoutCredentials(messageOf(cause), credentials), CAUSE_UNITS);
  return new SpillwayError('upstream_error', `The connection to ${host} failed: ${reason}.`, {
    retryable: isRepeatable(method),
  });
}
