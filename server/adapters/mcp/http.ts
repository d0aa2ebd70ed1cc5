import {
  createServer,
  type IncomingMessage,
  type Server as HttpServer,
  type ServerResponse,
} from 'node:http';
import { randomUUID } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { LIMITS } from '../../../shared/limits.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import { SessionEvents } from './event-store.ts';
import { checkRequest, type Refusal } from './http-guard.ts';
import {
  agreedVersion,
  cancelledRequest,
  endCancelled,
  primeWhenOpen,
  replayWhole,
  stateVersion,
} from './http-streams.ts';
import { readSelectors } from './selectors.ts';
import { createMcpServer } from './server.ts';
import type { McpServerOptions } from './session.ts';

/** Options of {@link serveHttp}; the rest holds for the server of each session. */
export interface HttpOptions extends Omit<McpServerOptions, 'onClient'> {
  /** 0 takes a free one. */
  readonly port: number;
  /** Null serves every caller that passes the Host and Origin checks. */
  readonly token: string | null;
  /** After this long without a request, a session ends. */
  readonly idleMs?: number;
  readonly onClients: (clients: readonly { readonly name: string; readonly version: string }[]) => void;
}

/** A listening server. */
export interface HttpSession {
  readonly url: string;
  /** Never resolves by itself: HTTP clients come and go. */
  readonly ended: Promise<string>;
  close(): Promise<void>;
}

const PATH = '/mcp';
const MAX_SESSIONS = 64;
const SESSION_IDLE_MS = 60 * 60_000;

/** When a client whose stream was closed shall come back. */
const RETRY_MS = 500;

/**
 * Between two comments on a stream that is silent. They count against the bound of an answer, and on
 * loopback nothing else ends a silent stream than the five minutes that Node's fetch waits.
 */
const KEEP_ALIVE_MS = 120_000;

interface ClientConnection {
  readonly transport: StreamableHTTPServerTransport;
  readonly events: SessionEvents;
  /** What initialize agreed on. */
  version: string | null;
  readonly close: () => Promise<void>;
  client: { readonly name: string; readonly version: string } | null;
  lastUsedAt: number;
  underWay: number;
}

/** Streamable HTTP on loopback: one transport and one MCP server a session. */
export async function serveHttp(options: HttpOptions): Promise<HttpSession> {
  const sessions = new Map<string, ClientConnection>();
  const http = createServer((request, response) => {
    handle(options, sessions, request, response).catch((thrown: unknown) => {
      options.logger.error({ err: thrown }, 'an HTTP request failed');
      refuse(response, { status: 500, message: 'internal error' });
    });
  });
  http.on('upgrade', (_request, socket) => refuseUpgrade(socket));
  const port = await listen(http, options.port);
  const { idleMs = SESSION_IDLE_MS } = options;
  const reaper = setInterval(() => closeIdle(sessions, idleMs), idleMs / 60).unref();
  return {
    url: `http://127.0.0.1:${port}${PATH}`,
    ended: new Promise(() => undefined),
    close: async () => {
      clearInterval(reaper);
      await Promise.all([...sessions.values()].map((connection) => connection.close()));
      http.closeAllConnections();
      await new Promise<void>((resolve) => http.close(() => resolve()));
    },
  };
}

/**
 * Any page can ask for an upgrade. Node no longer looks after the socket then: without a listener a
 * reset would end the process, and a peer that never hangs up would keep the server from closing.
 */
function refuseUpgrade(socket: Duplex): void {
  socket.on('error', () => undefined);
  socket.end('HTTP/1.1 426 Upgrade Required\r\nConnection: close\r\nContent-Length: 0\r\n\r\n', () =>
    socket.destroy(),
  );
}

function listen(http: HttpServer, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    http.once('error', (cause) => {
      reject(
        new SpillwayError('invalid_argument', `--http ${port}: ${cause.message}`, {
          cause,
          hint: 'Choose another port, or 0 for a free one.',
        }),
      );
    });
    http.listen(port, '127.0.0.1', () => {
      const address = http.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}

async function handle(
  options: HttpOptions,
  sessions: Map<string, ClientConnection>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const refusal = checkRequest(request, { path: PATH, token: options.token });
  if (refusal !== null) {
    refuse(response, refusal);
    return;
  }
  const id = request.headers['mcp-session-id'];
  const known = typeof id === 'string' ? sessions.get(id) : undefined;
  if (id !== undefined && known === undefined) {
    refuse(response, { status: 404, message: 'Session not found: initialize again.' });
    return;
  }
  const asked = known === undefined ? readSelectors(request.url, options.executor.registry) : {};
  if ('status' in asked) {
    refuse(response, asked);
    return;
  }
  const connection = known ?? (await connect(options, sessions, asked));
  connection.lastUsedAt = Date.now();
  connection.underWay += 1;
  response.once('close', () => {
    connection.underWay -= 1;
    connection.lastUsedAt = Date.now();
  });
  try {
    await serveRequest(connection, request, response);
  } finally {
    // Nobody will come back to a server that was asked for anything but a session.
    if (connection.transport.sessionId === undefined) await connection.close();
  }
}

async function serveRequest(
  { transport, events, version }: ClientConnection,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (version !== null) stateVersion(request, version);
  if (request.method !== 'GET') return transport.handleRequest(request, response);
  const lastEventId = request.headers['last-event-id']?.toString();
  if (lastEventId !== undefined) {
    const missed = events.missedAfter(lastEventId);
    if (missed === null) return refuse(response, NOT_KEPT);
    // The transport would hold the stream of an answered request open for ever.
    if (missed.isComplete)
      return replayWhole(response, missed.events, { sessionId: transport.sessionId, version });
  }
  primeWhenOpen(response, events, { version, lastEventId });
  await transport.handleRequest(request, response);
}

const NOT_KEPT: Refusal = {
  status: 400,
  message:
    'Last-Event-ID: what followed this event is not kept. Open a new stream, and repeat what was not answered.',
};

async function connect(
  options: HttpOptions,
  sessions: Map<string, ClientConnection>,
  asked: { readonly selectors?: readonly string[] },
): Promise<ClientConnection> {
  const events = new SessionEvents();
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    maxRequestBodySize: LIMITS.httpBodyBytes,
    eventStore: events,
    retryInterval: RETRY_MS,
    keepAliveMs: KEEP_ALIVE_MS,
    onsessioninitialized: (id) => {
      sessions.set(id, connection);
      if (sessions.size > MAX_SESSIONS) closeOldest(sessions);
    },
    onsessionclosed: () => connection.close(),
  });
  const report = (): void =>
    options.onClients([...sessions.values()].flatMap(({ client }) => (client === null ? [] : [client])));
  const server = createMcpServer({
    ...options,
    ...asked,
    onClient: (client) => {
      connection.client = client;
      if (client === null) {
        if (transport.sessionId !== undefined) sessions.delete(transport.sessionId);
        events.clear();
      }
      report();
    },
  });
  const connection: ClientConnection = {
    transport,
    events,
    version: null,
    close: () => server.close(),
    client: null,
    lastUsedAt: Date.now(),
    underWay: 0,
  };
  const send = transport.send.bind(transport);
  transport.send = (message, sendOptions) => {
    connection.version ??= agreedVersion(message);
    return send(message, sendOptions);
  };
  // The SDK's class declares `onclose` without `undefined`, which exactOptionalPropertyTypes tells apart.
  await server.connect(transport as Parameters<typeof server.connect>[0]);
  const receive = transport.onmessage;
  transport.onmessage = (message, extra) => {
    receive?.(message, extra);
    const id = cancelledRequest(message);
    // What is answered already has no stream any more.
    if (id !== null) endCancelled(transport, { id, version: connection.version }).catch(() => undefined);
  };
  return connection;
}

function closeOldest(sessions: Map<string, ClientConnection>): void {
  const idle = [...sessions.values()].filter((connection) => connection.underWay === 0);
  const oldest = idle.sort((a, b) => a.lastUsedAt - b.lastUsedAt)[0];
  void oldest?.close();
}

function closeIdle(sessions: Map<string, ClientConnection>, idleMs: number): void {
  const before = Date.now() - idleMs;
  for (const connection of sessions.values()) {
    connection.events.prune();
    if (connection.underWay === 0 && connection.lastUsedAt < before) void connection.close();
  }
}

function refuse(response: ServerResponse, refusal: Refusal): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const body = JSON.stringify({
    jsonrpc: '2.0',
    error: { code: -32_000, message: refusal.message },
    id: null,
  });
  response.writeHead(refusal.status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
    ...refusal.headers,
  });
  response.end(body);
}
