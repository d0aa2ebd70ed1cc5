import type { RemoteEntry } from '../../config.ts';
import { oauthOf } from './client.ts';
import type { SignInKey } from './record.ts';
import type { OAuthSession } from './session.ts';

/** The tokens of an entry; null for one that has an authorization header of its own. */
export async function openSession(
  entry: RemoteEntry,
  { home, id, environment }: Omit<SignInKey, 'url'> & { readonly environment: NodeJS.ProcessEnv },
): Promise<OAuthSession | null> {
  const { url, headers, oauth } = entry;
  if (Object.keys(headers).some((name) => name.toLowerCase() === 'authorization')) return null;
  if (oauth?.grant !== 'client_credentials') {
    const { StoredSession } = await import('./stored-session.ts');
    return new StoredSession({ home, id, url });
  }
  const { ClientCredentialsSession } = await import('./client-credentials.ts');
  return new ClientCredentialsSession({ id, url, client: oauthOf(entry, { id, environment }) });
}
