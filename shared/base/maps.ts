/** A map of the newest entries: setting one makes it the newest, and beyond the maximum the oldest is removed. */
export class BoundedMap<Key, Value> extends Map<Key, Value> {
  constructor(private readonly max: number) {
    super();
  }

  override set(key: Key, value: Value): this {
    this.delete(key);
    super.set(key, value);
    const [oldest] = this.keys();
    if (this.size > this.max && oldest !== undefined) this.delete(oldest);
    return this;
  }
}

interface Known<K, V> {
  get(key: K): V | undefined;
  set(key: K, value: V): unknown;
}

/** The value of a key, made when it is asked for the first time. */
export function valueIn<K, V>(known: Known<K, V>, key: K, make: (key: K) => V): V {
  let value = known.get(key);
  if (value === undefined) known.set(key, (value = make(key)));
  return value;
}

/** The same in a cache, which begins again when it has `max` values. */
export function cachedIn<K, V>(known: Map<K, V>, key: K, max: number, make: (key: K) => V): V {
  if (known.size >= max && !known.has(key)) known.clear();
  return valueIn(known, key, make);
}

export const addTo = <K, V>(lists: Map<K, V[]>, key: K, value: V): void =>
  void valueIn(lists, key, () => []).push(value);
