import type { EventStore } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/sdk/types.js';

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

interface Kept {
  readonly stream: Stream;
  readonly message: JSONRPCMessage;
  readonly sizeBytes: number;
  readonly at: number;
}

export interface Missed {
  readonly events: readonly { readonly id: string; readonly message: JSONRPCMessage }[];
  /** The stream's request is answered: nothing will follow. */
  readonly isComplete: boolean;
}

const NO_RESULT = {};

/** In place of the answer to a request that was cancelled: its stream is complete, and nothing is kept. */
export const noAnswer = (id: RequestId): JSONRPCMessage => ({ jsonrpc: '2.0', id, result: NO_RESULT });

/**
 * Events of one session's streams, for clients whose connection broke. The oldest go first, so that of a stream
 * everything after a kept event is kept; the newest stays even if it is too large. Ids are short, since they count
 * against the bound of an answer.
 */
export class SessionEvents implements EventStore {
  readonly #limits: EventLimits;
  readonly #now: () => number;
  /** Streams whose request is not answered, by the SDK's names. */
  readonly #open = new Map<string, Stream>();
  /** By id, oldest first. */
  readonly #kept = new Map<string, Kept>();
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

  /** The events of a stream after one of its own; null where that is no longer kept. */
  missedAfter(lastEventId: string): Missed | null {
    const last = this.#kept.get(lastEventId);
    if (last === undefined) return null;
    return { events: [...this.#after(last)], isComplete: last.stream.isAnswered };
  }

  /** Replays the events after a given one, and those that arrive meanwhile. */
  async replayEventsAfter(
    lastEventId: string,
    { send }: { send: (id: string, message: JSONRPCMessage) => Promise<void> },
  ): Promise<string> {
    const last = this.#kept.get(lastEventId);
    if (last === undefined) throw new RangeError('The events after this one are no longer stored.');
    for (const { id, message } of this.#after(last)) await send(id, message);
    return last.stream.name;
  }

  /** The map is walked while it grows: the transport leaves to a replay what it cannot send itself yet. */
  *#after(last: Kept): Generator<Missed['events'][number], void> {
    let isAfter = false;
    for (const [id, kept] of this.#kept) {
      // The transport keeps an empty message for the event that only tells a client its id.
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

/** Near enough for a bound, without writing the message out: its texts, and a little for the rest. */
function roughSize(value: unknown): number {
  if (typeof value === 'string') return value.length + 16;
  if (typeof value !== 'object' || value === null) return 16;
  let sum = 32;
  for (const part of Object.values(value)) sum += roughSize(part);
  return sum;
}
