import { waitAtMost } from '../../shared/async/wait.ts';

/** Wakes everybody who waits for a change. */
export class Bell {
  readonly #waiters = new Set<() => void>();

  ring(): void {
    for (const finish of [...this.#waiters]) finish();
  }

  /** Resolves at the next ring, at the latest after `timeoutMs`. */
  next(timeoutMs: number): Promise<void> {
    let finish: () => void = () => undefined;
    const rung = new Promise<void>((resolve) => (finish = resolve));
    this.#waiters.add(finish);
    return waitAtMost(rung, timeoutMs).finally(() => this.#waiters.delete(finish));
  }
}
