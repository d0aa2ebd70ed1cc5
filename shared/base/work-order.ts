/** Work on the same key, one piece after another, whatever became of the piece before. */
export class WorkOrder<Key> {
  readonly #last = new Map<Key, Promise<unknown>>();

  async run<T>(key: Key, work: () => Promise<T>): Promise<T> {
    const turn = (this.#last.get(key) ?? Promise.resolve()).catch(() => undefined).then(work);
    this.#last.set(key, turn);
    try {
      return await turn;
    } finally {
      if (this.#last.get(key) === turn) this.#last.delete(key);
    }
  }
}
