import {
  type JsonValue,
  isJsonList,
  isObject,
  type JsonObject,
  stringOrEmpty,
} from '../../../shared/base/json.ts';
import { withoutEscapes } from '../../../shared/base/json-escapes.ts';
import { jsonIn } from '../../../shared/base/json-schema.ts';
import {
  cleanJson,
  cleanParameter,
  cleanParameters,
  cleanUrl,
  cleanSetCookie,
  isBase64,
  isBinaryFrame,
} from './json-value.ts';
import { namesAmong } from './json-names.ts';
import { keyMeaning, isOAuth, isSecretByForm, isSecretNumber } from './weigh.ts';
import { type Tally, isPlaceholder } from './tally.ts';
import { cleanLongText } from './text-stream.ts';
import { ANSWER_VALUES_MAX, hasMoreValues, type Work } from '../../core/slices.ts';
import { isUtf8 } from 'node:buffer';
import { isTextType } from '../../../shared/base/mime.ts';

/** Bodies of requests and responses and socket messages, each by its format. */

const FORM = /^(?:[\w.%+[\]-]{1,128}=[^&\s"'<>{}]*)(?:&[\w.%+[\]-]{1,128}=[^&\s"'<>{}]*)*$/;
const FORM_UNITS = 65_536;
const JSON_GUARD = /^(?:\)\]\}',?|while\(1\);|for\(;;\);)?\s*(?=[[{"])/;
const ELEMENT = /<(?<name>[\w.:-]{1,64})(?<attributes>\s[^<>]{0,256})?>(?<value>[^<>]{1,4096})<\/\k<name>>/g;

/** Multipart within multipart; deeper levels are read as text. */
const NESTED = 8;

/**
 * Cleans a text body. Its form is kept byte by byte, except if only the structure revealed a secret: then
 * JSON is rewritten.
 * @param mimeType Content-Type with its parameters; '' if unknown
 */
function* cleanBody(text: string, mimeType: string, tally: Tally, depth = 0): Work<string> {
  if (text === '') return text;
  if (depth < NESTED && /^multipart\//i.test(mimeType))
    return yield* cleanMultipart(text, mimeType, tally, depth);
  const isForm = /^application\/x-www-form-urlencoded/i.test(mimeType);
  if (isForm || (text.length <= FORM_UNITS && FORM.test(text))) return yield* cleanParameters(text, tally);
  if (/[/+]xml\b/i.test(mimeType)) return yield* cleanXml(text, tally);
  const guard = JSON_GUARD.exec(text)?.[0];
  return yield* guard === undefined ? cleanLongText(text, tally) : cleanJsonText(text, guard, tally);
}

/** A multipart form within a JSON string, as services that log requests answer it. */
const ESCAPED_FIELD =
  /(?<head>name=\\{1,3}"(?<name>[\w.[\]-]{1,64})\\{1,3}"(?:\\{1,3}r\\{1,3}n){2})(?<value>(?:(?!\\{1,3}r\\{1,3}n)[^"]){1,4096})/g;

function cleanEscapedFields(text: string, tally: Tally): string {
  if (!text.includes('form-data')) return text;
  return text.replaceAll(ESCAPED_FIELD, (field, head: string, name: string) => {
    const meaning = keyMeaning(name);
    return meaning?.strength === 'strong' ? head + tally.secret(meaning.kind) : field;
  });
}

function* cleanJsonText(text: string, guard: string, tally: Tally): Work<string> {
  const cleaned = yield* cleanLongText(cleanEscapedFields(text, tally), tally);
  const json = cleaned.slice(guard.length);
  // More values are not parsed: where no string is the name of a secret, their text is cleaned, like that of JSON that was cut.
  const hasMore = hasMoreValues(json, ANSWER_VALUES_MAX);
  if (hasMore && (yield* namesAmong(json))) return tally.secret('too-many-values');
  const value = hasMore ? undefined : jsonIn(json);
  if (value === undefined) return yield* cleanCut(cleaned, tally);
  // Invisible characters appear as escapes in the text.
  const redacted = yield* tally.ifSecret((within) => cleanJson(value, within));
  return redacted === null ? cleaned : guard + JSON.stringify(redacted);
}

/** Nothing can parse truncated JSON, so only its escapes can be resolved. */
function* cleanCut(text: string, tally: Tally): Work<string> {
  return (yield* tally.ifSecret((within) => cleanLongText(withoutEscapes(text), within))) ?? text;
}

function cleanXml(text: string, tally: Tally): Work<string> {
  const cleaned = text.replaceAll(ELEMENT, (element, name: string, attributes: string | undefined) => {
    const meaning = keyMeaning(name.replace(/^.*:/, ''));
    if (meaning?.strength !== 'strong') return element;
    return `<${name}${attributes ?? ''}>${tally.secret(meaning.kind)}</${name}>`;
  });
  return cleanLongText(cleaned, tally);
}

/** RFC 7578: each part has its own headers, including its name. */
function* cleanMultipart(text: string, mimeType: string, tally: Tally, depth: number): Work<string> {
  const named = /boundary=(?:"(?<quoted>[^"]+)"|(?<bare>[^\s;]+))/i.exec(mimeType)?.groups;
  const boundary = named?.['quoted'] ?? named?.['bare'] ?? /^--(?<line>\S+)/.exec(text)?.groups?.['line'];
  if (boundary === undefined) return yield* cleanLongText(text, tally);
  const delimiter = `--${boundary}`;
  const parts: string[] = [];
  for (const part of text.split(delimiter)) {
    yield;
    parts.push(yield* cleanPart(part, tally, depth));
  }
  return parts.join(delimiter);
}

function* cleanPart(part: string, tally: Tally, depth: number): Work<string> {
  const blank = /\r?\n\r?\n/.exec(part);
  if (blank === null) return yield* cleanLongText(part, tally);
  const start = blank.index + blank[0].length;
  const headers = part.slice(0, start);
  const end = /\r?\n$/.exec(part)?.index ?? part.length;
  const value = part.slice(start, Math.max(start, end));
  const name = /\bname="(?<name>[^"]*)"/i.exec(headers)?.groups?.['name'] ?? '';
  const type = /^content-type:\s*(?<type>.+)$/im.exec(headers)?.groups?.['type']?.trim();
  const cleaned = yield* type === undefined || keyMeaning(name)?.strength === 'strong'
    ? cleanParameter(name, value, tally)
    : cleanBody(value, type, tally, depth + 1);
  return (yield* cleanLongText(headers, tally)) + cleaned + part.slice(Math.max(start, end));
}

/*
 * Entries of HAR, place by place: each member of an entry has a format of its own (an address, a
 * header, a query, a body), and what the format says of a value counts regardless of the value's form.
 */

type Cleaner = (value: JsonValue, tally: Tally, parent: JsonObject) => Work<JsonValue>;

/** A site's own headers whose name says that they grant access to their bearer. */
const OWN_SECRET =
  /^(?:x|[a-z0-9]+)(?:-[\w-]+)?-(?:key|token|secret|auth|sig|signature|session|session-?id|sid|jwt|password|otp|pin|cvv|credentials?)$/i;
/** Their names end like those of secrets, but they are not secret. */
const NOT_SECRET =
  /^(?:sec-|idempotency-key$|surrogate-key$|x-cache-key$|cache-key$|(?:x-)?(?:next-page|page|next|continuation)-token$)/i;
const ADDRESS = /^(?:[a-z][\w+.-]{1,20}:\/\/|\/)\S*$/i;

/** Listed members go through their cleaners, the others through the rules of JSON. */
function members(cleaners: Readonly<Record<string, Cleaner>>): Cleaner {
  return function* (value, tally) {
    if (!isObject(value)) return yield* cleanJson(value, tally);
    const entries: [string, JsonValue | undefined][] = [];
    for (const [key, member] of Object.entries(value)) {
      const clean = Object.hasOwn(cleaners, key) ? cleaners[key] : undefined;
      const cleaning = (one: JsonValue): Work<JsonValue> =>
        clean === undefined ? cleanJson(one, tally) : clean(one, tally, value);
      entries.push([key, member === undefined ? member : yield* cleaning(member)]);
    }
    return Object.fromEntries(entries);
  };
}

function each(clean: Cleaner): Cleaner {
  return function* (value, tally, parent) {
    if (!isJsonList(value)) return yield* cleanJson(value, tally);
    const items: JsonValue[] = [];
    for (const item of value) {
      items.push(yield* clean(item, tally, parent));
      yield;
    }
    return items;
  };
}

/** A redactor of text; other values are redacted as JSON. */
function text(clean: (value: string, tally: Tally, parent: JsonObject) => Work<string>): Cleaner {
  return (value, tally, parent) =>
    typeof value === 'string' ? clean(value, tally, parent) : cleanJson(value, tally);
}

function headerKind(name: string, value: string): string | null {
  if (NOT_SECRET.test(name)) return null;
  const meaning = keyMeaning(name);
  if (meaning?.strength === 'strong') return meaning.kind;
  if (meaning !== null && (isSecretByForm(value, meaning) || isSecretNumber(value, meaning)))
    return meaning.kind;
  return OWN_SECRET.test(name) ? (meaning?.kind ?? 'token') : null;
}

function* cleanHeader(value: string, tally: Tally, parent: JsonObject): Work<string> {
  const name = stringOrEmpty(parent['name']);
  if (keyMeaning(name)?.isSetCookie === true) return cleanSetCookie(value, tally);
  const kind = headerKind(name, value);
  if (kind === null || value === '' || isPlaceholder(value))
    return yield* ADDRESS.test(value) ? cleanUrl(value, tally) : cleanLongText(value, tally);
  return tally.secret(kind);
}

const url = text((value, tally) => cleanUrl(value, tally));
const headers = each(members({ value: text(cleanHeader) }));
const parameters: Cleaner = (list, tally, parent) => {
  const names = isJsonList(list)
    ? list.map((item) => (isObject(item) ? stringOrEmpty(item['name']) : ''))
    : [];
  const inOAuth = isOAuth(names);
  const value = text((one, own, { name }) => cleanParameter(stringOrEmpty(name), one, own, { inOAuth }));
  return each(members({ value }))(list, tally, parent);
};
const cookies: Cleaner = (value, tally) => cleanJson(value, tally, { own: keyMeaning('cookie') });
const body = text(function* (value, tally, parent) {
  const mimeType = stringOrEmpty(parent['mimeType']);
  if (!isBase64(parent)) return yield* cleanBody(value, mimeType, tally);
  return isTextType(mimeType) ? yield* cleanBinary(value, mimeType, tally) : value;
});
/**
 * Cleans the text in a base64 string, and encodes it again: byte by byte as before, unless it contains a
 * secret. Bytes that are not text have some if their type is one of texts: the fields of a form with a file.
 */
function* cleanBinary(data: string, mimeType: string, tally: Tally): Work<string> {
  const bytes = Buffer.from(data, 'base64');
  if (!isUtf8(bytes) && !isTextType(mimeType)) return data;
  const encoding = isUtf8(bytes) ? 'utf8' : 'latin1';
  const cleaned = yield* tally.ifSecret((within) => cleanBody(bytes.toString(encoding), mimeType, within));
  return cleaned === null ? data : Buffer.from(cleaned, encoding).toString('base64');
}

const messages = each(
  members({
    data: text((value, tally, parent) =>
      isBinaryFrame(parent) ? cleanBinary(value, '', tally) : cleanBody(value, '', tally),
    ),
  }),
);

const entry = members({
  request: members({
    url,
    headers,
    queryString: parameters,
    cookies,
    postData: members({ text: body, params: parameters }),
  }),
  response: members({ redirectURL: url, headers, cookies, content: members({ text: body }) }),
  _document: url,
  _initiator: members({ url, stack: members({ callFrames: each(members({ url })) }) }),
  _webSocketMessages: messages,
  _eventSourceMessages: messages,
});

/** Cleans one HAR entry; its structure stays, and its addresses stay addresses. */
export function cleanExchange(value: JsonObject, tally: Tally): Work<JsonValue> {
  return entry(value, tally, value);
}
