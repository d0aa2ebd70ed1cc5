import { readStart } from '../../../core/file-stream.ts';
import type { KnownSecret } from '../../../core/services.ts';
import { SpillwayError } from '../../../../shared/base/errors.ts';
import { extractWWWAuthenticateParams } from '@modelcontextprotocol/sdk/client/auth.js';
import { isIP } from 'node:net';
import { anySignal } from '../../../../shared/base/async.ts';
import type { OAuthClientInformationMixed } from '@modelcontextprotocol/sdk/shared/auth.js';
import { fillVariables, type RemoteEntry } from '../../config.ts';
import { defined } from '../../../../shared/base/json.ts';

export interface Challenge {
  readonly scope?: string | undefined;
  readonly error?: string | undefined;
  readonly resourceMetadataUrl?: URL | undefined;
}

/** The tokens of one upstream. */
export interface OAuthSession {
  /** The access token that requests carry; null before there is one. */
  token(signal: AbortSignal): Promise<string | null>;
  /**
   * A token to replace a refused one.
   * @param refused null if none was sent
   * @throws SpillwayError `upstream_sign_in_required` if a person has to sign in, the network's error
   */
  renew(refused: string | null, challenge: Challenge, signal: AbortSignal): Promise<string>;
  /** Records that a call needs more than the token allows, and what. Resolves with the failure of the call. */
  wants(scope: string | undefined): Promise<SpillwayError>;
  secrets(): readonly KnownSecret[];
  /** Calls back when a person has signed in or out, until the signal aborts. Absent if the entry has everything. */
  onChange?(listener: () => void, signal: AbortSignal): void;
}

/** @param why what happened, as the end of "The upstream x …" */
export const signInRequired = (id: string, why: string): SpillwayError =>
  new SpillwayError(
    'upstream_sign_in_required',
    `The upstream ${id} ${why} (\`spillway upstream login ${id}\`).`,
    {
      hint: `Ask the person to run \`spillway upstream login ${id}\`; then call again. If it takes a key instead, put the key in headers.authorization of its entry.`,
    },
  );

const NEVER = new AbortController().signal;

/**
 * `fetch` whose requests carry a session's token. After a refusal, the request is repeated once with a new
 * token.
 * @param onRefused called with each failure that only a person can fix: the SDK hides some of them
 */
export function fetchSignedIn(
  session: OAuthSession,
  { send, onRefused }: { readonly send: typeof fetch; readonly onRefused: (failure: unknown) => void },
): typeof fetch {
  const refused = (failure: unknown): never => {
    onRefused(failure);
    throw failure;
  };
  return async (input, init) => {
    const signal = init?.signal ?? NEVER;
    const sendWith = async (token: string | null): Promise<Response> => {
      if (token === null) return send(input, init);
      const headers = new Headers(init?.headers);
      headers.set('authorization', `Bearer ${token}`);
      return send(input, { ...init, headers });
    };
    const token = await session.token(signal).catch(refused);
    const first = await sendWith(token);
    if (first.status === 401) {
      const challenge = extractWWWAuthenticateParams(first);
      await first.body?.cancel();
      return sendWith(await session.renew(token, challenge, signal).catch(refused));
    }
    if (first.status !== 403) return first;
    const { error, scope } = extractWWWAuthenticateParams(first);
    if (error !== 'insufficient_scope') return first;
    await first.body?.cancel();
    return refused(await session.wants(scope));
  };
}

const ANSWER_MAX_BYTES = 1_024 * 1_024;
const ANSWER_MS = 20_000;

/** This machine itself: requests to it pass no network. */
function isLoopback(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '');
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

/**
 * Whether credentials may go to an address: by https, on this machine, or where the entry itself sends them
 * unencrypted.
 */
export function isPrivate(url: URL, upstream: string): boolean {
  if (url.protocol === 'https:') return true;
  return url.protocol === 'http:' && (isLoopback(url.hostname) || url.origin === new URL(upstream).origin);
}

/**
 * `fetch` for metadata and tokens: addresses come from the upstream, which may name any.
 * @throws SpillwayError `upstream_error` for an unencrypted address, and for an answer that is too large
 */
export function safeFetch(upstream: string, signal: AbortSignal): typeof fetch {
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    if (!isPrivate(url, upstream))
      throw new SpillwayError(
        'upstream_error',
        `The sign-in leads to ${url.origin}, which is not https: no credentials are sent there.`,
      );
    const until = anySignal([signal, AbortSignal.timeout(ANSWER_MS)]);
    try {
      return await whole(await fetch(input, { ...init, signal: until.signal }), url);
    } finally {
      until.release();
    }
  };
}

async function whole(response: Response, { origin }: URL): Promise<Response> {
  const { body } = response;
  if (body === null) return response;
  const { bytes, isWhole } = await readStart(body, ANSWER_MAX_BYTES);
  if (isWhole) return new Response(new Uint8Array(bytes), response);
  throw new SpillwayError('upstream_error', `${origin} answered more than 1 MiB about the sign-in.`);
}

export type OAuthClient = ReturnType<typeof oauthOf>;

/**
 * The client of an entry; without `information`, one is registered at each sign-in.
 * @throws SpillwayError `invalid_argument` for a variable that is not set
 */
export function oauthOf({ oauth }: RemoteEntry, id: string) {
  const { clientId, clientSecret, issuer, clientMetadataUrl, scope, redirectPort = 0 } = oauth ?? {};
  const written = clientSecret === undefined ? {} : { clientSecret };
  const filled = fillVariables(written, `upstream ${id}: oauth`);
  const information: OAuthClientInformationMixed | undefined =
    clientId === undefined
      ? undefined
      : { client_id: clientId, ...defined({ client_secret: filled['clientSecret'], issuer }) };
  return { information, metadataUrl: clientMetadataUrl, scope, redirectPort };
}
