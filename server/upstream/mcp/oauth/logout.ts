import { readRecord, removeRecord, withRecord, type SignInKey } from './record.ts';
import { safeFetch } from './safe-fetch.ts';

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
