/** Those who want to know of the abort of a signal, told by the one listener that is on it. */
interface Waiting {
  readonly tellers: Set<() => void>;
  release(): void;
}

const WAITING = new WeakMap<AbortSignal, Waiting>();

const nothing = (): void => undefined;

/**
 * Calls back once when the signal aborts, at once if it has; what is undefined never aborts. Answers how
 * to stop that, after which nothing is left on the signal. It bears any number of callers, where Node warns of the eleventh
 * listener; what `AbortSignal.any` makes is never taken off a signal that outlives it (Node 20).
 */
export function onAbort(signal: AbortSignal | undefined, callback: () => void): () => void {
  if (signal === undefined) return nothing;
  if (signal.aborted) {
    callback();
    return nothing;
  }
  // One's own, so that a callback that is given twice is called twice.
  const tell = (): void => callback();
  const waiting = WAITING.get(signal) ?? listen(signal);
  waiting.tellers.add(tell);
  return () => {
    waiting.tellers.delete(tell);
    if (waiting.tellers.size === 0) waiting.release();
  };
}

function listen(signal: AbortSignal): Waiting {
  const tellers = new Set<() => void>();
  const tellAll = (): void => {
    WAITING.delete(signal);
    for (const tell of tellers) {
      try {
        tell();
      } catch {
        // One that fails keeps no other from being told.
      }
    }
  };
  signal.addEventListener('abort', tellAll, { once: true });
  const waiting: Waiting = {
    tellers,
    release: () => {
      signal.removeEventListener('abort', tellAll);
      // Who stops twice takes nothing from those that have come since.
      if (WAITING.get(signal) === waiting) WAITING.delete(signal);
    },
  };
  WAITING.set(signal, waiting);
  return waiting;
}

/** A signal that aborts with others until it is let go of. */
export interface JoinedSignal {
  readonly signal: AbortSignal;
  /** Leaves nothing on the others. */
  release(): void;
}

/** Aborts with the first of these, for its reason. Whoever makes one lets go of it. */
export function joinSignals(
  signals: readonly (AbortSignal | undefined)[],
  toReason: (reason: unknown) => unknown = (reason) => reason,
): JoinedSignal {
  const joined = new AbortController();
  const stops = signals.map((signal) => onAbort(signal, () => joined.abort(toReason(signal?.reason))));
  return { signal: joined.signal, release: () => stops.forEach((stop) => stop()) };
}
