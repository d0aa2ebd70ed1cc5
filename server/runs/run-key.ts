import { SpillwayError } from '../../shared/errors.ts';
import type { RunKey } from '../core/runs.ts';

/*
 * Keys as bytes in the order of their parts: numbers before strings, and a key before those that it begins.
 * A number is 1 and its double, so changed that bytes compare as numbers do; a string is 2, its UTF-8 with each
 * zero followed by 255, and a zero.
 */
const NUMBER = 1;
const NUMBER_BYTES = 8;
const KEY_BYTES = 1_900;

/** @throws `internal_error` for a key that is too long */
export function encodeKey(key: RunKey): Buffer {
  const bytes = Buffer.concat(
    key.map((part) => (typeof part === 'number' ? encodeNumber(part) : encodeText(part))),
  );
  if (bytes.length > KEY_BYTES)
    throw new SpillwayError(
      'internal_error',
      `A key of a run has ${bytes.length} bytes; at most ${KEY_BYTES} are allowed.`,
    );
  return bytes;
}

function encodeNumber(value: number): Buffer {
  const bytes = Buffer.alloc(1 + NUMBER_BYTES, NUMBER);
  // Without the sign of zero, which compares equal.
  bytes.writeDoubleBE(value + 0, 1);
  flip(bytes.subarray(1), value < 0);
  return bytes;
}

/** Negative numbers compare the other way round. */
function flip(bytes: Buffer, isNegative: boolean): void {
  if (isNegative) for (const [index, byte] of bytes.entries()) bytes[index] = byte ^ 0xff;
  else bytes[0] = (bytes[0] ?? 0) ^ 0x80;
}

const encodeText = (text: string): Buffer =>
  Buffer.from(`\x02${Buffer.from(text).toString('latin1').replaceAll('\0', '\0\xff')}\0`, 'latin1');

export function decodeKey(bytes: Buffer): RunKey {
  const parts: (string | number)[] = [];
  for (let at = 0; at < bytes.length;) {
    if (bytes[at] === NUMBER) {
      const number = Buffer.from(bytes.subarray(at + 1, at + 1 + NUMBER_BYTES));
      flip(number, (number[0] ?? 0) < 0x80);
      parts.push(number.readDoubleBE());
      at += 1 + NUMBER_BYTES;
      continue;
    }
    let end = at + 1;
    while (end < bytes.length && (bytes[end] !== 0 || bytes[end + 1] === 0xff)) end += 1;
    const text = bytes
      .subarray(at + 1, end)
      .toString('latin1')
      .replaceAll('\0\xff', '\0');
    parts.push(Buffer.from(text, 'latin1').toString());
    at = end + 1;
  }
  return parts;
}
