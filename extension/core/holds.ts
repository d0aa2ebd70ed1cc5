interface Holdable<Key, Thing, Closed> {
  close(thing: Thing): Closed;
  /** How long it stays open without a holder. */
  readonly lingerMs?: number;
  /** It lingers on as long as this is true. */
  readonly isPending?: (key: Key) => boolean;
}

interface Held<Thing> {
  readonly thing: Thing;
  readonly holders: Set<object>;
  timer?: ReturnType<typeof setTimeout>;
}

/** Something that several calls in a tab need: the first opens it, and it is closed after the last. */
export class Holds<Key, Thing, Closed = void> {
  readonly #held = new Map<Key, Held<Thing>>();

  constructor(private readonly of: Holdable<Key, Thing, Closed>) {}

  /** The open one, for {@link hold}. */
  get(key: Key): Thing | undefined {
    return this.#held.get(key)?.thing;
  }

  /**
   * Holds the open one, or one that the caller has opened because none was, or that one is lost.
   * @returns releases it. Idempotent. The last release returns what closing does, unless that comes later
   */
  hold(key: Key, thing: Thing): () => Closed | undefined {
    const known = this.#held.get(key);
    const held = known?.thing === thing ? known : { thing, holders: new Set<object>() };
    const holder = {};
    held.holders.add(holder);
    clearTimeout(held.timer);
    this.#held.set(key, held);
    return () => (held.holders.delete(holder) && held.holders.size === 0 ? this.#end(key, held) : undefined);
  }

  /** It is lost: the next call has to open it again. */
  forget(key: Key, thing: Thing): void {
    if (this.get(key) === thing) this.#held.delete(key);
  }

  #end(key: Key, held: Held<Thing>): Closed | undefined {
    const { close, lingerMs, isPending } = this.of;
    const end = (): Closed | undefined => {
      if (isPending?.(key) === true) return this.#end(key, held);
      this.forget(key, held.thing);
      return close(held.thing);
    };
    if (lingerMs === undefined) return end();
    held.timer = setTimeout(end, lingerMs);
    return undefined;
  }
}
