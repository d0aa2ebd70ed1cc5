import { isJsonList, type JsonObject, type JsonValue } from '../../../shared/base/json.ts';
import { isLong, PIECE_UNITS, type Work } from '../../core/slices.ts';

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
