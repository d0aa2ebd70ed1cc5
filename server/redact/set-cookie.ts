import { cleanUrl } from './parameters.ts';
import { placeholder, type Tally } from './tally.ts';
import { cleanText } from './text-stream.ts';

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
