import type { CallEnd } from '../context.ts';
import type { Logger } from '../services.ts';
import { waitAtMost } from '../../../shared/async/wait.ts';

type Task = (end: CallEnd) => void | Promise<void>;

/** What a call has registered for after its end; null once that has come. */
export interface CompletionHook {
  tasks: Task[] | null;
}

/** The answer of a call waits no longer than this for its cleanup. */
const PATIENCE_MS = 700;

/** Runs the tasks in order; one that fails is logged, and slow ones continue in the background. */
export async function runCompletionHooks(
  registered: CompletionHook,
  end: CallEnd,
  logger: Logger,
): Promise<void> {
  const { tasks } = registered;
  registered.tasks = null;
  if (tasks === null || tasks.length === 0) return;
  await waitAtMost(runInOrder(tasks, end, logger), PATIENCE_MS);
}

async function runInOrder(tasks: readonly Task[], end: CallEnd, logger: Logger): Promise<void> {
  for (const task of tasks) {
    try {
      await task(end);
    } catch (thrown) {
      logger.warn({ err: thrown }, 'a completion hook failed');
    }
  }
}
