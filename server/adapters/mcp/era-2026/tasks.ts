import { randomUUID } from 'node:crypto';
import { cancelledBy } from '../../../core/calls/call.ts';
import { invalidParams, RPC_CODE } from '../rpc.ts';
import type { Exchange } from './exchange.ts';

/** Tasks that are kept; the oldest that has ended makes room. */
const TASKS_MAX = 256;
/** How long a task is kept once it has ended. */
const KEPT_MS = 60 * 60_000;
/** How often a client may ask. */
const POLL_MS = 1_000;

interface Task {
  readonly exchange: Exchange;
  isCancelled: boolean;
  endedAt: Date | null;
}

/** Calls that were answered with a task (`io.modelcontextprotocol/tasks`). Who knows the id of one may ask for it. */
export class Tasks {
  readonly #tasks = new Map<string, Task>();

  /** Makes a task of a call, and answers with it. Null where too many are at work. */
  keep(exchange: Exchange, ended: Promise<void>): object | null {
    if (!this.#makeRoom()) return null;
    const taskId = randomUUID();
    const task: Task = { exchange, isCancelled: false, endedAt: null };
    this.#tasks.set(taskId, task);
    exchange.onProgress = null;
    void ended.then(() => {
      task.endedAt = new Date();
      setTimeout(() => this.#tasks.delete(taskId), KEPT_MS).unref();
    });
    return { resultType: 'task', ...describe(taskId, task), status: 'working' };
  }

  /** @throws RpcError `-32602` for a task that is not kept */
  get(taskId: string): object {
    const task = this.#find(taskId);
    const { exchange } = task;
    const { outcome, questions } = exchange;
    const about = describe(taskId, task);
    if (task.isCancelled) return { ...about, status: 'cancelled' };
    if (outcome !== null)
      return 'result' in outcome
        ? { ...about, status: 'completed', result: outcome.result }
        : { ...about, status: 'failed', error: toError(outcome.error) };
    if (Object.keys(questions).length > 0)
      return { ...about, status: 'input_required', inputRequests: questions };
    return { ...about, status: 'working' };
  }

  /** @throws RpcError `-32602` for a task that is not kept */
  update(taskId: string, responses: Readonly<Record<string, unknown>>): object {
    this.#find(taskId).exchange.answer(responses);
    return {};
  }

  /** @throws RpcError `-32602` for a task that is not kept */
  cancel(taskId: string): object {
    const task = this.#find(taskId);
    if (task.exchange.outcome !== null) return {};
    task.isCancelled = true;
    task.exchange.cancel(cancelledBy('tasks/cancel'));
    return {};
  }

  #find(taskId: string): Task {
    const task = this.#tasks.get(taskId);
    if (task !== undefined) return task;
    throw invalidParams(`Task not found: ${JSON.stringify(taskId.slice(0, 64))} is unknown or has expired.`);
  }

  #makeRoom(): boolean {
    if (this.#tasks.size < TASKS_MAX) return true;
    const oldest = [...this.#tasks].find(([, { endedAt }]) => endedAt !== null);
    return oldest !== undefined && this.#tasks.delete(oldest[0]);
  }
}

/** A task at work lives until its work ends, then for an hour. */
function describe(taskId: string, { exchange, endedAt }: Task): object {
  const { startedAt, changedAt, message } = exchange;
  return {
    taskId,
    createdAt: startedAt.toISOString(),
    lastUpdatedAt: changedAt.toISOString(),
    ttlMs: endedAt === null ? null : endedAt.getTime() - startedAt.getTime() + KEPT_MS,
    pollIntervalMs: POLL_MS,
    ...(message === undefined ? {} : { statusMessage: message }),
  };
}

const toError = (error: unknown): object => ({
  code: RPC_CODE.internalError,
  message: error instanceof Error ? error.message : 'The call failed without an answer.',
});
