import { isJsonList, type JsonObject, type JsonValue } from '../../shared/json.ts';
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
import { cleanLongText, cleanText } from './text-stream.ts';
import { atOnce, isLong, PIECE_UNITS, type Work } from '../core/slices.ts';
import { decodePercent } from '../../shared/file-name.ts';

/** Binary content of an entry of HAR. */
export const isBase64 = (parent: JsonObject): boolean =>
  parent['encoding'] === 'base64' || parent['_encoding'] === 'base64';
/** HAR has binary WebSocket messages as base64, but they often contain text. */
export const isBinaryFrame = (message: JsonObject): boolean => message['opcode'] === 2;

type Container = JsonObject | readonly JsonValue[];

interface JsonMapping<Context> {
  /** The key is null in a list. @param keys of an object */
  members(
    container: Container,
    context: Context,
    keys: readonly string[],
  ): (key: string | null, value: JsonValue) => Context;
  /** A text, a number, a boolean or null. */
  leaf(value: JsonValue, context: Context): JsonValue;
  /** A text too long to be mapped at once. */
  longText(text: string, context: Context): Work<JsonValue>;
  /** The key of an object. No two keys become equal, and an unchanged one keeps its name. */
  key(name: string): string;
  longKey(name: string): Work<string>;
  tooDeep(): JsonValue;
}

/** Only a page that wants to exhaust the stack nests deeper: deeper content is replaced. */
const LEVELS_MAX = 1_000;
/** Units that a member counts for in addition to those of its text. */
const MEMBER_UNITS = 64;
const KEYS_AT_ONCE = 1_000;

/**
 * Maps the texts of a value; structure and order stay, and unchanged parts are returned as the same objects.
 * @throws TypeError for a circular value
 */
export const mapJson = <Context>(
  value: JsonValue,
  context: Context,
  mapping: JsonMapping<Context>,
): Work<JsonValue> => new Mapper(mapping).map(value, context);

class Mapper<Context> {
  readonly #within = new Set<Container>();
  #units = 0;

  constructor(private readonly mapping: JsonMapping<Context>) {}

  *map(value: JsonValue, context: Context): Work<JsonValue> {
    const { mapping } = this;
    if (typeof value !== 'object' || value === null) {
      if (this.#isInPart(value)) return mapping.leaf(value, context);
      this.#units = 0;
      yield;
      return typeof value === 'string' && isLong(value)
        ? yield* mapping.longText(value, context)
        : mapping.leaf(value, context);
    }
    if (this.#within.has(value)) throw new TypeError('A value that contains itself is not JSON.');
    if (this.#within.size === LEVELS_MAX) return mapping.tooDeep();
    if (!this.#isInPart(null)) {
      this.#units = 0;
      yield;
    }
    this.#within.add(value);
    const mapped = yield* isJsonList(value) ? this.#list(value, context) : this.#object(value, context);
    this.#within.delete(value);
    return mapped;
  }

  /** Whether a leaf is mapped in this part of the work, at once: most are, and a generator for each would cost more. */
  #isInPart(leaf: string | number | boolean | null): boolean {
    this.#units += MEMBER_UNITS + (typeof leaf === 'string' ? leaf.length : 0);
    return this.#units < PIECE_UNITS;
  }

  *#list(list: readonly JsonValue[], context: Context): Work<JsonValue> {
    const contextOf = this.mapping.members(list, context, []);
    const mapped: JsonValue[] = [];
    let hasChanged = false;
    for (const member of list) {
      const own = contextOf(null, member);
      const isObject = typeof member === 'object' && member !== null;
      const result =
        !isObject && this.#isInPart(member) ? this.mapping.leaf(member, own) : yield* this.map(member, own);
      hasChanged ||= result !== member;
      mapped.push(result);
    }
    return hasChanged ? mapped : list;
  }

  *#object(object: JsonObject, context: Context): Work<JsonValue> {
    const { mapping } = this;
    const keys = Object.keys(object);
    // Each pass over many names takes a part of its own.
    if (keys.length > KEYS_AT_ONCE) yield;
    const contextOf = mapping.members(object, context, keys);
    if (keys.length > KEYS_AT_ONCE) yield;
    const mapped: (JsonValue | undefined)[] = [];
    const names: string[] = [];
    let taken: Names | undefined;
    let hasChanged = false;
    for (const key of keys) {
      const member = object[key];
      const wanted = isLong(key) ? yield* mapping.longKey(key) : mapping.key(key);
      const name = wanted === key ? key : (taken ??= new Names(keys)).add(wanted);
      let result = member;
      if (member !== undefined) {
        const own = contextOf(key, member);
        const isObject = typeof member === 'object' && member !== null;
        result =
          !isObject && this.#isInPart(member) ? mapping.leaf(member, own) : yield* this.map(member, own);
      }
      hasChanged ||= name !== key || result !== member;
      mapped.push(result);
      names.push(name);
    }
    // Object.fromEntries defines properties, so a key `__proto__` stays data.
    return hasChanged ? Object.fromEntries(names.map((name, at) => [name, mapped[at]])) : object;
  }
}

/** The names of an object whose keys change. */
class Names {
  readonly #taken: Set<string>;
  readonly #counts = new Map<string, number>();

  constructor(keys: readonly string[]) {
    this.#taken = new Set(keys);
  }

  /** Adds a name, with a number if it is taken. */
  add(wanted: string): string {
    let count = this.#counts.get(wanted) ?? 1;
    let name = wanted;
    for (; this.#taken.has(name); name = `${wanted}#${count}`) count += 1;
    this.#counts.set(wanted, count);
    this.#taken.add(name);
    return name;
  }
}

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
    if (typeof name === 'string') return weighed(keyMeaning(name), object['value']);
  }
  return null;
}

/** The meaning of a name for this value: a weak one needs a value in the form of such secrets. */
function weighed(meaning: Meaning, value: JsonValue | undefined): Meaning {
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
    return { own: weighed(meaning, value) };
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
