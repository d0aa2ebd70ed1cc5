import { delay } from '../../../shared/async/wait.ts';
import { toSpillwayError, type ErrorCode } from '../../../shared/errors.ts';
import type { ActFrames } from './act-frames.ts';
import type { ActTraffic } from './act-traffic.ts';

/** The document has not changed for this long: its scripts have done what the act made them do. */
const QUIET_MS = 50;
/** What loads longer is named in the receipt. */
const SETTLE_MS = 2_000;

/** A page that is being replaced has no answer, and neither has one that is busy. */
const PASSING: ReadonlySet<ErrorCode> = new Set(['page_changed', 'page_unresponsive', 'navigation_failed']);

export interface Settling {
  readonly frames: ActFrames;
  readonly traffic: ActTraffic;
  /** Changes of the top document that had happened before the act. */
  readonly since: number;
  /** Resolves when a dialog opens: then nothing settles. */
  readonly interrupted: Promise<unknown>;
  readonly signal: AbortSignal;
}

/**
 * Waits until an act has had its effect: the navigation that it began is over, the requests that it began have ended, and
 * the page has not changed for a moment. Whatever takes longer than two seconds is left under way.
 */
export async function settle({ frames, traffic, since, interrupted, signal }: Settling): Promise<void> {
  const until = performance.now() + SETTLE_MS;
  const left = (): number => Math.max(0, until - performance.now());
  const race = <T>(waiting: Promise<T>): Promise<T | undefined> => {
    const stop = new AbortController();
    const late = delay(left(), stop.signal).catch(() => undefined);
    return Promise.race([waiting, interrupted.then(() => undefined), late.then(() => undefined)]).finally(
      () => stop.abort(),
    );
  };
  let isInterrupted = false;
  void interrupted.then(() => (isInterrupted = true));
  for (let seen = since; left() > 0 && !isInterrupted && !traffic.isClosed;) {
    signal.throwIfAborted();
    if (traffic.isNavigating || traffic.pending.length > 0) {
      await race(traffic.change());
      continue;
    }
    const rest = await race(quietOf(frames, { since: seen, waitMs: left(), signal }));
    if (rest === undefined || rest === null) continue;
    if (!traffic.isNavigating && traffic.pending.length === 0) return;
    seen = rest.changes;
  }
}

/** Waits for the document to rest; null while it is being replaced. */
async function quietOf(
  frames: ActFrames,
  {
    since,
    waitMs,
    signal,
  }: { readonly since: number; readonly waitMs: number; readonly signal: AbortSignal },
): Promise<{ readonly changes: number } | null> {
  try {
    const page = await frames.page(signal);
    return await page.ask({ do: 'quiet', since, quietMs: QUIET_MS, waitMs: Math.round(waitMs) }, signal);
  } catch (thrown) {
    signal.throwIfAborted();
    if (!PASSING.has(toSpillwayError(thrown).code)) throw thrown;
    await delay(10, signal);
    return null;
  }
}
