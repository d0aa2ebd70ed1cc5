import { anySignal } from '../../../shared/async/abort.ts';
import { delay, waitAtMost } from '../../../shared/async/wait.ts';
import type { Caller } from '../../../shared/act/caller.ts';
import type { TakeoverUntil } from '../../../shared/policy/takeover.ts';
import type { WorkerServices } from '../handler.ts';
import { conditionsHold } from '../pages/await-conditions.ts';
import type { CallPolicy } from '../policy/call-policy.ts';
import { documentsOfCall } from '../policy/documents-of-call.ts';
import { topOf } from '../policy/documents.ts';

/** Between two looks at the page. */
const LOOK_MS = 500;
/** What was asked of a document that was left meanwhile has no answer: the next look asks the one after it. */
const ANSWER_MS = 2_000;

export interface WatchUntil extends Pick<WorkerServices, 'channels' | 'refBook' | 'requests'> {
  readonly tabId: number;
  readonly caller: Caller;
  readonly until: TakeoverUntil;
  readonly policy: CallPolicy;
  readonly signal: AbortSignal;
}

/**
 * Resolves when the page shows what is waited for, through navigations. Only whether it does is learnt, and that only
 * of pages that the agent may read: of another page a condition would tell what is on it. No debugger is attached.
 *
 * @throws the signal's reason
 */
export async function untilShown(watch: WatchUntil, look = holds): Promise<void> {
  const { signal } = watch;
  for (;;) {
    if (await looked(watch, look)) return;
    await delay(LOOK_MS, signal);
  }
}

/** A page that is loading, does not answer or may not be read shows nothing yet. */
async function looked(watch: WatchUntil, look: typeof holds): Promise<boolean> {
  const over = new AbortController();
  const either = anySignal([watch.signal, over.signal]);
  try {
    const answer = look({ ...watch, signal: either.signal });
    return (await waitAtMost(answer, ANSWER_MS, watch.signal)) ?? false;
  } catch {
    return false;
  } finally {
    over.abort();
    either.release();
  }
}

async function holds({
  tabId,
  caller,
  until: { mode = 'all', ...conditions },
  policy,
  signal,
  channels,
  refBook,
  requests,
}: WatchUntil): Promise<boolean> {
  const top = await topOf(tabId);
  if (top === null) return false;
  // The person is busy in the tab: they are not asked whether it may be read, too.
  await policy.expect(top, ['read'], { asks: false });
  return conditionsHold({
    tab_id: tabId,
    caller,
    conditions,
    mode,
    channels: documentsOfCall(channels, policy, { risks: ['read'], asks: false }),
    refs: refBook,
    requests,
    signal,
  });
}
