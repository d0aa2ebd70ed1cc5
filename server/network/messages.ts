import type { Exchange, Message } from './exchange.ts';

/** Messages of one connection that are kept while it is open. */
const MAX_MESSAGES = 5_000;
/** All open connections of a capture may have the messages of so many full ones. */
const FULL_CONNECTIONS = 8;
/** What a message costs in addition to its text. */
const OVERHEAD_BYTES = 64;

const costOf = (message: Message): number => message.data.length + OVERHEAD_BYTES;

/**
 * Keeps the newest messages of open connections, which may stay open for days: the oldest of a
 * connection go first, and are counted.
 */
export class MessageLog {
  readonly #connectionBytes: number;
  #bytes = 0;

  /** @param connectionBytes messages that are kept of one connection */
  constructor(connectionBytes: number) {
    this.#connectionBytes = connectionBytes + OVERHEAD_BYTES;
  }

  add(exchange: Exchange, message: Message): void {
    if (isDuplicate(exchange.messages, message)) return;
    exchange.messageCount += 1;
    exchange.messages.push(message);
    this.#grow(exchange, costOf(message));
    while (
      exchange.messages.length > MAX_MESSAGES ||
      exchange.messageBytes > this.#connectionBytes ||
      (this.#bytes > FULL_CONNECTIONS * this.#connectionBytes && exchange.messages.length > 0)
    ) {
      const oldest = exchange.messages.shift();
      if (oldest === undefined) break;
      this.#grow(exchange, -costOf(oldest));
    }
  }

  /** The connection has ended: its messages are counted no more. */
  release(exchange: Exchange): void {
    this.#bytes -= exchange.messageBytes;
  }

  #grow(exchange: Exchange, bytes: number): void {
    exchange.messageBytes += bytes;
    this.#bytes += bytes;
  }
}

/** Where two streams overlap a message comes twice, at the very same microsecond. */
function isDuplicate(messages: readonly Message[], { time, data, socket }: Message): boolean {
  for (let index = messages.length - 1; index >= 0; index -= 1) {
    const earlier = messages[index];
    if (earlier === undefined || earlier.time < time) return false;
    if (earlier.time === time && earlier.data === data && earlier.socket?.type === socket?.type) return true;
  }
  return false;
}
