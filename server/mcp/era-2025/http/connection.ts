import type { ServerResponse } from 'node:http';
import type {
  EventStore,
  StreamableHTTPServerTransport,
} from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import {
  CancelledNotificationSchema,
  isJSONRPCRequest,
  type JSONRPCMessage,
  type RequestId,
} from '@modelcontextprotocol/sdk/types.js';

/** Bounds of {@link SessionEvents}. */
export interface EventLimits {
  readonly events: number;
  readonly sizeBytes: number;
  readonly answeredMs: number;
}

const LIMITS: EventLimits = { events: 1_024, sizeBytes: 16 * 2 ** 20, answeredMs: 5 * 60_000 };

interface Stream {
  readonly name: string;
  isAnswered: boolean;
}

interface KeptMessage {
  readonly stream: Stream;
  readonly message: JSONRPCMessage;
  readonly sizeBytes: number;
  readonly at: number;
}

interface Missed {
  readonly events: readonly { readonly id: string; readonly message: JSONRPCMessage }[];
  /** The stream's request is answered: nothing will follow. */
  readonly isComplete: boolean;
}

/** Replaces the answer to a cancelled request: its stream is complete, and nothing is kept. */
const NO_RESULT = {};

/**
 * Events of one session's streams, for clients whose connection broke. The oldest are dropped first, so that
 * a stream has everything after a kept event; the newest stays even if it is too large. Ids are short,
 * because they count towards the size of an answer.
 */
export class SessionEvents implements EventStore {
  readonly #limits: EventLimits;
  readonly #now: () => number;
  /** Streams whose request is not answered, by the SDK's names. */
  readonly #open = new Map<string, Stream>();
  /** By id, oldest first. */
  readonly #kept = new Map<string, KeptMessage>();
  #sizeBytes = 0;
  #stored = 0;

  constructor(options: { readonly limits?: Partial<EventLimits>; readonly now?: () => number } = {}) {
    this.#limits = { ...LIMITS, ...options.limits };
    this.#now = options.now ?? Date.now;
  }

  /** Keeps a message before it is sent, with or without a connection. Returns its id. */
  async storeEvent(name: string, message: JSONRPCMessage): Promise<string> {
    const stream = this.#open.get(name) ?? { name, isAnswered: false };
    this.#open.set(name, stream);
    const id = (this.#stored++).toString(36);
    if ('result' in message || 'error' in message) {
      stream.isAnswered = true;
      this.#open.delete(name);
    }
    if ('result' in message && message.result === NO_RESULT) return id;
    const sizeBytes = roughSize(message);
    this.#kept.set(id, { stream, message, sizeBytes, at: this.#now() });
    this.#sizeBytes += sizeBytes;
    this.prune();
    return id;
  }

  /** The events of a stream after one of its own; null if that is no longer kept. */
  findMissedAfter(lastEventId: string): Missed | null {
    const last = this.#kept.get(lastEventId);
    if (last === undefined) return null;
    return { events: [...this.#after(last)], isComplete: last.stream.isAnswered };
  }

  /** Replays the events after a given one, including those that arrive meanwhile. */
  async replayEventsAfter(
    lastEventId: string,
    { send }: { send: (id: string, message: JSONRPCMessage) => Promise<void> },
  ): Promise<string> {
    const last = this.#kept.get(lastEventId);
    if (last === undefined) throw new RangeError('The events after this one are no longer stored.');
    for (const { id, message } of this.#after(last)) await send(id, message);
    return last.stream.name;
  }

  /** The map may grow during the loop: the transport leaves events to a replay that it cannot send itself yet. */
  *#after(last: KeptMessage): Generator<Missed['events'][number], void> {
    let isAfter = false;
    for (const [id, kept] of this.#kept) {
      // The transport stores an empty message for an event that only gives a client its id.
      const isPriming = Object.keys(kept.message).length === 0;
      if (isAfter && kept.stream === last.stream && !isPriming) yield { id, message: kept.message };
      isAfter ||= kept === last;
    }
  }

  /** Drops events beyond the limits, or answered long ago. */
  prune(): void {
    const { events, sizeBytes, answeredMs } = this.#limits;
    const before = this.#now() - answeredMs;
    for (const [id, { stream, at, sizeBytes: size }] of this.#kept) {
      const isBeyond = this.#kept.size > events || (this.#sizeBytes > sizeBytes && this.#kept.size > 1);
      if (isBeyond || (stream.isAnswered && at <= before)) {
        this.#kept.delete(id);
        this.#sizeBytes -= size;
      } else if (at > before) break;
    }
  }

  clear(): void {
    this.#kept.clear();
    this.#open.clear();
    this.#sizeBytes = 0;
  }

  get size(): { readonly events: number; readonly sizeBytes: number } {
    return { events: this.#kept.size, sizeBytes: this.#sizeBytes };
  }
}

/** A close enough size without serialising the message: its texts, plus a little for the rest. */
function roughSize(value: unknown): number {
  if (typeof value === 'string') return value.length + 16;
  if (typeof value !== 'object' || value === null) return 16;
  let sum = 32;
  for (const part of Object.values(value)) sum += roughSize(part);
  return sum;
}

/**
 * The work of a session. It is busy while a request is unanswered, a task is active or a call waits for a
 * person, whether its client is connected or not. A client that merely listens does not count as work, nor
 * does a request whose body has not arrived.
 */
export class SessionWork {
  readonly #unanswered = new Set<RequestId>();
  readonly #open = { work: 0, listener: 0 };
  /**
   * When its last work began or ended, or its last request arrived, by `performance.now()`, which never goes
   * back and tells two uses within a millisecond apart.
   */
  lastUsedAt = performance.now();

  get isAtWork(): boolean {
    return this.#open.work > 0 || this.#unanswered.size > 0;
  }

  get isHeard(): boolean {
    return this.#open.listener > 0;
  }

  /** An HTTP request of the session has arrived, or other work has begun. Returns a function to call when it ends. */
  begin(kind: 'work' | 'listener'): () => void {
    const count = (by: 1 | -1): void => {
      this.#open[kind] += by;
      this.touch();
    };
    count(1);
    return () => count(-1);
  }

  noteReceived(id: RequestId): void {
    this.#unanswered.add(id);
  }

  noteEnded(id: RequestId): void {
    this.#unanswered.delete(id);
    this.touch();
  }

  /** In use, but without a call yet. */
  touch(): void {
    this.lastUsedAt = performance.now();
  }
}

/** One session over HTTP: its transport, and its state between requests. */
export interface HttpConnection {
  readonly transport: StreamableHTTPServerTransport;
  readonly events: SessionEvents;
  readonly work: SessionWork;
  readonly close: () => Promise<void>;
  client: { readonly name: string; readonly version: string } | null;
}

/** Tracks the pending requests, and ends the streams of cancelled ones. */
export function followRequests({ transport, work }: HttpConnection): void {
  const send = transport.send.bind(transport);
  transport.send = async (message, options) => {
    const answered = 'result' in message || 'error' in message ? message.id : undefined;
    try {
      await send(message, options);
    } finally {
      if (answered !== undefined) work.noteEnded(answered);
    }
  };
  const receive = transport.onmessage;
  transport.onmessage = (message, extra) => {
    if (isJSONRPCRequest(message)) work.noteReceived(message.id);
    receive?.(message, extra);
    const id = requestCancelledBy(message);
    // An answered request has no stream.
    if (id !== null) finishCancelled(transport, id).catch(() => undefined);
  };
}

/**
 * Sends everything that a client missed of a completed stream, and ends it.
 * A client that missed nothing gets 204. The SDK's client reconnects after an error and takes an empty stream
 * for a broken one, so that it would never stop asking. The protocol has only an event stream and 405 here,
 * but 405 would say that there are no streams to GET at all. With 204, an event stream tells its reader not
 * to come back (HTML, 9.2).
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

/** The request that a message cancels, if the SDK supports it: it ignores ids that are 0 or empty. */
function requestCancelledBy(message: JSONRPCMessage): RequestId | null {
  const parsed = CancelledNotificationSchema.safeParse(message);
  return (parsed.success && parsed.data.params.requestId) || null;
}

/**
 * Ends the stream of a cancelled request, which the SDK never answers and leaves open. The client no longer
 * knows the request, so it gets no answer. Rejects if the request is already answered.
 */
async function finishCancelled(transport: StreamableHTTPServerTransport, id: RequestId): Promise<void> {
  transport.closeSSEStream(id);
  return transport.send({ jsonrpc: '2.0', id, result: NO_RESULT });
}
