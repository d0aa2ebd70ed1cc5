import { isJsonList, type JsonObject, type JsonValue } from '../../shared/json.ts';
import { keyMeaning, type KeyMeaning, isOAuth, isOAuthValue, isSecretByForm } from './weigh.ts';
import { cleanSetCookie } from './parameters.ts';
import { isPlaceholder, placeholder, type Tally } from './tally.ts';
import { cleanText } from './text-stream.ts';

type Container = JsonObject | readonly JsonValue[];

interface JsonMapping<Context> {
  /** The key is null in a list. */
  members(container: Container, context: Context): (key: string | null, value: JsonValue) => Context;
  /** A text, a number, a boolean or null. */
  leaf(value: JsonValue, context: Context): JsonValue;
  /** The key of an object. No two become one, and one that stays keeps its name. */
  key(name: string): string;
  tooDeep(): JsonValue;
}

/** Only a page that wants to exhaust the stack nests deeper: what it has there is replaced. */
const LEVELS_MAX = 1_000;

/**
 * Maps the texts of a value; structure and order stay, and what needs no change is given back as the same object.
 *
 * @throws TypeError for a value that holds itself
 */
export function mapJson<Context>(
  value: JsonValue,
  context: Context,
  mapping: JsonMapping<Context>,
  within: readonly Container[] = [],
): JsonValue {
  if (typeof value !== 'object' || value === null) return mapping.leaf(value, context);
  if (within.includes(value)) throw new TypeError('A value that contains itself is not JSON.');
  if (within.length === LEVELS_MAX) return mapping.tooDeep();
  const contextOf = mapping.members(value, context);
  const inner = [...within, value];
  const map = (key: string | null, member: JsonValue): JsonValue =>
    mapJson(member, contextOf(key, member), mapping, inner);
  return isJsonList(value) ? mapList(value, map) : mapObject(value, map, mapping);
}

type MapMember = (key: string | null, member: JsonValue) => JsonValue;

function mapList(list: readonly JsonValue[], map: MapMember): JsonValue {
  const mapped = list.map((member) => map(null, member));
  return mapped.some((member, at) => member !== list[at]) ? mapped : list;
}

function mapObject(
  object: JsonObject,
  map: MapMember,
  { key: nameOf }: { key(name: string): string },
): JsonValue {
  const taken = new Set(Object.keys(object));
  let hasChanged = false;
  const members = Object.entries(object).map(([key, member]): [string, JsonValue | undefined] => {
    const wanted = nameOf(key);
    let name = wanted;
    if (wanted !== key) for (let count = 2; taken.has(name); count += 1) name = `${wanted}#${count}`;
    taken.add(name);
    const mapped = member === undefined ? member : map(key, member);
    hasChanged ||= name !== key || mapped !== member;
    return [name, mapped];
  });
  // Object.fromEntries defines properties, so a key `__proto__` stays data.
  return hasChanged ? Object.fromEntries(members) : object;
}

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
