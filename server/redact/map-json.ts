import { isJsonList, type JsonObject, type JsonValue } from '../../shared/json.ts';

type Container = JsonObject | readonly JsonValue[];

export interface JsonMapping<Context> {
  /** What is known of each member of a list or an object; the key is null in a list. */
  members(container: Container, context: Context): (key: string | null, value: JsonValue) => Context;
  /** A text, a number, a boolean or null. */
  leaf(value: JsonValue, context: Context): JsonValue;
  /** The key of an object. No two become one, and one that stays keeps its name. */
  key(name: string): string;
}

/** A list or an object in progress: its members are mapped one after another. */
class Frame<Context> {
  readonly source: Container;
  readonly #mapping: JsonMapping<Context>;
  readonly #keys: readonly string[] | null;
  readonly #values: readonly (JsonValue | undefined)[];
  readonly #contextOf: (key: string | null, value: JsonValue) => Context;
  /** What the members became; null while nothing has changed. */
  #made: [string, JsonValue | undefined][] | null = null;
  #taken: Set<string> | null = null;
  #index = 0;

  constructor(source: Container, context: Context, mapping: JsonMapping<Context>) {
    this.source = source;
    this.#mapping = mapping;
    this.#keys = isJsonList(source) ? null : Object.keys(source);
    this.#values = isJsonList(source) ? source : Object.values(source);
    this.#contextOf = mapping.members(source, context);
  }

  /** The same object where nothing changed. */
  get result(): JsonValue {
    if (this.#made === null) return this.source;
    // Object.fromEntries defines properties, so a key `__proto__` stays data.
    if (this.#keys !== null) return Object.fromEntries(this.#made);
    return this.#made.flatMap(([, value]) => (value === undefined ? [] : [value]));
  }

  /** Maps leaves up to the next list or object, which is to be mapped first; null at the end. */
  next(): Frame<Context> | null {
    while (this.#index < this.#values.length) {
      const value = this.#values[this.#index];
      if (value === undefined) this.take(value);
      else {
        const context = this.#contextOf(this.#keys?.[this.#index] ?? null, value);
        const inner = open(value, context, this.#mapping);
        if (inner !== null) return inner;
        this.take(this.#mapping.leaf(value, context));
      }
    }
    return null;
  }

  /** Takes the list or object that {@link next} gave, mapped. */
  take(mapped: JsonValue | undefined): void {
    const key = this.#keys?.[this.#index] ?? '';
    const name = this.#keys === null ? key : this.#nameOf(key);
    if (mapped !== this.#values[this.#index] || name !== key)
      this.#made ??= this.#values.slice(0, this.#index).map((value, at) => [this.#keys?.[at] ?? '', value]);
    this.#made?.push([name, mapped]);
    this.#index += 1;
  }

  #nameOf(key: string): string {
    const wanted = this.#mapping.key(key);
    if (wanted === key) return key;
    const taken = (this.#taken ??= new Set(this.#keys));
    let name = wanted;
    for (let count = 2; taken.has(name); count += 1) name = `${wanted}#${count}`;
    taken.add(name);
    return name;
  }
}

const open = <Context>(
  value: JsonValue,
  context: Context,
  mapping: JsonMapping<Context>,
): Frame<Context> | null =>
  typeof value !== 'object' || value === null ? null : new Frame(value, context, mapping);

/**
 * Maps the texts of a value; structure and order stay, and what needs no change is given back as the same object. It
 * may be nested as deep as a page cares to nest it: nothing here calls itself.
 *
 * @throws TypeError for a value that holds itself
 */
export function mapJson<Context>(
  value: JsonValue,
  context: Context,
  mapping: JsonMapping<Context>,
): JsonValue {
  let frame = open(value, context, mapping);
  if (frame === null) return mapping.leaf(value, context);
  const outer: Frame<Context>[] = [];
  /** The lists and objects that are open: one within itself would never end. */
  const within = new Set<Container>([frame.source]);
  for (;;) {
    const inner: Frame<Context> | null = frame.next();
    if (inner !== null) {
      if (within.has(inner.source)) throw new TypeError('A value that contains itself is not JSON.');
      within.add(inner.source);
      outer.push(frame);
      frame = inner;
      continue;
    }
    const { result, source }: Frame<Context> = frame;
    within.delete(source);
    const parent = outer.pop();
    if (parent === undefined) return result;
    parent.take(result);
    frame = parent;
  }
}
