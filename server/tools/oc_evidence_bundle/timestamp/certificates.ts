import { X509Certificate } from 'node:crypto';
import { AsnParser } from '@peculiar/asn1-schema';
import {
  BasicConstraints,
  Certificate,
  ExtendedKeyUsage,
  id_ce_basicConstraints,
  id_ce_certificatePolicies,
  id_ce_extKeyUsage,
  id_ce_keyUsage,
  id_kp_timeStamping,
  KeyUsage,
  KeyUsageFlags,
} from '@peculiar/asn1-x509';

/** A certificate, read by OpenSSL for keys and signatures and by the libraries for its extensions. */
export interface ReadCertificate {
  /** DER. */
  readonly bytes: Buffer;
  readonly x509: X509Certificate;
  readonly fields: Certificate;
}

/** @throws Error for anything but a certificate */
export function readCertificate(bytes: Buffer): ReadCertificate {
  return { bytes, x509: new X509Certificate(bytes), fields: AsnParser.parse(bytes, Certificate) };
}

/** The certificates of a PEM file; null when there are none, or one of them cannot be read. */
export function certificatesOf(pem: string): readonly ReadCertificate[] | null {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g);
  try {
    return blocks?.map((block) => readCertificate(new X509Certificate(block).raw)) ?? null;
  } catch {
    return null;
  }
}

/** `CN=Time, O=Mill` */
export const nameOf = ({ x509 }: ReadCertificate): string => x509.subject.split('\n').toReversed().join(', ');

/** Whether it was valid at a time. */
export function isValidAt({ fields }: ReadCertificate, at: Date): boolean {
  const { notBefore, notAfter } = fields.tbsCertificate.validity;
  return notBefore.getTime() <= at && at <= notAfter.getTime();
}

/** What a certificate lacks to sign time stamps (RFC 3161, 2.3); null when it lacks nothing. */
export function purposeProblem(certificate: ReadCertificate): string | null {
  const usage = extensionOf(certificate, id_ce_extKeyUsage);
  const purposes = purposesOf(certificate);
  if (usage === undefined || purposes?.length !== 1 || purposes[0] !== id_kp_timeStamping)
    return 'is not for time stamps alone';
  if (!usage.critical) return 'does not mark its extended key usage as critical';
  if (!maySign(certificate)) return 'is not for signatures';
  return oddExtension(certificate);
}

/** What a certificate lacks to issue others in a chain of an authority; null when it lacks nothing. */
export function issuerProblem(certificate: ReadCertificate, casBelow: number): string | null {
  const value = extensionOf(certificate, id_ce_basicConstraints)?.extnValue.buffer;
  const constraints = value === undefined ? null : AsnParser.parse(value, BasicConstraints);
  if (constraints?.cA !== true) return 'is not for a certificate authority';
  if ((constraints.pathLenConstraint ?? Infinity) < casBelow) return 'is followed by too many authorities';
  const purposes = purposesOf(certificate);
  if (purposes !== null && !ISSUER_PURPOSES.some((purpose) => purposes.includes(purpose)))
    return 'is not for authorities of time stamps';
  return oddExtension(certificate);
}

const ANY_PURPOSE = '2.5.29.37.0';
const ISSUER_PURPOSES = [id_kp_timeStamping, ANY_PURPOSE];

const extensionOf = ({ fields }: ReadCertificate, oid: string) =>
  fields.tbsCertificate.extensions?.find(({ extnID }) => extnID === oid);

function purposesOf(certificate: ReadCertificate): readonly string[] | null {
  const value = extensionOf(certificate, id_ce_extKeyUsage)?.extnValue.buffer;
  return value === undefined ? null : AsnParser.parse(value, ExtendedKeyUsage);
}

function maySign(certificate: ReadCertificate): boolean {
  const value = extensionOf(certificate, id_ce_keyUsage)?.extnValue.buffer;
  if (value === undefined) return true;
  const flags = AsnParser.parse(value, KeyUsage).toNumber();
  return (flags & (KeyUsageFlags.digitalSignature | KeyUsageFlags.nonRepudiation)) !== 0;
}

/** Those that are checked here, or by OpenSSL, or that demand nothing when no policy is asked for. */
const KNOWN = [id_ce_basicConstraints, id_ce_certificatePolicies, id_ce_extKeyUsage, id_ce_keyUsage];

/** RFC 5280, 4.2: what is critical and not understood must not be ignored. */
function oddExtension({ fields }: ReadCertificate): string | null {
  const odd = fields.tbsCertificate.extensions?.find(
    ({ critical, extnID }) => critical && !KNOWN.includes(extnID),
  );
  return odd === undefined ? null : `has the critical extension ${odd.extnID}, which is not supported`;
}
