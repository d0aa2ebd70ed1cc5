import {
  createServer,
  type IncomingMessage,
  type Server as HttpServer,
  type ServerResponse,
  type IncomingHttpHeaders,
} from 'node:http';
import type { Duplex } from 'node:stream';
import { z } from 'zod';
import { ErrorCode, InitializeRequestSchema, JSONRPCRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { SpillwayError } from '../../../../shared/errors.ts';
import { LIMITS } from '../../../../shared/limits.ts';
import { checkRequest, type Refusal } from '../../../toolkit/http-guard.ts';
import type { McpServerOptions } from '../session.ts';
import type { ToolRegistry } from '../../../core/registry/registry.ts';
import { checkSelectors, parseSelectors } from '../../../core/registry/selection.ts';
import { CONTINUE_PATH, serveContinue, type TakeAnswer } from './continue.ts';
import { describeParams } from '../rpc.ts';
import {
  readPostBody,
  type PostBody,
  openConnection,
  type HttpConnection,
  replayEndedStream,
} from './connection.ts';

/** The sessions of one port: no more than a bound, be their clients connected or not. */
class HttpSessions {
  readonly #max: number;
  /** Also those that are not initialized yet. */
  readonly #all = new Set<HttpConnection>();

  constructor(max: number) {
    this.#max = max;
  }

  find(id: string): HttpConnection | undefined {
    return [...this.#all].find(({ transport }) => transport.sessionId === id);
  }

  add(connection: HttpConnection): void {
    this.#all.add(connection);
  }

  delete(connection: HttpConnection): void {
    this.#all.delete(connection);
  }

  clients(): readonly { readonly name: string; readonly version: string }[] {
    return [...this.#all].flatMap(({ client }) => (client === null ? [] : [client]));
  }

  /**
   * Makes room for one more: of the sessions without work, the one ends that was used longest ago, and
   * one whose client listens only when there is no other. False when all are at work.
   */
  makeRoom(): boolean {
    if (this.#all.size < this.#max) return true;
    const [oldest] = [...this.#all]
      .filter(({ work }) => !work.isAtWork)
      .sort(
        ({ work: a }, { work: b }) => Number(a.isHeard) - Number(b.isHeard) || a.lastUsedAt - b.lastUsedAt,
      );
    if (oldest === undefined) return false;
    this.#all.delete(oldest);
    void oldest.close();
    return true;
  }

  /** Ends the sessions that have had no work and no listener since then, by `performance.now()`. */
  closeIdle(before: number): void {
    for (const { events, work, close } of this.#all) {
      events.prune();
      if (!work.isAtWork && !work.isHeard && work.lastUsedAt < before) void close();
    }
  }

  async closeAll(): Promise<void> {
    await Promise.all([...this.#all].map(({ close }) => close()));
  }
}

/** When to ask again for a session that there is no room for. */
const ROOM_S = 30;
const ACCEPTED = ['application/json', 'text/event-stream'];
const Opening = JSONRPCRequestSchema.extend(InitializeRequestSchema.shape);
const Named = z.object({ method: z.literal('initialize') });

/**
 * Why a request that names no session opens none. Whatever the transport would refuse is refused
 * here, since another session may have to end for the new one: none ends for a request with a fault.
 */
function checkOpening({ accept }: IncomingHttpHeaders, { body }: PostBody): Refusal | null {
  if (!Named.safeParse(body).success)
    return { status: 400, message: 'Mcp-Session-Id: initialize a session first.' };
  if (!ACCEPTED.every((type) => accept?.includes(type) === true))
    return { status: 406, message: `Not Acceptable: Client must accept ${ACCEPTED.join(' and ')}` };
  const { error } = Opening.safeParse(body);
  if (error === undefined) return null;
  const message = `initialize: ${describeParams(error)}.`;
  return { status: 400, code: ErrorCode.InvalidRequest, message };
}

/** Why one without a fault opens none either: no session can end for it. */
function sessionLimitRefusal(): Refusal {
  const error = new SpillwayError('too_many_sessions', 'Every session of this server is busy.');
  return {
    status: 503,
    message: `${error.message} ${error.hint}`,
    error: error.toWire(),
    headers: { 'retry-after': String(ROOM_S) },
  };
}

const PARAMETER = 'tools';

/**
 * What the address of an initialize request selects (`/mcp?tools=read,crawl`, once or repeated), or
 * why it is refused. Without a word the session lists what the server was started with.
 */
function readSelectors(
  url: string | undefined,
  registry: ToolRegistry,
): { readonly selectors?: readonly string[] } | Refusal {
  const query = (url ?? '').split('?').slice(1).join('?');
  const selectors = parseSelectors(new URLSearchParams(query).getAll(PARAMETER).join(','));
  if (selectors === undefined) return {};
  try {
    checkSelectors(registry, selectors, `?${PARAMETER}=`);
  } catch (thrown) {
    if (!(thrown instanceof SpillwayError)) throw thrown;
    return { status: 400, message: `${thrown.message} ${thrown.hint}` };
  }
  return { selectors };
}

/** Options of {@link serveHttp}; the rest holds for the server of each session. */
export interface HttpOptions extends Omit<McpServerOptions, 'onClient' | 'onWork'> {
  /** 0 takes a free one. */
  readonly port: number;
  /** Null serves every caller that passes the Host and Origin checks. */
  readonly token: string | null;
  /** After this long without work, a request or a listener, a session ends. */
  readonly idleMs?: number;
  /** Takes answers of people for programs. */
  readonly onContinue?: TakeAnswer;
  /** How long the body of a request may take, and not quite twice that. */
  readonly bodyMs?: number;
  /** Sessions that are kept at most. One more ends the one without work that was used longest ago. */
  readonly maxSessions?: number;
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
/** On loopback a body that takes longer does not come. */
const BODY_MS = 30_000;

/** Streamable HTTP on loopback: one transport and one MCP server a session. */
export async function serveHttp(options: HttpOptions): Promise<HttpSession> {
  const { idleMs = SESSION_IDLE_MS, bodyMs = BODY_MS, maxSessions = MAX_SESSIONS } = options;
  const sessions = new HttpSessions(maxSessions);
  const timeouts = { requestTimeout: bodyMs, connectionsCheckingInterval: bodyMs };
  const http = createServer(timeouts, (request, response) => {
    handle({ options, sessions }, request, response).catch((thrown: unknown) => {
      options.logger.error({ err: thrown }, 'an HTTP request failed');
      refuse(response, { status: 500, message: 'internal error' });
    });
  });
  http.on('upgrade', (_request, socket) => refuseUpgrade(socket));
  const port = await listen(http, options.port);
  const reaper = setInterval(() => sessions.closeIdle(performance.now() - idleMs), idleMs / 60).unref();
  return {
    url: `http://127.0.0.1:${port}${PATH}`,
    ended: new Promise(() => undefined),
    close: async () => {
      clearInterval(reaper);
      await sessions.closeAll();
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

interface Port {
  readonly options: HttpOptions;
  readonly sessions: HttpSessions;
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly posted: PostBody;
}

async function handle(port: Port, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { token, onContinue: take } = port.options;
  if (take !== undefined && request.url === CONTINUE_PATH)
    return serveContinue(request, response, { token, take });
  const refusal = checkRequest(request, { path: PATH, token });
  if (refusal !== null) return refuse(response, refusal);
  const id = request.headers['mcp-session-id']?.toString();
  const known = id === undefined ? undefined : port.sessions.find(id);
  if (id !== undefined && known === undefined)
    return refuse(response, { status: 404, message: 'Session not found: initialize again.' });
  // An arrived request counts as use. It counts as work once its body is there, so a request without one holds no place.
  known?.work.touch();
  const posted =
    request.method === 'POST' ? await readPostBody(request, LIMITS.httpBodyBytes) : { body: undefined };
  if ('status' in posted) return refuse(response, posted);
  if (known !== undefined) {
    enter(known, request, response);
    return serveRequest(known, { request, response, posted });
  }
  const opened = await open(port, { request, response, posted });
  if ('status' in opened) return refuse(response, opened);
  try {
    await serveRequest(opened, { request, response, posted });
  } finally {
    // No client would return to it.
    if (opened.transport.sessionId === undefined) await opened.close();
  }
}

function enter({ work }: HttpConnection, request: IncomingMessage, response: ServerResponse): void {
  const done = work.enter(request.method === 'GET' ? 'listener' : 'exchange');
  // A client that hung up while the body was read is already gone.
  if (response.destroyed) done();
  else response.once('close', done);
}

/** A session of its own for a client that initializes one. */
async function open(
  { options, sessions }: Port,
  { request, response, posted }: Exchange,
): Promise<HttpConnection | Refusal> {
  const refusal = checkOpening(request.headers, posted);
  if (refusal !== null) return refusal;
  const asked = readSelectors(request.url, options.executor.registry);
  if ('status' in asked) return asked;
  if (!sessions.makeRoom()) return sessionLimitRefusal();
  const report = (): void => options.onClients(sessions.clients());
  return openConnection(
    { ...options, ...asked },
    {
      onOpen: (connection) => {
        sessions.add(connection);
        enter(connection, request, response);
      },
      onClient: report,
      onClose: (connection) => {
        sessions.delete(connection);
        report();
      },
    },
  );
}

async function serveRequest(
  connection: HttpConnection,
  { request, response, posted }: Exchange,
): Promise<void> {
  if (request.method === 'GET') return serveStream(connection, request, response);
  await connection.transport.handleRequest(request, response, posted.body);
}

async function serveStream(
  { transport, events }: HttpConnection,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const lastEventId = request.headers['last-event-id']?.toString();
  if (lastEventId !== undefined) {
    const missed = events.missedAfter(lastEventId);
    if (missed === null) return refuse(response, NOT_KEPT);
    // The transport would never close the stream of an answered request.
    if (missed.isComplete) return replayEndedStream(response, missed.events, transport.sessionId);
  }
  await transport.handleRequest(request, response);
}

const NOT_KEPT: Refusal = {
  status: 400,
  message:
    'Last-Event-ID: the events after this one are no longer stored. Open a new stream and repeat unanswered requests.',
};

function refuse(response: ServerResponse, refusal: Refusal): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const body = JSON.stringify({
    jsonrpc: '2.0',
    error: {
      code: refusal.code ?? ErrorCode.ConnectionClosed,
      message: refusal.message,
      ...(refusal.error === undefined ? {} : { data: { error: refusal.error } }),
    },
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
