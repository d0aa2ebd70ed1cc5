import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type {
  CallToolResult,
  GetPromptResult,
  Prompt,
  ServerNotification,
  ServerRequest,
  ReadResourceResult,
  RequestId,
  Resource,
  ResourceTemplate,
  Tool,
} from '@modelcontextprotocol/sdk/types.js';
import type { JsonObject } from '../../../shared/json.ts';
import type { ClientSession } from '../../core/context.ts';
import type { Executor } from '../../core/calls/executor.ts';
import type { LogSource } from '../../core/log.ts';
import type { Resources } from '../../core/resources.ts';
import type { Logger } from '../../core/services.ts';

export type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;

/** A tool of the adapter's own, which speaks MCP itself. Tried after the registry's. */
export interface AdapterTool {
  readonly tool: Tool;
  call(args: JsonObject, extra: Extra, session: McpSession): Promise<CallToolResult>;
}

/** A resource, or all of a template, of the adapter's own. Tried before the server's. */
export interface AdapterResource {
  readonly resource?: Resource;
  readonly template?: ResourceTemplate;
  matches(uri: string): boolean;
  read(uri: string): Promise<ReadResourceResult['contents']>;
  /** Calls back when it changes; its presence makes the resource one to subscribe to. Returns an unsubscribe function. */
  onUpdate?(uri: string, listener: () => void): () => void;
  /** Values of a variable of the template. */
  complete?(argument: { readonly name: string; readonly value: string }): Promise<readonly string[]>;
}

/** A prompt of the adapter's own. Tried before the server's. */
export interface AdapterPrompt {
  readonly prompt: Prompt;
  get(args: Readonly<Record<string, string>>): Promise<GetPromptResult>;
  complete?(argument: { readonly name: string; readonly value: string }): Promise<readonly string[]>;
}

/** What a session's server needs. */
export interface McpServerOptions {
  readonly executor: Executor;
  readonly version: string;
  readonly logger: Logger;
  /** Tools and categories that this session lists; default: what the server was started with. */
  readonly selectors?: readonly string[];
  readonly ownTools?: readonly AdapterTool[];
  /** Stored outputs, runs and widgets. Without them no resource is served. */
  readonly resources?: Resources;
  readonly ownResources?: readonly AdapterResource[];
  /** What is logged, for clients that want to hear it. */
  readonly logs?: LogSource;
  readonly ownPrompts?: readonly AdapterPrompt[];
  /** Called when a client has identified itself, and when it has disconnected. */
  readonly onClient: (client: { readonly name: string; readonly version: string } | null) => void;
  /** Called with work that continues after its request is answered: tasks, and calls that wait for approval. */
  readonly onWork?: (pending: Promise<unknown>) => void;
}

/** One client of the adapter: the SDK's server, and what Spillway remembers of the client. */
export interface McpSession {
  readonly server: Server;
  readonly session: ClientSession;
  readonly options: McpServerOptions;
  /** Requests of pending calls, by call id: messages about a call go to the same stream as its result. */
  readonly requests: Map<string, RequestId>;
}
