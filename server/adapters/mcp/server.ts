import { randomUUID } from 'node:crypto';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  CallToolRequestSchema,
  ListToolsRequestSchema,
  type CallToolResult,
  type ListToolsResult,
  type ServerNotification,
  type ServerRequest,
} from '@modelcontextprotocol/sdk/types.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { ClientSession, Progress } from '../../core/context.ts';
import { cancelledBy, type Executor } from '../../core/executor.ts';
import type { ContentBlock, ToolResult } from '../../core/result.ts';
import { instructions } from './instructions.ts';

type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;

/** What a session's server needs. */
export interface McpServerOptions {
  readonly executor: Executor;
  readonly version: string;
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
  const session: ClientSession = { id: randomUUID(), currentTab: null };
  server.setRequestHandler(ListToolsRequestSchema, () => listTools(options.executor));
  server.setRequestHandler(CallToolRequestSchema, (request, extra) =>
    callTool(options.executor, session, request.params, extra),
  );
  server.oninitialized = () => {
    const client = server.getClientVersion();
    if (client !== undefined) options.onClient({ name: client.name, version: client.version });
  };
  server.onclose = () => options.onClient(null);
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
      annotations: { ...manifest.annotations },
    })),
  };
}

async function callTool(
  executor: Executor,
  session: ClientSession,
  params: {
    name: string;
    arguments?: Record<string, unknown> | undefined;
    _meta?: { progressToken?: string | number | undefined } | undefined;
  },
  extra: Extra,
): Promise<CallToolResult> {
  const cancel = new AbortController();
  const onAbort = (): void => cancel.abort(cancelledBy('the client'));
  if (extra.signal.aborted) onAbort();
  else extra.signal.addEventListener('abort', onAbort, { once: true });
  const token = params._meta?.progressToken;
  const result = await executor.execute({
    callId: randomUUID(),
    tool: params.name,
    args: params.arguments,
    session,
    signal: cancel.signal,
    envelopeBytes: envelopeBytes(extra.requestId),
    ...(token === undefined
      ? {}
      : { progress: (progress: Progress) => notifyProgress(extra, token, progress) }),
  });
  return toCallToolResult(result);
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
