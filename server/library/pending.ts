import type { CallResult, SpillwaySession } from './types.ts';

/** The end of a pending call. When `signal` aborts before anyone decided, it is refused: it never runs. */
export async function endOfPending(
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
  if (signal?.aborted === true) refuse();
  else signal?.addEventListener('abort', refuse, { once: true });
  try {
    return await session.settled(callId);
  } finally {
    signal?.removeEventListener('abort', refuse);
  }
}
