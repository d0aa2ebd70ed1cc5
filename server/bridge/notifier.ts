import { waitAtMost } from '../../shared/async/wait.ts';

/** Wakes all waiters for a change. */
export class Notifier {
  readonly #waiters = new Set<() => void>();

  notify(): void {
    for (const finish of [...this.#waiters]) finish();
  }

  /** Resolves at the next notification, at the latest after `timeoutMs`. */
  next(timeoutMs: number): Promise<void> {
    let finish: () => void = () => undefined;
    const notified = new Promise<void>((resolve) => (finish = resolve));
    this.#waiters.add(finish);
    return waitAtMost(notified, timeoutMs).finally(() => this.#waiters.delete(finish));
  }
}
