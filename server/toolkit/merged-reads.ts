import { alignReads } from './align-reads.ts';

/**
 * Several reads of one page as one list: what is new in the next read is put where it is between the
 * entries that both reads have, and nothing is taken out. Reads of a list that holds only the rows in
 * view have to overlap.
 */
export class MergedReads<T> {
  readonly #keyOf: (entry: T) => string;
  readonly #entries: T[] = [];
  /** The last read, and where each of its entries is in {@link #entries}. */
  #lastKeys: readonly string[] = [];
  #places: readonly number[] = [];

  /** @param keyOf entries with the same key are the same; it leaves out what differs from read to read */
  constructor(keyOf: (entry: T) => string) {
    this.#keyOf = keyOf;
  }

  /** All entries, in order. */
  get entries(): readonly T[] {
    return this.#entries;
  }

  /** Takes the next read. Returns the entries that are new in it. */
  add(read: readonly T[]): T[] {
    const keys = read.map(this.#keyOf);
    const matches = alignReads(this.#lastKeys, keys);
    const places: number[] = [];
    const added: T[] = [];
    let shift = 0;
    let after = -1;
    for (let at = 0; at < read.length;) {
      const known = matches[at] ?? -1;
      if (known >= 0) {
        after = (this.#places[known] ?? 0) + shift;
        places.push(after);
        at += 1;
        continue;
      }
      let end = at;
      while (end < read.length && (matches[end] ?? -1) < 0) end += 1;
      // Entries that are no longer in view come before the new ones.
      const gone = (end < read.length ? (matches[end] ?? 0) : this.#places.length) - 1;
      if (gone >= 0) after = Math.max(after, (this.#places[gone] ?? 0) + shift);
      const run = read.slice(at, end);
      this.#entries.splice(after + 1, 0, ...run);
      added.push(...run);
      for (let step = 0; step < run.length; step += 1) places.push(after + 1 + step);
      after += run.length;
      shift += run.length;
      at = end;
    }
    this.#lastKeys = keys;
    this.#places = places;
    return added;
  }
}
