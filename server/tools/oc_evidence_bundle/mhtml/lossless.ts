import { isUtf8 } from 'node:buffer';

/*
 * Bytes as text and back without a loss, in any charset: Chromium writes a document in its
 * own. What is UTF-8 becomes its characters; each other byte becomes one of 128 characters of a
 * private plane, and so does each byte of such a character where a page really has it.
 */

const STAND_IN = 0x10f700;
const STAND_INS = /[\u{10F780}-\u{10F7FF}]/u;
/** The same in UTF-8, one unit a byte. */
const STAND_IN_BYTES = /\xF4\x8F([\x9E\x9F])([\x80-\xBF])/g;
/** One sequence of UTF-8 (RFC 3629, 4) that is not a stand-in, or a single invalid byte. */
const SEQUENCE =
  /[\0-\x7F]+|[\xC2-\xDF][\x80-\xBF]|\xE0[\xA0-\xBF][\x80-\xBF]|[\xE1-\xEC\xEE\xEF][\x80-\xBF]{2}|\xED[\x80-\x9F][\x80-\xBF]|\xF0[\x90-\xBF][\x80-\xBF]{2}|[\xF1-\xF3][\x80-\xBF]{3}|(?!\xF4\x8F[\x9E\x9F])\xF4[\x80-\x8F][\x80-\xBF]{2}|[\x80-\xFF]/g;

/** Bytes at the start that end between two characters. */
function wholeLength(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) break;
    if (byte < 0xc0) continue;
    const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return needed > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

function textOf(bytes: Buffer): string {
  if (isUtf8(bytes)) {
    const text = bytes.toString('utf8');
    if (!STAND_INS.test(text)) return text;
  }
  return bytes
    .toString('latin1')
    .replaceAll(SEQUENCE, (found) =>
      found.length === 1 && found >= '\x80'
        ? String.fromCodePoint(STAND_IN + found.charCodeAt(0))
        : Buffer.from(found, 'latin1').toString('utf8'),
    );
}

/** Text of bytes; chunks end between characters. */
export async function* decodeBytes(pieces: AsyncIterable<Buffer>): AsyncGenerator<string, void> {
  let held: Buffer = Buffer.alloc(0);
  for await (const piece of pieces) {
    const bytes = held.length === 0 ? piece : Buffer.concat([held, piece]);
    const end = wholeLength(bytes);
    held = bytes.subarray(end);
    if (end > 0) yield textOf(bytes.subarray(0, end));
  }
  if (held.length > 0) yield textOf(held);
}

/** The bytes that {@link decodeBytes} made the text of. */
export async function* encodeBytes(pieces: AsyncIterable<string>): AsyncGenerator<Buffer, void> {
  for await (const piece of pieces) {
    const bytes = Buffer.from(piece, 'utf8');
    if (!STAND_INS.test(piece)) yield bytes;
    else
      yield Buffer.from(
        bytes
          .toString('latin1')
          .replaceAll(STAND_IN_BYTES, (_, third: string, fourth: string) =>
            String.fromCharCode(0x80 + ((third.charCodeAt(0) - 0x9e) << 6) + (fourth.charCodeAt(0) & 0x3f)),
          ),
        'latin1',
      );
  }
}
