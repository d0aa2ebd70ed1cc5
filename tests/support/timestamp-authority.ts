import {
  createHash,
  generateKeyPairSync,
  randomBytes,
  sign,
  X509Certificate,
  type KeyObject,
} from 'node:crypto';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import {
  Attribute,
  CertificateChoices,
  CertificateSet,
  ContentInfo,
  DigestAlgorithmIdentifiers,
  EncapsulatedContent,
  EncapsulatedContentInfo,
  id_signedData,
  IssuerAndSerialNumber,
  SignedData,
  SignerIdentifier,
  SignerInfo,
  SignerInfos,
} from '@peculiar/asn1-cms';
import { AsnConvert, AsnParser, OctetString } from '@peculiar/asn1-schema';
import {
  Accuracy,
  id_ct_tstInfo,
  MessageImprint,
  PKIStatusInfo,
  TimeStampReq,
  TimeStampResp,
  TSTInfo,
} from '@peculiar/asn1-tsp';
import {
  AlgorithmIdentifier,
  AttributeTypeAndValue,
  AttributeValue,
  BasicConstraints,
  Certificate,
  ExtendedKeyUsage,
  Extension,
  Extensions,
  Name,
  RelativeDistinguishedName,
  SubjectPublicKeyInfo,
  TBSCertificate,
  Validity,
} from '@peculiar/asn1-x509';
import * as asn1js from 'asn1js';
import { answerAt } from './file-site.ts';

const SHA256 = new AlgorithmIdentifier({ algorithm: '2.16.840.1.101.3.4.2.1', parameters: null });
/** How keys of each type sign: object identifier, and what `node:crypto` takes for the hash. */
const SCHEMES = { ec: ['1.2.840.10045.4.3.2', 'sha256'], rsa: ['1.2.840.113549.1.1.11', 'sha256'] } as const;

function signWith(key: KeyObject, bytes: Buffer): { algorithm: AlgorithmIdentifier; signature: Buffer } {
  const type = key.asymmetricKeyType;
  const [algorithm, digest] = SCHEMES[type === 'rsa' ? type : 'ec'];
  return { algorithm: new AlgorithmIdentifier({ algorithm }), signature: sign(digest, bytes, key) };
}

const YEAR_MS = 365 * 24 * 3_600_000;

type Issued = { readonly der: Buffer; readonly fields: Certificate; readonly key: KeyObject };

/** How a certificate differs from a right one. */
export interface CertificateChanges {
  readonly purposes?: readonly string[] | null;
  readonly isPurposeCritical?: boolean;
  readonly notBefore?: Date;
  readonly notAfter?: Date;
  readonly isAuthority?: boolean;
  readonly pathLength?: number;
  readonly extension?: Extension;
  readonly keys?: { readonly privateKey: KeyObject; readonly publicKey: KeyObject };
}

const bufferOf = (bytes: Uint8Array): ArrayBuffer => new Uint8Array(bytes).buffer;
const derOf = (value: unknown): Buffer => Buffer.from(AsnConvert.serialize(value));

const nameOf = (text: string): Name =>
  new Name([
    new RelativeDistinguishedName([
      new AttributeTypeAndValue({ type: '2.5.4.3', value: new AttributeValue({ utf8String: text }) }),
    ]),
  ]);

const extension = (extnID: string, critical: boolean, value: unknown): Extension =>
  new Extension({ extnID, critical, extnValue: new OctetString(derOf(value)) });

/** A certificate of a name, signed by another or by itself. */
export function issue(name: string, by: Issued | null, changes: CertificateChanges = {}): Issued {
  const { privateKey: key, publicKey } = changes.keys ?? generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const signingKey = by?.key ?? key;
  const { algorithm } = signWith(signingKey, Buffer.alloc(0));
  const { purposes = null, isAuthority = true, pathLength } = changes;
  const constraints = new BasicConstraints({
    cA: isAuthority,
    ...(pathLength === undefined ? {} : { pathLenConstraint: pathLength }),
  });
  const tbsCertificate = new TBSCertificate({
    version: 2,
    serialNumber: bufferOf(Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    signature: algorithm,
    issuer: by?.fields.tbsCertificate.subject ?? nameOf(name),
    subject: nameOf(name),
    validity: new Validity({
      notBefore: changes.notBefore ?? new Date(Date.now() - YEAR_MS),
      notAfter: changes.notAfter ?? new Date(Date.now() + YEAR_MS),
    }),
    subjectPublicKeyInfo: AsnParser.parse(
      publicKey.export({ type: 'spki', format: 'der' }),
      SubjectPublicKeyInfo,
    ),
    extensions: new Extensions([
      extension('2.5.29.19', true, constraints),
      ...(purposes === null
        ? []
        : [extension('2.5.29.37', changes.isPurposeCritical ?? true, new ExtendedKeyUsage([...purposes]))]),
      ...(changes.extension === undefined ? [] : [changes.extension]),
    ]),
  });
  const fields = new Certificate({
    tbsCertificate,
    signatureAlgorithm: algorithm,
    signatureValue: bufferOf(signWith(signingKey, derOf(tbsCertificate)).signature),
  });
  return { der: derOf(fields), fields, key };
}

const TIME_STAMPING = '1.3.6.1.5.5.7.3.8';

/** A root, an authority below it, and a signer of time stamps: each as right ones are, or changed. */
export function createChain(
  changes: {
    readonly root?: CertificateChanges;
    readonly middle?: CertificateChanges;
    readonly signer?: CertificateChanges;
  } = {},
) {
  const root = issue('Mill root', null, changes.root);
  const middle = issue('Mill authority', root, changes.middle);
  const signer = issue('Mill time', middle, {
    purposes: [TIME_STAMPING],
    isAuthority: false,
    ...changes.signer,
  });
  return { root, middle, signer };
}
export type Chain = ReturnType<typeof createChain>;

export const pemOf = ({ der }: Issued): string => new X509Certificate(der).toString();

export interface TokenChanges {
  readonly info?: Partial<TSTInfo>;
  readonly signed?: Buffer;
  /** The certificate that the signed attributes name; null names none. */
  readonly named?: Buffer | null;
  readonly certificates?: readonly Buffer[];
  readonly signedBy?: KeyObject;
}

const hashOf = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest();

const attribute = (type: string, value: ArrayBuffer): Attribute =>
  new Attribute({ attrType: type, attrValues: [value] });

const sequence = (...value: asn1js.BaseBlock[]): asn1js.Sequence => new asn1js.Sequence({ value });

export function tokenOf({ middle, signer }: Chain, digest: Buffer, changes: TokenChanges = {}): Buffer {
  const info = derOf(
    new TSTInfo({
      policy: '1.2.3.4.1',
      messageImprint: new MessageImprint({ hashAlgorithm: SHA256, hashedMessage: new OctetString(digest) }),
      serialNumber: bufferOf(Buffer.from([0x17])),
      genTime: new Date(),
      accuracy: new Accuracy({ seconds: 1, millis: 500 }),
      ...changes.info,
    }),
  );
  const { named = signer.der } = changes;
  const attributes = [
    attribute('1.2.840.113549.1.9.3', new asn1js.ObjectIdentifier({ value: id_ct_tstInfo }).toBER()),
    attribute(
      '1.2.840.113549.1.9.4',
      new asn1js.OctetString({ valueHex: bufferOf(hashOf(changes.signed ?? info)) }).toBER(),
    ),
    ...(named === null
      ? []
      : [
          attribute(
            '1.2.840.113549.1.9.16.2.47',
            sequence(
              sequence(sequence(new asn1js.OctetString({ valueHex: bufferOf(hashOf(named)) }))),
            ).toBER(),
          ),
        ]),
  ];
  const set = new asn1js.Set({
    value: attributes.map((each) => asn1js.fromBER(AsnConvert.serialize(each)).result),
  });
  const { issuer, serialNumber } = signer.fields.tbsCertificate;
  const { algorithm, signature } = signWith(changes.signedBy ?? signer.key, Buffer.from(set.toBER()));
  const signerInfo = new SignerInfo({
    version: 1,
    sid: new SignerIdentifier({ issuerAndSerialNumber: new IssuerAndSerialNumber({ issuer, serialNumber }) }),
    digestAlgorithm: SHA256,
    signedAttrs: attributes,
    signatureAlgorithm: algorithm,
    signature: new OctetString(signature),
  });
  const certificates = changes.certificates ?? [signer.der, middle.der];
  const signed = new SignedData({
    version: 3,
    digestAlgorithms: new DigestAlgorithmIdentifiers([SHA256]),
    encapContentInfo: new EncapsulatedContentInfo({
      eContentType: id_ct_tstInfo,
      eContent: new EncapsulatedContent({ single: new OctetString(info) }),
    }),
    certificates: new CertificateSet(
      certificates.map((der) => new CertificateChoices({ certificate: AsnParser.parse(der, Certificate) })),
    ),
    signerInfos: new SignerInfos([signerInfo]),
  });
  return derOf(new ContentInfo({ contentType: id_signedData, content: AsnConvert.serialize(signed) }));
}

export interface Asked {
  readonly headers: IncomingHttpHeaders;
  readonly request: TimeStampReq;
  readonly digest: Buffer;
}

const granted = (token: Buffer): Buffer =>
  derOf(
    new TimeStampResp({
      status: new PKIStatusInfo({ status: 0 }),
      timeStampToken: AsnParser.parse(token, ContentInfo),
    }),
  );

export const refusal = (status: PKIStatusInfo): Buffer => derOf(new TimeStampResp({ status }));

export const stampWith =
  (chain: Chain, changes: TokenChanges = {}) =>
  ({ request, digest }: Asked): Buffer => {
    const nonce = request.nonce === undefined ? {} : { nonce: request.nonce };
    return granted(tokenOf(chain, digest, { ...changes, info: { ...nonce, ...changes.info } }));
  };

export type Answer = (asked: Asked, response: ServerResponse) => Buffer | undefined;

/** A time-stamp authority on loopback. An answer that returns nothing writes to the response by itself, or never. */
export async function startAuthority(answer: Answer) {
  const asked: Asked[] = [];
  const port = await answerAt(async (request, response) => {
    const query = AsnParser.parse(await buffer(request), TimeStampReq);
    const digest = Buffer.from(query.messageImprint.hashedMessage.buffer);
    const one = { headers: request.headers, request: query, digest };
    asked.push(one);
    const body = answer(one, response);
    if (body !== undefined) response.setHeader('content-type', 'application/timestamp-reply').end(body);
  });
  return { url: `http://127.0.0.1:${port}/tsr`, host: `127.0.0.1:${port}`, asked };
}
