import { type CleanRecord, type CleanText } from '../libraries/redaction/clean.ts';
import { vouch } from '../libraries/redaction/mark.ts';
import { type JsonValue, isObject, stringOrEmpty } from '../../shared/base/json.ts';
import { charsetOf } from '../../shared/base/mime.ts';

const OWN_HEADERS: ReadonlySet<string> = new Set([
  'host',
  'content-length',
  'connection',
  'accept-encoding',
  'transfer-encoding',
]);
const NOTHING = new Uint8Array();
/** Linux accepts no argument longer than 128 KiB; a longer body goes through a pipe. */
const ARGUMENT_BYTES = 65_536;

/** One word of a POSIX shell; it may contain anything but NUL. */
function quoteWord(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

function headerWords(headers: JsonValue | undefined): string[] {
  if (!Array.isArray(headers)) return [];
  return headers.filter(isObject).flatMap((header) => {
    const name = stringOrEmpty(header['name']);
    const value = stringOrEmpty(header['value']);
    if (name.startsWith(':') || OWN_HEADERS.has(name.toLowerCase())) return [];
    // `Name:` would remove the header; a semicolon sends it empty.
    return [`-H ${quoteWord(value === '' ? `${name};` : `${name}: ${value}`)}`];
  });
}

/** `pipe`: a command that writes the body, if no argument can carry it. */
function bodyOf(postData: JsonValue | undefined) {
  if (!isObject(postData)) return null;
  const text = stringOrEmpty(postData['text']);
  if (text === '') return null;
  const isBinary = postData['_encoding'] === 'base64';
  const bytes = Buffer.from(text, isBinary ? 'base64' : 'utf8');
  if (isBinary || bytes.includes(0)) {
    const octal = [...bytes].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');
    return { pipe: `printf ${quoteWord(octal)} | `, words: ['--data-binary @-'] };
  }
  const { mimeType } = postData;
  const charset = charsetOf(NOTHING, stringOrEmpty(mimeType));
  if (charset !== 'utf-8' && bytes.length > text.length)
    return {
      pipe: `printf %s ${quoteWord(text)} | iconv -f UTF-8 -t ${charset} | `,
      words: ['--data-binary @-'],
    };
  if (bytes.length > ARGUMENT_BYTES)
    return { pipe: `printf %s ${quoteWord(text)} | `, words: ['--data-binary @-'] };
  return { pipe: '', words: [`--data-raw ${quoteWord(text)}`] };
}

function methodWords(method: string, hasBody: boolean): string[] {
  if (method === 'HEAD') return ['--head'];
  return method === (hasBody ? 'POST' : 'GET') ? [] : [`-X ${quoteWord(method)}`];
}

const requestOf = ({ request }: CleanRecord) => (isObject(request) ? request : {});

/** Why the command sends less than the request did; null if it sends all. */
export function gapOf(entry: CleanRecord): string | null {
  const { postData } = requestOf(entry);
  return (isObject(postData) && stringOrEmpty(postData['comment'])) || null;
}

/** A captured request as a command for a POSIX shell. Redacted values stay redacted. */
export function writeCurl(entry: CleanRecord): CleanText {
  const request = requestOf(entry);
  const body = bodyOf(request['postData']);
  const words = [
    // Without --globoff curl reads brackets of an address as a range.
    `curl --globoff --compressed ${quoteWord(stringOrEmpty(request['url']))}`,
    ...methodWords(stringOrEmpty(request['method']), body !== null),
    ...headerWords(request['headers']),
    ...(body?.words ?? []),
  ];
  // Words of the clean entry, quoted.
  return vouch(`${body?.pipe ?? ''}${words.join(' \\\n  ')}\n`);
}
