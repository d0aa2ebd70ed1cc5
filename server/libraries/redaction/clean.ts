import { cut, cutUrl } from '../../../shared/base/cut.ts';
import type { JsonObject } from '../../../shared/base/json.ts';
import { Json, JsonRecord } from '../../../shared/base/json-schema.ts';
import {
  vouch,
  vouchBytes,
  type Clean,
  type CleanBytes,
  type CleanJson,
  type CleanRecord,
  type CleanText,
} from './mark.ts';
import { SpillwayError } from '../../../shared/base/errors.ts';
import { HANDLE_PATTERN } from '../../../shared/core/descriptor.ts';
import { RUN_ID_PATTERN } from '../../../shared/core/tools/manifest.ts';

export type { Clean, CleanBytes, CleanJson, CleanRecord, CleanText } from './mark.ts';

/**
 * Joins literal text with clean parts, so that messages stay readable: `` clean`Run ${run.id} ended after
 * ${count} items.` ``
 */
export function clean(
  literals: TemplateStringsArray,
  ...parts: readonly (CleanText | number | boolean)[]
): CleanText {
  let text = literals[0] ?? '';
  parts.forEach((part, index) => (text += String(part) + (literals[index + 1] ?? '')));
  return vouch(text);
}

/** The serialised form of a clean value, indented by `indent` spaces a level unless that is 0. */
export function cleanJsonText(value: CleanJson, indent?: number): CleanText;
export function cleanJsonText<T>(value: T & Clean<T>, indent?: number): CleanText;
export function cleanJsonText(value: unknown, indent = 0): CleanText {
  return vouch(JSON.stringify(value, null, indent));
}

/** A clean text cut to at most `maxLength` UTF-16 units, between code points. */
export function clipClean(text: CleanText, maxLength: number): CleanText {
  return vouch(cut(text, maxLength));
}

/** An object of clean parts as JSON: members whose type is a union of literals need no mark. */
export function cleanRecord<T extends object>(value: T & Clean<T>): CleanRecord {
  return vouch<JsonObject>(JsonRecord.parse(value));
}

/** The members of a clean object: their names are clean too. */
export function membersOf(value: CleanRecord): readonly (readonly [CleanText, CleanJson | undefined])[] {
  return Object.entries(value).map(([name, member]) => [vouch(name), member]);
}

/** Joins clean texts. */
export function joinClean(texts: readonly CleanText[], separator: string & ('' | '\n' | ', ')): CleanText {
  return vouch(texts.join(separator));
}

/** A time as ISO 8601 in UTC, from milliseconds since the epoch. */
export function isoTime(timeMs: number): CleanText {
  return vouch(new Date(timeMs).toISOString());
}

/** The UTF-8 of a clean text. */
export function cleanBytes(text: CleanText): CleanBytes {
  return vouchBytes(Buffer.from(text, 'utf8'));
}

/** Clean bytes as text. */
export function cleanTextOf(bytes: CleanBytes, encoding: 'utf8' | 'base64'): CleanText {
  return vouch(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString(encoding));
}

/** The value in a serialised clean text. @throws SyntaxError for text that is not JSON */
export function parseClean(text: CleanText): CleanJson {
  return vouch(Json.parse(JSON.parse(text)));
}

/** Origin and path of a clean address, shortened: queries and fragments cost tokens. */
export function shortSource(url: CleanText): CleanText {
  return vouch(cutUrl(url.replace(/[?#].*$/s, ''), 120));
}

/** Bytes of our own making in hexadecimal: a nonce, a digest. */
export function cleanHex(bytes: Uint8Array): CleanText {
  return vouch(Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join(''));
}

/** The lines of a clean text that arrives in chunks, without line breaks. Memory: the longest line. */
export async function* splitStream(chunks: AsyncIterable<CleanText>): AsyncGenerator<CleanText, void> {
  let pending = '';
  for await (const chunk of chunks) {
    const lines = (pending + chunk).split('\n');
    pending = lines.pop() ?? '';
    for (const line of lines) yield vouch(line);
  }
  if (pending !== '') yield vouch(pending);
}

/** The part of a clean text from one UTF-16 unit to another. */
export function sliceClean(text: CleanText, from: number, to: number): CleanText {
  return vouch(text.slice(from, to));
}

/** No secret of a known shape matches one. */
const FORMS = {
  run: RUN_ID_PATTERN,
  handle: HANDLE_PATTERN,
  /** 132 bits of a SHA-256 in base64url. */
  digest: /^[\w-]{22}$/,
} as const;

/**
 * An identifier as a clean text. It is checked, so that no other text can pass as one.
 * @throws SpillwayError `internal_error` for a text of another form; it does not quote the text
 */
export function identifier(form: keyof typeof FORMS, text: string): CleanText {
  if (!FORMS[form].test(text))
    throw new SpillwayError('internal_error', `A text is not an identifier of the form "${form}".`);
  return vouch(text);
}
