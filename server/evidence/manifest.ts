import { createHash, createPublicKey, sign, verify, type KeyObject } from 'node:crypto';
import { z } from 'zod';
import type { CleanText } from '../libraries/redaction/clean.ts';
import { EvidencePart } from '../../shared/evidence/oc_evidence_bundle.manifest.ts';
import { parseAs } from '../../shared/base/json-schema.ts';

export const FORMAT = 'spillway-evidence-bundle';
export const FORMAT_VERSION = 1;
export const MANIFEST_NAME = 'manifest.json';

const Sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const IsoTime = z.iso.datetime({ precision: 3 });
const Counts = z.record(z.string(), z.int().min(0));

/** Counts by rule. */
const Redacted = z.strictObject({
  secrets: Counts,
  invisible_characters: z.int().min(0),
  instruction_like: z.int().min(0),
});

const BundlePart = z.strictObject({
  part: EvidencePart,
  /** Name of the archive's member. */
  name: z.string().regex(/^[a-z][a-z0-9-]*(?:\.[a-z0-9]+){1,2}$/),
  type: z.string().max(100),
  size_bytes: z.int().min(0),
  sha256: Sha256,
  /** When its capture began, and how long it took. */
  captured_at: IsoTime,
  took_ms: z.int().min(0),
  /** Null if no redactor can read it: a picture. */
  redacted: Redacted.nullable(),
  notes: z.array(z.string()),
});
export type BundlePart = z.infer<typeof BundlePart>;

const FailedPart = z.strictObject({
  part: EvidencePart,
  code: z.string().max(100),
  message: z.string(),
  /** The next step. */
  hint: z.string(),
  failed_at: IsoTime,
});
export type FailedPart = z.infer<typeof FailedPart>;

/** `manifest.json`, the last member of a bundle. */
export const Manifest = z.strictObject({
  format: z.literal(FORMAT),
  format_version: z.literal(FORMAT_VERSION),
  created_at: IsoTime,
  tab: z.string(),
  /** Redacted. */
  url: z.string(),
  title: z.string(),
  /** In the caller's words, redacted; null if not given. */
  captured_by: z.string().nullable(),
  case_reference: z.string().nullable(),
  /** Null if not requested. */
  reload: z
    .strictObject({
      at: IsoTime,
      status: z.int().nullable(),
      redirects: z.int(),
      error: z.string().nullable(),
    })
    .nullable(),
  versions: z.strictObject({
    server: z.string(),
    extension: z.string(),
    host: z.string(),
    browser: z.string(),
    wire: z.int(),
  }),
  /** In the order of their capture, which is the archive's. */
  parts: z.array(BundlePart).min(1),
  failed: z.array(FailedPart),
  /** Of all parts together; `enabled: false` with `--no-sanitize-content`. */
  redaction: Redacted.extend({ enabled: z.boolean(), not_redacted: z.array(z.string()) }),
  /** {@link hashOfParts} */
  parts_sha256: Sha256,
});
export type Manifest = z.infer<typeof Manifest>;

/** A manifest in which the texts from the page and from failures are clean. */
export type CleanManifest = Manifest & {
  readonly url: CleanText;
  readonly title: CleanText;
  readonly captured_by: CleanText | null;
  readonly case_reference: CleanText | null;
  readonly reload: { readonly error: CleanText | null } | null;
  readonly parts: { readonly notes: CleanText[] }[];
  readonly failed: { readonly message: CleanText }[];
};

/**
 * One hash over the part hashes: SHA-256 of the text that `sha256sum` prints for the parts in order: one line
 * each of hash, two spaces, name and line feed.
 */
export function hashOfParts(parts: readonly { readonly sha256: string; readonly name: string }[]): string {
  const hash = createHash('sha256');
  for (const { sha256, name } of parts) hash.update(`${sha256}  ${name}\n`);
  return hash.digest('hex');
}

/** The member after the manifest that signs it. */
export const SIGNATURE_NAME = 'signature.json';

const DIGESTS = { ed25519: null, 'ecdsa-sha256': 'sha256', 'rsa-sha256': 'sha256' } as const;
const Algorithm = z.enum(['ed25519', 'ecdsa-sha256', 'rsa-sha256']);
type Algorithm = z.infer<typeof Algorithm>;

const ALGORITHMS: ReadonlyMap<string | undefined, Algorithm> = new Map([
  ['ed25519', 'ed25519'],
  ['ec', 'ecdsa-sha256'],
  ['rsa', 'rsa-sha256'],
]);
const RSA_BITS_MIN = 2_048;

const Signature = z.strictObject({
  format: z.literal('spillway-evidence-signature'),
  format_version: z.literal(1),
  signed: z.literal(MANIFEST_NAME),
  algorithm: Algorithm,
  signature: z.base64(),
  /** PEM. */
  public_key: z.string().max(16_384),
});
type Signature = z.infer<typeof Signature>;

/** The signer of a bundle: a key, never a person. */
export interface Signer {
  readonly algorithm: Algorithm;
  /** SHA-256 of the public key in DER (SubjectPublicKeyInfo). */
  readonly key_sha256: string;
  /** Whether it is the expected key; null if none was given. */
  readonly is_expected: boolean | null;
}

/** The signature algorithm of a key; null for a key that cannot sign. */
export function algorithmOf(key: KeyObject): Algorithm | null {
  if (key.asymmetricKeyType === 'rsa' && (key.asymmetricKeyDetails?.modulusLength ?? 0) < RSA_BITS_MIN)
    return null;
  return ALGORITHMS.get(key.asymmetricKeyType) ?? null;
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

/**
 * Checks a signature offline: that its own key made it over the manifest, and that the key is the expected one.
 * @param expected null accepts any key
 */
export function checkSignature(
  bytes: Uint8Array | null,
  manifest: Uint8Array,
  expected: KeyObject | null,
): { readonly signer: Signer | null; readonly problems: readonly string[] } {
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
  // In Node 20, `equals` of keys of two types leaves an error behind, and reading the next key fails.
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

/** The member after the manifest with its time-stamp token. */
export const TOKEN_NAME = 'timestamp.tst';
/** No token comes close to it; a larger one is not read. */
export const TOKEN_MAX_BYTES = 64 * 1_024;
