/** Who wants to be told of something. */
export class Listeners<T> {
  readonly #listeners = new Set<(value: T) => void>();

  /** Answers how to stop it. */
  add(listener: (value: T) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  tell(value: T): void {
    for (const listener of this.#listeners) listener(value);
  }
}
