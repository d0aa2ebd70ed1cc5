import type { Executor } from '../../server/core/calls/executor.ts';
import { createSession } from './session.ts';

/**
 * Those ids for which an executor still has a call that is active, waits for a person, or is kept for late requests:
 * calls from another session with such an id are refused.
 */
export async function takenIds(executor: Executor, callIds: readonly string[]): Promise<readonly string[]> {
  const session = createSession('another');
  const { signal } = new AbortController();
  const codes = await Promise.all(
    callIds.map(async (callId) => {
      const result = await executor.execute({ callId, tool: 'no_such_tool', args: {}, session, signal });
      return result.error?.code;
    }),
  );
  return callIds.filter((_, at) => codes[at] !== 'unknown_tool');
}
