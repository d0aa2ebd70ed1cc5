import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { ServerNotification, ServerRequest, RequestId } from '@modelcontextprotocol/sdk/types.js';
import type { McpScope } from '../scope.ts';

export type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;

/** One client of the adapter: the SDK's server, and what Spillway remembers of the client. */
export interface McpSession extends McpScope {
  readonly server: Server;
  /** Requests of pending calls, by call id: messages about a call go to the same stream as its result. */
  readonly requests: Map<string, RequestId>;
}
