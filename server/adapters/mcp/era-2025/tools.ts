import { randomUUID } from 'node:crypto';
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { Protocol } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { CreateTaskResult } from '@modelcontextprotocol/sdk/types.js';
import type { CallToolResult } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { cancelledBy, type ToolCall } from '../../../core/calls/call.ts';
import { onAbort } from '../../../../shared/async/abort.ts';
import { asksOf, expectPages, type Extra, type McpSession } from './asks.ts';
import {
  envelopeBytes,
  monotonicProgress,
  PROGRESS_BYTES,
  PROGRESS_FRAME_BYTES,
  listTools,
  shownOf,
  LINK_BYTES,
  toCallToolResult,
} from '../tools.ts';
import { ListParams } from '../rpc.ts';
import { serveMethod } from './faces.ts';
import { serveTasks, type TaskStarter } from './tasks.ts';

/**
 * `tools/call` with unchecked parameters: the executor reports a wrong name or wrong arguments as a result
 * that a model reads.
 */
const AnyToolCall = z.object({
  method: z.literal('tools/call'),
  params: z
    .object({
      name: z.unknown().optional(),
      arguments: z.unknown().optional(),
      task: z.unknown().optional(),
      _meta: z
        .object({ progressToken: z.union([z.string(), z.number()]).optional() })
        .optional()
        .catch(undefined),
    })
    .optional(),
});
type ToolCallParams = z.infer<typeof AnyToolCall>['params'];

/** `tools/list`, `tools/call`, and the notification that the list has changed. */
export function serveTools(mcp: McpSession): void {
  const { server, session } = mcp;
  const startTask = serveTasks(mcp);
  serveMethod(mcp, 'tools/list', ListParams, async ({ cursor }) => {
    const list = listTools(mcp.options, session.tools.listed(), cursor);
    session.tools.sent();
    mcp.options.executor.meter.sent(session, 'tools/list', shownOf(list));
    return list;
  });
  // `Server`'s own override would parse the call first and answer invalid ones without a code.
  Protocol.prototype.setRequestHandler.call(server, AnyToolCall, (request, extra) =>
    callTool(mcp, AnyToolCall.parse(request).params, { extra: extra as Extra, startTask }),
  );
  session.tools.onChange(() => {
    // A client that has disconnected, or is not yet connected, needs no notification.
    server.sendToolListChanged().catch(() => undefined);
  });
}

async function callTool(
  mcp: McpSession,
  params: ToolCallParams,
  { extra, startTask }: { readonly extra: Extra; readonly startTask: TaskStarter },
): Promise<CallToolResult | CreateTaskResult> {
  const { executor } = mcp.options;
  const cancel = new AbortController();
  const call = toToolCall(mcp, params, extra, cancel.signal);
  if (params?.task !== undefined)
    return startTask(call, { task: params.task, progressToken: params._meta?.progressToken });
  // The SDK does not distinguish them: it ends the session right after it has aborted its calls.
  onAbort(extra.signal, () => queueMicrotask(() => cancel.abort(whoAborted(mcp.session))));
  mcp.requests.set(call.callId, extra.requestId);
  try {
    const begun = await executor.execute(call);
    if (begun.pending !== undefined) mcp.options.onWork?.(executor.settled(begun.pending.callId));
    const result = await executor.answered(call, begun);
    expectPages(call.pages, result);
    return toCallToolResult(result, executor.registry.mode.widgets);
  } finally {
    mcp.requests.delete(call.callId);
  }
}

/** A call of the protocol in the executor's form. */
function toToolCall(mcp: McpSession, params: ToolCallParams, extra: Extra, signal: AbortSignal): ToolCall {
  const { server, session } = mcp;
  // A task reports its progress itself, outside the response.
  const token = params?.task === undefined ? params?._meta?.progressToken : undefined;
  const tool = typeof params?.name === 'string' ? params.name : '';
  const args = params?.arguments;
  return {
    callId: randomUUID(),
    tool,
    args,
    session,
    signal,
    envelopeBytes: envelopeBytes(extra.requestId) + LINK_BYTES,
    ...asksOf(mcp, extra),
    ...(token === undefined
      ? {}
      : { progressBytes: PROGRESS_BYTES, progress: progressTo(server, extra, token) }),
  };
}

const whoAborted = ({ signal }: McpSession['session']): unknown =>
  signal.aborted ? signal.reason : cancelledBy('the client');

/**
 * Sends progress before the answer while there is room, and then on the session's own stream. The request's
 * own way would not do: with a related task in its `_meta`, it waits for a store of tasks.
 */
function progressTo(
  server: Server,
  { requestId, signal }: Extra,
  token: string | number,
): NonNullable<ToolCall['progress']> {
  let roomBytes = PROGRESS_BYTES;
  const rising = monotonicProgress(token);
  return (progress, { mode }) => {
    // A disconnected client needs no progress; the transport cancels its call.
    if (signal.aborted) return;
    const params = rising(progress);
    if (params === null) return;
    roomBytes -= Buffer.byteLength(JSON.stringify(params)) + PROGRESS_FRAME_BYTES;
    const related = mode !== 'inline' && roomBytes < 0 ? {} : { relatedRequestId: requestId };
    server.notification({ method: 'notifications/progress', params }, related).catch(() => undefined);
  };
}
