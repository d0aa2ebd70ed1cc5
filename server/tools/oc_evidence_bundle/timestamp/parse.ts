import {
  Attribute,
  ContentInfo,
  EncapsulatedContentInfo,
  id_signedData,
  SignerInfo,
  type SignerIdentifier,
} from '@peculiar/asn1-cms';
import { AsnParser } from '@peculiar/asn1-schema';
import { PKIStatusInfo } from '@peculiar/asn1-tsp';
import { AlgorithmIdentifier } from '@peculiar/asn1-x509';
import { Constructed, fromBER, OctetString, Sequence, type BaseBlock } from 'asn1js';
import { digestOf, hashWith, type Digest } from './algorithms.ts';

/** A token's SignedData (RFC 5652, 5) with its one signer. */
export interface SignedToken {
  readonly contentType: string;
  readonly content: Buffer;
  /** DER, as they were sent. */
  readonly certificates: readonly Buffer[];
  readonly signer: {
    readonly id: SignerIdentifier;
    readonly digestAlgorithm: string;
    readonly signatureAlgorithm: string;
    readonly signature: Buffer;
    readonly attributes: readonly Attribute[];
    /** The bytes that are signed. */
    readonly signedBytes: Buffer;
  };
}

/** An answer of an authority: TimeStampResp (RFC 3161, 2.4.2). */
export interface Reply {
  readonly status: PKIStatusInfo;
  readonly token: Buffer | null;
}

/** @throws Error for anything else */
export function parseReply(bytes: Uint8Array): Reply {
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
 *
 * The libraries encode certificates and attributes again when they are asked for their bytes. What is hashed or
 * verified here is always cut out of what was sent.
 *
 * @throws Error for anything else
 */
export function parseToken(bytes: Uint8Array): SignedToken {
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

function parseSigner([block, ...more]: readonly BaseBlock[]): SignedToken['signer'] {
  if (block === undefined || more.length > 0) throw new Error('It does not have one signer.');
  const { sid, digestAlgorithm, signatureAlgorithm, signature } = AsnParser.parse(rawOf(block), SignerInfo);
  const attributes = childrenOf(block).find((child) => isTagged(child, 0));
  if (attributes === undefined) throw new Error('It has no signed attributes.');
  const signedBytes = rawOf(attributes);
  // In the token they have a tag of their own; what is signed has the tag of a set (RFC 5652, 5.4).
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
 * Whether an attribute SigningCertificate or SigningCertificateV2 (RFC 5035, 3) names a certificate: the first of its
 * list is the one that signed.
 *
 * @param byDefault what it is hashed with where the attribute does not say
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

/** The one value that the bytes are. */
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
