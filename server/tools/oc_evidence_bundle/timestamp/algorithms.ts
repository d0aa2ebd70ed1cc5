import { constants, createHash, verify, type KeyObject } from 'node:crypto';

/** What `node:crypto` calls the hash functions that a signature is trusted with. */
export type Digest = 'sha256' | 'sha384' | 'sha512';

export const SHA256_OID = '2.16.840.1.101.3.4.2.1';

const DIGESTS: Readonly<Record<string, Digest>> = {
  [SHA256_OID]: 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
};

/** The hash function of an object identifier; null for one that is not known or too weak. */
export const digestOf = (oid: string): Digest | null => DIGESTS[oid] ?? null;

export const hashWith = (digest: Digest | 'sha1', bytes: Uint8Array): Buffer =>
  createHash(digest).update(bytes).digest();

interface Scheme {
  readonly keyTypes: readonly string[];
  /** Where the identifier names it; else the one that goes with the signature. */
  readonly digest: Digest | null;
}

const rsa = (digest: Digest | null): Scheme => ({ keyTypes: ['rsa'], digest });
const ecdsa = (digest: Digest | null): Scheme => ({ keyTypes: ['ec'], digest });

const PSS = '1.2.840.113549.1.1.10';

/** Signatures by object identifier (RFC 3370, RFC 5754, RFC 4056, RFC 8419). */
const SCHEMES: Readonly<Record<string, Scheme>> = {
  '1.2.840.113549.1.1.1': rsa(null),
  '1.2.840.113549.1.1.11': rsa('sha256'),
  '1.2.840.113549.1.1.12': rsa('sha384'),
  '1.2.840.113549.1.1.13': rsa('sha512'),
  [PSS]: { keyTypes: ['rsa', 'rsa-pss'], digest: null },
  '1.2.840.10045.2.1': ecdsa(null),
  '1.2.840.10045.4.3.2': ecdsa('sha256'),
  '1.2.840.10045.4.3.3': ecdsa('sha384'),
  '1.2.840.10045.4.3.4': ecdsa('sha512'),
  '1.3.101.112': { keyTypes: ['ed25519'], digest: null },
};

const RSA_BITS_MIN = 2_048;

/** Whether a signature of this kind by this key is trusted: not with SHA-1 or MD5, or a short key. */
export function isStrong(signatureAlgorithm: string, key: KeyObject): boolean {
  const { modulusLength = Infinity } = key.asymmetricKeyDetails ?? {};
  const keyTypes = SCHEMES[signatureAlgorithm]?.keyTypes ?? [];
  return keyTypes.includes(key.asymmetricKeyType ?? '') && modulusLength >= RSA_BITS_MIN;
}

interface Signed {
  readonly signatureAlgorithm: string;
  readonly digest: Digest;
  readonly key: KeyObject;
  readonly bytes: Buffer;
  readonly signature: Buffer;
}

/** Whether a key made a signature of a kind that {@link isStrong}; else false. */
export function isSignedBy({ signatureAlgorithm, digest, key, bytes, signature }: Signed): boolean {
  const scheme = SCHEMES[signatureAlgorithm];
  if (scheme === undefined || !isStrong(signatureAlgorithm, key)) return false;
  if (key.asymmetricKeyType === 'ed25519') return verify(null, bytes, key, signature);
  // OpenSSL reads the length of the salt from the signature.
  const padding = signatureAlgorithm === PSS ? { padding: constants.RSA_PKCS1_PSS_PADDING } : {};
  return verify(scheme.digest ?? digest, bytes, { key, ...padding }, signature);
}
