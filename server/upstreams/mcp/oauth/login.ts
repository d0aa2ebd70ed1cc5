import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import {
  auth,
  discoverOAuthServerInfo,
  selectResourceURL,
  extractWWWAuthenticateParams,
  type OAuthClientProvider,
} from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/client';
import type { OAuthClientInformationMixed, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';
import { defined } from '../../../../shared/base/json.ts';
import { abortable, waitAtMost, defer } from '../../../../shared/base/async.ts';
import { SpillwayError } from '../../../../shared/base/errors.ts';
import { VERSION } from '../../../../shared/base/version.ts';
import { fillVariables, type RemoteEntry } from '../../config.ts';
import { reasonOf } from '../failures.ts';
import { transportOf, tryFor } from '../intake.ts';
import { oauthOf, type OAuthClient, isPrivate, safeFetch, type Challenge } from './session.ts';
import {
  readRecord,
  withRecord,
  writeRecord,
  type SignInKey,
  type SignInRecord,
  removeRecord,
  dateTokens,
  joinScopes,
} from './sessions.ts';
import { parseUrl } from '../../../../shared/base/private-address.ts';

/** The state of a sign-in, in memory until its end. */
interface Signing {
  registered: OAuthClientInformationMixed | undefined;
  readonly discovery: Service;
  verifier: string;
  address?: URL;
  received?: OAuthTokens;
}

function loginProvider(
  signing: Signing,
  client: OAuthClient,
  state: string,
  redirectUrl: string,
): OAuthClientProvider {
  return {
    redirectUrl,
    clientMetadata: {
      client_name: 'Spillway',
      redirect_uris: [redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
    ...defined({ clientMetadataUrl: client.metadataUrl }),
    state: () => state,
    clientInformation: () => signing.registered,
    // Replaces registration if the entry names a client.
    ...(client.information === undefined
      ? { saveClientInformation: (made: OAuthClientInformationMixed) => void (signing.registered = made) }
      : {}),
    // The person signs in again, whatever was stored.
    tokens: () => undefined,
    saveTokens: (tokens) => void (signing.received = tokens),
    redirectToAuthorization: (address) => void (signing.address = address),
    saveCodeVerifier: (verifier) => void (signing.verifier = verifier),
    codeVerifier: () => signing.verifier,
    discoveryState: () => signing.discovery,
  };
}

const PROBE_MS = 20_000;
const CLOSE_MS = 1_000;

/** Throws a sign-in failure in our words. */
const failed =
  (id: string, signal: AbortSignal, hint = 'Run `spillway upstream list` to see its state.') =>
  (thrown: unknown): never => {
    if (signal.aborted) throw signal.reason;
    if (thrown instanceof SpillwayError) throw thrown;
    throw new SpillwayError(
      'upstream_error',
      `The sign-in to the upstream ${id} failed: ${reasonOf(thrown)}.`,
      { hint, cause: thrown },
    );
  };

/**
 * The upstream's challenge to a client that has not signed in; null if it refuses nothing. Some accept the connection
 * but refuse the list of tools.
 */
async function challengeOf({ entry, id, signal }: LoginOptions): Promise<Challenge | null> {
  const headers = fillVariables(entry.headers, `upstream ${id}: headers`);
  const seen: { challenge: Challenge | null } = { challenge: null };
  const watching: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    if (response.status === 401) seen.challenge ??= extractWWWAuthenticateParams(response);
    return response;
  };
  const client = new Client({ name: 'spillway', version: VERSION }, { versionNegotiation: { mode: 'auto' } });
  try {
    await client.connect(transportOf(entry, { headers, fetch: watching }), { timeout: PROBE_MS, signal });
    await client.listTools({}, { timeout: PROBE_MS, signal });
  } catch (thrown) {
    if (seen.challenge === null) failed(id, signal)(thrown);
  } finally {
    await tryFor(CLOSE_MS, client.close());
  }
  return seen.challenge;
}

const OFFLINE = 'offline_access';
const KEEP_MS = 45_000;
const NO_CLIENT =
  'If its service does not support automatic client registration, register a client there and set oauth.clientId in its entry.';

/** A person's sign-in to an upstream. */
export interface LoginOptions {
  readonly home: string;
  readonly id: string;
  readonly entry: RemoteEntry;
  readonly signal: AbortSignal;
  /**
   * Shows the address of the sign-in to a person. `paste` takes the address at which their browser ended, if
   * that is on another machine.
   */
  readonly show: (address: URL, paste: Callback['take']) => void;
}

export interface SignedIn {
  readonly server: string;
  readonly scope: string | null;
}

/**
 * Signs a person in to an upstream (OAuth 2.1 with PKCE, as the MCP specification of 2025-11-25 requires),
 * and stores the tokens in the home.
 * @throws SpillwayError `upstream_error` if the upstream asks for no sign-in, or it fails; the signal's
 *   reason
 */
export async function login(options: LoginOptions): Promise<SignedIn> {
  const { home, id, entry, signal } = options;
  const key = { home, id, url: entry.url };
  const client = oauthOf(entry, id);
  const before = readRecord(key);
  const challenge = await challengeOf(options);
  const fetchFn = safeFetch(entry.url, signal);
  const resourceMetadataUrl = challenge?.resourceMetadataUrl;
  const service = await discoverOAuthServerInfo(entry.url, {
    ...defined({ resourceMetadataUrl }),
    fetchFn,
  }).catch(failed(id, signal));
  const isKnown = service.resourceMetadata !== undefined || service.authorizationServerMetadata !== undefined;
  // An upstream that asks for a sign-in only in calls has said so.
  if (challenge === null && before?.wanted_scope === undefined && !isKnown)
    throw new SpillwayError('upstream_error', `The upstream ${id} asks for no sign-in.`, {
      hint: 'Run `spillway upstream list` to see its state.',
    });
  const state = randomBytes(16).toString('base64url');
  const callback = await listenForCallback(
    id,
    state,
    client.redirectPort,
    service.authorizationServerMetadata,
  );
  try {
    const signing: Signing = { registered: client.information, discovery: service, verifier: '' };
    const provider = loginProvider(signing, client, state, callback.url);
    const scope = client.scope ?? scopeOf(challenge, service, before);
    const how = { serverUrl: entry.url, fetchFn, ...defined({ scope }) };
    await auth(provider, how).catch(failed(id, signal, NO_CLIENT));
    const { address } = signing;
    if (address === undefined || !isPrivate(address, entry.url))
      throw new SpillwayError(
        'upstream_error',
        `The upstream ${id} signs people in at ${address?.origin ?? 'no address'}, which is not https.`,
      );
    options.show(address, callback.take);
    const authorizationCode = await abortable(callback.code, signal);
    await auth(provider, { ...how, authorizationCode }).catch(failed(id, signal, NO_CLIENT));
    return await keep(key, provider, signing);
  } finally {
    await callback.close();
  }
}

type Service = Awaited<ReturnType<typeof discoverOAuthServerInfo>>;

/**
 * The scopes to request: those that the upstream names, and after a call that needed more also the earlier
 * ones. Without `offline_access` some services give no renewable token.
 */
function scopeOf(
  challenge: Challenge | null,
  { resourceMetadata, authorizationServerMetadata }: Service,
  before: SignInRecord | null,
): string | undefined {
  const named = challenge?.scope ?? resourceMetadata?.scopes_supported?.join(' ');
  const { tokens, wanted_scope: wanted } = before ?? {};
  const more = wanted === undefined ? [] : [tokens?.scope, wanted];
  const isOffered = authorizationServerMetadata?.scopes_supported?.includes(OFFLINE) === true;
  return joinScopes(named, ...more, isOffered ? OFFLINE : undefined);
}

async function keep(
  key: SignInKey,
  provider: OAuthClientProvider,
  { received, discovery, registered }: Signing,
): Promise<SignedIn> {
  if (received === undefined || registered === undefined)
    throw new SpillwayError('upstream_error', `The upstream ${key.id} gave no token.`);
  const { authorizationServerUrl: server, authorizationServerMetadata, resourceMetadata } = discovery;
  const resource = await selectResourceURL(key.url, provider, resourceMetadata);
  const record: SignInRecord = {
    version: 1,
    url: key.url,
    tokens: dateTokens(received),
    server,
    client: registered,
    // The resource is unchanged: a service may compare it literally.
    ...defined({ metadata: authorizationServerMetadata, resource: resource && resourceMetadata?.resource }),
  };
  await withRecord(key, AbortSignal.timeout(KEEP_MS), () => writeRecord(key, record));
  return { server: new URL(server).origin, scope: received.scope ?? null };
}

/**
 * Forgets the sign-in to an upstream, and tells its service. Resolves to whether there was one, and whether
 * the service has revoked the tokens; null if it offers no way to do so.
 */
export async function logout(
  key: SignInKey,
  signal: AbortSignal,
): Promise<{ readonly wasSignedIn: boolean; readonly isRevoked: boolean | null }> {
  const record = await withRecord(key, signal, async () => {
    const found = readRecord(key);
    await removeRecord(key);
    return found;
  });
  const { tokens = null, client, metadata } = record ?? {};
  const { revocation_endpoint: endpoint } = { revocation_endpoint: undefined, ...metadata };
  if (tokens === null || client === undefined) return { wasSignedIn: false, isRevoked: null };
  if (typeof endpoint !== 'string') return { wasSignedIn: true, isRevoked: null };
  const { client_id: clientId, client_secret: secret } = client;
  const body = new URLSearchParams({
    token: tokens.refresh_token ?? tokens.access_token,
    client_id: clientId,
    ...defined({ client_secret: secret }),
  });
  const isRevoked = await safeFetch(key.url, signal)(endpoint, { method: 'POST', body }).then(
    ({ ok }) => ok,
    () => false,
  );
  return { wasSignedIn: true, isRevoked };
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escape = (text: string): string => text.replaceAll(/[&<>"]/g, (found) => ENTITIES[found] ?? '');

interface PageTexts {
  readonly title: string;
  readonly text: string;
}

/** The page where a browser ends after a sign-in. It loads nothing, and runs nothing. */
const plainPage = ({ title, text }: PageTexts): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(title)} – Spillway</title>
<style>
  :root { color-scheme: light dark; }
  body { font: 16px/1.5 system-ui, sans-serif; margin: 0; min-height: 100vh; display: grid; place-items: center; background: Canvas; color: CanvasText; }
  main { max-width: 32rem; padding: 2rem; text-align: center; overflow-wrap: anywhere; }
  h1 { font-size: 1.5rem; margin: 0 0 .5rem; }
  p { margin: 0; opacity: .75; }
</style>
<main><h1>${escape(title)}</h1><p>${escape(text)}</p></main>
`;

const PATH = '/callback';
const PAGE_MS = 1_000;

type Callback = Awaited<ReturnType<typeof listenForCallback>>;

/**
 * Waits on loopback for a browser to return from a sign-in.
 * @param state an answer without it belongs to a different sign-in
 * @param port the port registered with the service; 0: any free one
 * @param service the expected one, by its own statement (RFC 8414): an answer from another is refused
 * @throws SpillwayError `invalid_argument` for a port that is in use
 */
async function listenForCallback(
  id: string,
  state: string,
  port: number,
  service: Service['authorizationServerMetadata'],
) {
  const answer = defer<string>();
  answer.promise.catch(() => undefined);
  const facts: Readonly<Record<string, unknown>> = { ...service };
  const isNamed = facts['authorization_response_iss_parameter_supported'] === true;
  const refuse = (why: string): PageTexts => {
    answer.reject(new SpillwayError('upstream_error', `The sign-in to the upstream ${id} failed: ${why}.`));
    return { title: 'Not signed in', text: `Spillway may not use the upstream “${id}”: ${why}.` };
  };
  /** Null for an address that does not answer this sign-in (RFC 6749, 4.1.2; RFC 9207). */
  const taken = ({ pathname, searchParams: said }: URL): PageTexts | null => {
    if (pathname !== PATH || said.get('state') !== state) return null;
    const [code, from] = [said.get('code'), said.get('iss')];
    if ((isNamed || from !== null) && service !== undefined && from !== service.issuer)
      return refuse('the answer came from a different service');
    if (code === null) {
      const reason = [said.get('error'), said.get('error_description')].filter(Boolean).join(': ');
      return refuse(reason.slice(0, 300) || 'the service gave no code');
    }
    answer.resolve(code);
    return { title: 'Signed in', text: `Spillway may use the upstream “${id}” now. You can close this tab.` };
  };
  const answered: Promise<unknown>[] = [];
  const server = createServer({ headersTimeout: 5_000, requestTimeout: 5_000 }, (request, response) => {
    // Other programs and pages on this machine can reach the port, too.
    const url = parseUrl(request.url ?? '', 'http://127.0.0.1');
    const shown = request.method === 'GET' && url !== null ? taken(url) : null;
    const page = shown ?? { title: 'Nothing to see', text: 'This address takes the answer of one sign-in.' };
    response.writeHead(shown === null ? 404 : 200, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
      connection: 'close',
    });
    answered.push(finished(response.end(plainPage(page))).catch(() => undefined));
  });
  server.listen({ host: '127.0.0.1', port });
  await once(server, 'listening').catch((thrown: unknown) => {
    throw new SpillwayError('invalid_argument', `oauth.redirectPort: The port ${port} is not free.`, {
      cause: thrown,
    });
  });
  const bound = server.address();
  return {
    url: `http://127.0.0.1:${typeof bound === 'object' && bound !== null ? bound.port : 0}${PATH}`,
    /** Rejects with `upstream_error` if the service or the person refuses. */
    code: answer.promise,
    /**
     * Takes an address that a person has copied from a browser on another machine. Returns whether it is an
     * answer.
     */
    take: (address: string): boolean => {
      const url = parseUrl(address);
      return url !== null && taken(url) !== null;
    },
    close: async (): Promise<void> => {
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      // The person sees their page; browsers also open connections that they never use.
      await waitAtMost(Promise.all(answered), PAGE_MS);
      server.closeAllConnections();
      await closed;
    },
  };
}
