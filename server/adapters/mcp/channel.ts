import type { Message, StdioTransport } from './stdio-transport.ts';

/** The connection as the adapter of one era sees it. */
export class Channel {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: Message) => void;
  /** The client has turned to the other era: nothing of this one is sent any longer. */
  isLeft = false;

  constructor(private readonly wire: StdioTransport) {}

  async start(): Promise<void> {
    // The wire was started by who made the channel.
  }

  async send(message: Message): Promise<void> {
    if (!this.isLeft) await this.wire.send(message);
  }

  async close(): Promise<void> {
    if (this.isLeft) this.onclose?.();
    else await this.wire.close();
  }
}
