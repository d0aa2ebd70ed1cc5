import { abortable, deadlineSignal, onAbort } from '../../../shared/base/async.ts';
import type { SpillwayError } from '../../../shared/base/errors.ts';

/** Time for interrupted work to clean up before its caller gets the error. */
const GRACE_MS = 250;

/**
 * Runs work that something else may end with an error.
 * @param arm receives the function that ends the work, and returns one that undoes its setup
 * @param isAbandoned the work then continues without its caller, who gets the error at once
 */
export async function interruptible<T>(
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
  arm: (end: (error: SpillwayError) => void) => () => void,
  isAbandoned = false,
): Promise<T> {
  const ended = new AbortController();
  const interrupted = new AbortController();
  const stopListening = onAbort(signal, () => ended.abort(signal.reason));
  const disarm = arm((error) => {
    if (!isAbandoned) ended.abort(error);
    interrupted.abort(error);
  });
  try {
    const grace = isAbandoned ? {} : { graceMs: GRACE_MS };
    return await abortable(work(ended.signal), interrupted.signal, grace);
  } catch (thrown) {
    throw interrupted.signal.aborted ? interrupted.signal.reason : thrown;
  } finally {
    disarm();
    stopListening();
  }
}

/** Does work with a signal that also aborts when the work has ended. */
export async function untilOver<T>(
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const over = new AbortController();
  const stopListening = onAbort(signal, () => over.abort(signal.reason));
  try {
    return await work(over.signal);
  } finally {
    over.abort();
    stopListening();
  }
}

/** Does work with a signal as {@link deadlineSignal} makes it. */
export async function withDeadline<T>(
  timeoutMs: number,
  toError: () => Error,
  work: (signal: AbortSignal) => Promise<T>,
  ...signals: readonly (AbortSignal | undefined)[]
): Promise<T> {
  const { signal, release } = deadlineSignal(timeoutMs, toError, ...signals);
  try {
    return await work(signal);
  } finally {
    release();
  }
}
