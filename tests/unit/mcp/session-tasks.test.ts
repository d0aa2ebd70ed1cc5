import { expect, it, vi } from 'vitest';
import { SessionTasks, type TaskEnd } from '../../../server/adapters/mcp/tasks.ts';

it('lists every task that is left, even if many of the earlier ones have expired', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  try {
    const gone = new AbortController();
    const tasks = new SessionTasks({ gone: gone.signal, onStatus: () => undefined });
    const ended: TaskEnd = { status: 'completed', result: { content: [] } };
    const startAll = async (count: number, ttlMs: number): Promise<string[]> => {
      const started = Array.from({ length: count }, () => tasks.start(ttlMs, async () => ended).taskId);
      await Promise.all(started.map((taskId) => tasks.result(taskId)));
      return started;
    };
    const brief = await startAll(20, 1_000);
    const kept = await startAll(30, 60_000);
    const idsOf = (page: ReturnType<typeof tasks.list>): string[] => page.tasks.map(({ taskId }) => taskId);
    const first = tasks.list(undefined);
    expect(idsOf(first)).toEqual(brief);
    vi.advanceTimersByTime(2_000);
    const second = tasks.list(first.nextCursor);
    expect([...idsOf(second), ...idsOf(tasks.list(second.nextCursor))]).toEqual(kept);
    gone.abort();
  } finally {
    vi.useRealTimers();
  }
});
