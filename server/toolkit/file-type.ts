import { charsetOf } from '../../shared/charset.ts';
import { isTextType, MIME, type MimeType } from '../../shared/mime.ts';

/** How the body of a file is delivered. */
export interface FileType {
  /** `text` is decoded and redacted; nothing can be redacted in `bytes`. */
  readonly kind: 'text' | 'pdf' | 'bytes';
  readonly mimeType: MimeType;
  /** Of a text. */
  readonly charset: string;
}

/** Other names of types that we know. */
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

/** First bytes of files whose server does not say what they are, in hexadecimal. */
const SIGNATURES: readonly (readonly [RegExp, MimeType])[] = [
  [/^89504e470d0a/, MIME.png],
  [/^ffd8ff/, MIME.jpeg],
  [/^47494638/, MIME.gif],
  [/^52494646.{8}57454250/, MIME.webp],
  [/^504b0304/, MIME.zip],
  [/^1f8b/, MIME.gzip],
];

/** How far a PDF may begin behind other bytes; readers accept it. */
const PDF_START_BYTES = 1_024;

const known = new Map<string, MimeType>([
  ...Object.values(MIME).map((type): [string, MimeType] => [type, type]),
  ...Object.entries(ALIASES),
]);

/**
 * What a file is, by its Content-Type and its first bytes. What can be text is text, whatever type its server
 * calls it: an undeclared text must not pass unredacted as bytes.
 */
export function fileTypeOf(contentType: string | null, start: Uint8Array): FileType {
  const declared = /^\s*([\w!#$&^.+*-]+\/[\w!#$&^.+*-]+)/.exec(contentType ?? '')?.[1]?.toLowerCase() ?? '';
  const { label: charset } = charsetOf(start, contentType);
  const mimeType = known.get(declared);
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

/** Text has no control characters but white space and escapes, and only what its encoding has. */
function isText(start: Uint8Array, charset: string): boolean {
  const isMarked = charset.startsWith('utf-16');
  if (!isMarked && start.some((byte) => byte < 9 || (byte > 13 && byte < 32 && byte !== 27))) return false;
  if (charset === 'windows-1252') return false;
  try {
    new TextDecoder(charset, { fatal: true }).decode(start, { stream: true });
    return true;
  } catch {
    return false;
  }
}

/** A body as text, decoded as it comes. Bytes that the encoding does not have become U+FFFD. */
export async function* decodeText(bytes: AsyncIterable<Uint8Array>, charset: string): AsyncGenerator<string> {
  const decoder = new TextDecoder(charset);
  for await (const chunk of bytes) {
    const text = decoder.decode(chunk, { stream: true });
    if (text !== '') yield text.toWellFormed();
  }
  const rest = decoder.decode();
  if (rest !== '') yield rest.toWellFormed();
}
