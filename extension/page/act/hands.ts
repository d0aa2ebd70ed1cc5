import { defer, delay } from '../../../shared/async.ts';
import { PageError } from '../doorway.ts';
import type { Want } from '../../ports/page-answers.ts';
import type { Given } from './protocol.ts';

const LOOK_MS = 30;
const TAKEN_MS = 1_000;
/** The same while requests are pending. */
const MAX_MS = 5_000;

/** A step's way to input, which the worker gives: see `Gate.send`. */
export class Hands {
  readonly #over = new AbortController();
  #given = defer<void>();
  /** The page waits for answers to requests that the step has led to. */
  isLoading = false;

  constructor(private readonly post: (want: Want) => void) {}

  /** Aborted when the step ends. */
  get signal(): AbortSignal {
    return this.#over.signal;
  }

  /** Resolves once the input has been given. @throws PageError the worker's reason against it, or the signal's */
  async give(want: Want): Promise<void> {
    this.signal.throwIfAborted();
    this.#given = defer();
    this.post(want);
    return this.#given.promise;
  }

  take({ error }: Given): void {
    if (error === null) this.#given.resolve();
    else this.#given.reject(new PageError(error.code, error.message));
  }

  /**
   * Polls until the page has taken a press. False at the end of the time, which begins again while requests are pending.
   */
  async until(hasTaken: () => boolean): Promise<boolean> {
    const pressedAt = performance.now();
    for (let until = pressedAt + TAKEN_MS; ;) {
      if (hasTaken()) return true;
      const now = performance.now();
      // The page handles an answer after its arrival.
      if (this.isLoading) until = Math.min(now + TAKEN_MS, pressedAt + MAX_MS);
      if (now >= until) return false;
      await delay(LOOK_MS, this.signal);
    }
  }

  stop(): void {
    const over = new PageError('internal_error', 'The step is over.');
    this.#over.abort(over);
    this.#given.promise.catch(() => undefined);
    this.#given.reject(over);
  }
}
