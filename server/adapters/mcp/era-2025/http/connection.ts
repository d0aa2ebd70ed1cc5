import { randomUUID } from 'node:crypto';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import {
  isJSONRPCRequest,
  type JSONRPCMessage,
  type RequestId,
  CancelledNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { createMcpServer } from '../server.ts';
import type { McpServerOptions } from '../../scope.ts';
import { SessionEvents, noAnswer, type Missed } from './event-store.ts';
import type { ServerResponse } from 'node:http';

/**
 * What a session has to do. It is at work while a request is unanswered, a task is active or a call
 * waits for a person, whether its client is connected or not; a client that merely listens gives it
 * no work, and neither does a request whose body is not there yet.
 */
class SessionWork {
  readonly #unanswered = new Set<RequestId>();
  #exchanges = 0;
  #listeners = 0;
  #others = 0;
  #lastUsedAt = performance.now();

  get isAtWork(): boolean {
    return this.#exchanges > 0 || this.#unanswered.size > 0 || this.#others > 0;
  }

  get isHeard(): boolean {
    return this.#listeners > 0;
  }

  /**
   * When the last of its work began or ended, or a request of it came: by `performance.now()`, which only
   * rises and tells two uses within a millisecond apart.
   */
  get lastUsedAt(): number {
    return this.#lastUsedAt;
  }

  /** An HTTP request of the session has arrived. Returns a function to call when it ends. */
  enter(kind: 'exchange' | 'listener'): () => void {
    const count = (by: 1 | -1): void => {
      if (kind === 'exchange') this.#exchanges += by;
      else this.#listeners += by;
      this.touch();
    };
    count(1);
    return () => count(-1);
  }

  received(id: RequestId): void {
    this.#unanswered.add(id);
  }

  /** A request was answered, or never will be. */
  ended(id: RequestId): void {
    this.#unanswered.delete(id);
    this.touch();
  }

  /** Counts work besides the requests, until it settles. */
  during(pending: Promise<unknown>): void {
    const count = (by: 1 | -1): void => {
      this.#others += by;
      this.touch();
    };
    count(1);
    const end = (): void => count(-1);
    pending.then(end, end);
  }

  /** It is used, without a call at work yet. */
  touch(): void {
    this.#lastUsedAt = performance.now();
  }
}

/** When a client whose stream was closed shall come back. */
const RETRY_MS = 500;

/**
 * Between two comments on a stream that is silent. They count against the bound of an answer, and on
 * loopback nothing else ends a silent stream than the five minutes that Node's fetch waits.
 */
const KEEP_ALIVE_MS = 120_000;

/** One session over HTTP: its transport, and its state between requests. */
export interface HttpConnection {
  readonly transport: StreamableHTTPServerTransport;
  readonly events: SessionEvents;
  readonly work: SessionWork;
  readonly close: () => Promise<void>;
  client: { readonly name: string; readonly version: string } | null;
}

/** Callbacks for events of a connection. */
interface ConnectionEvents {
  /** At once, before anything is awaited. */
  readonly onOpen: (connection: HttpConnection) => void;
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
  const connection: HttpConnection = { transport, events, work, close, client: null };
  onOpen(connection);
  // The SDK's class declares `onclose` without `undefined`, which exactOptionalPropertyTypes tells apart.
  await server.connect(transport as Parameters<typeof server.connect>[0]);
  followRequests(connection);
  return connection;
}

/** Tracks the pending requests, and ends the streams of cancelled ones. */
function followRequests({ transport, work }: HttpConnection): void {
  const send = transport.send.bind(transport);
  transport.send = async (message, options) => {
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
    if (id !== null) finishCancelled(transport, id).catch(() => undefined);
  };
}

const answeredRequest = (message: JSONRPCMessage): RequestId | undefined =>
  'result' in message || 'error' in message ? message.id : undefined;

/**
 * All that a client missed of a stream that has nothing more to tell, and its end.
 *
 * A client that missed nothing gets 204: the SDK's takes a stream as answered by a result alone, asks
 * again after an error, and takes an empty stream as one that broke, so that it never stops asking. The
 * protocol knows an event stream and 405 here. 405 would say that there are no streams to GET at all;
 * with 204 an event stream tells its reader not to come back (HTML, 9.2).
 */
export function replayEndedStream(
  response: ServerResponse,
  events: Missed['events'],
  sessionId: string | undefined,
): void {
  response.writeHead(events.length === 0 ? 204 : 200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-cache, no-transform',
    ...(sessionId === undefined ? {} : { 'mcp-session-id': sessionId }),
  });
  for (const { id, message } of events)
    response.write(`event: message\nid: ${id}\ndata: ${JSON.stringify(message)}\n\n`);
  response.end();
}

/** Which request a message cancels, if the SDK supports it: it ignores ids that are 0 or empty. */
function cancelledRequest(message: JSONRPCMessage): RequestId | null {
  const parsed = CancelledNotificationSchema.safeParse(message);
  return (parsed.success && parsed.data.params.requestId) || null;
}

/**
 * Ends the stream of a request that was cancelled, which the SDK leaves open and answers never. An answer would be one
 * to a request that its client no longer knows. Rejects when the request is answered already.
 */
async function finishCancelled(transport: StreamableHTTPServerTransport, id: RequestId): Promise<void> {
  transport.closeSSEStream(id);
  return transport.send(noAnswer(id));
}
