import type { FeedPort } from '../../../extension/panel/feed/feed-client.ts';
import type { FeedMessage, FeedRequest } from '../../../extension/panel/feed-protocol.ts';

/** The worker's end of a port, as a test plays it. */
export class FakePort implements FeedPort {
  readonly sent: FeedRequest[] = [];
  readonly #messages: ((message: unknown) => void)[] = [];
  readonly #disconnects: (() => void)[] = [];
  readonly onMessage = {
    addListener: (listener: (message: unknown) => void) => void this.#messages.push(listener),
  };
  readonly onDisconnect = { addListener: (listener: () => void) => void this.#disconnects.push(listener) };

  postMessage(message: FeedRequest): void {
    this.sent.push(message);
  }

  /** Sends the page a message. */
  send(message: FeedMessage | object): void {
    for (const listener of this.#messages) listener(structuredClone(message));
  }

  /** The worker ends. */
  end(): void {
    for (const listener of this.#disconnects) listener();
  }
}
