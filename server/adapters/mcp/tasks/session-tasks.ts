import { randomUUID } from 'node:crypto';
import { ErrorCode, type CallToolResult, type Task } from '@modelcontextprotocol/sdk/types.js';
import { cancelledBy } from '../../../core/calls/call.ts';
import { onAbort } from '../../../../shared/async/abort.ts';
import { cutPage } from '../pages.ts';
import { invalidParams, RpcError } from '../rpc.ts';

/** Tasks that a session keeps; the oldest that has ended makes room. */
const TASKS_MAX = 64;
const PAGE_TASKS = 20;
/** How long the result of a task is kept when its client says nothing, and at most. */
const TTL_MS = 60 * 60_000;
const TTL_MAX_MS = 24 * 60 * 60_000;
/** How often a client may poll; `tasks/result` waits without polling. */
const POLL_MS = 1_000;

/** How the work of a task ended. */
export interface TaskEnd {
  readonly status: 'completed' | 'failed';
  readonly statusMessage?: string;
  readonly result: CallToolResult;
}

/** What the work of a task works with. */
export interface TaskScope {
  readonly taskId: string;
  /** Aborted by `tasks/cancel` and by the session's end; its reason says which. */
  readonly signal: AbortSignal;
  /** Ignored once the task has ended. */
  update(status: 'working' | 'input_required', statusMessage?: string): void;
}

interface Entry {
  /** Ascends with each task of the session. */
  readonly number: number;
  readonly controller: AbortController;
  task: Task;
  ended: Promise<CallToolResult>;
  timer: NodeJS.Timeout | undefined;
}

const isTerminal = ({ status }: Task): boolean =>
  status === 'completed' || status === 'failed' || status === 'cancelled';

/**
 * The tasks of one session (MCP 2025-11-25). A task that has ended is kept for its `ttl`; one that
 * is active is dropped only at the end of its session.
 */
export class SessionTasks {
  readonly #entries = new Map<string, Entry>();
  readonly #onStatus: (task: Task) => void;
  readonly #gone: AbortSignal;
  #started = 0;

  /** `gone` ends and forgets all tasks; `onStatus` is called with each task whose status changes. */
  constructor(options: { readonly gone: AbortSignal; readonly onStatus: (task: Task) => void }) {
    this.#onStatus = options.onStatus;
    this.#gone = options.gone;
    onAbort(this.#gone, () => this.#close());
  }

  /**
   * Makes a task of `work`, which begins when the client has been notified. `ttlMs` beyond the longest is
   * cut to it, as the protocol allows. @throws RpcError when too many tasks are active
   */
  start(ttlMs: number | undefined, work: (scope: TaskScope) => Promise<TaskEnd>): Task {
    this.#makeRoom();
    const now = new Date().toISOString();
    const taskId = randomUUID();
    const controller = new AbortController();
    if (this.#gone.aborted) controller.abort(this.#gone.reason);
    const entry: Entry = {
      number: ++this.#started,
      controller,
      task: {
        taskId,
        status: 'working',
        createdAt: now,
        lastUpdatedAt: now,
        ttl: Math.min(ttlMs ?? TTL_MS, TTL_MAX_MS),
        pollInterval: POLL_MS,
      },
      ended: new Promise((resolve, reject) => {
        const update: TaskScope['update'] = (status, message) => this.#update(entry, status, message);
        setImmediate(() => {
          work({ taskId, signal: controller.signal, update })
            .then((end) => {
              this.#end(entry, end);
              resolve(end.result);
            })
            .catch((thrown: unknown) => {
              this.#end(entry, { status: 'failed', statusMessage: 'The call failed without an answer.' });
              reject(thrown);
            });
        });
      }),
      timer: undefined,
    };
    entry.ended.catch(() => undefined);
    this.#entries.set(taskId, entry);
    return entry.task;
  }

  /** @throws RpcError `-32602` for a task that this session does not have */
  get(taskId: string): Task {
    return this.#find(taskId).task;
  }

  /** Oldest first. @throws RpcError `-32602` for a cursor that none of its answers gave */
  list(cursor: string | undefined): { readonly tasks: Task[]; readonly nextCursor?: string } {
    const numberOf = ({ number }: Entry): number => number;
    const all = [...this.#entries.values()];
    const { page, next } = cutPage(all, { list: 'tasks', numberOf, cursor, size: PAGE_TASKS });
    return { tasks: page.map(({ task }) => task), ...next };
  }

  /** Waits for the end of the work. @throws RpcError `-32602` for a task that this session does not have */
  result(taskId: string): Promise<CallToolResult> {
    return this.#find(taskId).ended;
  }

  /** Answers when the work has stopped. @throws RpcError `-32602` when it is unknown or has ended */
  async cancel(taskId: string): Promise<Task> {
    const entry = this.#find(taskId);
    if (isTerminal(entry.task))
      throw invalidParams(`Cannot cancel task ${taskId}: it is already ${entry.task.status}.`);
    this.#update(entry, 'cancelled', 'Cancelled by tasks/cancel.');
    entry.controller.abort(cancelledBy('tasks/cancel'));
    await entry.ended.catch(() => undefined);
    return entry.task;
  }

  #find(taskId: string): Entry {
    const entry = this.#entries.get(taskId);
    if (entry !== undefined) return entry;
    throw invalidParams(`Task not found: ${JSON.stringify(taskId.slice(0, 64))} is unknown or has expired.`);
  }

  #update(entry: Entry, status: Task['status'], statusMessage?: string): void {
    const { task } = entry;
    if (isTerminal(task)) return;
    const { statusMessage: _before, ...rest } = task;
    entry.task = {
      ...rest,
      status,
      lastUpdatedAt: new Date().toISOString(),
      ...(statusMessage === undefined ? {} : { statusMessage }),
    };
    if (task.status !== status && !this.#gone.aborted) this.#onStatus(entry.task);
  }

  /** Keeps it for its `ttl` from now on. */
  #end(entry: Entry, { status, statusMessage }: Pick<TaskEnd, 'status' | 'statusMessage'>): void {
    this.#update(entry, status, statusMessage);
    const { taskId, ttl } = entry.task;
    if (!this.#entries.has(taskId)) return;
    entry.timer = setTimeout(() => this.#entries.delete(taskId), ttl ?? TTL_MS);
    entry.timer.unref();
  }

  #makeRoom(): void {
    if (this.#entries.size < TASKS_MAX) return;
    const oldest = [...this.#entries.values()].find(({ task }) => isTerminal(task));
    if (oldest === undefined)
      throw new RpcError(
        ErrorCode.InternalError,
        `${TASKS_MAX} tasks of this session are active; wait for one or cancel one.`,
      );
    clearTimeout(oldest.timer);
    this.#entries.delete(oldest.task.taskId);
  }

  #close(): void {
    for (const { controller, timer } of this.#entries.values()) {
      clearTimeout(timer);
      controller.abort(this.#gone.reason);
    }
    this.#entries.clear();
  }
}
