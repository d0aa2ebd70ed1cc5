import { randomUUID } from 'node:crypto';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { isJSONRPCRequest, type JSONRPCMessage, type RequestId } from '@modelcontextprotocol/sdk/types.js';
import { SessionEvents } from './event-store.ts';
import { agreedVersion, cancelledRequest, finishCancelled } from './streams.ts';
import { SessionWork } from './work.ts';
import { createMcpServer } from '../server.ts';
import type { McpServerOptions } from '../session.ts';

/** When a client whose stream was closed shall come back. */
const RETRY_MS = 500;

/**
 * Between two comments on a stream that is silent. They count against the bound of an answer, and on
 * loopback nothing else ends a silent stream than the five minutes that Node's fetch waits.
 */
const KEEP_ALIVE_MS = 120_000;

/** One session over HTTP: its transport, and what is remembered of it between requests. */
export interface HttpConnection {
  readonly transport: StreamableHTTPServerTransport;
  readonly events: SessionEvents;
  readonly work: SessionWork;
  /** What initialize agreed on. */
  version: string | null;
  readonly close: () => Promise<void>;
  client: { readonly name: string; readonly version: string } | null;
}

/** Callbacks for events of a connection. */
export interface ConnectionEvents {
  /** At once, before anything is awaited. */
  readonly onOpen: (connection: HttpConnection) => void;
  /** Its client has said who it is. */
  readonly onClient: () => void;
  readonly onClose: (connection: HttpConnection) => void;
}

/** A transport and an MCP server of its own, which wait for `initialize`. */
export async function openConnection(
  options: Omit<McpServerOptions, 'onClient' | 'onWork'>,
  { onOpen, onClient, onClose }: ConnectionEvents,
): Promise<HttpConnection> {
  const events = new SessionEvents();
  const work = new SessionWork();
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    eventStore: events,
    retryInterval: RETRY_MS,
    keepAliveMs: KEEP_ALIVE_MS,
    onsessionclosed: () => connection.close(),
  });
  const server = createMcpServer({
    ...options,
    onClient: (client) => {
      connection.client = client;
      if (client !== null) return onClient();
      events.clear();
      onClose(connection);
    },
    onWork: (pending) => work.during(pending),
  });
  const close = (): Promise<void> => server.close();
  const connection: HttpConnection = { transport, events, work, version: null, close, client: null };
  onOpen(connection);
  // The SDK's class declares `onclose` without `undefined`, which exactOptionalPropertyTypes tells apart.
  await server.connect(transport as Parameters<typeof server.connect>[0]);
  followRequests(connection);
  return connection;
}

/** Tracks the pending requests, and ends the streams of cancelled ones. */
function followRequests(connection: HttpConnection): void {
  const { transport, work } = connection;
  const send = transport.send.bind(transport);
  transport.send = async (message, options) => {
    connection.version ??= agreedVersion(message);
    const answered = answeredRequest(message);
    try {
      await send(message, options);
    } finally {
      if (answered !== undefined) work.ended(answered);
    }
  };
  const receive = transport.onmessage;
  transport.onmessage = (message, extra) => {
    if (isJSONRPCRequest(message)) work.received(message.id);
    receive?.(message, extra);
    const id = cancelledRequest(message);
    // An answered request has no stream.
    if (id !== null) finishCancelled(transport, { id, version: connection.version }).catch(() => undefined);
  };
}

const answeredRequest = (message: JSONRPCMessage): RequestId | undefined =>
  'result' in message || 'error' in message ? message.id : undefined;
