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
