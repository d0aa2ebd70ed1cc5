import { createHash, createPublicKey, sign, verify, type KeyObject } from 'node:crypto';
import { z } from 'zod';
import { parseAs } from '../../../shared/json-schema.ts';
import { MANIFEST_NAME } from './manifest.ts';

/** The member after the manifest that signs it. */
export const SIGNATURE_NAME = 'signature.json';

/** What `openssl` calls each: the digest that the manifest is signed with, if the algorithm takes one. */
const DIGESTS = { ed25519: null, 'ecdsa-sha256': 'sha256', 'rsa-sha256': 'sha256' } as const;
type Algorithm = keyof typeof DIGESTS;

const ALGORITHMS: Readonly<Record<string, Algorithm>> = {
  ed25519: 'ed25519',
  ec: 'ecdsa-sha256',
  rsa: 'rsa-sha256',
};
const RSA_BITS_MIN = 2_048;

const Signature = z.strictObject({
  format: z.literal('spillway-evidence-signature'),
  format_version: z.literal(1),
  signed: z.literal(MANIFEST_NAME),
  algorithm: z.enum(['ed25519', 'ecdsa-sha256', 'rsa-sha256']),
  /** Of the bytes of the manifest. */
  signature: z.base64(),
  /** PEM. */
  public_key: z.string().max(16_384),
});
type Signature = z.infer<typeof Signature>;

/** Who signed a bundle: a key, never a person. */
export interface Signer {
  readonly algorithm: Algorithm;
  /** SHA-256 of the public key in DER (SubjectPublicKeyInfo). */
  readonly key_sha256: string;
  /** Whether it is the key that the check was given; null when none was given. */
  readonly is_expected: boolean | null;
}

/** How a key signs; null for a key that cannot. */
export function algorithmOf(key: KeyObject): Algorithm | null {
  if (key.asymmetricKeyType === 'rsa' && (key.asymmetricKeyDetails?.modulusLength ?? 0) < RSA_BITS_MIN)
    return null;
  return ALGORITHMS[key.asymmetricKeyType ?? ''] ?? null;
}

/**
 * The text of `signature.json` over the bytes of a manifest.
 * @throws TypeError for a key that {@link algorithmOf} does not know
 */
export function signManifest(manifest: Uint8Array, key: KeyObject): string {
  const algorithm = algorithmOf(key);
  if (algorithm === null) throw new TypeError(`A key of type ${key.asymmetricKeyType} cannot sign.`);
  const signature: Signature = {
    format: 'spillway-evidence-signature',
    format_version: 1,
    signed: MANIFEST_NAME,
    algorithm,
    signature: sign(DIGESTS[algorithm], manifest, key).toString('base64'),
    public_key: createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString(),
  };
  return `${JSON.stringify(signature, null, 2)}\n`;
}

interface Check {
  readonly signature: Uint8Array | null;
  readonly manifest: Uint8Array;
  /** The key that the bundle has to be signed with; null takes any. */
  readonly expected: KeyObject | null;
}

/** Checks a signature offline: that its own key made it over the manifest, and that the key is the expected one. */
export function checkSignature({ signature: bytes, manifest, expected }: Check): {
  readonly signer: Signer | null;
  readonly problems: readonly string[];
} {
  if (bytes === null) return { signer: null, problems: expected === null ? [] : ['it is not signed'] };
  const parsed = parseAs(Signature, Buffer.from(bytes).toString('utf8'));
  const key = parsed === null ? null : publicKeyOf(parsed.public_key);
  if (parsed === null || key === null)
    return { signer: null, problems: [`${SIGNATURE_NAME}: it is not a signature`] };
  const { algorithm } = parsed;
  const isValid =
    algorithmOf(key) === algorithm &&
    verify(DIGESTS[algorithm], manifest, key, Buffer.from(parsed.signature, 'base64'));
  if (!isValid) return { signer: null, problems: [`${SIGNATURE_NAME}: it does not sign ${MANIFEST_NAME}`] };
  const der = derOf(key);
  // `equals` of keys of two types leaves an error behind in Node 20, and the next key that is read fails.
  const isExpected = expected === null ? null : der.equals(derOf(expected));
  return {
    signer: {
      algorithm,
      key_sha256: createHash('sha256').update(der).digest('hex'),
      is_expected: isExpected,
    },
    problems: isExpected === false ? ['it is signed with another key'] : [],
  };
}

const derOf = (key: KeyObject): Buffer => key.export({ type: 'spki', format: 'der' });

/** A public key in PEM; null for anything else. */
export function publicKeyOf(pem: string): KeyObject | null {
  try {
    return pem.includes('PRIVATE KEY') ? null : createPublicKey(pem);
  } catch {
    return null;
  }
}

/** The member after the manifest that holds the time-stamp token over it. */
export const TOKEN_NAME = 'timestamp.tst';
/** No token comes near it; a larger one is not read. */
export const TOKEN_MAX_BYTES = 64 * 1_024;
