import { toSpillwayError } from '../../shared/errors.ts';

/** Waits for `work` unless the signal comes first; the work itself goes on. */
export async function abortable<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  if (signal.aborted) throw toSpillwayError(signal.reason);
  let onAbort = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(toSpillwayError(signal.reason));
    signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

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
