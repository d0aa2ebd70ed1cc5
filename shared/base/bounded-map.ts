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
