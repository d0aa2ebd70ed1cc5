/** Wakes everybody who waits for a change. */
export class Bell {
  readonly #waiters = new Set<() => void>();

  ring(): void {
    for (const finish of [...this.#waiters]) finish();
  }

  /** Resolves at the next ring, at the latest after `timeoutMs`. */
  next(timeoutMs: number): Promise<void> {
    return new Promise((resolve) => {
      const finish = (): void => {
        clearTimeout(timer);
        this.#waiters.delete(finish);
        resolve();
      };
      const timer = setTimeout(finish, timeoutMs);
      this.#waiters.add(finish);
    });
  }
}
