import type { KnownSecret } from '../../../core/services.ts';
import { SpillwayError } from '../../../../shared/errors.ts';
import { extractWWWAuthenticateParams } from '@modelcontextprotocol/sdk/client/auth.js';

/** What a refusal of an upstream says (RFC 6750, RFC 9728). */
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
   * A token in place of one that was refused.
   *
   * @param refused null where none was sent
   * @throws SpillwayError `upstream_sign_in_required` where a person has to sign in, what the network throws
   */
  renew(refused: string | null, challenge: Challenge, signal: AbortSignal): Promise<string>;
  /** Says that a call needs more than the token allows, and keeps what. Resolves with the failure of the call. */
  wants(scope: string | undefined): Promise<SpillwayError>;
  /** What may not be seen of it now. */
  secrets(): readonly KnownSecret[];
  /** Calls back when a person has signed in or out, until the signal aborts. */
  onChange(listener: () => void, signal: AbortSignal): void;
}

/** @param why what happened, as the end of "The upstream x …" */
export const signInRequired = (id: string, why: string): SpillwayError =>
  new SpillwayError(
    'upstream_sign_in_required',
    `The upstream ${id} ${why} (\`spillway upstream login ${id}\`).`,
    {
      hint: `Ask the person to run \`spillway upstream login ${id}\`; then call again. One that takes a key has it in headers.authorization of its entry instead.`,
    },
  );

const NEVER = new AbortController().signal;

/**
 * `fetch` whose requests carry the token of a session. One that is refused is sent once more with a new token.
 *
 * @param onRefused called with each failure that only a person can mend: the SDK hides some of them
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
