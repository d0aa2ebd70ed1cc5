import { randomUUID } from 'node:crypto';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { Protocol, type RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import {
  ListToolsRequestSchema,
  McpError,
  type CallToolResult,
  type ListToolsResult,
  type ServerNotification,
  type ServerRequest,
} from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { createSession, type ClientSession, type Progress } from '../../core/context.ts';
import { cancelledBy, type Executor } from '../../core/executor.ts';
import type { ContentBlock, ToolResult } from '../../core/result.ts';
import type { Logger } from '../../core/services.ts';
import type { ToolAnnotations } from '../../../shared/tools/manifest.ts';
import { instructions } from './instructions.ts';

type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;

/**
 * `tools/call` with whatever stands in it: the executor says what is wrong with a name or with
 * arguments, and says it as a result that a model reads.
 */
const AnyToolCall = z.object({
  method: z.literal('tools/call'),
  params: z
    .object({
      name: z.unknown().optional(),
      arguments: z.unknown().optional(),
      _meta: z
        .object({ progressToken: z.union([z.string(), z.number()]).optional() })
        .optional()
        .catch(undefined),
    })
    .optional(),
});
type ToolCallParams = z.infer<typeof AnyToolCall>['params'];

/** What a session's server needs. */
export interface McpServerOptions {
  readonly executor: Executor;
  readonly version: string;
  readonly logger: Logger;
  /** Told when a client has said who it is, and when it has gone. */
  readonly onClient: (client: { readonly name: string; readonly version: string } | null) => void;
}

/**
 * One low-level SDK server for one transport: arguments and unknown tools are answered by the
 * executor, not by the SDK, so that every failure has a code.
 */
export function createMcpServer(options: McpServerOptions): Server {
  const server = new Server(
    { name: 'spillway', title: 'Spillway', version: options.version },
    {
      capabilities: { tools: {} },
      instructions: instructions(options.executor.registry),
      // Only elicitation checks data against a schema; the SDK's default would build ajv at start.
      jsonSchemaValidator: {
        getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
      },
    },
  );
  const gone = new AbortController();
  const session = createSession(randomUUID(), gone.signal);
  server.setRequestHandler(ListToolsRequestSchema, () => listTools(options.executor));
  // Server's own override would parse the call first and answer what does not fit without a code.
  Protocol.prototype.setRequestHandler.call(server, AnyToolCall, (request, extra) =>
    callTool(options.executor, session, AnyToolCall.parse(request).params, extra as Extra),
  );
  // Its name alone: the text of a parse error quotes the message, which may hold a secret.
  server.onerror = ({ name }) => options.logger.warn({ reason: name }, 'a message of the client was dropped');
  server.oninitialized = () => {
    const client = server.getClientVersion();
    if (client !== undefined) options.onClient({ name: client.name, version: client.version });
  };
  server.onclose = () => {
    gone.abort();
    options.onClient(null);
  };
  return server;
}

function listTools({ registry }: Executor): ListToolsResult {
  return {
    tools: registry.listed().map(({ manifest, presentation }) => ({
      name: manifest.name,
      title: presentation.title,
      description: presentation.description,
      inputSchema: { ...presentation.inputSchema, type: 'object' as const },
      ...(presentation.outputSchema === undefined
        ? {}
        : { outputSchema: { ...presentation.outputSchema, type: 'object' as const } }),
      annotations: toAnnotations(manifest.annotations),
    })),
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
  executor: Executor,
  session: ClientSession,
  params: ToolCallParams,
  extra: Extra,
): Promise<CallToolResult> {
  const cancel = new AbortController();
  const onAbort = (): void => cancel.abort(cancelledBy(whoAborted(extra.signal)));
  if (extra.signal.aborted) onAbort();
  else extra.signal.addEventListener('abort', onAbort, { once: true });
  const token = params?._meta?.progressToken;
  const result = await executor.execute({
    callId: randomUUID(),
    tool: typeof params?.name === 'string' ? params.name : '',
    args: params?.arguments,
    session,
    signal: cancel.signal,
    envelopeBytes: envelopeBytes(extra.requestId),
    ...(token === undefined
      ? {}
      : { progress: (progress: Progress) => notifyProgress(extra, token, progress) }),
  });
  return toCallToolResult(result);
}

/** The SDK aborts with an error of its own when the transport ends, else with the client's word. */
function whoAborted({ reason }: AbortSignal): string {
  return reason instanceof McpError ? 'the end of the connection' : 'the client';
}

/** `event: message\nid: <uuid>\ndata: {"result":{"content":[]},"jsonrpc":"2.0","id":…}\n\n`, with room. */
function envelopeBytes(requestId: string | number): number {
  return 192 + Buffer.byteLength(JSON.stringify(requestId));
}

function notifyProgress(extra: Extra, progressToken: string | number, progress: Progress): void {
  const params = {
    progressToken,
    progress: progress.done,
    ...(progress.total === undefined ? {} : { total: progress.total }),
    ...(progress.message === undefined ? {} : { message: progress.message }),
  };
  // A client that has gone needs no progress; its call is cancelled by the transport.
  extra.sendNotification({ method: 'notifications/progress', params }).catch(() => undefined);
}

function toBlock(block: ContentBlock): CallToolResult['content'][number] {
  if (block.type === 'blob') {
    return { type: 'resource', resource: { uri: block.uri, mimeType: block.mimeType, blob: block.data } };
  }
  return { ...block };
}

/** The executor's result in MCP's form. */
function toCallToolResult(result: ToolResult): CallToolResult {
  return { content: result.content.map(toBlock), ...(result.ok ? {} : { isError: true }) };
}
