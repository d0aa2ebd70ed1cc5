import { isJsonList, type JsonObject, type JsonValue } from '../../shared/json.ts';
import { keyMeaning, type KeyMeaning, isOAuth, isOAuthValue, isSecretByForm } from './weigh.ts';
import { cleanSetCookie } from './parameters.ts';
import { isPlaceholder, placeholder, type Tally } from './tally.ts';
import { cleanText } from './text-stream.ts';

/** Kinds whose numbers are secret too; a numeric `token` is a count or an index. */
const NUMERIC_KINDS: ReadonlySet<string> = new Set(['password', 'otp', 'card', 'ssn', 'pin']);
/** What HAR and many APIs call the two halves of a header, cookie or parameter. */
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

/** A list or an object in progress: its members are cleaned one after another. */
interface Frame {
  readonly source: JsonValue;
  /** Cleans leaves up to the next list or object, which is to be cleaned first; null at the end. */
  next(): Frame | null;
  /** Takes the list or object that {@link next} gave, cleaned. */
  take(cleaned: JsonValue): void;
  /** The same object where nothing changed. */
  readonly result: JsonValue;
}

class ListFrame implements Frame {
  readonly #list: readonly JsonValue[];
  readonly #meaning: Meaning;
  readonly #tally: Tally;
  #copy: JsonValue[] | null = null;
  #index = 0;

  constructor(list: readonly JsonValue[], meaning: Meaning, tally: Tally) {
    this.#list = list;
    this.#meaning = meaning;
    this.#tally = tally;
  }

  get source(): JsonValue {
    return this.#list;
  }

  get result(): JsonValue {
    return this.#copy ?? this.#list;
  }

  next(): Frame | null {
    for (let item = this.#list[this.#index]; item !== undefined; item = this.#list[this.#index]) {
      const inner = open(item, this.#meaning, this.#tally);
      if (inner !== null) return inner;
      this.take(cleanLeaf(item, this.#meaning, this.#tally));
    }
    return null;
  }

  take(cleaned: JsonValue): void {
    if (cleaned !== this.#list[this.#index]) (this.#copy ??= [...this.#list])[this.#index] = cleaned;
    this.#index += 1;
  }
}

class ObjectFrame implements Frame {
  readonly #object: JsonObject;
  readonly #keys: readonly string[];
  readonly #names: KeyNames;
  readonly #pair: Meaning;
  readonly #inOAuth: boolean;
  readonly #tally: Tally;
  #entries: [string, JsonValue | undefined][] | null = null;
  #index = 0;

  constructor(object: JsonObject, meaning: Meaning, tally: Tally) {
    this.#object = object;
    this.#keys = Object.keys(object);
    this.#names = new KeyNames(this.#keys, tally);
    this.#pair = pairMeaning(object, meaning);
    this.#inOAuth = isOAuth(this.#keys);
    this.#tally = tally;
  }

  get source(): JsonValue {
    return this.#object;
  }

  get result(): JsonValue {
    // Object.fromEntries defines properties, so a key `__proto__` stays data.
    return this.#entries === null ? this.#object : Object.fromEntries(this.#entries);
  }

  next(): Frame | null {
    for (let key = this.#keys[this.#index]; key !== undefined; key = this.#keys[this.#index]) {
      const value = this.#object[key];
      const own = this.#meaningOf(key, value);
      const inner = value === undefined ? null : open(value, own, this.#tally);
      if (inner !== null) return inner;
      this.take(value === undefined ? undefined : cleanLeaf(value, own, this.#tally));
    }
    return null;
  }

  #meaningOf(key: string, value: JsonValue | undefined): Meaning {
    if (key === 'value' && this.#pair !== null) return this.#pair;
    const meaning = keyMeaning(key);
    if (this.#inOAuth && typeof value === 'string' && isOAuthValue(key, value)) return meaning;
    return weighed(meaning, value);
  }

  take(cleaned: JsonValue | undefined): void {
    const key = this.#keys[this.#index] ?? '';
    const name = this.#names.clean(key);
    if (cleaned !== this.#object[key] || name !== key)
      this.#entries ??= this.#keys.slice(0, this.#index).map((known) => [known, this.#object[known]]);
    this.#entries?.push([name, cleaned]);
    this.#index += 1;
  }
}

/** The frame of a list or an object; null for a leaf. */
function open(value: JsonValue, meaning: Meaning, tally: Tally): Frame | null {
  if (typeof value !== 'object' || value === null) return null;
  return isJsonList(value) ? new ListFrame(value, meaning, tally) : new ObjectFrame(value, meaning, tally);
}

function cleanLeaf(value: JsonValue, meaning: Meaning, tally: Tally): JsonValue {
  if (typeof value === 'string')
    return meaning === null ? cleanText(value, tally) : redactLeaf(value, meaning, tally);
  return typeof value === 'number' && meaning !== null ? redactLeaf(value, meaning, tally) : value;
}

/**
 * Cleans a JSON value: each string by the text rules, and whole under a key, header or parameter
 * name that says it is secret. Structure, order and everything else stay; what needs no change is
 * given back as the same object. It may be nested as deep as a page cares to nest it: nothing here
 * calls itself.
 *
 * @throws TypeError for a value that holds itself
 */
export function cleanJson(value: JsonValue, tally: Tally, meaning: Meaning = null): JsonValue {
  let frame = open(value, meaning, tally);
  if (frame === null) return cleanLeaf(value, meaning, tally);
  const outer: Frame[] = [];
  /** The lists and objects that are open: one within itself would never end. */
  const within = new Set<JsonValue>([frame.source]);
  for (;;) {
    const inner: Frame | null = frame.next();
    if (inner !== null) {
      if (within.has(inner.source)) throw new TypeError('A value that contains itself is not JSON.');
      within.add(inner.source);
      outer.push(frame);
      frame = inner;
      continue;
    }
    const { result, source }: Frame = frame;
    within.delete(source);
    const parent = outer.pop();
    if (parent === undefined) return result;
    parent.take(result);
    frame = parent;
  }
}
