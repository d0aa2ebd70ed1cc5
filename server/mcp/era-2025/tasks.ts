import { randomUUID } from 'node:crypto';
import type { CallToolResult } from '@modelcontextprotocol/server';
import {
  ErrorCode,
  RELATED_TASK_META_KEY,
  type CreateTaskResult,
  type ServerCapabilities,
  type Task,
} from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { type ToolCall, buildCancelled } from '../../core/calls/call.ts';
import type { ToolResult } from '../../core/result.ts';
import { asksOf, expectPages, type McpSession, serveMethod } from './session.ts';
import { monotonicProgress, progressText, toCallToolResult } from '../tools.ts';
import { ListParams, invalidParams, RpcError, cutPage } from '../rpc.ts';
import { onAbort } from '../../../shared/base/async.ts';

/*
 * Tasks of MCP 2025-11-25: a call that answers at once, and whose end is asked for later. The SDK's
 * own handlers poll their store for a result and cannot say who cancelled, so these replace them.
 */

export const TASK_CAPABILITIES = {
  list: {},
  cancel: {},
  requests: { tools: { call: {} } },
} as const satisfies ServerCapabilities['tasks'];

/** `params.task` of a `tools/call`. */
const TaskParams = z.looseObject({ ttl: z.number().min(0).optional() });

const IdParams = z.object({ taskId: z.string() });

/**
 * The size of `io.modelcontextprotocol/related-task` in a result, plus the amount by which the id of its
 * `tasks/result` may be longer than the call's: that id is unknown while the work continues.
 */
const RELATED_BYTES = 160 + 256;

/** Calls a tool as a task. */
export type TaskStarter = (
  call: ToolCall,
  request: { readonly task: unknown; readonly progressToken: string | number | undefined },
) => CreateTaskResult;

/**
 * Serves `tasks/get`, `tasks/list`, `tasks/result` and `tasks/cancel`; returns the function that makes a call
 * a task.
 */
export function serveTasks(mcp: McpSession): TaskStarter {
  const { server, session } = mcp;
  const tasks = new SessionTasks({
    gone: session.signal,
    onStatus: (task) => {
      // A client that cannot be reached polls by itself.
      server.notification({ method: 'notifications/tasks/status', params: task }).catch(() => undefined);
    },
  });
  serveMethod(mcp, 'tasks/get', IdParams, async ({ taskId }) => tasks.get(taskId));
  serveMethod(mcp, 'tasks/list', ListParams, async ({ cursor }) => tasks.list(cursor));
  serveMethod(mcp, 'tasks/cancel', IdParams, ({ taskId }) => tasks.cancel(taskId));
  serveMethod(mcp, 'tasks/result', IdParams, async ({ taskId }) => {
    const result = await tasks.result(taskId);
    return { ...result, _meta: { ...result._meta, ...relateToTask(taskId) } };
  });
  return (call, { task, progressToken }) => {
    const { ttl } = expectTask(mcp, call.tool, task);
    const started = tasks.start(ttl, (scope) => perform(mcp, call, { scope, progressToken }));
    mcp.options.onWork?.(tasks.result(started.taskId));
    return { task: started };
  };
}

const relateToTask = (taskId: string) => ({ [RELATED_TASK_META_KEY]: { taskId } });

/** @throws RpcError `-32601` for a tool without task support, `-32602` for invalid parameters */
function expectTask({ options }: McpSession, tool: string, task: unknown): z.infer<typeof TaskParams> {
  const { registry } = options.executor;
  if (!registry.has(tool) || registry.get(tool).manifest.tasks === 'forbidden')
    throw new RpcError(
      ErrorCode.MethodNotFound,
      `${JSON.stringify(tool.slice(0, 64))} cannot be called as a task; call it without task.`,
    );
  const parsed = TaskParams.safeParse(task);
  if (parsed.success) return parsed.data;
  throw invalidParams('task takes { ttl }: milliseconds, 0 or more.');
}

/** Executes a call to its end, without a time limit for it or for the person who is asked. */
async function perform(
  mcp: McpSession,
  call: ToolCall,
  how: { readonly scope: TaskScope; readonly progressToken: string | number | undefined },
): Promise<TaskEnd> {
  const { server, options } = mcp;
  const { executor } = options;
  const { scope, progressToken } = how;
  const rising = progressToken === undefined ? undefined : monotonicProgress(progressToken);
  const asks = asksOf(mcp, { taskId: scope.taskId });
  const { askPerson, pages } = asks;
  const answer = await executor.execute({
    ...call,
    ...asks,
    ...(askPerson === undefined ? {} : { askPerson: whileAsking(askPerson, scope) }),
    ...(pages === undefined ? {} : { pages: { ...pages, ask: whileAsking(pages.ask, scope) } }),
    signal: scope.signal,
    syncWaitMs: Infinity,
    envelopeBytes: (call.envelopeBytes ?? 0) + RELATED_BYTES,
    progress: (progress) => {
      scope.update('working', progressText(progress));
      const progressParams = scope.signal.aborted ? undefined : rising?.(progress);
      if (progressParams === undefined || progressParams === null) return;
      const params = { ...progressParams, _meta: relateToTask(scope.taskId) };
      server.notification({ method: 'notifications/progress', params }).catch(() => undefined);
    },
  });
  if (answer.pending !== undefined) scope.update('input_required', 'Waiting for a person to allow the call.');
  const result =
    answer.pending === undefined
      ? answer
      : await executor.questions.settled(answer.pending.callId, () =>
          scope.update('working', 'A person has decided.'),
        );
  expectPages(asks.pages, result);
  return toEnd(result, toCallToolResult(result, executor.registry.mode.widgets));
}

/** The same, with a status that says that the task waits. */
const whileAsking =
  <Args extends readonly unknown[], Answer>(ask: (...args: Args) => Promise<Answer>, scope: TaskScope) =>
  async (...args: Args): Promise<Answer> => {
    scope.update('input_required', 'Waiting for a person to answer.');
    return ask(...args).finally(() => scope.update('working'));
  };

/** In 2025-11-25 a result with `isError` ends its task as `failed`. */
function toEnd({ ok, error }: ToolResult, result: CallToolResult): TaskEnd {
  if (ok) return { status: 'completed', result };
  const statusFields = error === undefined ? {} : { statusMessage: error.message.slice(0, 300) };
  return { status: 'failed', ...statusFields, result };
}

/** Tasks that a session keeps; the oldest completed one makes room. */
const TASKS_MAX = 64;
/** How long a task's result is kept if its client does not say, and at most. */
const TTL_MS = 60 * 60_000;
const TTL_MAX_MS = 24 * 60 * 60_000;
/** How often a client may poll; `tasks/result` waits without polling. */
const POLL_MS = 1_000;

export interface TaskEnd {
  readonly status: 'completed' | 'failed';
  readonly statusMessage?: string;
  readonly result: CallToolResult;
}

interface TaskScope {
  readonly taskId: string;
  /** Aborted by `tasks/cancel` and by the session's end; its reason says which. */
  readonly signal: AbortSignal;
  /** Ignored once the task has ended. */
  update(status: 'working' | 'input_required', statusMessage?: string): void;
}

interface Entry {
  readonly controller: AbortController;
  task: Task;
  ended: Promise<CallToolResult>;
  timer: NodeJS.Timeout | undefined;
}

const isTerminal = ({ status }: Task): boolean =>
  status === 'completed' || status === 'failed' || status === 'cancelled';

/**
 * The tasks of one session (MCP 2025-11-25). A completed task is kept for its `ttl`; an active one is dropped
 * only at the end of its session.
 */
export class SessionTasks {
  readonly #entries = new Map<string, Entry>();

  /** `gone` ends and forgets all tasks; `onStatus` is called with each task whose status changes. */
  constructor(
    private readonly options: { readonly gone: AbortSignal; readonly onStatus: (task: Task) => void },
  ) {
    onAbort(options.gone, () => this.#close());
  }

  /**
   * Makes a task of `work`, which begins once the client has been notified. `ttlMs` is limited to the
   * maximum, as the protocol allows. @throws RpcError when too many tasks are active
   */
  start(ttlMs: number | undefined, work: (scope: TaskScope) => Promise<TaskEnd>): Task {
    this.#makeRoom();
    const now = new Date().toISOString();
    const taskId = randomUUID();
    const controller = new AbortController();
    if (this.options.gone.aborted) controller.abort(this.options.gone.reason);
    const entry: Entry = {
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

  /** Oldest first. @throws RpcError `-32602` for a cursor that this list never gave */
  list(cursor: string | undefined): { readonly tasks: Task[]; readonly nextCursor?: string } {
    const keyOf = ({ task }: Entry): string => task.taskId;
    const all = [...this.#entries.values()];
    const { page, next } = cutPage(all, { list: 'tasks', keyOf, cursor });
    return { tasks: page.map(({ task }) => task), ...next };
  }

  /** Waits for the end of the work. @throws RpcError `-32602` for a task of another session */
  result(taskId: string): Promise<CallToolResult> {
    return this.#find(taskId).ended;
  }

  /** Answers when the work has stopped. @throws RpcError `-32602` if the task is unknown or has ended */
  async cancel(taskId: string): Promise<Task> {
    const entry = this.#find(taskId);
    if (isTerminal(entry.task))
      throw invalidParams(`Cannot cancel task ${taskId}: it is already ${entry.task.status}.`);
    this.#update(entry, 'cancelled', 'Cancelled by tasks/cancel.');
    entry.controller.abort(buildCancelled('tasks/cancel'));
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
    if (task.status !== status && !this.options.gone.aborted) this.options.onStatus(entry.task);
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
      controller.abort(this.options.gone.reason);
    }
    this.#entries.clear();
  }
}
