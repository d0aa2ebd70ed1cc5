import type { JsonValue } from '../../shared/json.ts';
import { withoutEscapes } from '../../shared/json-escapes.ts';
import { parseJson } from '../../shared/json-schema.ts';
import { cleanJson } from './json-value.ts';
import { keyMeaning } from './key-names.ts';
import { cleanParameter, cleanParameters } from './parameters.ts';
import { placeholder, Tally } from './tally.ts';
import { cleanText } from './text-stream.ts';

/* Bodies of requests and responses and messages of sockets, each by the format that it is in. */

const FORM = /^(?:[\w.%+[\]-]{1,128}=[^&\s"'<>{}]*)(?:&[\w.%+[\]-]{1,128}=[^&\s"'<>{}]*)*$/;
const FORM_UNITS = 65_536;
/** What keeps JSON from being run as a script. */
const JSON_GUARD = /^(?:\)\]\}',?|while\(1\);|for\(;;\);)?\s*(?=[[{"])/;
const ELEMENT = /<(?<name>[\w.:-]{1,64})(?<attributes>\s[^<>]{0,256})?>(?<value>[^<>]{1,4096})<\/\k<name>>/g;

/** Multipart within multipart; what is deeper is read as text. */
const NESTED = 8;

/**
 * Cleans a body of text. Its form is kept byte by byte, except where only the structure revealed a
 * secret: then JSON is rewritten, or removed whole where it is nested too deeply.
 *
 * @param mimeType Content-Type with its parameters; '' where it is unknown
 */
export function cleanBody(text: string, mimeType: string, tally: Tally, depth = 0): string {
  if (text === '') return text;
  if (depth < NESTED && /^multipart\//i.test(mimeType)) return cleanMultipart(text, mimeType, tally, depth);
  const isForm = /^application\/x-www-form-urlencoded/i.test(mimeType);
  if (isForm || (text.length <= FORM_UNITS && FORM.test(text))) return cleanParameters(text, tally);
  if (/[/+]xml\b/i.test(mimeType)) return cleanXml(text, tally);
  const guard = JSON_GUARD.exec(text)?.[0];
  return guard === undefined ? cleanText(text, tally) : cleanJsonText(text, guard, tally);
}

function parse(text: string): JsonValue | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/** A multipart form within a string of JSON, as services that log requests answer it. */
const ESCAPED_FIELD =
  /(?<head>name=\\{1,3}"(?<name>[\w.[\]-]{1,64})\\{1,3}"(?:\\{1,3}r\\{1,3}n){2})(?<value>(?:(?!\\{1,3}r\\{1,3}n)[^"]){1,4096})/g;

function cleanEscapedFields(text: string, tally: Tally): string {
  if (!text.includes('form-data')) return text;
  return text.replaceAll(ESCAPED_FIELD, (field, head: string, name: string) => {
    const meaning = keyMeaning(name);
    if (meaning?.strength !== 'strong') return field;
    tally.secret(meaning.kind);
    return head + placeholder(meaning.kind);
  });
}

function cleanJsonText(text: string, guard: string, tally: Tally): string {
  const cleaned = cleanText(cleanEscapedFields(text, tally), tally);
  const value = parse(cleaned.slice(guard.length));
  if (value === undefined) return cleanCut(cleaned, tally);
  // What is invisible once unescaped is seen in the text, where it is an escape.
  const within = new Tally();
  const redacted = cleanJson(value, within);
  if (!within.hasSecrets) return cleaned;
  tally.add(within);
  return guard + write(redacted, tally);
}

/** Nothing can parse JSON that was cut off: only its escapes can be looked behind. */
function cleanCut(text: string, tally: Tally): string {
  const within = new Tally();
  const cleaned = cleanText(withoutEscapes(text), within);
  if (!within.hasSecrets) return text;
  tally.add(within);
  return cleaned;
}

/** `JSON.stringify` is recursive, so a page can nest a value too deep for it. */
function write(value: JsonValue, tally: Tally): string {
  try {
    return JSON.stringify(value);
  } catch {
    tally.secret('body');
    return placeholder('body');
  }
}

function cleanXml(text: string, tally: Tally): string {
  const cleaned = text.replaceAll(ELEMENT, (element, name: string, attributes: string | undefined) => {
    const meaning = keyMeaning(name.replace(/^.*:/, ''));
    if (meaning?.strength !== 'strong') return element;
    tally.secret(meaning.kind);
    return `<${name}${attributes ?? ''}>${placeholder(meaning.kind)}</${name}>`;
  });
  return cleanText(cleaned, tally);
}

/** RFC 7578: each part has headers of its own, its name among them. */
function cleanMultipart(text: string, mimeType: string, tally: Tally, depth: number): string {
  const named = /boundary=(?:"(?<quoted>[^"]+)"|(?<bare>[^\s;]+))/i.exec(mimeType)?.groups;
  const boundary = named?.['quoted'] ?? named?.['bare'] ?? /^--(?<line>\S+)/.exec(text)?.groups?.['line'];
  if (boundary === undefined) return cleanText(text, tally);
  const delimiter = `--${boundary}`;
  return text
    .split(delimiter)
    .map((part) => cleanPart(part, tally, depth))
    .join(delimiter);
}

function cleanPart(part: string, tally: Tally, depth: number): string {
  const blank = /\r?\n\r?\n/.exec(part);
  if (blank === null) return cleanText(part, tally);
  const start = blank.index + blank[0].length;
  const headers = part.slice(0, start);
  const end = /\r?\n$/.exec(part)?.index ?? part.length;
  const value = part.slice(start, Math.max(start, end));
  const name = /\bname="(?<name>[^"]*)"/i.exec(headers)?.groups?.['name'] ?? '';
  const type = /^content-type:\s*(?<type>.+)$/im.exec(headers)?.groups?.['type']?.trim();
  const cleaned =
    type === undefined || keyMeaning(name)?.strength === 'strong'
      ? cleanParameter(name, value, tally)
      : cleanBody(value, type, tally, depth + 1);
  return cleanText(headers, tally) + cleaned + part.slice(Math.max(start, end));
}
