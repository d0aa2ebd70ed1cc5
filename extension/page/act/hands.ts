import { defer } from '../../../shared/async.ts';
import { PageError } from '../doorway.ts';
import type { Given, Want } from './protocol.ts';

/** A step's way to input, which the worker gives: see `Gate.send`. */
export class Hands {
  readonly #over = new AbortController();
  #given = defer<void>();

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

  stop(): void {
    const over = new PageError('internal_error', 'The step is over.');
    this.#over.abort(over);
    this.#given.promise.catch(() => undefined);
    this.#given.reject(over);
  }
}
