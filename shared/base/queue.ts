/** Runs work in order, with limited concurrency. */
export class Queue {
  readonly #waiting: (() => void)[] = [];
  #free: number;

  constructor(atOnce: number) {
    this.#free = atOnce;
  }

  /** How much has not begun. */
  get size(): number {
    return this.#waiting.length;
  }

  async add<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free === 0) await new Promise<void>((begin) => this.#waiting.push(begin));
    else this.#free -= 1;
    try {
      return await work();
    } finally {
      const begin = this.#waiting.shift();
      if (begin === undefined) this.#free += 1;
      else begin();
    }
  }
}

/** Existing values as a stream, for readers of streams. */
export async function* each<T>(values: Iterable<T>): AsyncGenerator<T, void> {
  yield* values;
}

/** Everything that a stream has. */
export async function gather<T>(source: AsyncIterable<T> | Iterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const part of source) all.push(part);
  return all;
}

/**
 * The values of a stream, and what it returns.
 * @returns `result` throws until the values have ended
 */
export function withResult<T, R>(
  source: AsyncIterableIterator<T, R>,
): { readonly values: AsyncGenerator<T, void>; readonly result: () => R } {
  let ended: { readonly value: R } | null = null;
  async function* values(): AsyncGenerator<T, void> {
    ended = { value: yield* source };
  }
  const result = (): R => {
    if (ended === null) throw new Error('The stream was not read to its end.');
    return ended.value;
  };
  return { values: values(), result };
}

/** A set of listeners. */
export class Listeners<T> {
  readonly #listeners = new Set<(value: T) => void>();

  /** Returns an unsubscribe function. */
  add(listener: (value: T) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Tells each who listens now. One that throws keeps neither the others nor the teller from their work. */
  notify(value: T): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener(value);
      } catch {
        // Listeners handle their own failures.
      }
    }
  }
}
