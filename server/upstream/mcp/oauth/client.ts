import { isIP } from 'node:net';
import { anySignal } from '../../../../shared/async/abort.ts';
import { SpillwayError } from '../../../../shared/errors.ts';
import type { OAuthClientInformationMixed } from '@modelcontextprotocol/sdk/shared/auth.js';
import { fillVariables, type RemoteEntry } from '../../config.ts';

const ANSWER_MAX_BYTES = 1_024 * 1_024;
const ANSWER_MS = 20_000;

/** This machine itself: what goes there passes no network. */
function isLoopback(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '');
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

/**
 * Whether credentials may go to an address: by https, on this machine, or to where the entry itself sends them in the
 * clear.
 */
export function isPrivate(url: URL, upstream: string): boolean {
  if (url.protocol === 'https:') return true;
  return url.protocol === 'http:' && (isLoopback(url.hostname) || url.origin === new URL(upstream).origin);
}

/**
 * `fetch` for metadata and tokens: addresses come from the upstream, which may name any.
 *
 * @throws SpillwayError `upstream_error` for an address in the clear, and for an answer that is too large
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
  const { body, status, statusText, headers } = response;
  if (body === null) return response;
  const read: AsyncIterable<Uint8Array> = body;
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of read) {
    length += chunk.length;
    if (length > ANSWER_MAX_BYTES)
      throw new SpillwayError('upstream_error', `${origin} answered more than 1 MiB about the sign-in.`);
    chunks.push(chunk);
  }
  return new Response(Buffer.concat(chunks), { status, statusText, headers });
}

export interface OAuthClient {
  /** Of the entry; undefined: one is registered at each sign-in. */
  readonly information: OAuthClientInformationMixed | undefined;
  readonly metadataUrl: string | undefined;
  readonly scope: string | undefined;
  readonly redirectPort: number;
}

/** @throws SpillwayError `invalid_argument` for a variable that is not set */
export function oauthOf(
  { oauth }: RemoteEntry,
  { id, environment }: { readonly id: string; readonly environment: NodeJS.ProcessEnv },
): OAuthClient {
  const { clientId, clientSecret, issuer, clientMetadataUrl, scope, redirectPort = 0 } = oauth ?? {};
  const { clientSecret: secret } = fillVariables(clientSecret === undefined ? {} : { clientSecret }, {
    where: `upstream ${id}: oauth`,
    environment,
  });
  return {
    information:
      clientId === undefined
        ? undefined
        : {
            client_id: clientId,
            ...(secret === undefined ? {} : { client_secret: secret }),
            ...(issuer === undefined ? {} : { issuer }),
          },
    metadataUrl: clientMetadataUrl,
    scope,
    redirectPort,
  };
}
