import { Channel, StdioTransport, type Message } from './stdio-transport.ts';
import { isOfEra2026, type McpServerOptions } from './rpc.ts';

/** An active stdio session. */
export interface StdioSession {
  /** Resolves when the client has disconnected: its end of stdin closed, or stdout broke. */
  readonly ended: Promise<string>;
  /** Cancels pending calls. Idempotent. */
  close(): Promise<void>;
}

/** Serves one client on stdin and stdout. Nothing else may write to stdout from here on. */
export async function serveStdio(options: McpServerOptions): Promise<StdioSession> {
  const wire = new StdioTransport({ input: process.stdin, output: process.stdout });
  const connection = new StdioConnection(wire, options);
  const ended = new Promise<string>((resolve) => {
    process.stdin.once('end', () => resolve('the client closed stdin'));
    process.stdin.once('close', () => resolve('the client closed stdin'));
    process.stdin.on('error', () => resolve('stdin broke'));
    process.stdout.on('error', () => resolve('stdout broke'));
    // The transport closes if its client has not read for minutes.
    wire.onclose = () => {
      connection.closed();
      resolve('the transport closed');
    };
  });
  await wire.start();
  return { ended, close: () => connection.close() };
}

interface Served {
  readonly isNew: boolean;
  readonly channel: Channel;
  close(): Promise<void>;
}

/**
 * One connection, whose first message determines its era. A client that has only asked for the new era's
 * features may switch to the old one by initialising.
 */
class StdioConnection {
  #served: Served | null = null;
  /** Messages that arrive while an adapter loads. */
  #waiting: Message[] | null = null;

  constructor(
    private readonly wire: StdioTransport,
    private readonly options: McpServerOptions,
  ) {
    wire.onmessage = (message) => this.#receive(message);
    wire.onerror = (error) => this.#served?.channel.onerror?.(error);
  }

  closed(): void {
    this.#served?.channel.onclose?.();
  }

  close(): Promise<void> {
    return this.#served?.close() ?? this.wire.close();
  }

  #receive(message: Message): void {
    if (this.#waiting !== null) {
      this.#waiting.push(message);
      return;
    }
    const served = this.#served;
    const isOpening = 'method' in message && message.method === 'initialize';
    if (served !== null && !(served.isNew && isOpening && !isOfEra2026(message))) {
      served.channel.onmessage?.(message);
      return;
    }
    this.#waiting = [message];
    this.#open(isOfEra2026(message)).catch((thrown: unknown) => {
      this.options.logger.error({ err: thrown }, 'an adapter did not load');
      void this.wire.close();
    });
  }

  async #open(isNew: boolean): Promise<void> {
    const left = this.#served;
    if (left !== null) {
      left.channel.isLeft = true;
      await left.close();
    }
    const channel = new Channel(this.wire);
    const open = isNew
      ? (await import('./era-2026/server.ts')).serveChannel
      : (await import('./era-2025/server.ts')).serveChannel;
    this.#served = { isNew, channel, close: await open(channel, this.options) };
    const waiting = this.#waiting ?? [];
    this.#waiting = null;
    for (const message of waiting) this.#receive(message);
  }
}
