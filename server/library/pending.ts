import { onAbort } from '../../shared/async/abort.ts';
import type { PendingInteraction } from '../core/result.ts';
import type { CallResult, SpillwaySession } from './types.ts';
import { messageOf } from '../../shared/message-of.ts';

/**
 * Notifies a caller that a person is asked. If that fails, no one knows of the question, and the call
 * is refused: {@link pendingOutcome} answers that.
 */
export function notifyPending(
  session: SpillwaySession,
  pending: PendingInteraction,
  onPending: (pending: PendingInteraction) => void,
): void {
  try {
    onPending(pending);
  } catch (thrown) {
    const reason = messageOf(thrown);
    session
      .decide(pending.callId, { approve: false, by: 'onPending, which failed', reason })
      // Someone else decided at the same moment: their word holds.
      .catch(() => undefined);
  }
}

/** The end of a pending call. When `signal` aborts before anyone decided, it is refused: it never runs. */
export async function pendingOutcome(
  session: SpillwaySession,
  callId: string,
  signal: AbortSignal | undefined,
): Promise<CallResult> {
  const refuse = (): void => {
    session
      .decide(callId, { approve: false, by: 'the end of the loop, before anyone decided' })
      // Someone else decided at the same moment: their word holds.
      .catch(() => undefined);
  };
  const stop = onAbort(signal, refuse);
  try {
    return await session.settled(callId);
  } finally {
    stop();
  }
}
