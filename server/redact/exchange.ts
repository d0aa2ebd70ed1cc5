import { isUtf8 } from 'node:buffer';
import { isJsonList, isObject, type JsonObject, type JsonValue } from '../../shared/json.ts';
import { cleanBody } from './bodies.ts';
import { cleanJson } from './json-value.ts';
import { keyMeaning } from './key-names.ts';
import { cleanParameter, cleanUrl } from './parameters.ts';
import { cleanSetCookie } from './set-cookie.ts';
import { isPlaceholder, placeholder, Tally } from './tally.ts';
import { cleanText } from './text-stream.ts';
import { isOAuth, isSecretByForm, isSecretNumber } from './weigh.ts';

/*
 * Entries of HAR, place by place: each member of an entry has a format of its own (an address, a
 * header, a query, a body), and what the format says of a value counts regardless of the value's form.
 */

type Cleaner = (value: JsonValue, tally: Tally, parent: JsonObject) => JsonValue;

/** Headers of a site's own whose name says that they let their bearer in. */
const OWN_SECRET =
  /^(?:x|[a-z0-9]+)(?:-[\w-]+)?-(?:key|token|secret|auth|sig|signature|session|session-?id|sid|jwt|password|otp|pin|cvv|credentials?)$/i;
/** Their names end like those of secrets, but they are not secret. */
const NOT_SECRET = /^(?:sec-|idempotency-key$|surrogate-key$|x-cache-key$|cache-key$)/i;
const ADDRESS = /^(?:[a-z][\w+.-]{1,20}:\/\/|\/)\S*$/i;

/** The members that are named go through their cleaners, the others through the rules of JSON. */
function members(cleaners: Readonly<Record<string, Cleaner>>): Cleaner {
  return (value, tally) => {
    if (!isObject(value)) return cleanJson(value, tally);
    const entries = Object.entries(value).map(([key, member]): [string, JsonValue | undefined] => {
      if (member === undefined) return [key, member];
      const clean = Object.hasOwn(cleaners, key) ? cleaners[key] : undefined;
      return [key, clean === undefined ? cleanJson(member, tally) : clean(member, tally, value)];
    });
    return Object.fromEntries(entries);
  };
}

function each(clean: Cleaner): Cleaner {
  return (value, tally, parent) =>
    isJsonList(value) ? value.map((item) => clean(item, tally, parent)) : cleanJson(value, tally);
}

/** A redactor of text; other values are redacted as JSON. */
function text(clean: (value: string, tally: Tally, parent: JsonObject) => string): Cleaner {
  return (value, tally, parent) =>
    typeof value === 'string' ? clean(value, tally, parent) : cleanJson(value, tally);
}

const textOf = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');

function headerKind(name: string, value: string): string | null {
  if (NOT_SECRET.test(name)) return null;
  const meaning = keyMeaning(name);
  if (meaning?.strength === 'strong') return meaning.kind;
  if (meaning !== null && (isSecretByForm(value, meaning) || isSecretNumber(value, meaning)))
    return meaning.kind;
  return OWN_SECRET.test(name) ? (meaning?.kind ?? 'token') : null;
}

function cleanHeader(value: string, tally: Tally, parent: JsonObject): string {
  const name = textOf(parent['name']);
  if (keyMeaning(name)?.isSetCookie === true) return cleanSetCookie(value, tally);
  const kind = headerKind(name, value);
  if (kind === null || value === '' || isPlaceholder(value))
    return ADDRESS.test(value) ? cleanUrl(value, tally) : cleanText(value, tally);
  tally.secret(kind);
  return placeholder(kind);
}

const url = text((value, tally) => cleanUrl(value, tally));
const headers = each(members({ value: text(cleanHeader) }));
const parameters: Cleaner = (list, tally, parent) => {
  const names = isJsonList(list) ? list.map((item) => (isObject(item) ? textOf(item['name']) : '')) : [];
  const inOAuth = isOAuth(names);
  const value = text((one, own, { name }) => cleanParameter(textOf(name), one, own, { inOAuth }));
  return each(members({ value }))(list, tally, parent);
};
const cookies: Cleaner = (value, tally) => cleanJson(value, tally, keyMeaning('cookie'));
/** Base64 marks binary content: nothing can be found in it. */
const body = text((value, tally, parent) =>
  parent['encoding'] === 'base64' || parent['_encoding'] === 'base64'
    ? value
    : cleanBody(value, textOf(parent['mimeType']), tally),
);
/** Binary messages of WebSockets are base64 in HAR; but they often contain text. */
const BINARY_FRAME = 2;

/**
 * Cleans the text that a base64 holds, and writes it as base64 again: byte by byte as it was, unless
 * there is a secret in it.
 */
function cleanBinary(data: string, tally: Tally): string {
  const bytes = Buffer.from(data, 'base64');
  if (!isUtf8(bytes)) return data;
  const own = new Tally();
  const cleaned = cleanBody(bytes.toString('utf8'), '', own);
  const { secrets } = own.report();
  for (const [kind, count] of Object.entries(secrets))
    for (let times = 0; times < count; times += 1) tally.secret(kind);
  return Object.keys(secrets).length === 0 ? data : Buffer.from(cleaned).toString('base64');
}

const messages = each(
  members({
    data: text((value, tally, parent) =>
      parent['opcode'] === BINARY_FRAME ? cleanBinary(value, tally) : cleanBody(value, '', tally),
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
  _initiator: members({
    url,
    stack: members({ callFrames: each(members({ url })) }),
  }),
  _webSocketMessages: messages,
  _eventSourceMessages: messages,
});

/** Cleans one entry of HAR; its structure stays, and its addresses stay addresses. */
export function cleanExchange(value: JsonObject, tally: Tally): JsonValue {
  return entry(value, tally, value);
}
