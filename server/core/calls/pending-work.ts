import { waitAtMost } from '../../../shared/async/wait.ts';

/** What is cancelled ends within `abortable`'s grace period, the longest wait. */
const PATIENCE_MS = 1_000;

/** Work whose end has to be waited for, before what it uses is closed. */
export class PendingWork {
  readonly #open = new Set<Promise<unknown>>();
  /** Whether no more is to begin. */
  isEnding = false;

  /** Returns the work as it was given. */
  add<T>(work: Promise<T>): Promise<T> {
    const end = (): void => void this.#open.delete(work);
    this.#open.add(work);
    work.then(end, end);
    return work;
  }

  /** Resolves once all of it has ended, what still comes included, or has taken too long to. */
  async end(): Promise<void> {
    this.isEnding = true;
    await waitAtMost(this.#ended(), PATIENCE_MS);
  }

  async #ended(): Promise<void> {
    while (this.#open.size > 0) await Promise.allSettled(this.#open);
  }
}
