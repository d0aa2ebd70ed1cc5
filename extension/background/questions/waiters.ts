import { abortable } from '../../../shared/async/wait.ts';

/** Calls that wait for the end of a question or take-over, by its id. */
export class Waiters<End> {
  readonly #waiting = new Map<string, Set<(end: End) => void>>();

  /** Resolves with the value passed to {@link tell} for this id. */
  async wait(id: string, signal: AbortSignal): Promise<End> {
    const waiters = this.#waiting.get(id) ?? new Set();
    this.#waiting.set(id, waiters);
    let waiter: (end: End) => void = () => undefined;
    const end = new Promise<End>((resolve) => waiters.add((waiter = resolve)));
    try {
      return await abortable(end, signal);
    } finally {
      waiters.delete(waiter);
      if (waiters.size === 0) this.#waiting.delete(id);
    }
  }

  tell(id: string, end: End): void {
    for (const resolve of this.#waiting.get(id) ?? []) resolve(end);
  }
}
