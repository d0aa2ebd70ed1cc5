import { lookup } from 'node:dns/promises';
import { cutUrl, cut } from '../../../shared/cut.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import { isJsonList, isObject, type JsonObject, type JsonValue } from '../../../shared/json.ts';
import { isPrivateHost, isPrivateIp } from '../../../shared/private-address.ts';
import { parseUrl } from '../../toolkit/urls.ts';
import { resolveObject, textOf } from './operations.ts';
import { messageOf } from '../../../shared/message-of.ts';
import { VERSION } from '../../../shared/version.ts';
import { errnoOf } from '../../machine/errno.ts';
import type { ApiRequest } from './request.ts';
import { withoutCredentials, type Credentials } from './security.ts';

const HINT = 'Give baseUrl for this upstream.';

interface ServerPlace {
  readonly url: URL;
  /** The document named it, and came from a public address: it may not lead inwards. */
  readonly mustBePublic: boolean;
}

/**
 * The address that paths are appended to: `baseUrl`, or the first of the document's servers with the defaults of
 * its variables.
 *
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

/** The address that a document states, without what follows its path; empty where no request can be made of it. */
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

/** Methods that may be sent again after a failure that says nothing of what was done (RFC 9110, 9.2.2). */
export const isRepeatable = (method: string): boolean => !['POST', 'PATCH'].includes(method);

/**
 * Sends a request and follows its redirects: within the origin as browsers do, elsewhere only as a GET, without
 * credentials, and never into the machine's own network from outside of it.
 *
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

/** Whether an address of the machine or its network is reached from one that is not. */
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

/** What failed below fetch. Its message may quote what was sent. */
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
