import {
  Attribute,
  ContentInfo,
  EncapsulatedContentInfo,
  id_signedData,
  SignerInfo,
} from '@peculiar/asn1-cms';
import { AsnParser } from '@peculiar/asn1-schema';
import { PKIStatusInfo } from '@peculiar/asn1-tsp';
import { AlgorithmIdentifier } from '@peculiar/asn1-x509';
import { Constructed, fromBER, OctetString, Sequence, type BaseBlock } from 'asn1js';
import { constants, createHash, verify, type KeyObject } from 'node:crypto';

/** A token's SignedData (RFC 5652, 5) with its one signer. */
export type SignedToken = ReturnType<typeof parseToken>;

/** An answer of an authority: TimeStampResp (RFC 3161, 2.4.2). @throws Error for anything else */
export function parseReply(bytes: Uint8Array) {
  const [status, token] = childrenOf(readAll(bytes));
  if (status === undefined) throw new Error('It has no status.');
  return {
    status: AsnParser.parse(rawOf(status), PKIStatusInfo),
    token: token === undefined ? null : rawOf(token),
  };
}

const SET_TAG = 0x31;

/**
 * Parses a time-stamp token: ContentInfo, SignedData and one SignerInfo with signed attributes.
 * The libraries encode certificates and attributes again to give their bytes, so anything that is hashed or
 * verified here is cut from the received bytes.
 * @throws Error for anything else
 */
export function parseToken(bytes: Uint8Array) {
  const info = AsnParser.parse(rawOf(readAll(bytes)), ContentInfo);
  if (info.contentType !== id_signedData) throw new Error('It is not signed data.');
  const [, , content, ...others] = childrenOf(readAll(new Uint8Array(info.content)));
  const signers = others.pop();
  if (content === undefined || signers === undefined) throw new Error('It is incomplete.');
  const { eContentType, eContent } = AsnParser.parse(rawOf(content), EncapsulatedContentInfo);
  if (eContent?.single === undefined) throw new Error('It has no content.');
  const certificates = others.find((block) => isTagged(block, 0));
  return {
    contentType: eContentType,
    content: Buffer.from(eContent.single.buffer),
    certificates: certificates === undefined ? [] : childrenOf(certificates).filter(isSequence).map(rawOf),
    signer: parseSigner(childrenOf(signers)),
  };
}

function parseSigner([block, ...more]: readonly BaseBlock[]) {
  if (block === undefined || more.length > 0) throw new Error('It does not have one signer.');
  const { sid, digestAlgorithm, signatureAlgorithm, signature } = AsnParser.parse(rawOf(block), SignerInfo);
  const attributes = childrenOf(block).find((child) => isTagged(child, 0));
  if (attributes === undefined) throw new Error('It has no signed attributes.');
  const signedBytes = rawOf(attributes);
  // In the token they have their own tag; the signature covers them with the tag of a set (RFC 5652, 5.4).
  signedBytes[0] = SET_TAG;
  return {
    id: sid,
    digestAlgorithm: digestAlgorithm.algorithm,
    signatureAlgorithm: signatureAlgorithm.algorithm,
    signature: Buffer.from(signature.buffer),
    attributes: childrenOf(attributes).map((child) => AsnParser.parse(rawOf(child), Attribute)),
    signedBytes,
  };
}

/**
 * Whether an attribute SigningCertificate or SigningCertificateV2 (RFC 5035, 3) names a certificate: the
 * first of its list is the signer's.
 * @param byDefault its hash if the attribute does not say
 * @throws Error for anything else
 */
export function namesCertificate(
  value: Uint8Array,
  certificate: Uint8Array,
  byDefault: Digest | 'sha1',
): boolean {
  const [list] = childrenOf(readAll(value));
  const [first] = list === undefined ? [] : childrenOf(list);
  const fields = first === undefined ? [] : childrenOf(first);
  const [algorithm] = fields;
  const hash = fields.find((field) => field instanceof OctetString);
  if (algorithm === undefined || hash === undefined) return false;
  const digest =
    algorithm === hash
      ? byDefault
      : digestOf(AsnParser.parse(rawOf(algorithm), AlgorithmIdentifier).algorithm);
  return digest !== null && hashWith(digest, certificate).equals(Buffer.from(hash.getValue()));
}

/** The only value in the bytes. */
function readAll(bytes: Uint8Array): BaseBlock {
  const { offset, result } = fromBER(bytes);
  if (offset !== bytes.length) throw new Error('It is not one value of ASN.1.');
  return result;
}

const childrenOf = (block: BaseBlock): readonly BaseBlock[] =>
  block instanceof Constructed ? block.valueBlock.value : [];
const rawOf = (block: BaseBlock): Buffer => Buffer.from(block.valueBeforeDecodeView);
const isSequence = (block: BaseBlock): boolean => block instanceof Sequence;
const isTagged = ({ idBlock }: BaseBlock, tag: number): boolean =>
  idBlock.tagClass === 3 && idBlock.tagNumber === tag;

export type Digest = 'sha256' | 'sha384' | 'sha512';

export const SHA256_OID = '2.16.840.1.101.3.4.2.1';

const DIGESTS: Readonly<Record<string, Digest>> = {
  [SHA256_OID]: 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
};

/** The hash function of an object identifier; null for one that is unknown or too weak. */
export const digestOf = (oid: string): Digest | null => DIGESTS[oid] ?? null;

export const hashWith = (digest: Digest | 'sha1', bytes: Uint8Array): Buffer =>
  createHash(digest).update(bytes).digest();

const PSS = '1.2.840.113549.1.1.10';

/**
 * Signatures by object identifier (RFC 3370, RFC 5754, RFC 4056, RFC 8419): the types of their keys, and the hash
 * function if the identifier names it.
 */
const SCHEMES: Readonly<Record<string, readonly [keyTypes: readonly string[], digest?: Digest]>> = {
  '1.2.840.113549.1.1.1': [['rsa']],
  '1.2.840.113549.1.1.11': [['rsa'], 'sha256'],
  '1.2.840.113549.1.1.12': [['rsa'], 'sha384'],
  '1.2.840.113549.1.1.13': [['rsa'], 'sha512'],
  [PSS]: [['rsa', 'rsa-pss']],
  '1.2.840.10045.2.1': [['ec']],
  '1.2.840.10045.4.3.2': [['ec'], 'sha256'],
  '1.2.840.10045.4.3.3': [['ec'], 'sha384'],
  '1.2.840.10045.4.3.4': [['ec'], 'sha512'],
  '1.3.101.112': [['ed25519']],
};

const RSA_BITS_MIN = 2_048;

/** Whether a signature of this kind by this key is trusted: not with SHA-1 or MD5, or a short key. */
export function isStrong(signatureAlgorithm: string, key: KeyObject): boolean {
  const { modulusLength = Infinity } = key.asymmetricKeyDetails ?? {};
  const [keyTypes = []] = SCHEMES[signatureAlgorithm] ?? [];
  return keyTypes.includes(key.asymmetricKeyType ?? '') && modulusLength >= RSA_BITS_MIN;
}

/** Whether a key made the signature of a token, which passes {@link isStrong}. */
export function isSignedBy(
  key: KeyObject,
  digest: Digest,
  { signatureAlgorithm, signature, signedBytes }: SignedToken['signer'],
): boolean {
  if (key.asymmetricKeyType === 'ed25519') return verify(null, signedBytes, key, signature);
  const [, named = digest] = SCHEMES[signatureAlgorithm] ?? [];
  // OpenSSL reads the length of the salt from the signature.
  const padding = signatureAlgorithm === PSS ? { padding: constants.RSA_PKCS1_PSS_PADDING } : {};
  return verify(named, signedBytes, { key, ...padding }, signature);
}
