import { isStrong } from './algorithms.ts';
import { isValidAt, issuerProblem, nameOf, type ReadCertificate } from './certificates.ts';

/** No chain of an authority comes near it. */
const LONGEST_CHAIN = 8;

export interface ChainCheck {
  readonly signer: ReadCertificate;
  /** What may lie between, from the token; trusted for nothing. */
  readonly others: readonly ReadCertificate[];
  /** What is trusted, whether it signed itself or not. */
  readonly anchors: readonly ReadCertificate[];
  /** When the chain has to have been valid. */
  readonly at: Date;
}

/**
 * Searches a chain from the signer to one of the anchors, shortest first. What is looked at: names and
 * key identifiers, signatures, key usage, basic constraints, purposes and validity at the given time. Whether a
 * certificate was revoked is not: the check is offline.
 *
 * @returns null when there is one, else what is wrong
 */
export function chainProblem({ signer, others, anchors, at }: ChainCheck): string | null {
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
  const name = nameOf(issuer);
  if (!isStrong(certificate.fields.signatureAlgorithm.algorithm, issuer.x509.publicKey))
    return `the certificate of ${nameOf(certificate)} is signed in a way that is not supported`;
  if (!certificate.x509.verify(issuer.x509.publicKey))
    return `the certificate of ${nameOf(certificate)} was not signed by ${name}`;
  if (!isValidAt(issuer, at)) return `the certificate of ${name} was not valid at that time`;
  const wrong = issuerProblem(issuer, casBelow);
  return wrong === null ? null : `the certificate of ${name} ${wrong}`;
}
