import type { EventStore } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/sdk/types.js';

/** Bounds of {@link SessionEvents}. */
export interface EventLimits {
  readonly events: number;
  /** Streams that are remembered without an event: their requests are not answered yet. */
  readonly streams: number;
  readonly sizeBytes: number;
  /** How long the events of an answered request are kept. */
  readonly answeredMs: number;
}

const LIMITS: EventLimits = {
  events: 1_024,
  streams: 1_024,
  sizeBytes: 16 * 2 ** 20,
  answeredMs: 5 * 60_000,
};

/** The SDK's name of the stream that belongs to no request. */
const STANDALONE = '_GET_stream';

interface Kept {
  readonly id: string;
  readonly number: number;
  readonly stream: Stream;
  readonly message: JSONRPCMessage;
  readonly sizeBytes: number;
  readonly at: number;
}

interface Stream {
  readonly name: string;
  /** Part of the ids of its events. */
  readonly key: string;
  readonly kept: Set<Kept>;
  lastNumber: number;
  /** Number of the newest event that is no longer kept. */
  lastDropped: number;
  isAnswered: boolean;
}

/** What a client that names its last event missed. */
export interface Missed {
  readonly events: readonly { readonly id: string; readonly message: JSONRPCMessage }[];
  /** The stream's request is answered: nothing will follow. */
  readonly isComplete: boolean;
}

const NO_RESULT = {};

/** In place of the answer to a request that was cancelled: its stream is complete, and nothing is kept. */
export const noAnswer = (id: RequestId): JSONRPCMessage => ({ jsonrpc: '2.0', id, result: NO_RESULT });

/**
 * Events of one session's streams, for clients whose connection broke. The oldest go first when
 * there are too many or too large ones; the newest is kept even if it is too large. Ids are of the
 * session alone and short, since they count against the bound of an answer: `2f-17` is the 17th
 * event of stream `2f`.
 */
export class SessionEvents implements EventStore {
  readonly #limits: EventLimits;
  readonly #now: () => number;
  readonly #byName = new Map<string, Stream>();
  readonly #byKey = new Map<string, Stream>();
  /** Oldest first. */
  readonly #kept = new Set<Kept>();
  #sizeBytes = 0;
  #streams = 0;

  constructor(options: { readonly limits?: Partial<EventLimits>; readonly now?: () => number } = {}) {
    this.#limits = { ...LIMITS, ...options.limits };
    this.#now = options.now ?? Date.now;
  }

  /** Keeps a message before it is sent, be there a connection or not. Answers its id. */
  async storeEvent(name: string, message: JSONRPCMessage): Promise<string> {
    const stream = this.#byName.get(name) ?? this.#open(name);
    if ('result' in message && message.result === NO_RESULT) return this.#complete(stream);
    const number = ++stream.lastNumber;
    const sizeBytes = roughSize(message);
    const kept = { id: idOf(stream, number), number, stream, message, sizeBytes, at: this.#now() };
    stream.kept.add(kept);
    this.#kept.add(kept);
    this.#sizeBytes += sizeBytes;
    // A batch of several requests has several answers: its client asks again after the first.
    if ('result' in message || 'error' in message) stream.isAnswered = true;
    this.prune();
    return kept.id;
  }

  /**
   * The events after a given one, or null when that is not known whole: the id is of no stream, or
   * something after it is no longer kept.
   */
  missedAfter(lastEventId: string): Missed | null {
    const found = this.#find(lastEventId);
    if (found === null) return null;
    const { stream, number } = found;
    const events = [...stream.kept].filter((event) => event.number > number && !isPriming(event));
    return { events, isComplete: stream.isAnswered };
  }

  /** Replays the events after a given one, and those that arrive meanwhile. */
  async replayEventsAfter(
    lastEventId: string,
    { send }: { send: (id: string, message: JSONRPCMessage) => Promise<void> },
  ): Promise<string> {
    const found = this.#find(lastEventId);
    if (found === null) throw new RangeError('The events after this one are no longer stored.');
    // The set is walked while it grows: the transport leaves to this what it cannot send itself yet.
    for (const event of found.stream.kept)
      if (event.number > found.number && !isPriming(event)) await send(event.id, event.message);
    return found.stream.name;
  }

  /** Id of the newest event of the stream that belongs to no request, even if it was never sent. */
  standaloneCursor(): string {
    const stream = this.#byName.get(STANDALONE) ?? this.#open(STANDALONE);
    return idOf(stream, stream.lastNumber);
  }

  /** Whether nothing came after this event. */
  isNewest(lastEventId: string): boolean {
    const found = this.#find(lastEventId);
    return found !== null && found.stream.lastNumber === found.number;
  }

  /** Drops what is beyond the limits, or was answered long ago. */
  prune(): void {
    const { events, streams, sizeBytes, answeredMs } = this.#limits;
    const before = this.#now() - answeredMs;
    for (const kept of this.#kept) {
      const isBeyond = this.#kept.size > events || (this.#sizeBytes > sizeBytes && this.#kept.size > 1);
      if (isBeyond || (kept.stream.isAnswered && kept.at <= before)) this.#drop(kept);
      else if (kept.at > before) break;
    }
    // No more than `events` of them can have one.
    if (this.#byName.size > events + streams) this.#forgetOldest();
  }

  clear(): void {
    for (const kept of this.#kept) this.#drop(kept);
    this.#byName.clear();
    this.#byKey.clear();
  }

  /** What is kept, for those who look after the memory. */
  get size(): { readonly events: number; readonly sizeBytes: number; readonly streams: number } {
    return { events: this.#kept.size, sizeBytes: this.#sizeBytes, streams: this.#byName.size };
  }

  #open(name: string): Stream {
    const key = (this.#streams++).toString(36);
    const stream = { name, key, kept: new Set<Kept>(), lastNumber: 0, lastDropped: 0, isAnswered: false };
    this.#byName.set(name, stream);
    this.#byKey.set(key, stream);
    return stream;
  }

  /** Returns the id of the stream's last event. */
  #complete(stream: Stream): string {
    stream.isAnswered = true;
    if (stream.kept.size === 0) this.#forget(stream);
    return idOf(stream, stream.lastNumber);
  }

  #find(id: string): { readonly stream: Stream; readonly number: number } | null {
    const [, key = '', digits = ''] = /^([0-9a-z]{1,8})-(0|[1-9]\d{0,14})$/.exec(id) ?? [];
    const stream = this.#byKey.get(key);
    if (stream === undefined) return null;
    const number = Number(digits);
    return number < stream.lastDropped || number > stream.lastNumber ? null : { stream, number };
  }

  #drop(kept: Kept): void {
    const { stream } = kept;
    this.#kept.delete(kept);
    this.#sizeBytes -= kept.sizeBytes;
    stream.kept.delete(kept);
    stream.lastDropped = kept.number;
    if (stream.kept.size === 0 && stream.isAnswered) this.#forget(stream);
  }

  #forget({ name, key }: Stream): void {
    this.#byName.delete(name);
    this.#byKey.delete(key);
  }

  /** Not every request is answered: the stream of one that is not would never be forgotten. */
  #forgetOldest(): void {
    for (const stream of this.#byName.values())
      if (stream.kept.size === 0 && stream.name !== STANDALONE) return this.#forget(stream);
  }
}

/** The transport keeps an empty message for the event that only tells a client its id. */
const isPriming = ({ message }: Kept): boolean => Object.keys(message).length === 0;

const idOf = (stream: Stream, number: number): string => `${stream.key}-${number}`;

/** Near enough for a bound, without writing the message out: its texts, and a little for the rest. */
function roughSize(value: unknown): number {
  if (typeof value === 'string') return value.length + 16;
  if (typeof value !== 'object' || value === null) return 16;
  let sum = 32;
  for (const part of Object.values(value)) sum += roughSize(part);
  return sum;
}
