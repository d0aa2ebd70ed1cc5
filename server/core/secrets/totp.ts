import { createHmac } from 'node:crypto';
import { parseUrl } from '../../../shared/base/private-address.ts';

/** The content of an `otpauth://totp/` address. */
export interface Totp {
  readonly key: Buffer;
  /** The key as it is written in the address. */
  readonly written: string;
  /** As Node names it. */
  readonly hash: 'sha1' | 'sha256' | 'sha512';
  readonly digits: number;
  readonly periodMs: number;
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const HASHES = { SHA1: 'sha1', SHA256: 'sha256', SHA512: 'sha512' } as const;
/** A code that is nearly over could expire on its way. */
const LEFT_MS = 2_000;
const PERIOD_MAX_S = 600;
const KEY_CHARS = 8;

const isHash = (name: string): name is keyof typeof HASHES => Object.hasOwn(HASHES, name);

/** The bytes of a base32 text in capitals, or null. */
function bytesOf(text: string): Buffer | null {
  const values = Array.from(text, (char) => ALPHABET.indexOf(char));
  if (values.includes(-1)) return null;
  const bits = values.map((value) => value.toString(2).padStart(5, '0')).join('');
  const bytes = bits.match(/[01]{8}/g) ?? [];
  return Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)));
}

/**
 * Reads an address that an authenticator app would scan.
 * @param refuse makes the error; its reason contains no part of the address but a wrong parameter's name
 */
export function parseTotp(address: string, refuse: (why: string) => Error): Totp {
  const url = parseUrl(address);
  if (url?.protocol !== 'otpauth:' || url.host.toLowerCase() !== 'totp')
    throw refuse('it is not an otpauth://totp/ address');
  const param = (name: string, byDefault: string): string => url.searchParams.get(name) ?? byDefault;
  const written = param('secret', '');
  const plain = written.replaceAll(/[\s-]|=+$/g, '').toUpperCase();
  const key = plain.length < KEY_CHARS ? null : bytesOf(plain);
  if (key === null) throw refuse(`its secret is not base32 of at least ${KEY_CHARS} characters`);
  const algorithm = param('algorithm', 'SHA1').toUpperCase().replace('-', '');
  if (!isHash(algorithm)) throw refuse('its algorithm has to be SHA1, SHA256 or SHA512');
  const digits = param('digits', '6');
  if (!/^[678]$/.test(digits)) throw refuse('its digits are not 6, 7 or 8');
  const period = param('period', '30');
  if (!/^\d{1,3}$/.test(period) || Number(period) < 5 || Number(period) > PERIOD_MAX_S)
    throw refuse(`its period is not 5 to ${PERIOD_MAX_S} seconds`);
  const periodMs = Number(period) * 1_000;
  return { key, written, hash: HASHES[algorithm], digits: Number(digits), periodMs };
}

/** The code of RFC 6238 at a time, in milliseconds since the epoch. */
export function codeAt({ key, hash, digits, periodMs }: Totp, at: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(at / periodMs)));
  const mac = createHmac(hash, key).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 15;
  const number = mac.readUInt32BE(offset) & 0x7fffffff;
  return String(number % 10 ** digits).padStart(digits, '0');
}

/** How long to wait for the next code, in milliseconds: 0 if the present one lasts. */
export function waitAt({ periodMs }: Totp, at: number): number {
  const leftMs = periodMs - (at % periodMs);
  return leftMs <= LEFT_MS ? leftMs : 0;
}
