import { AsnConvert, AsnParser } from '@peculiar/asn1-schema';
import type { SignerIdentifier } from '@peculiar/asn1-cms';
import {
  id_ce_subjectKeyIdentifier,
  SubjectKeyIdentifier,
  BasicConstraints,
  Certificate,
  id_ce_basicConstraints,
  id_ce_certificatePolicies,
  id_ce_extKeyUsage,
  id_ce_keyUsage,
  id_kp_timeStamping,
  KeyUsage,
  KeyUsageFlags,
} from '@peculiar/asn1-x509';
import { id_ct_tstInfo, TSTInfo } from '@peculiar/asn1-tsp';
import {
  digestOf,
  hashWith,
  isSignedBy,
  isStrong,
  namesCertificate,
  parseToken,
  SHA256_OID,
  type Digest,
  type SignedToken,
} from './timestamp-parse.ts';
import { X509Certificate } from 'node:crypto';

/** No authority's chain comes close to it. */
const LONGEST_CHAIN = 8;

/**
 * Searches for a chain from the signer to one of the anchors, shortest first. It checks names and key
 * identifiers, signatures, key usage, basic constraints, purposes and validity at the given time, but not
 * revocation, since it is offline.
 * @param signed the signer and its token's other certificates, which are trusted for nothing
 * @param at the time at which the chain must have been valid
 * @returns null if there is one, else the fault
 */
function chainProblem(
  { signer, others }: { readonly signer: ReadCertificate; readonly others: readonly ReadCertificate[] },
  anchors: readonly ReadCertificate[],
  at: Date,
): string | null {
  const seen = new Set<string>();
  let problem: string | null = null;
  let ends: readonly Link[] = [{ certificate: signer, casBelow: 0 }];
  for (let length = 0; length < LONGEST_CHAIN && ends.length > 0; length += 1) {
    for (const { certificate } of ends) {
      if (anchors.some(({ bytes }) => bytes.equals(certificate.bytes))) return null;
      seen.add(certificate.x509.fingerprint256);
    }
    const next = new Map<string, Link>();
    for (const end of ends)
      for (const issuer of [...anchors, ...others]) {
        if (seen.has(issuer.x509.fingerprint256) || !end.certificate.x509.checkIssued(issuer.x509)) continue;
        const wrong = linkProblem(end, issuer, at);
        if (wrong === null)
          next.set(issuer.x509.fingerprint256, { certificate: issuer, casBelow: end.casBelow + 1 });
        else problem ??= wrong;
      }
    ends = [...next.values()];
  }
  return problem ?? 'the issuer of its certificate, or of one above it, is not among the given ones';
}

interface Link {
  readonly certificate: ReadCertificate;
  /** Authorities from the signer up to it. */
  readonly casBelow: number;
}

function linkProblem({ certificate, casBelow }: Link, issuer: ReadCertificate, at: Date): string | null {
  const name = formatSubject(issuer);
  if (!isStrong(certificate.fields.signatureAlgorithm.algorithm, issuer.x509.publicKey))
    return `the certificate of ${formatSubject(certificate)} is signed in a way that is not supported`;
  if (!certificate.x509.verify(issuer.x509.publicKey))
    return `the certificate of ${formatSubject(certificate)} was not signed by ${name}`;
  if (!isValidAt(issuer, at)) return `the certificate of ${name} was not valid at that time`;
  const wrong = issuerProblem(issuer, casBelow);
  return wrong === null ? null : `the certificate of ${name} ${wrong}`;
}

export interface TimeStamp {
  /** ISO 8601. */
  readonly time: string;
  /** The authority's stated accuracy; null if it states none. */
  readonly accuracy_ms: number | null;
  /** The subject of its certificate. */
  readonly authority: string;
  readonly certificate_sha256: string;
  /** Hexadecimal; different for each stamp. */
  readonly serial: string;
  /** The authority's policy: an object identifier. */
  readonly policy: string;
  /** Whether its certificate leads to one of the given anchors; null if none was given. */
  readonly is_trusted: boolean | null;
}

/**
 * Checks a time-stamp token (RFC 3161, RFC 5816) offline: it must cover the digest; one certificate in it
 * must have signed it and be named in the signed attributes; this certificate must be for time stamps and
 * valid at that time; and if anchors are given, it must lead to one of them.
 * @param digest SHA-256 of the stamped bytes
 * @param anchors null checks no chain
 * @returns a null stamp if nothing in the token can be relied on
 */
export function checkToken(
  token: Uint8Array,
  digest: Buffer,
  anchors: readonly ReadCertificate[] | null,
): { readonly stamp: TimeStamp | null; readonly problem: string | null } {
  const refused = (problem: string) => ({ stamp: null, problem });
  try {
    const signed = parseToken(token);
    const info = parseInfo(signed);
    const others = signed.certificates.flatMap(tryRead);
    const signer = others.find((certificate) => isMeant(signed.signer.id, certificate));
    if (signer === undefined) return refused('it does not hold the certificate of its signer');
    const problem =
      imprintProblem(info, digest) ?? signatureProblem(signed, signer) ?? signerProblem(signer, info.genTime);
    if (problem !== null) return refused(problem);
    const unchained = anchors && chainProblem({ signer, others }, anchors, info.genTime);
    return {
      stamp: stampOf(info, signer, anchors === null ? null : unchained === null),
      problem: unchained && `its authority ${formatSubject(signer)} is not trusted: ${unchained}`,
    };
  } catch {
    // The parser's message about foreign bytes helps nobody.
    return refused('it is not a time-stamp token');
  }
}

/** @throws Error for a token of something else */
export function parseInfo({ contentType, content }: SignedToken): TSTInfo {
  if (contentType !== id_ct_tstInfo) throw new Error('It contains no time stamp.');
  return AsnParser.parse(content, TSTInfo);
}

function tryRead(bytes: Buffer): readonly ReadCertificate[] {
  try {
    return [readCertificate(bytes)];
  } catch {
    return [];
  }
}

/** Whether CMS names this certificate (RFC 5652, 5.3). */
function isMeant(
  { issuerAndSerialNumber: named, subjectKeyIdentifier: keyId }: SignerIdentifier,
  { fields }: ReadCertificate,
): boolean {
  const { issuer, serialNumber, extensions } = fields.tbsCertificate;
  if (named !== undefined)
    return (
      isEqualBytes(named.serialNumber, serialNumber) &&
      isEqualBytes(AsnConvert.serialize(named.issuer), AsnConvert.serialize(issuer))
    );
  const own = extensions?.find(({ extnID }) => extnID === id_ce_subjectKeyIdentifier)?.extnValue.buffer;
  if (keyId === undefined || own === undefined) return false;
  return isEqualBytes(keyId.buffer, AsnParser.parse(own, SubjectKeyIdentifier).buffer);
}

const isEqualBytes = (a: ArrayBuffer, b: ArrayBuffer): boolean => Buffer.from(a).equals(Buffer.from(b));

function imprintProblem({ messageImprint }: TSTInfo, digest: Buffer): string | null {
  const { hashAlgorithm, hashedMessage } = messageImprint;
  const isOurs = hashAlgorithm.algorithm === SHA256_OID && digest.equals(Buffer.from(hashedMessage.buffer));
  return isOurs ? null : 'it stamps something else';
}

const CONTENT_TYPE = '1.2.840.113549.1.9.3';
const MESSAGE_DIGEST = '1.2.840.113549.1.9.4';
const SIGNING_CERTIFICATE = '1.2.840.113549.1.9.16.2.12';
const SIGNING_CERTIFICATE_V2 = '1.2.840.113549.1.9.16.2.47';

/** The signature and the signed attributes (RFC 5652, 5.4 and 5.6; RFC 5816, 2.2.1). */
function signatureProblem({ content, signer }: SignedToken, { bytes, x509 }: ReadCertificate): string | null {
  const digest = digestOf(signer.digestAlgorithm);
  if (digest === null || !isStrong(signer.signatureAlgorithm, x509.publicKey))
    return 'it is signed in a way that is not supported';
  const type = findAttribute(signer, CONTENT_TYPE);
  const hash = findAttribute(signer, MESSAGE_DIGEST);
  if (type?.equals(TST_INFO_DER) !== true || hash?.equals(octets(hashWith(digest, content))) !== true)
    return 'it signs something else';
  if (!isSignedBy(x509.publicKey, digest, signer)) return 'its signature is wrong';
  const named = NAMING.flatMap(([attribute, byDefault]) => {
    const value = findAttribute(signer, attribute);
    return value === null ? [] : [namesCertificate(value, bytes, byDefault)];
  });
  return named.includes(true) && !named.includes(false) ? null : 'it was not signed for this certificate';
}

const NAMING: readonly (readonly [string, Digest | 'sha1'])[] = [
  [SIGNING_CERTIFICATE, 'sha1'],
  [SIGNING_CERTIFICATE_V2, 'sha256'],
];

/** The DER of {@link id_ct_tstInfo}. */
const TST_INFO_DER = Buffer.from('060b2a864886f70d0109100104', 'hex');

const octets = (hash: Buffer): Buffer => Buffer.concat([Buffer.from([0x04, hash.length]), hash]);

/** The value of an attribute that occurs once with one value; else null. */
function findAttribute({ attributes }: SignedToken['signer'], type: string): Buffer | null {
  const values = attributes.flatMap(({ attrType, attrValues }) => (attrType === type ? attrValues : []));
  const [value] = values;
  return value === undefined || values.length > 1 ? null : Buffer.from(value);
}

function signerProblem(signer: ReadCertificate, at: Date): string | null {
  const wrong = isValidAt(signer, at) ? purposeProblem(signer) : 'was not valid at that time';
  return wrong === null ? null : `the certificate of its authority ${formatSubject(signer)} ${wrong}`;
}

function stampOf(
  { genTime, accuracy, serialNumber, policy }: TSTInfo,
  signer: ReadCertificate,
  isTrusted: boolean | null,
): TimeStamp {
  return {
    time: genTime.toISOString(),
    accuracy_ms:
      accuracy === undefined
        ? null
        : accuracy.seconds * 1_000 + (accuracy.millis ?? 0) + (accuracy.micros ?? 0) / 1_000,
    authority: formatSubject(signer),
    certificate_sha256: hashWith('sha256', signer.bytes).toString('hex'),
    serial: Buffer.from(serialNumber).toString('hex'),
    policy,
    is_trusted: isTrusted,
  };
}

/** A certificate, read by OpenSSL for keys and signatures and by the libraries for its extensions. */
export interface ReadCertificate {
  /** DER. */
  readonly bytes: Buffer;
  readonly x509: X509Certificate;
  readonly fields: Certificate;
}

/** @throws Error for anything but a certificate */
function readCertificate(bytes: Buffer): ReadCertificate {
  return { bytes, x509: new X509Certificate(bytes), fields: AsnParser.parse(bytes, Certificate) };
}

/** The certificates of a PEM file; null if there are none, or one of them cannot be read. */
export function certificatesOf(pem: string): readonly ReadCertificate[] | null {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g);
  try {
    return blocks?.map((block) => readCertificate(new X509Certificate(block).raw)) ?? null;
  } catch {
    return null;
  }
}

/** `CN=Time, O=Mill` */
const formatSubject = ({ x509 }: ReadCertificate): string => x509.subject.split('\n').toReversed().join(', ');

function isValidAt({ fields }: ReadCertificate, at: Date): boolean {
  const { notBefore, notAfter } = fields.tbsCertificate.validity;
  return notBefore.getTime() <= at && at <= notAfter.getTime();
}

/** Null when it lacks nothing. */
function purposeProblem(certificate: ReadCertificate): string | null {
  const usage = extensionOf(certificate, id_ce_extKeyUsage);
  if (purposesOf(certificate)?.join() !== id_kp_timeStamping) return 'is not for time stamps alone';
  if (usage?.critical !== true) return 'does not mark its extended key usage as critical';
  if (!maySign(certificate)) return 'is not for signatures';
  return oddExtension(certificate);
}

/** Null when it lacks nothing. */
function issuerProblem(certificate: ReadCertificate, casBelow: number): string | null {
  const value = extensionOf(certificate, id_ce_basicConstraints)?.extnValue.buffer;
  const constraints = value === undefined ? null : AsnParser.parse(value, BasicConstraints);
  if (constraints?.cA !== true) return 'is not for a certificate authority';
  if ((constraints.pathLenConstraint ?? Infinity) < casBelow) return 'is followed by too many authorities';
  const purposes = purposesOf(certificate);
  if (purposes !== undefined && !ISSUER_PURPOSES.some((purpose) => purposes.includes(purpose)))
    return 'is not for authorities of time stamps';
  return oddExtension(certificate);
}

const ANY_PURPOSE = '2.5.29.37.0';
const ISSUER_PURPOSES = [id_kp_timeStamping, ANY_PURPOSE];

/** Its extended key usage. */
const purposesOf = ({ x509 }: ReadCertificate): readonly string[] | undefined => x509.keyUsage;

const extensionOf = ({ fields }: ReadCertificate, oid: string) =>
  fields.tbsCertificate.extensions?.find(({ extnID }) => extnID === oid);

function maySign(certificate: ReadCertificate): boolean {
  const value = extensionOf(certificate, id_ce_keyUsage)?.extnValue.buffer;
  if (value === undefined) return true;
  const flags = AsnParser.parse(value, KeyUsage).toNumber();
  return (flags & (KeyUsageFlags.digitalSignature | KeyUsageFlags.nonRepudiation)) !== 0;
}

/** Extensions that are checked here or by OpenSSL, or that demand nothing if no policy is requested. */
const KNOWN = [id_ce_basicConstraints, id_ce_certificatePolicies, id_ce_extKeyUsage, id_ce_keyUsage];

/** RFC 5280, 4.2: unknown critical extensions must not be ignored. */
function oddExtension({ fields }: ReadCertificate): string | null {
  const odd = fields.tbsCertificate.extensions?.find(
    ({ critical, extnID }) => critical && !KNOWN.includes(extnID),
  );
  return odd === undefined ? null : `has the critical extension ${odd.extnID}, which is not supported`;
}
