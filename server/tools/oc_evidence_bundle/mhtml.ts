import { isUtf8 } from 'node:buffer';
import { SpillwayError } from '../../../shared/errors.ts';
import { MIME } from '../../../shared/mime.ts';
import { clean, type CleanText } from '../../redact/clean.ts';
import { vouch, vouchEach } from '../../redact/mark.ts';
import type { PartRedaction } from './redaction.ts';
import { boundaryOf, cleanHeaders, fieldOf } from './mhtml-headers.ts';

/*
 * Bytes as text and back without a loss, in any charset: Chromium writes a document in its
 * own. What is UTF-8 becomes its characters; each other byte becomes one of 128 characters of a
 * private plane, and so does each byte of such a character where a page really has it.
 */

/*
 * Content-Transfer-Encoding (RFC 2045, 6) both ways. Texts of one unit per byte (latin1) represent
 * what is on the wire; buffers are what it means.
 */

/** One way to write bytes as lines of ASCII. */
export interface Transfer {
  decode(pieces: AsyncIterable<string>): AsyncGenerator<Buffer, void>;
  encode(pieces: AsyncIterable<Buffer>): AsyncGenerator<string, void>;
}

const LINE_UNITS = 75;

/** `=` with less behind it than an escape or a soft break needs. */
const UNFINISHED = /=(?:[0-9A-Fa-f]|\r)?$/;

async function* decodeQuoted(pieces: AsyncIterable<string>): AsyncGenerator<Buffer, void> {
  let held = '';
  for await (const piece of pieces) {
    const text = held + piece;
    const end = UNFINISHED.exec(text)?.index ?? text.length;
    held = text.slice(end);
    const plain = text
      .slice(0, end)
      .replaceAll(/=(?:\r\n|([0-9A-Fa-f]{2}))/g, (_, hex?: string) =>
        hex === undefined ? '' : String.fromCharCode(Number.parseInt(hex, 16)),
      );
    if (plain !== '') yield Buffer.from(plain, 'latin1');
  }
  if (held !== '') yield Buffer.from(held, 'latin1');
}

const quote = (text: string): string =>
  Buffer.from(text, 'latin1').toString('hex').toUpperCase().replaceAll(/../g, '=$&');

/** Bytes that a line cannot hold as they are, lone line breaks, and trailing blanks that would be lost. */
const ESCAPED = /[^\t\n\r -<>-~]+|\r(?!\n)|(?<!\r)\n|[\t ](?=\r\n)/g;

/** Folds lines softly at {@link LINE_UNITS}, never inside an escape. */
class Folder {
  #column = 0;

  push(text: string): string {
    return text
      .split('\r\n')
      .map((line, at) => {
        if (at > 0) this.#column = 0;
        return this.#fold(line);
      })
      .join('\r\n');
  }

  #fold(line: string): string {
    let out = '';
    let from = 0;
    while (this.#column + line.length - from > LINE_UNITS) {
      let end = from + LINE_UNITS - this.#column;
      if (line[end - 1] === '=') end -= 1;
      else if (line[end - 2] === '=') end -= 2;
      if (end > from) {
        out += line.slice(from, end);
        from = end;
      }
      out += '=\r\n';
      this.#column = 0;
    }
    this.#column += line.length - from;
    return out + line.slice(from);
  }
}

async function* encodeQuoted(pieces: AsyncIterable<Buffer>): AsyncGenerator<string, void> {
  const folder = new Folder();
  let held = '';
  for await (const piece of pieces) {
    const text = held + piece.toString('latin1');
    // What a blank or a return means is known with what follows it.
    held = /[\t ]?\r?$/.exec(text)?.[0] ?? '';
    const complete = text.slice(0, text.length - held.length);
    if (complete !== '') yield folder.push(complete.replaceAll(ESCAPED, quote));
  }
  if (held !== '') yield folder.push(quote(held));
}

const QUAD = 4;
const ENCODED_LINE_BYTES = 57;

async function* decodeBase64(pieces: AsyncIterable<string>): AsyncGenerator<Buffer, void> {
  let held = '';
  for await (const piece of pieces) {
    const text = held + piece.replaceAll(/[\r\n\t ]+/g, '');
    const end = text.length - (text.length % QUAD);
    held = text.slice(end);
    if (end > 0) yield Buffer.from(text.slice(0, end), 'base64');
  }
  if (held !== '') yield Buffer.from(held, 'base64');
}

async function* encodeBase64(pieces: AsyncIterable<Buffer>): AsyncGenerator<string, void> {
  let held: Buffer = Buffer.alloc(0);
  const lines = function* (bytes: Buffer): Generator<string, void> {
    for (let from = 0; from < bytes.length; from += ENCODED_LINE_BYTES)
      yield bytes.subarray(from, from + ENCODED_LINE_BYTES).toString('base64');
  };
  let lead = '';
  for await (const piece of pieces) {
    const bytes = Buffer.concat([held, piece]);
    const end = bytes.length - (bytes.length % ENCODED_LINE_BYTES);
    held = bytes.subarray(end);
    if (end === 0) continue;
    yield lead + [...lines(bytes.subarray(0, end))].join('\r\n');
    lead = '\r\n';
  }
  if (held.length > 0) yield lead + [...lines(held)].join('\r\n');
}

export const quotedPrintable: Transfer = { decode: decodeQuoted, encode: encodeQuoted };
export const base64: Transfer = { decode: decodeBase64, encode: encodeBase64 };

/** `7bit`, `8bit` and `binary`: the bytes as they are. */
export const identity: Transfer = {
  async *decode(pieces) {
    for await (const piece of pieces) yield Buffer.from(piece, 'latin1');
  },
  async *encode(pieces) {
    for await (const piece of pieces) yield piece.toString('latin1');
  },
};

/** Reads a text that comes in pieces up to marks in it. Memory: a piece and a mark. */
class TextReader {
  readonly #pieces: AsyncIterator<string, unknown>;
  #held = '';

  constructor(pieces: AsyncIterable<string>) {
    this.#pieces = pieces[Symbol.asyncIterator]();
  }

  /**
   * The text up to `mark`, which is consumed too.
   * @throws SpillwayError `stream_corrupt` when it does not come
   */
  async *until(mark: string): AsyncGenerator<string, void> {
    for (;;) {
      const found = this.#held.indexOf(mark);
      if (found >= 0) {
        const last = this.#held.slice(0, found);
        this.#held = this.#held.slice(found + mark.length);
        if (last !== '') yield last;
        return;
      }
      // What is not held back is not joined with what follows, which would copy it.
      const safeLength = this.#held.length - begunLength(this.#held, mark);
      const piece = this.#held.slice(0, safeLength);
      this.#held = this.#held.slice(safeLength);
      if (piece !== '') yield piece;
      if (!(await this.#more())) throw new SpillwayError('stream_corrupt', 'The MHTML ends too early.');
    }
  }

  /** {@link until} as one text of at most `maxUnits`. */
  async textUntil(mark: string, maxUnits: number): Promise<string> {
    let text = '';
    for await (const piece of this.until(mark)) {
      text += piece;
      if (text.length > maxUnits)
        throw new SpillwayError('stream_corrupt', `The MHTML has headers beyond ${maxUnits} characters.`);
    }
    return text;
  }

  async *rest(): AsyncGenerator<string, void> {
    do {
      const piece = this.#held;
      this.#held = '';
      if (piece !== '') yield piece;
    } while (await this.#more());
  }

  /** Releases the source. */
  async close(): Promise<void> {
    await this.#pieces.return?.();
  }

  async #more(): Promise<boolean> {
    const { done, value } = await this.#pieces.next();
    if (done === true) return false;
    this.#held += value;
    return true;
  }
}

/** Units at the end of a text that the mark may have begun with. */
function begunLength(text: string, mark: string): number {
  let length = Math.min(text.length, mark.length - 1);
  while (length > 0 && !text.endsWith(mark.slice(0, length))) length -= 1;
  return length;
}

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
async function* decodeBytes(pieces: AsyncIterable<Buffer>): AsyncGenerator<string, void> {
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
async function* encodeBytes(pieces: AsyncIterable<string>): AsyncGenerator<Buffer, void> {
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

const HEADER_UNITS = 256 * 1_024;
const TEXT_TYPE =
  /^(?:text\/|application\/(?:xml|json|javascript|ecmascript)\b|[\w.-]+\/[\w.-]+\+(?:xml|json)\b)/i;
const TRANSFERS: Readonly<Record<string, Transfer>> = { 'quoted-printable': quotedPrintable, base64 };

/** Clean text in a transfer encoding. */
const encoded = (chunks: AsyncIterable<CleanText>, transfer: Transfer): AsyncIterable<CleanText> =>
  vouchEach(transfer.encode(encodeBytes(chunks)));

/** A page as MHTML, cleaned part by part while it passes. */
interface CleanedMhtml {
  readonly chunks: AsyncIterable<CleanText>;
  /** Parts that no redactor can read: pictures, fonts, media. */
  readonly opaqueParts: () => number;
}

/**
 * Redacts MHTML (RFC 2557, as Chromium writes it). Each text part is decoded from its transfer
 * encoding, cleaned as one text, and encoded again in lines of its own; addresses and the title in
 * headers are cleaned too. Other parts pass as they are. Memory: a few pieces.
 *
 * Consuming throws SpillwayError `stream_corrupt` for invalid MHTML.
 */
export function redactMhtml(source: AsyncIterable<string>, redaction: PartRedaction): CleanedMhtml {
  if (!redaction.isEnabled) return { chunks: vouchEach(source), opaqueParts: () => 0 };
  let opaque = 0;
  const cleanLine = (text: string): CleanText => {
    const payload = redaction.redact({ kind: 'json', mimeType: MIME.json, value: text });
    return payload.kind === 'json' && typeof payload.value === 'string' ? payload.value : clean``;
  };
  const cleanBody = (body: AsyncIterable<string>, transfer: Transfer): AsyncIterable<CleanText> => {
    const chunks = decodeBytes(transfer.decode(body));
    const payload = redaction.redact({ kind: 'text', mimeType: MIME.text, chunks });
    if (payload.kind !== 'text')
      throw new SpillwayError('internal_error', 'The redactor did not return text.');
    return encoded(payload.chunks, transfer);
  };

  async function* pieces(): AsyncGenerator<CleanText, void> {
    const reader = new TextReader(source);
    try {
      const head = await reader.textUntil('\r\n\r\n', HEADER_UNITS);
      const boundary = boundaryOf(head);
      if (boundary === null) throw new SpillwayError('stream_corrupt', 'The MHTML names no boundary.');
      yield vouch(`${cleanHeaders(head, cleanLine)}\r\n\r\n`);
      const mark = `--${boundary}`;
      yield* vouchEach(reader.until(mark));
      for (;;) {
        const end = await reader.textUntil('\r\n', HEADER_UNITS);
        yield vouch(`${mark}${end}\r\n`);
        if (end !== '') break;
        const block = await reader.textUntil('\r\n\r\n', HEADER_UNITS);
        yield vouch(`${cleanHeaders(block, cleanLine)}\r\n\r\n`);
        const body = reader.until(`\r\n${mark}`);
        if (TEXT_TYPE.test(fieldOf(block, 'content-type'))) {
          const encoding = fieldOf(block, 'content-transfer-encoding').toLowerCase();
          yield* cleanBody(body, TRANSFERS[encoding] ?? identity);
        } else {
          opaque += 1;
          yield* vouchEach(body);
        }
        yield clean`\r\n`;
      }
      yield* vouchEach(reader.rest());
    } finally {
      await reader.close();
    }
  }
  return {
    chunks: pieces(),
    opaqueParts: () => opaque,
  };
}
