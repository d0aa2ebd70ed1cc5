import type { MethodResult } from '../../shared/core/bridge/methods.ts';
import { SpillwayError } from '../../shared/base/errors.ts';
import { parseAs } from '../../shared/base/json-schema.ts';
import { withResult } from '../../shared/base/queue.ts';
import { FileHead } from '../../shared/files/fetch.methods.ts';
import type { BridgeStream } from './services.ts';
import { charsetOf, isTextType, MIME, type MimeType } from '../../shared/base/mime.ts';
import { decoderOf } from './charsets.ts';

/** How many other bytes may precede a PDF; readers accept it. */
const PDF_START_BYTES = 1_024;

/** A file whose headers have arrived. */
export interface FetchedFile {
  readonly head: FileHead;
  /** The beginning of the body, for recognising it; `bytes` includes it. */
  readonly start: Uint8Array;
  readonly bytes: AsyncIterable<Uint8Array>;
  /** Once `bytes` was read. */
  readonly result: () => MethodResult<'fetch.file'>;
}

/** The extension never writes a longer first line. */
const LINE_UNITS = 512 * 1024;

/**
 * Reads the stream of `fetch.file` up to the first bytes of the body. Consuming `bytes` reads the rest;
 * leaving it early cancels the request.
 * @throws SpillwayError the error of the request, `stream_corrupt`
 */
export async function openFile(stream: BridgeStream<'fetch.file'>): Promise<FetchedFile> {
  const { values, result } = withResult(stream);
  const { line, rest } = await takeLine(values);
  try {
    if (line === null) throw corrupt('The stream of a file does not begin with its headers');
    const head = parseAs(FileHead, line);
    if (head === null) throw corrupt('The headers of a file are malformed');
    const { first = new Uint8Array(), all } = await peek(withStart(decodeBase64(rest), PDF_START_BYTES));
    return { head, start: first, bytes: all, result };
  } catch (thrown) {
    await rest.return?.();
    throw thrown;
  }
}

/** The first line of a text in chunks, or null, and what follows it. */
export async function takeLine<R>(
  chunks: AsyncIterableIterator<string, R>,
): Promise<{ readonly line: string | null; readonly rest: AsyncIterableIterator<string, R> }> {
  let text = '';
  try {
    for (let end = -1; end < 0 && text.length <= LINE_UNITS; end = text.indexOf('\n')) {
      const next = await chunks.next();
      if (next.done === true) break;
      text += next.value;
    }
  } catch (thrown) {
    await chunks.return?.();
    throw thrown;
  }
  const end = text.indexOf('\n');
  const rest = prependTo({ value: text.slice(end + 1) }, chunks);
  return { line: end < 0 ? null : text.slice(0, end), rest };
}

/** The same bytes. The first chunk has at least so many of them, if there are so many. */
async function* withStart(
  chunks: AsyncIterable<Uint8Array>,
  minBytes: number,
): AsyncGenerator<Uint8Array, void> {
  let start: Uint8Array | null = new Uint8Array();
  try {
    for await (const chunk of chunks) {
      if (start !== null) start = Buffer.concat([start, chunk]);
      if (start !== null && start.length < minBytes) continue;
      yield start ?? chunk;
      start = null;
    }
  } catch (thrown) {
    // The reader counts what came before a failure.
    if (start !== null && start.length > 0) yield start;
    throw thrown;
  }
  if (start !== null && start.length > 0) yield start;
}

/** The first chunk, if there is one, and the whole stream. */
export async function peek<T, R>(
  chunks: AsyncIterableIterator<T, R>,
): Promise<{ readonly first: T | undefined; readonly all: AsyncIterableIterator<T, R> }> {
  const first = await chunks.next();
  return { first: first.done === true ? undefined : first.value, all: prependTo(first, chunks) };
}

/** Not a generator, which would not release the source if it is left before its first value. */
function prependTo<T, R>(
  first: IteratorResult<T, R>,
  rest: AsyncIterator<T, R>,
): AsyncIterableIterator<T, R> {
  let isFirst = true;
  const leave = rest.return?.bind(rest);
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    async next() {
      if (!isFirst) return rest.next();
      isFirst = false;
      return first;
    },
    ...(leave === undefined ? {} : { return: leave }),
  };
}

/**
 * Decodes base64 that arrives in chunks cut anywhere. Memory: one chunk.
 * @throws SpillwayError `stream_corrupt` for invalid base64
 */
export async function* decodeBase64(chunks: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  let rest = '';
  for await (const chunk of chunks) {
    const text = rest + chunk;
    const whole = text.length - (text.length % 4);
    rest = text.slice(whole);
    if (whole > 0) yield decode(text.slice(0, whole));
  }
  if (rest !== '') throw corrupt();
}

function decode(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64');
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  // Node silently skips invalid base64; the length reveals it.
  if (bytes.length !== (text.length / 4) * 3 - padding) throw corrupt();
  return bytes;
}

const corrupt = (why = 'The stream contains invalid base64'): SpillwayError =>
  new SpillwayError('stream_corrupt', `${why}.`);

/** The beginning of a body, and whether that is all of it. The rest is never read. */
export async function readStart(
  body: AsyncIterable<Uint8Array> | null,
  maxBytes: number,
): Promise<{ readonly bytes: Buffer; readonly isWhole: boolean }> {
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of body ?? []) {
    sizeBytes += chunk.length;
    chunks.push(chunk);
    if (sizeBytes > maxBytes) break;
  }
  return { bytes: Buffer.concat(chunks).subarray(0, maxBytes), isWhole: sizeBytes <= maxBytes };
}

export interface FileType {
  /** `text` is decoded and redacted; nothing can be redacted in `bytes`. */
  readonly kind: 'text' | 'pdf' | 'bytes';
  readonly mimeType: MimeType;
  readonly charset: string;
}

const ALIASES: Readonly<Record<string, MimeType>> = {
  'application/x-pdf': MIME.pdf,
  'application/x-zip-compressed': MIME.zip,
  'application/x-gzip': MIME.gzip,
  'image/jpg': MIME.jpeg,
  'image/vnd.microsoft.icon': MIME.icon,
  'text/xml': MIME.xml,
  'text/x-markdown': MIME.markdown,
  'application/xhtml+xml': MIME.html,
  'application/javascript': MIME.javascript,
  'application/x-javascript': MIME.javascript,
  'text/yaml': MIME.yaml,
  'application/x-yaml': MIME.yaml,
  'text/rtf': MIME.rtf,
  'application/ndjson': MIME.ndjson,
  'audio/x-wav': MIME.wav,
  'text/json': MIME.json,
};

/** First bytes of files whose type the server does not declare, in hexadecimal. */
const SIGNATURES: readonly (readonly [RegExp, MimeType])[] = [
  [/^89504e470d0a/, MIME.png],
  [/^ffd8ff/, MIME.jpeg],
  [/^47494638/, MIME.gif],
  [/^52494646.{8}57454250/, MIME.webp],
  [/^504b0304/, MIME.zip],
  [/^1f8b/, MIME.gzip],
];

const mimeTypes = new Map<string, MimeType>([
  ...Object.values(MIME).map((type): [string, MimeType] => [type, type]),
  ...Object.entries(ALIASES),
]);

/**
 * A file's kind, by its Content-Type and its first bytes. Anything that can be text is text, whatever type
 * its server gives it: undeclared text must not pass unredacted as bytes.
 */
export function fileTypeOf(contentType: string | null, start: Uint8Array): FileType {
  const declared = /^\s*([\w!#$&^.+*-]+\/[\w!#$&^.+*-]+)/.exec(contentType ?? '')?.[1]?.toLowerCase() ?? '';
  const charset = charsetOf(start, contentType);
  const mimeType = mimeTypes.get(declared);
  if (/%PDF-\d/.test(latin1(start.subarray(0, PDF_START_BYTES))))
    return { kind: 'pdf', mimeType: MIME.pdf, charset };
  if (isTextType(declared) || isText(start, charset))
    return { kind: 'text', mimeType: mimeType ?? textTypeOf(declared), charset };
  if (mimeType !== undefined && mimeType !== MIME.octets) return { kind: 'bytes', mimeType, charset };
  const head = Buffer.from(start.subarray(0, 16)).toString('hex');
  const signature = SIGNATURES.find(([pattern]) => pattern.test(head))?.[1];
  return { kind: 'bytes', mimeType: signature ?? MIME.octets, charset };
}

const latin1 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');

const textTypeOf = (declared: string): MimeType =>
  declared.endsWith('+json') ? MIME.json : declared.endsWith('+xml') ? MIME.xml : MIME.text;

/** Text has no control characters except white space and escapes, and only characters of its encoding. */
function isText(start: Uint8Array, charset: string): boolean {
  const isMarked = charset.startsWith('utf-16');
  if (!isMarked && start.some((byte) => byte < 9 || (byte > 13 && byte < 32 && byte !== 27))) return false;
  if (charset === 'windows-1252') return false;
  try {
    decoderOf(charset, { fatal: true }).decode(start, { stream: true });
    return true;
  } catch {
    return false;
  }
}

/** A body as text, decoded as it arrives. Invalid bytes become U+FFFD. */
export async function* decodeText(bytes: AsyncIterable<Uint8Array>, charset: string): AsyncGenerator<string> {
  const decoder = decoderOf(charset);
  for await (const chunk of bytes) {
    const text = decoder.decode(chunk, { stream: true });
    if (text !== '') yield text.toWellFormed();
  }
  const rest = decoder.decode();
  if (rest !== '') yield rest.toWellFormed();
}
