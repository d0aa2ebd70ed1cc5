import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { ErrorCode, InitializeRequestSchema, JSONRPCRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { SpillwayError } from '../../../../shared/base/errors.ts';
import type { HttpRefusal } from '../../../core/http-guard.ts';
import {
  refuse,
  type HttpExchange,
  type PostBody,
  readSelectors,
  type HttpOptions,
} from '../../http/exchange.ts';
import { describeParams, type McpServerOptions } from '../../rpc.ts';
import { createMcpServer } from '../server.ts';
import {
  followRequests,
  type HttpConnection,
  replayEndedStream,
  SessionEvents,
  SessionWork,
} from './connection.ts';

/** When a client whose stream was closed should come back. */
const RETRY_MS = 500;

/**
 * The time between two comments on a silent stream. They count towards the size of an answer. On loopback,
 * only the five minutes that Node's fetch waits would otherwise end a silent stream.
 */
const KEEP_ALIVE_MS = 120_000;

/** The sessions of one port, up to a maximum, whether their clients are connected or not. */
export class HttpSessions {
  /** Including those that are not initialized yet. */
  readonly #all = new Set<HttpConnection>();

  constructor(
    private readonly options: HttpOptions,
    private readonly max: number,
  ) {}

  /** The session that a request names; null if it names none. */
  find({ headers }: IncomingMessage): HttpConnection | HttpRefusal | null {
    const id = headers['mcp-session-id']?.toString();
    if (id === undefined) return null;
    const known = [...this.#all].find(({ transport }) => transport.sessionId === id);
    return known ?? { status: 404, message: 'Session not found: initialize again.' };
  }

  /** Serves a request of a session, or one that opens a session. */
  async serve(known: HttpConnection | null, exchange: HttpExchange): Promise<void> {
    if (known !== null) {
      enter(known, exchange);
      return serveRequest(known, exchange);
    }
    const opened = await this.#open(exchange);
    if ('status' in opened) return refuse(exchange.response, opened);
    try {
      await serveRequest(opened, exchange);
    } finally {
      if (opened.transport.sessionId === undefined) await opened.close();
    }
  }

  /** A new session for a client that initializes one. */
  async #open(exchange: HttpExchange): Promise<HttpConnection | HttpRefusal> {
    const { request, posted } = exchange;
    const refusal = checkOpening(request.headers, posted);
    if (refusal !== null) return refusal;
    const asked = readSelectors(request.url, this.options.executor.registry);
    if ('status' in asked) return asked;
    if (!this.#makeRoom()) return sessionLimitRefusal();
    const { server, connection } = this.#make(asked);
    // At once, before anything is awaited.
    this.#all.add(connection);
    enter(connection, exchange);
    // The SDK's class declares `onclose` without `undefined`, which differs under exactOptionalPropertyTypes.
    await server.connect(connection.transport as Parameters<typeof server.connect>[0]);
    followRequests(connection);
    return connection;
  }

  /** A transport and its MCP server, which wait for `initialize`. */
  #make(asked: Pick<McpServerOptions, 'selectors'>) {
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
      ...this.options,
      ...asked,
      onClient: (client) => {
        connection.client = client;
        if (client === null) {
          events.clear();
          this.#all.delete(connection);
        }
        this.options.onClients([...this.#all].flatMap((each) => each.client ?? []));
      },
      onWork: (pending) => {
        const end = work.begin('work');
        pending.then(end, end);
      },
    });
    const close = (): Promise<void> => server.close();
    const connection: HttpConnection = { transport, events, work, close, client: null };
    return { server, connection };
  }

  /**
   * Makes room for one more session: ends the least recently used one without work, preferring those without
   * a listening client. False if all are busy.
   */
  #makeRoom(): boolean {
    if (this.#all.size < this.max) return true;
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

  /** Ends the sessions without work or a listener since then, by `performance.now()`. */
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

/** When to retry if there is no room for a session. */
const ROOM_S = 30;
const ACCEPTED = ['application/json', 'text/event-stream'];
const Opening = JSONRPCRequestSchema.extend(InitializeRequestSchema.shape);
const Named = z.object({ method: z.literal('initialize') });

/**
 * Why a request without a session id opens none. It refuses whatever the transport would refuse, because
 * another session may have to end for the new one, and none should end for an invalid request.
 */
function checkOpening({ accept }: IncomingHttpHeaders, { body }: PostBody): HttpRefusal | null {
  if (!Named.safeParse(body).success)
    return { status: 400, message: 'Mcp-Session-Id: initialize a session first.' };
  if (!ACCEPTED.every((type) => accept?.includes(type) === true))
    return { status: 406, message: `Not Acceptable: Client must accept ${ACCEPTED.join(' and ')}` };
  const { error } = Opening.safeParse(body);
  if (error === undefined) return null;
  const message = `initialize: ${describeParams(error)}.`;
  return { status: 400, code: ErrorCode.InvalidRequest, message };
}

/** Refuses even a valid request: no session can end to make room. */
function sessionLimitRefusal(): HttpRefusal {
  const error = new SpillwayError('too_many_sessions', 'Every session of this server is busy.');
  return {
    status: 503,
    message: `${error.message} ${error.hint}`,
    error: error.toWire(),
    headers: { 'retry-after': String(ROOM_S) },
  };
}

function enter({ work }: HttpConnection, { request, response }: HttpExchange): void {
  const done = work.begin(request.method === 'GET' ? 'listener' : 'work');
  // The client hung up while the body was read.
  if (response.destroyed) done();
  else response.once('close', done);
}

async function serveRequest(
  { transport, events }: HttpConnection,
  { request, response, posted }: HttpExchange,
): Promise<void> {
  const lastEventId = request.headers['last-event-id']?.toString();
  if (request.method === 'GET' && lastEventId !== undefined) {
    const missed = events.findMissedAfter(lastEventId);
    if (missed === null) return refuse(response, NOT_KEPT);
    // The transport would never close the stream of an answered request.
    if (missed.isComplete) return replayEndedStream(response, missed.events, transport.sessionId);
  }
  await transport.handleRequest(request, response, posted.body);
}

const NOT_KEPT: HttpRefusal = {
  status: 400,
  message:
    'Last-Event-ID: the events after this one are no longer stored. Open a new stream and repeat unanswered requests.',
};
