import { isJsonList, type JsonObject, type JsonValue } from '../../../shared/base/json.ts';
import {
  keyMeaning,
  type KeyMeaning,
  isOAuth,
  isOAuthValue,
  isSecretByForm,
  NUMERIC_KINDS,
} from './weigh.ts';
import { cleanByNames, type Context, contextsOf, namedMembers, NOTHING, startsJson } from './json-names.ts';
import { isPlaceholder, placeholder, type Tally } from './tally.ts';
import { mapJson } from './map-json.ts';
import { cleanLongText, cleanText } from './text-stream.ts';
import { atOnce, type Work } from '../../core/slices.ts';
import { decodePercent } from '../../../shared/base/file-name.ts';

/** Binary content of an entry of HAR. */
export const isBase64 = (parent: JsonObject): boolean =>
  parent['encoding'] === 'base64' || parent['_encoding'] === 'base64';
/** HAR has binary WebSocket messages as base64, but they often contain text. */
export const isBinaryFrame = (message: JsonObject): boolean => message['opcode'] === 2;

const NAME_KEYS = ['name', 'key', 'header'] as const;

/** An ASCII key too short to contain a secret. */
const PLAIN_KEY = /^[\w.:/ -]{0,15}$/;

type Meaning = KeyMeaning | null;

function redactLeaf(value: string | number, meaning: KeyMeaning, tally: Tally): JsonValue {
  if (value === '' || (typeof value === 'string' && isPlaceholder(value))) return value;
  if (meaning.isSetCookie === true && typeof value === 'string') return cleanSetCookie(value, tally);
  if (typeof value === 'number' && !NUMERIC_KINDS.has(meaning.kind)) return value;
  return tally.secret(meaning.kind);
}

function pairMeaning(object: JsonObject, parent: Meaning): Meaning {
  if (!('value' in object)) return null;
  if (parent?.kind === 'cookie') return parent;
  for (const key of NAME_KEYS) {
    const name = object[key];
    if (typeof name === 'string') return weighMeaning(keyMeaning(name), object['value']);
  }
  return null;
}

/** The meaning of a name for this value: a weak one needs a value in the form of such secrets. */
function weighMeaning(meaning: Meaning, value: JsonValue | undefined): Meaning {
  if (meaning?.strength !== 'weak') return meaning;
  const isLeaf = typeof value === 'string' || typeof value === 'number';
  return isLeaf && isSecretByForm(String(value), meaning) ? meaning : null;
}

/** Contexts of the members of an object. */
function membersOf(
  object: JsonObject,
  context: Context,
  keys: readonly string[],
): (key: string, value: JsonValue) => Context {
  const named = namedMembers(object, context, keys);
  const pair = pairMeaning(object, context.own);
  const inOAuth = isOAuth(keys);
  return (key, value) => {
    const own = named(key, value);
    if (own !== NOTHING) return own;
    if (key === 'value' && pair !== null) return { own: pair };
    const meaning = keyMeaning(key);
    if (inOAuth && typeof value === 'string' && isOAuthValue(key, value)) return { own: meaning };
    return { own: weighMeaning(meaning, value) };
  };
}

/**
 * Cleans a JSON value: each string by the text rules, or as a whole under a key, header, parameter or column
 * that names a secret. Everything else stays, and unchanged parts are returned as the same objects.
 * @param context what is known of the value from elsewhere
 * @throws TypeError for a circular value
 */
export function cleanJson(value: JsonValue, tally: Tally, context: Context = NOTHING): Work<JsonValue> {
  return mapJson<Context>(value, context, {
    members(container, context, keys) {
      if (isJsonList(container)) {
        const next = contextsOf(container, context);
        return (_key, member) => next(member);
      }
      const members = membersOf(container, context, keys);
      return (key, member) => members(key ?? '', member);
    },
    leaf(leaf, { own }) {
      if (typeof leaf === 'string')
        return own === null ? cleanTextOrJson(leaf, tally) : redactLeaf(leaf, own, tally);
      return typeof leaf === 'number' && own !== null ? redactLeaf(leaf, own, tally) : leaf;
    },
    *longText(text, { own }) {
      if (own !== null) return redactLeaf(text, own, tally);
      return yield* cleanLongTextOrJson(text, tally);
    },
    key: (name) => (PLAIN_KEY.test(name) ? name : cleanText(name, tally)),
    longKey: (name) => cleanLongText(name, tally),
    tooDeep: () => tally.secret('nested'),
  });
}

/** Cleans a text, and what it names if it is JSON. */
export function cleanTextOrJson(text: string, tally: Tally): string {
  const cleaned = cleanText(text, tally);
  return startsJson(cleaned) ? atOnce(cleanByNames(cleaned, tally, cleanLongTextOrJson)) : cleaned;
}

/** The same for a text of any size. */
export function* cleanLongTextOrJson(text: string, tally: Tally): Work<string> {
  return yield* cleanByNames(yield* cleanLongText(text, tally), tally, cleanLongTextOrJson);
}

/*
 * Queries and forms, parameter by parameter: what a name says of its value counts here whatever the
 * value looks like, which in running text it may not.
 */

/** Under a name that is an ordinary word elsewhere (`code`, `state`), a secret is long and mixed. */
const WEAK_UNITS = 16;
/** Addresses within parameters of addresses. */
const NESTED = 3;
const ADDRESS = /^(?:[a-z][\w+.-]{1,20}:\/\/|\/)[^\s?]*\?[^\s=]+=/i;

/** The kind of secret that a parameter of this name has, or null. */
function secretParameter(name: string, value: string, inOAuth: boolean): string | null {
  if (value === '' || isPlaceholder(value)) return null;
  const meaning = keyMeaning(name);
  if (meaning === null) return null;
  if (meaning.strength === 'strong' || isSecretByForm(value, meaning)) return meaning.kind;
  if (inOAuth && isOAuthValue(name, value)) return meaning.kind;
  return value.length >= WEAK_UNITS && /\d/.test(value) && /[A-Za-z]/.test(value) ? meaning.kind : null;
}

/**
 * The decoded value of a parameter: its placeholder, or the cleaned value.
 * @param depth how deep it is in nested addresses
 * @param inOAuth whether it is next to other parameters of OAuth
 */
export function* cleanParameter(
  name: string,
  value: string,
  tally: Tally,
  { depth = 0, inOAuth = false }: { readonly depth?: number; readonly inOAuth?: boolean } = {},
): Work<string> {
  const kind = secretParameter(name, value, inOAuth);
  if (kind !== null) return tally.secret(kind);
  if (depth < NESTED && ADDRESS.test(value)) return yield* cleanUrl(value, tally, depth + 1);
  return yield* cleanLongText(value, tally);
}

const decode = (part: string): string => decodePercent(part.replaceAll('+', ' ')) ?? part;

/** Parameters joined by `&`, as in queries and urlencoded forms; other values stay unchanged. */
export function* cleanParameters(encoded: string, tally: Tally, depth = 0): Work<string> {
  const parts = encoded.split('&');
  const inOAuth = isOAuth(parts.map((part) => part.replace(/=.*/s, '')));
  const cleaned: string[] = [];
  for (const part of parts) {
    yield;
    const equals = part.indexOf('=');
    const name = part.slice(0, Math.max(0, equals));
    const value = equals < 0 ? part : decode(part.slice(equals + 1));
    const clean = yield* equals < 0
      ? cleanLongText(part, tally)
      : cleanParameter(decode(name), value, tally, { depth, inOAuth });
    if (equals < 0) cleaned.push(encodePlaceholders(clean));
    else cleaned.push(clean === value ? part : `${name}=${encodeURIComponent(clean)}`);
  }
  return cleaned.join('&');
}

/** An address is ASCII only. */
function encodePlaceholders(text: string): string {
  return text.replaceAll(/«redacted:[\w-]+»/g, (found) => encodeURIComponent(found));
}

/** An address: credentials, tokens in its path, parameters of its query and of its fragment. */
export function* cleanUrl(url: string, tally: Tally, depth = 0): Work<string> {
  const hash = url.indexOf('#');
  const beforeHash = hash < 0 ? url : url.slice(0, hash);
  const query = beforeHash.indexOf('?');
  const base = query < 0 ? beforeHash : beforeHash.slice(0, query);
  const fragment = hash < 0 ? '' : url.slice(hash + 1);
  return [
    encodePlaceholders(yield* cleanLongText(base, tally)),
    query < 0 ? '' : `?${yield* cleanParameters(beforeHash.slice(query + 1), tally, depth)}`,
    hash < 0 ? '' : `#${yield* cleanParameters(fragment, tally, depth)}`,
  ].join('');
}

/*
 * `Set-Cookie` headers (RFC 6265bis): the value lets its bearer in, the attributes say where and how
 * long the cookie holds.
 */

const KIND = 'cookie';
/** Chrome joins the headers of a response with line breaks, `Headers.get` with commas. */
const BETWEEN_COOKIES = /(?<separator>\r?\n|,[ \t]+(?=[\w!#$%&'*+.^`|~-]+=))/;
/** Attributes and the form of their values; anything else could hold part of a secret. */
const ATTRIBUTES: Readonly<Record<string, RegExp>> = {
  domain: /^\.?[\w.:[\]-]{0,255}$/,
  expires:
    /^[A-Za-z]{0,9},? ?[\w]{1,4}[ -][\w]{1,9}[ -]\d{1,4}(?: \d{1,2}:\d{1,2}:\d{1,2})?(?: [A-Z]{1,4})?$/,
  'max-age': /^-?\d{1,20}$/,
  path: /^(?:\/[^,;\s]*)?$/,
  priority: /^(?:low|medium|high)$/i,
  samesite: /^(?:strict|lax|none)$/i,
};
const FLAGS: ReadonlySet<string> = new Set(['httponly', 'partitioned', 'sameparty', 'secure']);

/**
 * Splits at the first `=`: the name with the `=` and the spaces around it, the value, and the spaces after
 * it; null without one. No regular expression: a header may contain 256 KB of spaces.
 */
function pairOf(part: string) {
  const equals = part.indexOf('=');
  if (equals === -1) return null;
  const rest = part.slice(equals + 1);
  const behind = rest.trimStart();
  const value = behind.trimEnd();
  const nameUnits = part.length - behind.length;
  return { name: part.slice(0, nameUnits), value, after: behind.slice(value.length) };
}

function redact(value: string, tally: Tally): string {
  return value === '' || value === placeholder(KIND) ? value : tally.secret(KIND);
}

function cleanPair(part: string, tally: Tally): string {
  const pair = pairOf(part);
  // A cookie without a name is all value.
  if (pair === null) return redactBare(part, tally);
  return cleanText(pair.name, tally) + redact(pair.value, tally) + pair.after;
}

function redactBare(part: string, tally: Tally): string {
  const bare = part.trim();
  return bare === '' ? part : part.replace(bare, () => redact(bare, tally));
}

function cleanAttribute(part: string, tally: Tally): string {
  const pair = pairOf(part);
  if (pair === null) return FLAGS.has(part.trim().toLowerCase()) ? part : redactBare(part, tally);
  const { name, value, after } = pair;
  const attribute = name.replace('=', '').trim().toLowerCase();
  const form = Object.hasOwn(ATTRIBUTES, attribute) ? ATTRIBUTES[attribute] : undefined;
  if (form?.test(value) !== true) return cleanText(name, tally) + redact(value, tally) + after;
  return name + (attribute === 'path' ? atOnce(cleanUrl(value, tally)) : value) + after;
}

function cleanCookie(cookie: string, tally: Tally): string {
  const [pair = '', ...attributes] = cookie.split(';');
  return [cleanPair(pair, tally), ...attributes.map((part) => cleanAttribute(part, tally))].join(';');
}

/**
 * Cleans one or several joined values of `Set-Cookie`: names and known attributes stay, and each cookie's
 * value becomes `«redacted:cookie»`, as does an attribute that no specification defines.
 */
export function cleanSetCookie(header: string, tally: Tally): string {
  return header
    .split(BETWEEN_COOKIES)
    .map((part, index) => (index % 2 === 1 ? part : cleanCookie(part, tally)))
    .join('');
}
