import type { JsonObject, JsonValue } from '../../shared/json.ts';
import { keyMeaning, type KeyMeaning } from './key-names.ts';
import { placeholder, type Tally } from './tally.ts';
import { cleanText } from './text-stream.ts';

/** Kinds whose numbers are secret too; a numeric `token` is a count or an index. */
const NUMERIC_KINDS: ReadonlySet<string> = new Set(['password', 'otp', 'card', 'ssn']);
/** What HAR and many APIs call the two halves of a header, cookie or parameter. */
const NAME_KEYS = ['name', 'key', 'header'] as const;

/** A key too short to hold a secret, in ASCII. */
const PLAIN_KEY = /^[\w.:/ -]{0,15}$/;

type Meaning = KeyMeaning | null;

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}

function redactLeaf(value: string | number, meaning: KeyMeaning, tally: Tally): JsonValue {
  if (value === '' || (typeof value === 'string' && value.startsWith('«redacted:'))) return value;
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
    if (typeof name === 'string') return strong(keyMeaning(name));
  }
  return null;
}

/** Weak names are ordinary words of data (`state`, `code`, `key`): they do not condemn a value. */
function strong(meaning: Meaning): Meaning {
  return meaning?.strength === 'strong' ? meaning : null;
}

function cleanList(list: readonly JsonValue[], meaning: Meaning, tally: Tally): readonly JsonValue[] {
  let copy: JsonValue[] | null = null;
  list.forEach((item, index) => {
    const cleaned = cleanJson(item, tally, meaning);
    if (cleaned !== item) (copy ??= [...list])[index] = cleaned;
  });
  return copy ?? list;
}

/** Cleaned names of keys; no two keys become one, and an unchanged key keeps its name. */
class KeyNames {
  readonly #keys: readonly string[];
  readonly #tally: Tally;
  #taken: Set<string> | null = null;

  constructor(keys: readonly string[], tally: Tally) {
    this.#keys = keys;
    this.#tally = tally;
  }

  clean(key: string): string {
    if (PLAIN_KEY.test(key)) return key;
    const cleaned = cleanText(key, this.#tally);
    if (cleaned === key) return key;
    const taken = (this.#taken ??= new Set(this.#keys));
    let name = cleaned;
    for (let count = 2; taken.has(name); count += 1) name = `${cleaned}#${count}`;
    taken.add(name);
    return name;
  }
}

function cleanObject(object: JsonObject, meaning: Meaning, tally: Tally): JsonObject {
  const pair = pairMeaning(object, meaning);
  const keys = Object.keys(object);
  const names = new KeyNames(keys, tally);
  let entries: [string, JsonValue | undefined][] | null = null;
  for (const [index, key] of keys.entries()) {
    const value = object[key];
    const own = key === 'value' && pair !== null ? pair : strong(keyMeaning(key));
    const cleaned = value === undefined ? undefined : cleanJson(value, tally, own);
    const name = names.clean(key);
    if (cleaned !== value || name !== key)
      entries ??= keys.slice(0, index).map((known) => [known, object[known]]);
    entries?.push([name, cleaned]);
  }
  // Object.fromEntries defines properties, so a key `__proto__` stays data.
  return entries === null ? object : Object.fromEntries(entries);
}

/**
 * Cleans a JSON value: each string by the text rules, and whole under a key, header or parameter
 * name that says it is secret. Structure, order and everything else stay; what needs no change is
 * given back as the same object.
 */
export function cleanJson(value: JsonValue, tally: Tally, meaning: Meaning = null): JsonValue {
  if (typeof value === 'string')
    return meaning === null ? cleanText(value, tally) : redactLeaf(value, meaning, tally);
  if (typeof value === 'number') return meaning === null ? value : redactLeaf(value, meaning, tally);
  if (value === null || typeof value === 'boolean') return value;
  return isList(value) ? cleanList(value, meaning, tally) : cleanObject(value, meaning, tally);
}
