import type { Progress } from '../core/context.ts';
import type { RunProgress } from '../core/runs.ts';
import { onAbort } from '../../shared/async/abort.ts';
import { waitAtMost } from '../../shared/async/wait.ts';
import { cancellation } from '../core/calls/call.ts';
import type { Runs } from '../core/runs.ts';
import type { Ending, Job } from './run-executor.ts';

/** Notifications are no closer than this. */
const NOTIFY_MS = 500;

/**
 * Waits for a run's end. `ended` rejects when its end could not be written; `stop` is called in the
 * same turn as the abort, before a server that leaves with its client interrupts the run.
 */
async function waitFor(
  ended: Promise<unknown>,
  how: { readonly timeoutMs: number; readonly signal: AbortSignal; readonly stop: (reason: unknown) => void },
): Promise<'ended' | 'timeout' | 'aborted'> {
  const { timeoutMs, signal, stop } = how;
  let finish: (how: 'aborted') => void = () => undefined;
  const aborted = new Promise<'aborted'>((resolve) => (finish = resolve));
  const stopListening = onAbort(signal, () => {
    stop(signal.reason);
    finish('aborted');
  });
  const first = Promise.race([ended.then(() => 'ended' as const), aborted]);
  return await waitAtMost(first, timeoutMs)
    .then((how) => how ?? 'timeout')
    .finally(stopListening);
}

/** Forwards a run's progress: only what goes up, and not every step, unless each has a message. */
function progressNotifier(notify: (progress: Progress) => void): (progress: RunProgress) => void {
  let lastDone = -1;
  let lastAt = -Infinity;
  return (progress) => {
    const now = performance.now();
    const { done, queued, failed, rate_per_second: rate, message } = progress;
    if (done <= lastDone || (message === undefined && now - lastAt < NOTIFY_MS)) return;
    lastDone = done;
    lastAt = now;
    notify({
      done,
      total: done + queued,
      message: message ?? `${done} done, ${queued} queued, ${failed} failed, ${rate} per second`,
    });
  };
}

/** How the work on a run ended; null where it takes longer. A call that is cancelled stops it. */
export async function waitForJob(
  { work, ended, stopped }: Job,
  { timeoutMs, signal, progress }: Parameters<Runs['wait']>[1],
): Promise<Ending | null> {
  const notify = progressNotifier(progress);
  const stopListening = work.onProgress(notify);
  // A step that began before somebody listened.
  if (work.progress().message !== undefined) notify(work.progress());
  const stop = (reason: unknown): void => work.stop({ status: 'cancelled', reason: cancellation(reason) });
  const how = await waitFor(ended, { signal, timeoutMs, stop }).finally(stopListening);
  if (how === 'timeout') return null;
  if (how === 'ended') return ended;
  await stopped;
  throw cancellation(signal.reason);
}
