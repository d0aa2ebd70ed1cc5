import type { Logger } from './services.ts';

type Task = () => void | Promise<void>;

/** What a call has registered for after its end; null once that has come. */
export interface AfterCompletion {
  tasks: Task[] | null;
}

/** The answer of a call waits no longer than this for what cleans up after it. */
const PATIENCE_MS = 700;

/** Runs the tasks in order; one that fails is logged, and those that take long go on by themselves. */
export async function runAfterCompletion(registered: AfterCompletion, logger: Logger): Promise<void> {
  const { tasks } = registered;
  registered.tasks = null;
  if (tasks === null || tasks.length === 0) return;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const patience = new Promise<void>((resolve) => (timer = setTimeout(resolve, PATIENCE_MS)));
  await Promise.race([runInOrder(tasks, logger), patience]);
  clearTimeout(timer);
}

async function runInOrder(tasks: readonly Task[], logger: Logger): Promise<void> {
  for (const task of tasks) {
    try {
      await task();
    } catch (thrown) {
      logger.warn({ err: thrown }, 'a task after completion failed');
    }
  }
}
