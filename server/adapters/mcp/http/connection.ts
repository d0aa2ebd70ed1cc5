import { randomUUID } from 'node:crypto';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { isJSONRPCRequest, type JSONRPCMessage, type RequestId } from '@modelcontextprotocol/sdk/types.js';
import { createMcpServer } from '../server.ts';
import type { McpServerOptions } from '../session.ts';
import { SessionEvents } from './event-store.ts';
import { agreedVersion, cancelledRequest, finishCancelled } from './streams.ts';

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
