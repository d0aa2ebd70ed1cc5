import { isUtf8 } from 'node:buffer';
import { isJsonList, isObject, type JsonObject, type JsonValue } from '../../../shared/json.ts';

/** Cleans one whole text; gives the same one back where nothing was found. */
export type CleanOne = (text: string) => string;

/** Opcode of binary messages of WebSockets, which HAR has as base64. */
const BINARY_FRAME = 2;

/** The member that holds base64, where its neighbours say so. */
function base64Member(object: JsonObject): string | null {
  if (object['encoding'] === 'base64' || object['_encoding'] === 'base64') return 'text';
  return object['opcode'] === BINARY_FRAME ? 'data' : null;
}

/**
 * Base64 stays base64: what it holds is cleaned and encoded again. Bytes that are not text are replaced whole where
 * there is a secret in them.
 */
function cleanBase64(encoded: string, clean: CleanOne): string {
  const bytes = Buffer.from(encoded, 'base64');
  const isText = isUtf8(bytes);
  const text = isText ? bytes.toString('utf8') : encoded;
  const cleaned = clean(text);
  if (cleaned === text) return encoded;
  const mark = /«redacted:[\w-]+»/.exec(cleaned)?.[0] ?? '';
  return Buffer.from(isText ? cleaned : mark, 'utf8').toString('base64');
}

function cleanLeaf(value: JsonValue, clean: CleanOne): JsonValue {
  if (typeof value === 'string') return clean(value);
  if (typeof value !== 'number') return value;
  const text = String(value);
  const cleaned = clean(text);
  // A number in which the digits of a secret happen to be is not the secret.
  return cleaned !== text && /^«redacted:[\w-]+»$/.test(cleaned) ? cleaned : value;
}

function cleanMember(object: JsonObject, key: string, value: JsonValue, clean: CleanOne): JsonValue {
  if (typeof value === 'string' && key === base64Member(object)) return cleanBase64(value, clean);
  return cleanLeaf(value, clean);
}

const isLeaf = (value: JsonValue): boolean => typeof value !== 'object' || value === null;

/** True if cleaning changes anything in a value. One that holds itself is looked at once. */
function isTouched(root: JsonValue, clean: CleanOne): boolean {
  const seen = new Set<JsonValue>();
  const open: JsonValue[] = [root];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (isLeaf(value)) {
      if (cleanLeaf(value, clean) !== value) return true;
    } else if (!seen.has(value)) {
      seen.add(value);
      if (isJsonList(value)) for (const item of value) open.push(item);
      else if (isObject(value) && isObjectTouched(value, clean, open)) return true;
    }
  }
  return false;
}

/** Looks at names and leaves; lists and objects in it go to `open`. */
function isObjectTouched(object: JsonObject, clean: CleanOne, open: JsonValue[]): boolean {
  for (const [key, value] of Object.entries(object)) {
    if (clean(key) !== key) return true;
    if (value === undefined) continue;
    if (isLeaf(value)) {
      if (cleanMember(object, key, value, clean) !== value) return true;
    } else open.push(value);
  }
  return false;
}

/** A copy of a value with its texts cleaned. Nothing calls itself: a page nests values as deep as it likes. */
class Copy {
  readonly #clean: CleanOne;
  readonly #copies = new Map<JsonValue, JsonValue>();
  readonly #open: (() => void)[] = [];

  constructor(clean: CleanOne) {
    this.#clean = clean;
  }

  of(root: JsonValue): JsonValue {
    const copied = isLeaf(root) ? cleanLeaf(root, this.#clean) : this.#begin(root);
    for (let next = this.#open.pop(); next !== undefined; next = this.#open.pop()) next();
    return copied;
  }

  /** The copy of a list or an object, which is filled later. */
  #begin(value: JsonValue): JsonValue {
    const known = this.#copies.get(value);
    if (known !== undefined) return known;
    const list: JsonValue[] = [];
    const object: Record<string, JsonValue | undefined> = {};
    this.#copies.set(value, isJsonList(value) ? list : object);
    this.#open.push(() => {
      if (isJsonList(value)) for (const item of value) list.push(this.#member(item, cleanLeaf));
      else if (isObject(value)) this.#fill(value, object);
    });
    return isJsonList(value) ? list : object;
  }

  #member(value: JsonValue, leaf: (value: JsonValue, clean: CleanOne) => JsonValue): JsonValue {
    return isLeaf(value) ? leaf(value, this.#clean) : this.#begin(value);
  }

  #fill(source: JsonObject, made: Record<string, JsonValue | undefined>): void {
    for (const [key, value] of Object.entries(source)) {
      const leaf = (own: JsonValue): JsonValue => cleanMember(source, key, own, this.#clean);
      // Defined, not assigned, so that a key `__proto__` stays data.
      Object.defineProperty(made, nameIn(made, this.#clean(key)), {
        value: value === undefined ? undefined : this.#member(value, leaf),
        enumerable: true,
        configurable: true,
        writable: true,
      });
    }
  }
}

/** No two names become one. */
function nameIn(made: object, name: string): string {
  let free = name;
  for (let count = 2; Object.hasOwn(made, free); count += 1) free = `${name}#${count}`;
  return free;
}

/**
 * Cleans every text of a value: leaves, names, and what is in base64 where the value says that it is. The
 * same object where nothing changes.
 *
 * @param look the same as `clean`, for a first look that counts nothing
 */
export function cleanTexts<T extends JsonValue>(value: T, clean: CleanOne, look: CleanOne): T {
  // Only texts and numbers change, and callers read the result as JSON.
  return isTouched(value, look) ? (new Copy(clean).of(value) as T) : value;
}
