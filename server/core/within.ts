/** What a runtime has to end after its call was cancelled; whoever cancelled is answered by then. */
const GRACE_MS = 700;

/**
 * The work's end, or the signal's reason when it goes on for too long after an abort. What comes of
 * work that is left behind is dropped.
 */
export function orLeft<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const onAbort = (): void => {
      timer = setTimeout(() => reject(signal.reason), GRACE_MS);
    };
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    };
    work.then(
      (value) => (end(), resolve(value)),
      (thrown: unknown) => (end(), reject(thrown)),
    );
  });
}
