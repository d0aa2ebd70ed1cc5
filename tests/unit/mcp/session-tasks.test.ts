import { expect, it } from 'vitest';
import { SessionTasks } from '../../../server/adapters/mcp/tasks/session-tasks.ts';

it('a task that begins after the end of its session is cancelled from the start', async () => {
  const reason = new Error('the end of the connection');
  const tasks = new SessionTasks({ gone: AbortSignal.abort(reason), onStatus: () => undefined });
  const signal = await new Promise<AbortSignal>((resolve) => {
    tasks.start(undefined, async (scope) => {
      resolve(scope.signal);
      return { status: 'completed', result: { content: [] } };
    });
  });
  expect(signal.aborted).toBe(true);
  expect(signal.reason).toBe(reason);
});
