import { lookup } from 'node:dns/promises';
import { cutUrl } from '../../../shared/cut.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import { isJsonList, isObject, type JsonObject, type JsonValue } from '../../../shared/json.ts';
import { isPrivateHost, isPrivateIp } from '../../../shared/private-address.ts';
import { parseUrl } from '../../toolkit/urls.ts';
import { resolveObject, textOf } from './refs.ts';

const HINT = 'Give baseUrl for this upstream.';

/** Where requests go. */
export interface ServerPlace {
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
