import { createHash, type KeyObject } from 'node:crypto';
import { SpillwayError } from '../../../shared/errors.ts';
import type { ShortMember } from './archive.ts';
import type { CleanManifest } from './compose.ts';
import { MANIFEST_NAME } from './manifest.ts';
import { SIGNATURE_NAME, signManifest } from './signature.ts';
import { TOKEN_NAME } from './timestamp/names.ts';
import type { TimeStamp } from './timestamp/token.ts';

/** What became of a request for a time stamp. */
export type Stamping = { readonly stamp: TimeStamp } | { readonly error: SpillwayError };

export interface Attaching {
  readonly manifest: CleanManifest;
  /** Signs the manifest. */
  readonly signingKey: KeyObject | null;
  /** Address of the authority that stamps the manifest. */
  readonly timestampUrl: string | undefined;
  readonly signal: AbortSignal;
  readonly onStamping: (stamping: Stamping) => void;
}

/**
 * The last members of a bundle: the manifest, and what shows who made it and when. Nothing that a time-stamp
 * authority does or fails to do loses the bundle.
 *
 * @throws the signal's reason
 */
export async function* lastMembers(options: Attaching): AsyncGenerator<ShortMember, void> {
  const { manifest, signingKey, timestampUrl: url, signal, onStamping } = options;
  const bytes = Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`, 'utf8');
  yield { name: MANIFEST_NAME, bytes };
  if (signingKey !== null)
    yield { name: SIGNATURE_NAME, bytes: Buffer.from(signManifest(bytes, signingKey), 'utf8') };
  if (url === undefined) return;
  // What parses ASN.1 takes a while to load, and most servers never stamp.
  const { requestStamp } = await import('./timestamp/request.ts');
  try {
    const digest = createHash('sha256').update(bytes).digest();
    const { token, stamp } = await requestStamp({ url, digest, signal });
    onStamping({ stamp });
    yield { name: TOKEN_NAME, bytes: token };
  } catch (thrown) {
    if (!(thrown instanceof SpillwayError) || thrown.code !== 'timestamp_failed') throw thrown;
    onStamping({ error: thrown });
  }
}
