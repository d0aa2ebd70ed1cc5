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
