import {
  ErrorCode,
  RELATED_TASK_META_KEY,
  type CallToolResult,
  type CreateTaskResult,
  type ServerCapabilities,
} from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import type { ToolCall } from '../../core/calls/call.ts';
import type { ToolResult } from '../../core/result.ts';
import { asksOf } from './asks.ts';
import { ListParams } from './pages.ts';
import { expectPages } from './person-pages.ts';
import { monotonicProgress } from './progress.ts';
import { toCallToolResult } from './result.ts';
import { invalidParams, RpcError, serveMethod } from './rpc.ts';
import type { McpSession } from './session.ts';
import { SessionTasks, type TaskEnd, type TaskScope } from './tasks/session-tasks.ts';

/*
 * Tasks of MCP 2025-11-25: a call that answers at once, and whose end is asked for later. The SDK's
 * own handlers poll their store for a result and cannot say who cancelled, so these replace them.
 */

/** What a server with {@link serveTasks} declares. */
export const TASK_CAPABILITIES = {
  list: {},
  cancel: {},
  requests: { tools: { call: {} } },
} as const satisfies ServerCapabilities['tasks'];

/** `params.task` of a `tools/call`. */
const TaskParams = z.looseObject({ ttl: z.number().min(0).optional() });

const IdParams = z.object({ taskId: z.string() });

/**
 * What `io.modelcontextprotocol/related-task` adds to a result, and what the id of the `tasks/result`
 * that asks for it may be longer than that of the call: it is not known while the work continues.
 */
const RELATED_BYTES = 160 + 256;

/** Calls a tool as a task. */
export type TaskStarter = (
  call: ToolCall,
  request: { readonly task: unknown; readonly progressToken: string | number | undefined },
) => CreateTaskResult;

/** `tasks/get`, `tasks/list`, `tasks/result` and `tasks/cancel`; returns the function that makes a call a task. */
export function serveTasks(mcp: McpSession): TaskStarter {
  const { server, session } = mcp;
  const tasks = new SessionTasks({
    gone: session.signal,
    onStatus: (task) => {
      // A client that is not reachable asks by itself.
      server.notification({ method: 'notifications/tasks/status', params: task }).catch(() => undefined);
    },
  });
  serveMethod(mcp, {
    method: 'tasks/get',
    params: IdParams,
    answer: async ({ taskId }) => tasks.get(taskId),
  });
  serveMethod(mcp, {
    method: 'tasks/list',
    params: ListParams,
    answer: async ({ cursor }) => tasks.list(cursor),
  });
  serveMethod(mcp, {
    method: 'tasks/cancel',
    params: IdParams,
    answer: ({ taskId }) => tasks.cancel(taskId),
  });
  serveMethod(mcp, {
    method: 'tasks/result',
    params: IdParams,
    answer: async ({ taskId }) => {
      const result = await tasks.result(taskId);
      return { ...result, _meta: { ...result._meta, ...relatedTo(taskId) } };
    },
  });
  return (call, { task, progressToken }) => {
    const { ttl } = expectTask(mcp, call.tool, task);
    const started = tasks.start(ttl, (scope) => perform(mcp, call, { scope, progressToken }));
    mcp.options.onWork?.(tasks.result(started.taskId));
    return { task: started };
  };
}

const relatedTo = (taskId: string) => ({ [RELATED_TASK_META_KEY]: { taskId } });

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

/** Executes a call to its end, without a limit for it or for the person who is asked about it. */
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
      const { done, total, message } = progress;
      scope.update('working', message ?? (total === undefined ? `${done} done` : `${done} of ${total} done`));
      const progressParams = scope.signal.aborted ? undefined : rising?.(progress);
      if (progressParams === undefined || progressParams === null) return;
      const params = { ...progressParams, _meta: relatedTo(scope.taskId) };
      server.notification({ method: 'notifications/progress', params }).catch(() => undefined);
    },
  });
  if (answer.pending !== undefined) scope.update('input_required', 'Waiting for a person to allow the call.');
  const result =
    answer.pending === undefined
      ? answer
      : await executor.settled(answer.pending.callId, () => scope.update('working', 'A person has decided.'));
  expectPages(asks.pages, result);
  return toEnd(result, toCallToolResult(result, executor.registry.mode.widgets));
}

/** The same, and the task says that it waits. */
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
