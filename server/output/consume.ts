import { onAbort } from '../../shared/async/abort.ts';

/**
 * Gives each value of a source to `take`, one after the other, and stops at once when the signal
 * aborts, even while the source keeps silent. A source that is left early is cancelled, but not
 * waited for.
 * @throws what the source or `take` throws, or the signal's reason.
 */
export async function consume<T>(
  source: AsyncIterable<T>,
  signal: AbortSignal,
  take: (value: T) => Promise<void> | undefined,
): Promise<void> {
  signal.throwIfAborted();
  const iterator = source[Symbol.asyncIterator]();
  let fail: (reason: unknown) => void = () => undefined;
  const stop = onAbort(signal, () => fail(signal.reason));
  let isDone = false;
  try {
    for (;;) {
      // One promise a step instead of Promise.race, which would leave a reaction on the signal's side each time.
      const step = await new Promise<IteratorResult<T>>((resolve, reject) => {
        fail = reject;
        iterator.next().then(resolve, reject);
      });
      isDone = step.done === true;
      if (step.done) return;
      const writing = take(step.value);
      if (writing) await writing;
      signal.throwIfAborted();
    }
  } finally {
    stop();
    if (!isDone) close(iterator);
  }
}

function close(iterator: AsyncIterator<unknown>): void {
  // The failure that made us leave is the one to report.
  void Promise.resolve(iterator.return?.()).catch(() => undefined);
}
