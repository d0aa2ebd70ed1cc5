import { lookUp } from '../../shared/base/json.ts';
import { each } from '../../shared/base/queue.ts';
import { isUtf8 } from 'node:buffer';
import { SpillwayError } from '../../shared/base/errors.ts';
import { MIME } from '../../shared/base/mime.ts';
import {
  clean,
  cleanBytes,
  type CleanText,
  cleanJsonText,
  type CleanBytes,
  type CleanJson,
} from '../libraries/redaction/clean.ts';
import { vouch, vouchEach, vouchEachBytes } from '../libraries/redaction/mark.ts';
import { ReportSum, type CleanPayload, type RawPayload, type RedactionReport } from '../core/result.ts';
import type { Redactor } from '../core/services.ts';
import { decodeBase64 } from '../core/file-stream.ts';

/** Content-Transfer-Encoding (RFC 2045, 6) in both directions, one unit per byte. */
interface Transfer {
  decode(text: string): Buffer;
  encode(bytes: Buffer): string;
}

/** Bytes that a line cannot contain literally, lone line breaks, and trailing spaces that would be lost. */
const ESCAPED = /[^\t\n\r -<>-~]+|\r(?!\n)|(?<!\r)\n|[\t ](?=\r\n|$)/g;

const quote = (text: string): string =>
  Buffer.from(text, 'latin1').toString('hex').toUpperCase().replaceAll(/../g, '=$&');

/** Folds a line softly, never inside an escape. */
const fold = (line: string): string => line.match(/.{1,75}(?<!=.?)/g)?.join('=\r\n') ?? '';

export const quotedPrintable: Transfer = {
  decode: (text) =>
    Buffer.from(
      text.replaceAll(/=(?:\r\n|([0-9A-Fa-f]{2}))/g, (_, hex?: string) =>
        hex === undefined ? '' : String.fromCharCode(Number.parseInt(hex, 16)),
      ),
      'latin1',
    ),
  encode: (bytes) => bytes.toString('latin1').replaceAll(ESCAPED, quote).split('\r\n').map(fold).join('\r\n'),
};

export const base64: Transfer = {
  decode: (text) => Buffer.from(text, 'base64'),
  encode: (bytes) => bytes.toString('base64').replaceAll(/.{76}(?=.)/g, '$&\r\n'),
};

/** `7bit`, `8bit` and `binary`: the bytes unchanged. */
export const identity: Transfer = {
  decode: (text) => Buffer.from(text, 'latin1'),
  encode: (bytes) => bytes.toString('latin1'),
};

/** Private-use characters that represent bytes, so that a redactor leaves them. */
const STAND_IN = 0xf700;

/**
 * Changes the text in bytes: Chromium writes a document in its own charset. If it is not UTF-8, only ASCII is
 * read, and other bytes stay.
 */
async function changeText(bytes: Buffer, change: (text: string) => Promise<string>): Promise<Buffer> {
  if (isUtf8(bytes)) return Buffer.from(await change(bytes.toString('utf8')), 'utf8');
  const shift = (text: string, range: RegExp, by: number): string =>
    text.replaceAll(range, (char) => String.fromCharCode(char.charCodeAt(0) + by));
  const changed = await change(shift(bytes.toString('latin1'), /[\x80-\xff]/g, STAND_IN));
  return Buffer.from(shift(changed, /[\uf780-\uf7ff]/g, -STAND_IN), 'latin1');
}

/** Reads a text that arrives in pieces, up to marks in it. Memory: a piece and a mark. */
class TextReader {
  readonly #pieces: AsyncIterator<string, unknown>;
  #held = '';

  constructor(pieces: AsyncIterable<string>) {
    this.#pieces = pieces[Symbol.asyncIterator]();
  }

  /**
   * The text up to `mark`, which is consumed too.
   * @throws SpillwayError `stream_corrupt` if it does not occur
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
      // Bytes that are not held back are not joined with the next ones, which would copy them.
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
        throw new SpillwayError('part_too_large', `It has a part of more than ${maxUnits} characters.`);
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

/** Units at the end of a text that may begin the mark. */
function begunLength(text: string, mark: string): number {
  let length = Math.min(text.length, mark.length - 1);
  while (length > 0 && !text.endsWith(mark.slice(0, length))) length -= 1;
  return length;
}

const HEADER_UNITS = 256 * 1_024;
/** For a text part, which is read as a whole. */
const TEXT_UNITS = 64 * 1_024 * 1_024;
const TEXT_TYPE =
  /^(?:text\/|application\/(?:xml|json|javascript|ecmascript)\b|[\w.-]+\/[\w.-]+\+(?:xml|json)\b)/i;
const TRANSFERS: Readonly<Record<string, Transfer>> = { 'quoted-printable': quotedPrintable, base64 };

/**
 * Redacts MHTML (RFC 2557, as Chromium writes it). Each text part is decoded from its transfer encoding,
 * cleaned as one text, and encoded again in new lines; addresses and the title in headers are cleaned too.
 * Other parts pass unchanged. Memory: the largest text part.
 * Once the chunks were consumed, `opaqueParts` counts the parts that no redactor can read: pictures, fonts, media.
 * Consuming throws SpillwayError `stream_corrupt` for invalid MHTML, and `part_too_large` for a larger text.
 */
export function redactMhtml(source: AsyncIterable<string>, redactor: Redactor) {
  const reports: (() => RedactionReport)[] = [];
  const report = (): RedactionReport => new ReportSum(...reports.map((reportOf) => reportOf()));
  // With `--no-sanitize-content` and without `--secrets`.
  if (!redactor.enabled && !redactor.hasKnownSecrets)
    return { chunks: vouchEach(source), opaqueParts: () => 0, report };
  let opaque = 0;
  const redact = async (raw: RawPayload): Promise<CleanPayload> => {
    const redacted = await redactor.payload(raw);
    reports.push(redacted.report);
    return redacted.payload;
  };
  const cleanLine = async (text: string): Promise<CleanText> => {
    const payload = await redact({ kind: 'json', mimeType: MIME.json, value: text });
    return payload.kind === 'json' && typeof payload.value === 'string' ? payload.value : clean``;
  };
  const cleanText = async (text: string): Promise<CleanText> => {
    const payload = await redact({ kind: 'text', mimeType: MIME.text, chunks: each([text]) });
    let cleaned = clean``;
    if (payload.kind === 'text')
      for await (const chunk of payload.chunks) cleaned = clean`${cleaned}${chunk}`;
    return cleaned;
  };

  async function* pieces(): AsyncGenerator<CleanText, void> {
    const reader = new TextReader(source);
    try {
      const head = await reader.textUntil('\r\n\r\n', HEADER_UNITS);
      const boundary = boundaryOf(head);
      if (boundary === null) throw new SpillwayError('stream_corrupt', 'The MHTML names no boundary.');
      yield vouch(`${await cleanHeaders(head, cleanLine)}\r\n\r\n`);
      const mark = `--${boundary}`;
      yield* vouchEach(reader.until(mark));
      for (;;) {
        const end = await reader.textUntil('\r\n', HEADER_UNITS);
        yield vouch(`${mark}${end}\r\n`);
        if (end !== '') break;
        const block = await reader.textUntil('\r\n\r\n', HEADER_UNITS);
        yield vouch(`${await cleanHeaders(block, cleanLine)}\r\n\r\n`);
        if (TEXT_TYPE.test(fieldOf(block, 'content-type'))) {
          const transfer =
            lookUp(TRANSFERS, fieldOf(block, 'content-transfer-encoding').toLowerCase()) ?? identity;
          const bytes = transfer.decode(await reader.textUntil(`\r\n${mark}`, TEXT_UNITS));
          yield vouch(transfer.encode(await changeText(bytes, cleanText)));
        } else {
          opaque += 1;
          yield* vouchEach(reader.until(`\r\n${mark}`));
        }
        yield clean`\r\n`;
      }
      yield* vouchEach(reader.rest());
    } finally {
      await reader.close();
    }
  }
  return { chunks: pieces(), opaqueParts: () => opaque, report };
}

function parseField(line: string): { readonly name: string; readonly value: string } {
  const colon = line.indexOf(':');
  return { name: line.slice(0, colon).trim().toLowerCase(), value: line.slice(colon + 1).trim() };
}

/** Logical lines of a header block, each with its folds. */
const splitHeaders = (block: string): string[] => block.split(/\r\n(?![\t ])/);

/** A field's value, folded lines joined; '' if it is missing. */
function fieldOf(block: string, name: string): string {
  return (
    splitHeaders(block.replaceAll(/\r\n[\t ]+/g, ' '))
      .map(parseField)
      .find((field) => field.name === name)?.value ?? ''
  );
}

/** The boundary between parts, or null. */
function boundaryOf(block: string): string | null {
  return /;\s*boundary="([^"]{1,200})"/i.exec(fieldOf(block, 'content-type'))?.[1] ?? null;
}

const ENCODED_WORD = /=\?utf-8\?([QB])\?([^?]*)\?=(?:\s+(?==\?utf-8\?))?/gi;
/** As many code points as always fit in one encoded word (RFC 2047, 2). */
const WORD = /.{1,10}/gsu;

/** Chromium writes a space as `=20`, and an underscore literally, which RFC 2047 reads as a space. */
function decodeWords(text: string): string {
  return Buffer.from(
    text.replaceAll(ENCODED_WORD, (_, kind: string, body: string) =>
      kind.toUpperCase() === 'B'
        ? Buffer.from(body, 'base64').toString('latin1')
        : body.replaceAll(/=([0-9A-F]{2})/gi, (__, hex: string) =>
            String.fromCharCode(Number.parseInt(hex, 16)),
          ),
    ),
    'latin1',
  ).toString('utf8');
}

function encodeWords(text: string): string {
  const words = text.match(WORD) ?? [];
  return words.map((word) => `=?utf-8?B?${Buffer.from(word).toString('base64')}?=`).join('\r\n ');
}

/** Like the browser's address parser, so that the page still finds the part. */
const escapeAddress = (text: string): string =>
  text.replaceAll(/[^!-~]+/g, (found) => encodeURIComponent(found));

/** Cleans a header block's facts about the page: addresses and the title. Other lines stay unchanged. */
async function cleanHeaders(block: string, clean: (text: string) => Promise<CleanText>): Promise<string> {
  const lines = await Promise.all(
    splitHeaders(block).map(async (line) => {
      const { name, value } = parseField(line.replaceAll(/\r\n[\t ]+/g, ' '));
      if (name === 'subject') {
        const subject = decodeWords(value);
        const cleaned = await clean(subject);
        return cleaned === subject ? line : `Subject: ${encodeWords(cleaned)}`;
      }
      if (!name.endsWith('content-location')) return line;
      const cleaned = await clean(value);
      return cleaned === value ? line : `${line.slice(0, line.indexOf(':'))}: ${escapeAddress(cleaned)}`;
    }),
  );
  return lines.join('\r\n');
}

/** UTF-16 units of text that are encoded at once. */
const GATHERED_UNITS = 64 * 1_024;

/** Texts as UTF-8, small ones gathered. */
export async function* gather(texts: AsyncIterable<CleanText>): AsyncGenerator<CleanBytes, void> {
  let gathered = clean``;
  for await (const text of texts) {
    gathered = clean`${gathered}${text}`;
    if (gathered.length < GATHERED_UNITS) continue;
    yield cleanBytes(gathered);
    gathered = clean``;
  }
  if (gathered !== '') yield cleanBytes(gathered);
}

async function* listOf(items: AsyncIterable<CleanJson>): AsyncGenerator<CleanText, void> {
  let isFirst = true;
  for await (const item of items) {
    yield isFirst ? clean`[\n${cleanJsonText(item)}` : clean`,\n${cleanJsonText(item)}`;
    isFirst = false;
  }
  yield isFirst ? clean`[]\n` : clean`\n]\n`;
}

/** A part's bytes: text as UTF-8, items as one JSON array with a line each. */
export function bytesOf(payload: CleanPayload): AsyncIterable<CleanBytes> {
  switch (payload.kind) {
    case 'items':
      return gather(listOf(payload.items));
    case 'text':
      return gather(payload.chunks);
    case 'bytes':
      return payload.chunks;
    case 'json':
      throw new SpillwayError('internal_error', 'A part of a bundle is a stream.');
  }
}

/** The bytes of a picture, which cannot be redacted, from base64 in pieces. */
export const decodePicture = (texts: AsyncIterable<string>): AsyncIterable<CleanBytes> =>
  vouchEachBytes(decodeBase64(texts));
