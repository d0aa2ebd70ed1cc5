import { randomUUID } from 'node:crypto';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { cancelledBy } from '../../../core/calls/call.ts';
import { buildInstructions } from '../../../core/registry/derive.ts';
import { createSession } from '../../../core/registry/session.ts';
import { faceCapabilities } from '../faces.ts';
import { serveAll } from './faces.ts';
import type { McpServerOptions } from '../rpc.ts';
import type { Channel } from '../stdio-transport.ts';
import type { McpSession } from './asks.ts';
import { TASK_CAPABILITIES } from './tasks.ts';
import { serveTools } from './tools.ts';

/**
 * One low-level SDK server per transport: the executor, not the SDK, answers wrong arguments and unknown
 * tools, so that every failure has a code.
 * @throws SpillwayError `invalid_argument` for a selector that names nothing
 */
export function createMcpServer(options: McpServerOptions): Server {
  const { executor, version, logger, selectors } = options;
  const { registry } = executor;
  const gone = new AbortController();
  const session = createSession(randomUUID(), {
    registry,
    signal: gone.signal,
    ...(selectors === undefined ? {} : { selectors }),
  });
  const listed = session.tools.listed().map((name) => registry.get(name));
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
  const mcp: McpSession = { server, session, options, requests: new Map() };
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
    gone.abort(cancelledBy('the end of the connection'));
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
