import { randomUUID } from 'node:crypto';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { buildCancelled, type ToolCall } from '../../core/calls/call.ts';
import { buildInstructions } from '../../core/registry/registry.ts';
import { createSession } from '../../core/registry/session.ts';
import { faceCapabilities } from '../faces.ts';
import { ListParams, RpcError, type Channel, type McpServerOptions } from '../rpc.ts';
import { asksOf, expectPages, type Extra, type McpSession, serveAll, serveMethod } from './session.ts';
import { TASK_CAPABILITIES, serveTasks, type TaskStarter } from './tasks.ts';
import { ErrorCode, type CreateTaskResult } from '@modelcontextprotocol/sdk/types.js';
import type { CallToolResult } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { onAbort } from '../../../shared/base/async.ts';
import { defined } from '../../../shared/base/json.ts';
import {
  LINK_BYTES,
  PROGRESS_BYTES,
  envelopeBytes,
  listTools,
  progressTo,
  toCallToolResult,
} from '../tools.ts';

/**
 * `tools/call` with unchecked parameters: the executor reports a wrong name or wrong arguments as a result
 * that a model reads.
 */
const ToolCallParams = z
  .object({
    name: z.unknown().optional(),
    arguments: z.unknown().optional(),
    task: z.unknown().optional(),
    _meta: z
      .object({ progressToken: z.union([z.string(), z.number()]).optional() })
      .optional()
      .catch(undefined),
  })
  .optional();
type ToolCallParams = z.infer<typeof ToolCallParams>;

/** `tools/list`, `tools/call`, and the notification that the list has changed. */
function serveTools(mcp: McpSession): void {
  const { server, session } = mcp;
  const startTask = serveTasks(mcp);
  serveMethod(mcp, 'tools/list', ListParams, async ({ cursor }) => {
    const list = listTools(mcp.options, session.tools.namesInList(), cursor);
    session.tools.noteListSent();
    mcp.options.executor.meter.countSent(session, 'tools/list', JSON.stringify(list.tools));
    return list;
  });
  mcp.methods.set('tools/call', (params, extra) =>
    callTool(mcp, ToolCallParams.parse(params), { extra, startTask }),
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
  const { signal: ended } = mcp.session;
  onAbort(extra.signal, () =>
    queueMicrotask(() => cancel.abort(ended.aborted ? ended.reason : buildCancelled('the client'))),
  );
  mcp.requests.set(call.callId, extra.requestId);
  try {
    const begun = await executor.execute(call);
    if (begun.pending !== undefined) mcp.options.onWork?.(executor.questions.settled(begun.pending.callId));
    const result = await executor.awaitAnswer(call, begun);
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
  /**
   * On the session's own stream where the answer has no room. The request's own way would not do: with a
   * related task in its `_meta`, it waits for a store of tasks.
   */
  const send: Parameters<typeof progressTo>[2] = (progress, hasRoom) =>
    server.notification(
      { method: 'notifications/progress', params: progress },
      hasRoom ? { relatedRequestId: extra.requestId } : {},
    );
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
      : { progressBytes: PROGRESS_BYTES, progress: progressTo(token, extra.signal, send) }),
  };
}

/**
 * One low-level SDK server per transport: the executor, not the SDK, answers wrong arguments and unknown
 * tools, so that every failure has a code.
 * @throws SpillwayError `invalid_argument` for a selector that names nothing
 */
export function createMcpServer(options: McpServerOptions): Server {
  const { executor, version, logger, selectors } = options;
  const { registry } = executor;
  const gone = new AbortController();
  const session = createSession(randomUUID(), { registry, signal: gone.signal, ...defined({ selectors }) });
  const listed = session.tools.namesInList().map((name) => registry.get(name));
  const server = new Server(
    { name: 'spillway', title: 'Spillway', version },
    {
      capabilities: { tools: { listChanged: true }, tasks: TASK_CAPABILITIES, ...faceCapabilities(options) },
      instructions: buildInstructions(registry.mode, listed),
      // Only elicitation validates data; the SDK's default would build ajv at start.
      jsonSchemaValidator: {
        getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
      },
    },
  );
  const methods: McpSession['methods'] = new Map();
  const mcp: McpSession = { server, session, options, requests: new Map(), methods };
  server.fallbackRequestHandler = async ({ method, params }, extra) => {
    const serve = methods.get(method);
    if (serve === undefined) throw new RpcError(ErrorCode.MethodNotFound, 'Method not found');
    return serve(params, extra);
  };
  serveTools(mcp);
  serveAll(mcp);
  // Only its name: the text of a parse error quotes the message, which may contain a secret.
  server.onerror = ({ name }) =>
    logger.warn({ client: session.id, reason: name }, 'a client message was dropped');
  server.oninitialized = () => {
    const client = server.getClientVersion();
    if (client === undefined) return;
    session.name = client.name;
    session.version = client.version;
    options.onClient({ name: client.name, version: client.version });
  };
  server.onclose = () => {
    gone.abort(buildCancelled('the end of the connection'));
    options.onClient(null);
  };
  return server;
}

/** Serves a connection. Returns a function that ends it. */
export async function serveChannel(
  channel: Channel,
  options: McpServerOptions,
): Promise<() => Promise<void>> {
  const server = createMcpServer(options);
  await server.connect(channel);
  return () => server.close();
}
