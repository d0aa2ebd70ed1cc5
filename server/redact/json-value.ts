import { isJsonList, type JsonObject, type JsonValue } from '../../shared/json.ts';
import { keyMeaning, type KeyMeaning, isOAuth, isOAuthValue, isSecretByForm } from './weigh.ts';
import { mapJson } from './map-json.ts';
import { cleanSetCookie } from './parameters.ts';
import { isPlaceholder, placeholder, type Tally } from './tally.ts';
import { cleanText } from './text-stream.ts';

/** Kinds whose numbers are secret too; a numeric `token` is a count or an index. */
const NUMERIC_KINDS: ReadonlySet<string> = new Set(['password', 'otp', 'card', 'ssn', 'pin']);
const NAME_KEYS = ['name', 'key', 'header'] as const;

/** A key too short to hold a secret, in ASCII. */
const PLAIN_KEY = /^[\w.:/ -]{0,15}$/;

type Meaning = KeyMeaning | null;

function redactLeaf(value: string | number, meaning: KeyMeaning, tally: Tally): JsonValue {
  if (value === '' || (typeof value === 'string' && isPlaceholder(value))) return value;
  if (meaning.isSetCookie === true && typeof value === 'string') return cleanSetCookie(value, tally);
  if (typeof value === 'number' && !NUMERIC_KINDS.has(meaning.kind)) return value;
  tally.secret(meaning.kind);
  return placeholder(meaning.kind);
}

/** What the place of `{ name, value }` says of the value: its name, or the list of cookies it is in. */
function pairMeaning(object: JsonObject, parent: Meaning): Meaning {
  if (!('value' in object)) return null;
  if (parent?.kind === 'cookie') return parent;
  for (const key of NAME_KEYS) {
    const name = object[key];
    if (typeof name === 'string') return weighed(keyMeaning(name), object['value']);
  }
  return null;
}

/** The meaning of a name for this value: a weak one needs a value of the form that such secrets have. */
function weighed(meaning: Meaning, value: JsonValue | undefined): Meaning {
  if (meaning?.strength !== 'weak') return meaning;
  const isLeaf = typeof value === 'string' || typeof value === 'number';
  return isLeaf && isSecretByForm(String(value), meaning) ? meaning : null;
}

function meaningsOf(object: JsonObject, inherited: Meaning): (key: string, value: JsonValue) => Meaning {
  const pair = pairMeaning(object, inherited);
  const inOAuth = isOAuth(Object.keys(object));
  return (key, value) => {
    if (key === 'value' && pair !== null) return pair;
    const meaning = keyMeaning(key);
    return inOAuth && typeof value === 'string' && isOAuthValue(key, value)
      ? meaning
      : weighed(meaning, value);
  };
}

/**
 * Cleans a JSON value: each string by the text rules, and whole under a key, header or parameter
 * name that says it is secret. Structure, order and everything else stay; what needs no change is
 * given back as the same object.
 *
 * @throws TypeError for a value that holds itself
 */
export function cleanJson(value: JsonValue, tally: Tally, meaning: Meaning = null): JsonValue {
  return mapJson<Meaning>(value, meaning, {
    members(container, inherited) {
      if (isJsonList(container)) return () => inherited;
      const meanings = meaningsOf(container, inherited);
      return (key, member) => meanings(key ?? '', member);
    },
    leaf(leaf, own) {
      if (typeof leaf === 'string')
        return own === null ? cleanText(leaf, tally) : redactLeaf(leaf, own, tally);
      return typeof leaf === 'number' && own !== null ? redactLeaf(leaf, own, tally) : leaf;
    },
    key: (name) => (PLAIN_KEY.test(name) ? name : cleanText(name, tally)),
    tooDeep() {
      tally.secret('nested');
      return placeholder('nested');
    },
  });
}
