import { randomUUID } from 'node:crypto';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import {
  isJSONRPCRequest,
  type JSONRPCMessage,
  type RequestId,
  CancelledNotificationSchema,
  SUPPORTED_PROTOCOL_VERSIONS,
  ErrorCode,
} from '@modelcontextprotocol/sdk/types.js';
import { createMcpServer } from '../server.ts';
import type { McpServerOptions } from '../session.ts';
import { SessionEvents, noAnswer, type Missed } from './event-store.ts';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Refusal, readBody } from '../../../toolkit/http-guard.ts';
import { z } from 'zod';

/**
 * What a session has to do. It is at work while a request is unanswered, a task is active or a call
 * waits for a person, whether its client is connected or not; a client that merely listens gives it
 * no work, and neither does a request whose body is not there yet.
 */
class SessionWork {
  /** Ids of requests in a body that the transport has not taken yet. */
  readonly #claimed = new Set<RequestId>();
  readonly #unanswered = new Set<RequestId>();
  #exchanges = 0;
  #listeners = 0;
  #others = 0;
  #lastUsedAt = performance.now();

  get isAtWork(): boolean {
    return this.#exchanges > 0 || this.#unanswered.size > 0 || this.#others > 0;
  }

  /** Its client has a stream open for messages of the server. */
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

  /**
   * Claims the ids of a body, until they are {@link received} or {@link release}d. Returns the one that
   * is already pending, or is in the body twice; none is claimed then.
   */
  claim(ids: readonly RequestId[]): RequestId | null {
    const claimed = new Set<RequestId>();
    for (const id of ids) {
      if (claimed.has(id) || this.#claimed.has(id) || this.#unanswered.has(id)) return id;
      claimed.add(id);
    }
    for (const id of claimed) this.#claimed.add(id);
    return null;
  }

  /** A body was taken or refused: what the transport has not received of it, it will not. */
  release(ids: readonly RequestId[]): void {
    for (const id of ids) this.#claimed.delete(id);
  }

  received(id: RequestId): void {
    this.#claimed.delete(id);
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
interface ConnectionEvents {
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

const VERSION_HEADER = 'mcp-protocol-version';
/** Since this revision clients take an event without data, which only tells them its id. */
const PRIMED_SINCE = '2025-11-25';
/** Since this revision a POST holds one message, so that its stream has one answer. */
const UNBATCHED_SINCE = '2025-06-18';

/** The protocol version of the answer to `initialize`; null for every other message. */
function agreedVersion(message: JSONRPCMessage): string | null {
  if (!('result' in message)) return null;
  const { protocolVersion } = message.result;
  return typeof protocolVersion === 'string' ? protocolVersion : null;
}

/**
 * What a session agreed on holds for each of its requests. The transport goes by the header, takes
 * one that is left out for an old client, and would not let such a client resume. An invalid
 * version is kept, to be refused.
 */
export function stateVersion(request: IncomingMessage, version: string): void {
  const given = request.headers[VERSION_HEADER];
  if (given === version) return;
  if (given !== undefined && !SUPPORTED_PROTOCOL_VERSIONS.includes(String(given))) return;
  const others: string[] = [];
  for (let at = 0; at < request.rawHeaders.length; at += 2) {
    const [name = '', value = ''] = request.rawHeaders.slice(at, at + 2);
    if (name.toLowerCase() !== VERSION_HEADER) others.push(name, value);
  }
  request.rawHeaders = [...others, VERSION_HEADER, version];
  request.headers[VERSION_HEADER] = version;
}

/** What the transport refuses of a request for a stream, for those that it never sees. */
export function checkStream({ headers }: IncomingMessage): Refusal | null {
  if (headers.accept?.includes('text/event-stream') !== true)
    return { status: 406, message: 'Not Acceptable: Client must accept text/event-stream' };
  const version = headers[VERSION_HEADER]?.toString();
  if (version === undefined || SUPPORTED_PROTOCOL_VERSIONS.includes(version)) return null;
  const supported = SUPPORTED_PROTOCOL_VERSIONS.join(', ');
  return {
    status: 400,
    message: `Bad Request: Unsupported protocol version: ${version} (supported versions: ${supported})`,
  };
}

/**
 * All that a client missed of a stream that has nothing more to tell, and its end.
 *
 * A client that missed nothing gets 204: the SDK's takes a stream as answered by a result alone, asks
 * again after an error, and takes an empty stream as one that broke, so that it never stops asking. The
 * protocol knows an event stream and 405 here. 405 would say that there are no streams to GET at all;
 * with 204 an event stream tells its reader not to come back (HTML, 9.2). A client of batches may
 * wait for another answer of the same stream, and shall come back.
 */
export function replayEndedStream(
  response: ServerResponse,
  events: Missed['events'],
  { sessionId, version }: { readonly sessionId: string | undefined; readonly version: string | null },
): void {
  response.writeHead(events.length === 0 && !mayBatch(version) ? 204 : 200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-cache, no-transform',
    ...(sessionId === undefined ? {} : { 'mcp-session-id': sessionId }),
  });
  for (const { id, message } of events)
    response.write(`event: message\nid: ${id}\ndata: ${JSON.stringify(message)}\n\n`);
  response.end();
}

const mayBatch = (version: string | null): boolean => version === null || version < UNBATCHED_SINCE;

/** Which request a message cancels, if the SDK supports it: it ignores ids that are 0 or empty. */
function cancelledRequest(message: JSONRPCMessage): RequestId | null {
  const parsed = CancelledNotificationSchema.safeParse(message);
  return (parsed.success && parsed.data.params.requestId) || null;
}

/**
 * Ends the stream of a request that was cancelled, which the SDK leaves open and answers never. An
 * answer would be one to a request that its client no longer knows, so none is sent; but of a batch,
 * whose other answers need the stream. Rejects when the request is answered already.
 */
async function finishCancelled(
  transport: StreamableHTTPServerTransport,
  { id, version }: { readonly id: RequestId; readonly version: string | null },
): Promise<void> {
  if (mayBatch(version)) return transport.send({ jsonrpc: '2.0', id, result: {} });
  transport.closeSSEStream(id);
  return transport.send(noAnswer(id));
}

/**
 * Tells a client that opens a stream with GET its position, so that it can resume when the
 * connection breaks before the first event: the transport does that for the streams of requests
 * alone. It is written once the transport has opened the stream, and only while nothing newer came:
 * an event says its id itself.
 */
export function sendPrimingEvent(
  response: ServerResponse,
  events: SessionEvents,
  { version, lastEventId }: { readonly version: string | null; readonly lastEventId: string | undefined },
): void {
  if (version === null || version < PRIMED_SINCE) return;
  const cursor = lastEventId ?? events.standaloneCursor();
  setImmediate(() => {
    const isOpen = response.headersSent && response.statusCode === 200 && !response.writableEnded;
    if (isOpen && events.isNewest(cursor)) response.write(`id: ${cursor}\ndata: \n\n`);
  });
}

/** A message as far as the door has to know it; the transport parses the whole. */
const Peeked = z.object({
  id: z.union([z.string(), z.number()]).optional().catch(undefined),
  method: z.string().optional().catch(undefined),
});

/** Messages of one batch: the transport takes no more, and looking at very many would hold up every session. */
const MAX_MESSAGES = 100;

/** What a client posted. */
export interface PostBody {
  /** The parsed JSON; undefined where the method has no body. */
  readonly body: unknown;
  readonly requests: readonly { readonly id: RequestId; readonly method: string }[];
}

/** Of GET and DELETE. */
export const EMPTY_POST: PostBody = { body: undefined, requests: [] };

/** Reads a body of JSON, or says why it is refused. */
export async function readPostBody(request: IncomingMessage, maxBytes: number): Promise<PostBody | Refusal> {
  let body: unknown;
  try {
    const bytes = await readBody(request, maxBytes);
    if (bytes === null) return tooLarge(maxBytes);
    body = JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return { status: 400, code: ErrorCode.ParseError, message: 'Parse error: the body is not JSON.' };
  }
  const messages: readonly unknown[] = Array.isArray(body) ? body : [body];
  return messages.length > MAX_MESSAGES ? TOO_MANY : { body, requests: messages.flatMap(peek) };
}

function peek(message: unknown): PostBody['requests'] {
  const { id, method } = Peeked.catch({}).parse(message);
  return id === undefined || method === undefined ? [] : [{ id, method }];
}

const TOO_MANY: Refusal = {
  status: 400,
  code: ErrorCode.InvalidRequest,
  message: `Invalid Request: a batch has at most ${MAX_MESSAGES} messages.`,
};

const tooLarge = (maxBytes: number): Refusal => ({
  status: 413,
  message: `Payload too large: a body has at most ${maxBytes} bytes.`,
});
