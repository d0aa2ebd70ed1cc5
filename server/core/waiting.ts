import { onAbort } from './signals.ts';

/** What a runtime has to end after its call was cancelled; whoever cancelled is answered by then. */
const GRACE_MS = 700;

/** Settles before the work has ended. */
interface Leaving<T> {
  readonly resolve: (value: T) => void;
  readonly reject: (reason: unknown) => void;
}

/** The work's end, or what comes before it. `arm` answers how to let go of what it set up. */
function unless<T>(work: Promise<T>, arm: (leaving: Leaving<T>) => () => void): Promise<T> {
  return new Promise((resolve, reject) => {
    const disarm = arm({ resolve, reject });
    work.then(
      (value) => (disarm(), resolve(value)),
      (thrown: unknown) => (disarm(), reject(thrown)),
    );
  });
}

/**
 * The work's end, or the signal's reason as soon as that aborts. The work goes on by itself; what comes
 * of it then is dropped.
 */
export function orAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  return unless(work, ({ reject }) => onAbort(signal, () => reject(signal?.reason)));
}

/**
 * The work's end, or the signal's reason when it goes on for too long after an abort. What comes of
 * work that is left behind is dropped.
 */
export function orLeft<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return unless(work, ({ reject }) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = onAbort(signal, () => {
      timer = setTimeout(() => reject(signal.reason), GRACE_MS);
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  });
}

/**
 * The work's end, or undefined when it takes longer than `timeMs`. With a signal, its reason as soon as
 * that aborts. The work goes on by itself; what comes of it then is dropped.
 */
export function orAfter<T>(work: Promise<T>, timeMs: number, signal?: AbortSignal): Promise<T | undefined> {
  return unless<T | undefined>(work, ({ resolve, reject }) => {
    const timer = setTimeout(() => {
      stop();
      resolve(undefined);
    }, timeMs);
    const stop = onAbort(signal, () => {
      clearTimeout(timer);
      reject(signal?.reason);
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  });
}
