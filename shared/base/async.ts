/** A promise that is settled from outside: `Promise.withResolvers`, which Node 20 lacks. */
export function defer<T>(): {
  readonly promise: Promise<T>;
  readonly resolve: (value: T | Promise<T>) => void;
  readonly reject: (reason: unknown) => void;
} {
  let resolve: (value: T | Promise<T>) => void = () => undefined;
  let reject: (reason: unknown) => void = () => undefined;
  const promise = new Promise<T>((fulfil, refuse) => {
    resolve = fulfil;
    reject = refuse;
  });
  return { promise, resolve, reject };
}

/** Created on first use; after a failure, the next use tries again. */
export function lazy<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null;
  return () => {
    made ??= make().catch((thrown: unknown) => {
      made = null;
      throw thrown;
    });
    return made;
  };
}

/**
 * Waits with the same rules on both ends. A signal that has already aborted counts at once. The abort reason
 * wins over a later result. Listeners and timers are removed however the wait ends. The work itself continues
 * after an abandoned wait: its late result is dropped, and its late rejection is handled.
 */

/** A longer timer would fire at once. */
const TIMER_MAX_MS = 2 ** 31 - 1;

interface Settle<T> {
  readonly resolve: (value: T) => void;
  readonly reject: (reason: unknown) => void;
}

/** Settles with the work, or earlier through `arm`, which returns a function that undoes its setup. */
function settleEarly<T>(work: PromiseLike<T>, arm: (settle: Settle<T>) => () => void): Promise<T> {
  return new Promise((resolve, reject) => {
    let isSettled = false;
    let disarm: () => void = () => undefined;
    const end = (settle: () => void): void => {
      isSettled = true;
      disarm();
      settle();
    };
    disarm = arm({
      resolve: (value) => end(() => resolve(value)),
      reject: (reason) => end(() => reject(reason)),
    });
    // A signal that has already aborted ends the wait while it is being set up.
    if (isSettled) disarm();
    work.then(
      (value) => end(() => resolve(value)),
      (thrown: unknown) => end(() => reject(thrown)),
    );
  });
}

/** Calls back after a time. Infinity never does. Returns a function that stops the timer. */
function after(delayMs: number, callback: () => void): () => void {
  const timer = delayMs > TIMER_MAX_MS ? undefined : setTimeout(callback, delayMs);
  return () => clearTimeout(timer);
}

/**
 * Rejects with the signal's reason as soon as it aborts; otherwise settles with the work.
 * @param graceMs how long after the abort (or from now, if that has happened) the work may still end by
 *   itself, with its own result or error; none by default
 */
export function abortable<T>(
  work: PromiseLike<T>,
  signal: AbortSignal | undefined,
  { graceMs }: { readonly graceMs?: number } = {},
): Promise<T> {
  return settleEarly(work, ({ reject }) => {
    let stopTimer: () => void = () => undefined;
    const giveUp = (): void => reject(signal?.reason);
    const stopListening = onAbort(signal, () => {
      if (graceMs === undefined) giveUp();
      else stopTimer = after(graceMs, giveUp);
    });
    return () => {
      stopTimer();
      stopListening();
    };
  });
}

function untilDeadline<T>(
  work: PromiseLike<T>,
  timeoutMs: number,
  signal: AbortSignal | undefined,
  onTimeout: (settle: Settle<T>) => void,
): Promise<T> {
  return settleEarly(work, (settle) => {
    const stopTimer = after(timeoutMs, () => onTimeout(settle));
    const stopListening = onAbort(signal, () => settle.reject(signal?.reason));
    return () => {
      stopTimer();
      stopListening();
    };
  });
}

/**
 * Rejects with the caller's coded error if the work takes longer than `timeoutMs`, and with the signal's
 * reason as soon as it aborts; otherwise settles with the work.
 * @param timeoutMs milliseconds; Infinity never times out
 */
export function withTimeout<T>(
  work: PromiseLike<T>,
  timeoutMs: number,
  toError: () => Error,
  signal?: AbortSignal,
): Promise<T> {
  return untilDeadline(work, timeoutMs, signal, ({ reject }) => reject(toError()));
}

/**
 * Like {@link withTimeout}, but running out of time is not an error: it resolves with undefined.
 *
 * @param timeoutMs milliseconds; Infinity never times out
 */
export function waitAtMost<T>(
  work: PromiseLike<T>,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<T | undefined> {
  return untilDeadline<T | undefined>(work, timeoutMs, signal, ({ resolve }) => resolve(undefined));
}

/** Resolves after a time in milliseconds, or rejects with the signal's reason as soon as it aborts. */
export async function delay(delayMs: number, signal?: AbortSignal): Promise<void> {
  await waitAtMost(new Promise<never>(() => undefined), delayMs, signal);
}

/**
 * A signal that aborts after `timeoutMs` with the caller's error, or with the reason of the first of
 * `signals` to abort. Release it when the work has ended.
 */
export function deadlineSignal(
  timeoutMs: number,
  toError: () => Error,
  ...signals: readonly (AbortSignal | undefined)[]
): CombinedSignal {
  const deadline = new AbortController();
  const stopTimer = after(timeoutMs, () => deadline.abort(toError()));
  const { signal, release } = anySignal([...signals, deadline.signal]);
  return {
    signal,
    release: () => {
      stopTimer();
      release();
    },
  };
}

/** The callbacks for one signal. They share a single listener on it. */
interface Subscription {
  readonly callbacks: Set<() => void>;
  release(): void;
}

const SUBSCRIPTIONS = new WeakMap<AbortSignal, Subscription>();

const noop = (): void => undefined;

/**
 * Calls back once when the signal aborts, or at once if it has already aborted. An undefined signal never
 * aborts. Any number of callbacks share one listener, so Node does not warn about the eleventh. A callback
 * that throws does not affect the others.
 * @returns an idempotent unsubscribe function, which leaves nothing of this callback on the signal
 */
export function onAbort(signal: AbortSignal | undefined, callback: () => void): () => void {
  if (signal === undefined) return noop;
  if (signal.aborted) {
    callback();
    return noop;
  }
  // A separate wrapper, so that a callback registered twice is called twice.
  const call = (): void => callback();
  const subscription = SUBSCRIPTIONS.get(signal) ?? subscribe(signal);
  subscription.callbacks.add(call);
  return () => {
    subscription.callbacks.delete(call);
    if (subscription.callbacks.size === 0) subscription.release();
  };
}

function subscribe(signal: AbortSignal): Subscription {
  const callbacks = new Set<() => void>();
  const callAll = (): void => {
    SUBSCRIPTIONS.delete(signal);
    for (const call of callbacks) {
      try {
        call();
      } catch {
        // The other callbacks are still called.
      }
    }
  };
  signal.addEventListener('abort', callAll, { once: true });
  const subscription: Subscription = {
    callbacks,
    release: () => {
      signal.removeEventListener('abort', callAll);
      // A second unsubscribe must not drop a newer subscription of the same signal.
      if (SUBSCRIPTIONS.get(signal) === subscription) SUBSCRIPTIONS.delete(signal);
    },
  };
  SUBSCRIPTIONS.set(signal, subscription);
  return subscription;
}

/** A signal that follows others until it is released. */
export interface CombinedSignal {
  readonly signal: AbortSignal;
  /** Removes every listener and timer. Idempotent. The signal no longer aborts by itself. */
  release(): void;
}

/**
 * A signal that aborts with the first of these, with its reason or the result of `toReason`. Unlike
 * `AbortSignal.any`, which in Node 20 stays on a source that outlives it, it can be released.
 */
export function anySignal(
  signals: readonly (AbortSignal | undefined)[],
  toReason: (reason: unknown) => unknown = (reason) => reason,
): CombinedSignal {
  const combined = new AbortController();
  const stops = signals.map((signal) => onAbort(signal, () => combined.abort(toReason(signal?.reason))));
  return { signal: combined.signal, release: () => stops.forEach((stop) => stop()) };
}
