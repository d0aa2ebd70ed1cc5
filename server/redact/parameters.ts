import { keyMeaning } from './key-names.ts';
import { isPlaceholder, placeholder, type Tally } from './tally.ts';
import { isOAuth, isOAuthValue, isSecretByForm } from './weigh.ts';
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
