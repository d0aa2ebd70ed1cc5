import { decodePercent } from '../../shared/base/file-name.ts';
import { randomBytes } from 'node:crypto';
import { AsnConvert, OctetString } from '@peculiar/asn1-schema';
import { MessageImprint, PKIStatus, TimeStampReq, type PKIStatusInfo } from '@peculiar/asn1-tsp';
import { AlgorithmIdentifier } from '@peculiar/asn1-x509';
import { deadlineSignal } from '../../shared/base/async.ts';
import { cut } from '../../shared/base/cut.ts';
import { SpillwayError } from '../../shared/base/errors.ts';
import { LIMITS } from '../../shared/base/limits.ts';
import { errnoOf } from '../core/machine/errno.ts';
import { readStart } from '../core/file-stream.ts';
import { checkToken, parseInfo, type TimeStamp } from '../libraries/evidence-format/timestamp.ts';
import { SHA256_OID, parseReply, parseToken } from '../libraries/evidence-format/timestamp-parse.ts';
import { TOKEN_MAX_BYTES } from './manifest.ts';

interface StampRequest {
  /** The authority's address. It may contain a password: messages name only its host. */
  readonly url: string;
  /** SHA-256 of the stamped bytes: all that the authority receives. */
  readonly digest: Buffer;
  readonly signal: AbortSignal;
}

/**
 * Asks an authority for a time-stamp token (RFC 3161, 3.4) and checks it like `verify-bundle`, so that no
 * invalid token is kept.
 * @throws SpillwayError `timestamp_failed`, or the signal's reason
 */
export async function requestStamp({ url, digest, signal: ended }: StampRequest) {
  const address = new URL(url);
  const timeoutMs = LIMITS.evidenceTimestampMs;
  const failed = (what: string): SpillwayError =>
    new SpillwayError('timestamp_failed', `The time-stamp authority ${address.host} ${what}.`);
  const late = (): SpillwayError => failed(`did not answer within ${timeoutMs} ms`);
  const { signal, release } = deadlineSignal(timeoutMs, late, ended);
  try {
    const nonce = newNonce();
    return parseTimeStamp(await send(address, requestOf(digest, nonce), signal), digest, nonce);
  } catch (thrown) {
    signal.throwIfAborted();
    throw failed(
      thrown instanceof TimestampRefusal ? thrown.message : `cannot be reached (${causeOf(thrown)})`,
    );
  } finally {
    release();
  }
}

/** Why an answer is rejected, after the name of the authority. */
class TimestampRefusal extends Error {}

const NONCE_BYTES = 8;

/** The bytes of a positive INTEGER without leading zeros. */
function newNonce(): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  nonce[0] = ((nonce[0] ?? 0) & 0x7f) | 0x40;
  return nonce;
}

function requestOf(digest: Buffer, nonce: Buffer): Buffer {
  const request = new TimeStampReq({
    messageImprint: new MessageImprint({
      hashAlgorithm: new AlgorithmIdentifier({ algorithm: SHA256_OID, parameters: null }),
      hashedMessage: new OctetString(digest),
    }),
    nonce: new Uint8Array(nonce).buffer,
    certReq: true,
  });
  return Buffer.from(AsnConvert.serialize(request));
}

async function send(address: URL, body: Buffer, signal: AbortSignal): Promise<Buffer> {
  const { username, password } = address;
  const target = new URL(address);
  // fetch refuses an address with a password, and quotes it.
  target.username = target.password = '';
  const answer = await fetch(target, {
    method: 'POST',
    headers: {
      'content-type': 'application/timestamp-query',
      accept: 'application/timestamp-reply',
      ...(username === '' && password === '' ? {} : { authorization: basic(username, password) }),
    },
    body: new Uint8Array(body),
    // The hash and the password go only to the given address.
    redirect: 'manual',
    signal,
  });
  if (answer.status !== 200) {
    await answer.body?.cancel();
    throw new TimestampRefusal(`answered with HTTP ${answer.status}`);
  }
  const { bytes, isWhole } = await readStart(answer.body, TOKEN_MAX_BYTES);
  if (!isWhole) throw new TimestampRefusal(`answered with more than ${TOKEN_MAX_BYTES} bytes`);
  return bytes;
}

const basic = (username: string, password: string): string =>
  `Basic ${Buffer.from([username, password].map((part) => decodePercent(part) ?? part).join(':')).toString('base64')}`;

function parseTimeStamp(answer: Buffer, digest: Buffer, nonce: Buffer): { token: Buffer; stamp: TimeStamp } {
  const { status, token } = parse(answer);
  if (status.status !== PKIStatus.granted && status.status !== PKIStatus.grantedWithMods)
    throw new TimestampRefusal(`refused: ${reasonOf(status)}`);
  if (token === null) throw new TimestampRefusal('answered without a time stamp');
  const { stamp, problem } = checkToken(token, digest, null);
  if (stamp === null || problem !== null)
    throw new TimestampRefusal(`answered with a wrong time stamp: ${problem}`);
  const echoed = parseInfo(parseToken(token)).nonce;
  if (echoed === undefined || !Buffer.from(echoed).equals(nonce))
    throw new TimestampRefusal('answered with the time stamp of another request');
  return { token, stamp };
}

function parse(answer: Buffer): ReturnType<typeof parseReply> {
  try {
    return parseReply(answer);
  } catch {
    throw new TimestampRefusal('answered with something other than a time stamp');
  }
}

const REASON_UNITS = 100;

/** `status 2, badAlg, "SHA-256 is not served"` */
function reasonOf({ status, failInfo, statusString = [] }: PKIStatusInfo): string {
  const texts = statusString.map((text) => JSON.stringify(cut(text, REASON_UNITS)));
  const names = new Set(failInfo?.toJSON());
  return [`status ${status}`, ...names, ...texts.slice(0, 1)].join(', ');
}

function causeOf(thrown: unknown): string {
  const cause = thrown instanceof Error ? thrown.cause : undefined;
  return errnoOf(cause) ?? 'no connection';
}
