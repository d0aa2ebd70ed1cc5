import { keyMeaning, isOAuth, isOAuthValue, isSecretByForm } from './weigh.ts';
import { isPlaceholder, placeholder, type Tally } from './tally.ts';
import { cleanText } from './text-stream.ts';

/*
 * Queries and forms, parameter by parameter: what a name says of its value counts here whatever the
 * value looks like, which in running text it may not.
 */

/** Under a name that is an ordinary word elsewhere (`code`, `state`), a secret is long and mixed. */
const WEAK_UNITS = 16;
/** Addresses within parameters of addresses. */
const NESTED = 3;
const ADDRESS = /^(?:[a-z][\w+.-]{1,20}:\/\/|\/)[^\s?]*\?[^\s=]+=/i;

/** The kind of secret that a parameter of this name holds, or null. */
function secretParameter(name: string, value: string, inOAuth: boolean): string | null {
  if (value === '' || isPlaceholder(value)) return null;
  const meaning = keyMeaning(name);
  if (meaning === null) return null;
  if (meaning.strength === 'strong' || isSecretByForm(value, meaning)) return meaning.kind;
  if (inOAuth && isOAuthValue(name, value)) return meaning.kind;
  return value.length >= WEAK_UNITS && /\d/.test(value) && /[A-Za-z]/.test(value) ? meaning.kind : null;
}

/** Where a parameter is: how deep in addresses within addresses, and whether next to others of OAuth. */
interface Place {
  readonly depth?: number;
  readonly inOAuth?: boolean;
}

/** The value of a parameter, decoded: its placeholder, or what is left of it. */
export function cleanParameter(name: string, value: string, tally: Tally, place: Place = {}): string {
  const { depth = 0, inOAuth = false } = place;
  const kind = secretParameter(name, value, inOAuth);
  if (kind !== null) {
    tally.secret(kind);
    return placeholder(kind);
  }
  return depth < NESTED && ADDRESS.test(value) ? cleanUrl(value, tally, depth + 1) : cleanText(value, tally);
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part.replaceAll('+', ' '));
  } catch {
    return part;
  }
}

/** Parameters joined by `&`, as queries and urlencoded forms have them; other values stay as they are. */
export function cleanParameters(encoded: string, tally: Tally, depth = 0): string {
  const parts = encoded.split('&');
  const inOAuth = isOAuth(parts.map((part) => part.replace(/=.*/s, '')));
  return parts
    .map((part) => {
      const equals = part.indexOf('=');
      if (equals < 0) return encodePlaceholders(cleanText(part, tally));
      const value = decode(part.slice(equals + 1));
      const cleaned = cleanParameter(decode(part.slice(0, equals)), value, tally, { depth, inOAuth });
      return cleaned === value ? part : `${part.slice(0, equals)}=${encodeURIComponent(cleaned)}`;
    })
    .join('&');
}

/** An address holds ASCII alone. */
function encodePlaceholders(text: string): string {
  return text.replaceAll(/«redacted:[\w-]+»/g, (found) => encodeURIComponent(found));
}

/** An address: credentials, tokens in its path, parameters of its query and of its fragment. */
export function cleanUrl(url: string, tally: Tally, depth = 0): string {
  const hash = url.indexOf('#');
  const beforeHash = hash < 0 ? url : url.slice(0, hash);
  const query = beforeHash.indexOf('?');
  const base = query < 0 ? beforeHash : beforeHash.slice(0, query);
  const fragment = hash < 0 ? '' : url.slice(hash + 1);
  return [
    encodePlaceholders(cleanText(base, tally)),
    query < 0 ? '' : `?${cleanParameters(beforeHash.slice(query + 1), tally, depth)}`,
    hash < 0 ? '' : `#${cleanParameters(fragment, tally, depth)}`,
  ].join('');
}

/*
 * `Set-Cookie` headers (RFC 6265bis): the value lets its bearer in, the attributes say where and how
 * long the cookie holds.
 */

const KIND = 'cookie';
/** Chrome joins the headers of a response by line breaks, `Headers.get` by commas. */
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

interface Pair {
  /** With the `=` and the blanks around it. */
  readonly name: string;
  readonly value: string;
  /** Blanks behind the value. */
  readonly after: string;
}

/** Splits at the first `=`; null without one. No regular expression: a header may hold 256 KB of blanks. */
function pairOf(part: string): Pair | null {
  const equals = part.indexOf('=');
  if (equals === -1) return null;
  const rest = part.slice(equals + 1);
  const behind = rest.trimStart();
  const value = behind.trimEnd();
  const nameUnits = part.length - behind.length;
  return { name: part.slice(0, nameUnits), value, after: behind.slice(value.length) };
}

function redact(value: string, tally: Tally): string {
  const hidden = placeholder(KIND);
  if (value === '' || value === hidden) return value;
  tally.secret(KIND);
  return hidden;
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
  return name + (attribute === 'path' ? cleanUrl(value, tally) : value) + after;
}

function cleanCookie(cookie: string, tally: Tally): string {
  const [pair = '', ...attributes] = cookie.split(';');
  return [cleanPair(pair, tally), ...attributes.map((part) => cleanAttribute(part, tally))].join(';');
}

/**
 * Cleans one or several joined values of `Set-Cookie`: names and known attributes stay as they are, and
 * each cookie's value becomes `«redacted:cookie»`, as does an attribute that no specification has.
 */
export function cleanSetCookie(header: string, tally: Tally): string {
  return header
    .split(BETWEEN_COOKIES)
    .map((part, index) => (index % 2 === 1 ? part : cleanCookie(part, tally)))
    .join('');
}
