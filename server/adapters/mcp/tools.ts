import { randomUUID } from 'node:crypto';
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { Protocol } from '@modelcontextprotocol/sdk/shared/protocol.js';
import {
  type CallToolResult,
  type CreateTaskResult,
  type ListToolsResult,
  type Tool,
} from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import type { ToolAnnotations } from '../../../shared/tools/manifest.ts';
import { cancelledBy, type ToolCall } from '../../core/calls/call.ts';
import type { ToolDefinition } from '../../core/registry/definition.ts';
import { onAbort } from '../../../shared/async/abort.ts';
import { asksOf, expectPages } from './asks.ts';
import { cutPage, ListParams, serveMethod } from './rpc.ts';
import { monotonicProgress, serveTasks, type TaskStarter } from './tasks.ts';
import { LINK_BYTES, toCallToolResult } from './result.ts';
import type { Extra, McpSession } from './session.ts';

/**
 * `tools/call` with unchecked parameters: the executor says what is wrong with a name or with
 * arguments, and says it as a result that a model reads.
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

/** `tools/list`, `tools/call`, and the notification that the list is another. */
export function serveTools(mcp: McpSession): void {
  const { server, session } = mcp;
  const startTask = serveTasks(mcp);
  serveMethod(mcp, 'tools/list', ListParams, async ({ cursor }) => {
    const list = listTools(mcp, cursor);
    // A host gives its model no more of a tool than these.
    const shown = list.tools.map(({ name, description, inputSchema }) => ({
      name,
      description,
      inputSchema,
    }));
    session.tools.sent();
    mcp.options.executor.meter.sent(session, 'tools/list', JSON.stringify(shown));
    return list;
  });
  // Server's own override would parse the call first and answer what does not fit without a code.
  Protocol.prototype.setRequestHandler.call(server, AnyToolCall, (request, extra) =>
    callTool(mcp, AnyToolCall.parse(request).params, { extra: extra as Extra, startTask }),
  );
  session.tools.onChange(() => {
    // A client that has disconnected, or is not connected yet, needs no notification.
    server.sendToolListChanged().catch(() => undefined);
  });
}

function listTools({ session, options }: McpSession, cursor: string | undefined): ListToolsResult {
  const { registry } = options.executor;
  const tools = session.tools.listed().map((name) => toTool(registry.get(name)));
  const { page, next } = cutPage(tools, { list: 'tools', keyOf: ({ name }) => name, cursor });
  return { tools: [...page], ...next };
}

function toTool({ manifest, presentation }: ToolDefinition): Tool {
  const { title, description, inputSchema, outputSchema, meta } = presentation;
  return {
    name: manifest.name,
    title,
    description,
    inputSchema: { ...inputSchema, type: 'object' as const },
    ...(outputSchema === undefined ? {} : { outputSchema: { ...outputSchema, type: 'object' as const } }),
    annotations: toAnnotations(manifest.annotations),
    // Forbidden is what its absence says.
    ...(manifest.tasks === 'forbidden' ? {} : { execution: { taskSupport: manifest.tasks } }),
    ...(meta === undefined ? {} : { _meta: meta }),
  };
}

/**
 * The hints that say more than their absence does: the protocol's defaults are left out, and what a
 * tool that only reads would destroy or repeat.
 */
function toAnnotations(hints: ToolAnnotations): Partial<ToolAnnotations> {
  return {
    readOnlyHint: hints.readOnlyHint,
    ...(hints.readOnlyHint || hints.destructiveHint ? {} : { destructiveHint: false }),
    ...(!hints.readOnlyHint && hints.idempotentHint ? { idempotentHint: true } : {}),
    ...(hints.openWorldHint ? {} : { openWorldHint: false }),
  };
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
  // The SDK tells neither apart: it ends the session right after it has aborted its calls.
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

/** A call of the protocol as the executor takes it. */
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
 * `id: 2f-1\nretry: 500\ndata: \n\nevent: message\nid: 2f-2\ndata: {"result":{"content":[]},"jsonrpc":"2.0","id":…}\n\n`,
 * with room for longer ids and the comments that keep a stream alive.
 */
function envelopeBytes(requestId: string | number): number {
  return 192 + Buffer.byteLength(JSON.stringify(requestId));
}

/** The body of an answer with a handle is bounded. Progress is in the same body and may take this much of it. */
const PROGRESS_BYTES = 1_000;
/** `event: message\nid: 2f-2\ndata: {"method":"notifications/progress","params":…,"jsonrpc":"2.0"}\n\n` */
const PROGRESS_FRAME_BYTES = 112;

/**
 * Sends progress before the answer while there is room, and by the session's own stream from then on.
 * Not by the request's own means: with a related task in its `_meta` those wait for a store of tasks.
 */
function progressTo(
  server: Server,
  { requestId, signal }: Extra,
  token: string | number,
): NonNullable<ToolCall['progress']> {
  let roomBytes = PROGRESS_BYTES;
  const rising = monotonicProgress(token);
  return (progress, { mode }) => {
    // A disconnected client needs no progress; its call is cancelled by the transport.
    if (signal.aborted) return;
    const params = rising(progress);
    if (params === null) return;
    roomBytes -= Buffer.byteLength(JSON.stringify(params)) + PROGRESS_FRAME_BYTES;
    const related = mode !== 'inline' && roomBytes < 0 ? {} : { relatedRequestId: requestId };
    server.notification({ method: 'notifications/progress', params }, related).catch(() => undefined);
  };
}
