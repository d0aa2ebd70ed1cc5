import { expect, it, vi } from 'vitest';
import { SessionTasks, type TaskEnd } from '../../../server/mcp/era-2025/tasks.ts';

it('lists every task that is left', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
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
  const listed = (): string[] => tasks.list(undefined).tasks.map(({ taskId }) => taskId);
  expect(listed()).toEqual([...brief, ...kept]);
  vi.advanceTimersByTime(2_000);
  expect(listed()).toEqual(kept);
  gone.abort();
});
