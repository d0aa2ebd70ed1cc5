import { extractWWWAuthenticateParams } from '@modelcontextprotocol/sdk/client/auth.js';
import type { OAuthSession } from './session.ts';

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
