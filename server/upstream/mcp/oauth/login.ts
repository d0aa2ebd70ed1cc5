import { randomBytes } from 'node:crypto';
import {
  auth,
  discoverOAuthServerInfo,
  selectResourceURL,
  extractWWWAuthenticateParams,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
} from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { OAuthClientInformationMixed, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';
import { abortable, waitAtMost } from '../../../../shared/async/wait.ts';
import { SpillwayError } from '../../../../shared/errors.ts';
import { VERSION } from '../../../../shared/version.ts';
import { fillVariables, type RemoteEntry } from '../../config.ts';
import { reasonOf } from '../failures.ts';
import { transportOf } from '../remote.ts';
import { listenForCallback, type Callback } from './callback.ts';
import { oauthOf, type OAuthClient, isPrivate, safeFetch } from './client.ts';
import {
  readRecord,
  withRecord,
  writeRecord,
  type SignInKey,
  type SignInRecord,
  removeRecord,
} from './record.ts';
import type { Challenge } from './session.ts';
import { datedTokens, joinScopes } from './stored-session.ts';

/** What a sign-in has come to, in memory until its end. */
interface Signing {
  registered?: OAuthClientInformationMixed | undefined;
  discovery?: OAuthDiscoveryState;
  verifier?: string;
  address?: URL;
  received?: OAuthTokens;
}

function loginProvider(
  signing: Signing,
  of: { readonly client: OAuthClient; readonly state: string; readonly redirectUrl: string },
): OAuthClientProvider {
  const { client, state, redirectUrl } = of;
  return {
    redirectUrl,
    clientMetadata: {
      client_name: 'Spillway',
      redirect_uris: [redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
    ...(client.metadataUrl === undefined ? {} : { clientMetadataUrl: client.metadataUrl }),
    state: () => state,
    clientInformation: () => signing.registered,
    // In the place of a client of the entry none is registered.
    ...(client.information === undefined
      ? { saveClientInformation: (made: OAuthClientInformationMixed) => void (signing.registered = made) }
      : {}),
    // A person signs in again, whatever there was.
    tokens: () => undefined,
    saveTokens: (tokens) => void (signing.received = tokens),
    redirectToAuthorization: (address) => void (signing.address = address),
    saveCodeVerifier: (verifier) => void (signing.verifier = verifier),
    codeVerifier: () => signing.verifier ?? '',
    saveDiscoveryState: (discovery) => void (signing.discovery = discovery),
    discoveryState: () => signing.discovery,
  };
}

const PROBE_MS = 20_000;
const CLOSE_MS = 1_000;

interface Probe {
  /** The distinct id. */
  readonly id: string;
  readonly entry: RemoteEntry;
  readonly environment: NodeJS.ProcessEnv;
  /** Ends the wait. */
  readonly signal: AbortSignal;
}

/** Throws a failure of a sign-in, in words of ours. */
const failed =
  (id: string, signal: AbortSignal, hint = 'Run `spillway upstream list` to see how it is.') =>
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
 * What the upstream says to a client that has not signed in; null where it refuses nothing. Some let a client in, and
 * refuse it the list of tools.
 */
async function challengeOf(options: Probe): Promise<Challenge | null> {
  const { entry, id, environment, signal } = options;
  const headers = { ...fillVariables(entry.headers, { where: `upstream ${id}: headers`, environment }) };
  const seen: { challenge: Challenge | null } = { challenge: null };
  const watching: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    if (response.status === 401) seen.challenge ??= extractWWWAuthenticateParams(response);
    return response;
  };
  const client = new Client({ name: 'spillway', version: VERSION });
  try {
    await client.connect(transportOf(entry, { headers, fetch: watching }), { timeout: PROBE_MS, signal });
    await client.listTools({}, { timeout: PROBE_MS, signal });
  } catch (thrown) {
    if (seen.challenge === null) failed(id, signal)(thrown);
  } finally {
    await waitAtMost(
      client.close().catch(() => undefined),
      CLOSE_MS,
    );
  }
  return seen.challenge;
}

const OFFLINE = 'offline_access';
const KEEP_MS = 45_000;
const NO_CLIENT =
  'Where its service registers no clients by itself, register one there and set oauth.clientId of its entry.';

/** A sign-in of a person to an upstream. */
export interface LoginOptions extends Probe {
  readonly home: string;
  /** Shows the address of the sign-in to a person. `paste` takes the address at which their browser ended, if that is on another machine. */
  readonly show: (address: URL, paste: Callback['take']) => void;
}

export interface SignedIn {
  readonly server: string;
  readonly scope: string | null;
}

/**
 * Signs a person in to an upstream (OAuth 2.1 with PKCE, as the MCP specification of 2025-11-25 asks for), and keeps the
 * tokens in the home.
 *
 * @throws SpillwayError `upstream_error` where the upstream asks for no sign-in, or it fails; the signal's reason
 */
export async function login(options: LoginOptions): Promise<SignedIn> {
  const { home, id, entry, environment, signal } = options;
  const key = { home, id, url: entry.url };
  const client = oauthOf(entry, { id, environment });
  const before = readRecord(key);
  const challenge = await challengeOf(options);
  const service = await discover(options, challenge);
  const isKnown = service.resourceMetadata !== undefined || service.authorizationServerMetadata !== undefined;
  // One that asks for a sign-in in calls alone says so of itself.
  if (challenge === null && before?.wanted_scope === undefined && !isKnown)
    throw new SpillwayError('upstream_error', `The upstream ${id} asks for no sign-in.`, {
      hint: 'Run `spillway upstream list` to see how it is.',
    });
  const state = randomBytes(16).toString('base64url');
  const callback = await listenForCallback({ id, state, port: client.redirectPort });
  try {
    const signing: Signing = { registered: client.information, discovery: service };
    const provider = loginProvider(signing, { client, state, redirectUrl: callback.url });
    const scope = client.scope ?? scopeOf({ challenge, service, before });
    const how = {
      serverUrl: entry.url,
      fetchFn: safeFetch(entry.url, signal),
      ...(scope === undefined ? {} : { scope }),
    };
    await auth(provider, how).catch(failed(id, signal, NO_CLIENT));
    const { address } = signing;
    if (address === undefined || !isPrivate(address, entry.url))
      throw new SpillwayError(
        'upstream_error',
        `The upstream ${id} signs people in at ${address?.origin ?? 'no address'}, which is not https.`,
      );
    callback.expect(service.authorizationServerMetadata ?? {});
    options.show(address, callback.take);
    const authorizationCode = await abortable(callback.code, signal);
    await auth(provider, { ...how, authorizationCode }).catch(failed(id, signal, NO_CLIENT));
    return await keep(key, provider, signing);
  } finally {
    await callback.close();
  }
}

type Service = Awaited<ReturnType<typeof discoverOAuthServerInfo>>;

function discover({ id, entry: { url }, signal }: Probe, challenge: Challenge | null): Promise<Service> {
  const { resourceMetadataUrl } = challenge ?? {};
  return discoverOAuthServerInfo(url, {
    ...(resourceMetadataUrl === undefined ? {} : { resourceMetadataUrl }),
    fetchFn: safeFetch(url, signal),
  }).catch(failed(id, signal));
}

/**
 * What is asked for: what the upstream names, and after a call that needed more also what there was. Without
 * `offline_access` some services give no token that can be renewed.
 */
function scopeOf(of: {
  readonly challenge: Challenge | null;
  readonly service: Service;
  readonly before: SignInRecord | null;
}): string | undefined {
  const { challenge, service, before } = of;
  const { resourceMetadata, authorizationServerMetadata } = service;
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
  if (received === undefined || discovery === undefined || registered === undefined)
    throw new SpillwayError('upstream_error', `The upstream ${key.id} gave no token.`);
  const { authorizationServerUrl: server, authorizationServerMetadata, resourceMetadata } = discovery;
  const resource = await selectResourceURL(key.url, provider, resourceMetadata);
  const record: SignInRecord = {
    version: 1,
    url: key.url,
    tokens: datedTokens(received),
    server,
    client: registered,
    ...(authorizationServerMetadata === undefined ? {} : { metadata: authorizationServerMetadata }),
    // As it is written: a service may compare it so.
    ...(resource === undefined || resourceMetadata === undefined
      ? {}
      : { resource: resourceMetadata.resource }),
  };
  await withRecord(key, AbortSignal.timeout(KEEP_MS), () => writeRecord(key, record));
  return { server: new URL(server).origin, scope: received.scope ?? null };
}

/**
 * Forgets the sign-in to an upstream, and tells its service. Resolves to whether there was one, and whether the service
 * has taken the tokens back; null where it offers no way to say so.
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
  const facts: Readonly<Record<string, unknown>> = metadata ?? {};
  const endpoint = facts['revocation_endpoint'];
  if (tokens === null || client === undefined) return { wasSignedIn: false, isRevoked: null };
  if (typeof endpoint !== 'string') return { wasSignedIn: true, isRevoked: null };
  const { client_id: clientId, client_secret: secret } = client;
  const body = new URLSearchParams({
    token: tokens.refresh_token ?? tokens.access_token,
    client_id: clientId,
    ...(secret === undefined ? {} : { client_secret: secret }),
  });
  const isRevoked = await safeFetch(key.url, signal)(endpoint, { method: 'POST', body }).then(
    ({ ok }) => ok,
    () => false,
  );
  return { wasSignedIn: true, isRevoked };
}
