interface Disposable {
  dispose(): void;
}

const NOTHING: Disposable = { dispose: () => undefined };
/** A channel's errors and its end are noticed by the owner of the channel, never by the reader or writer. */
const never = (): Disposable => NOTHING;

/**
 * The reader and the writer of one JSON-RPC connection, for `createMessageConnection` of
 * vscode-jsonrpc. The bridge carries each message as an object in an envelope, so there is
 * nothing to encode here. It has the library's types by shape, since `shared/` imports zod only.
 */
export class JsonRpcTransport<Message extends object> {
  /** Why the last message could not be sent: the library keeps only its text. */
  failure: unknown = null;
  readonly #send: (message: Message) => void;
  #callback: ((message: Message) => void) | null = null;

  /** @param send may throw; then the write fails */
  constructor(send: (message: Message) => void) {
    this.#send = send;
  }

  readonly reader = {
    onError: never,
    onClose: never,
    onPartialMessage: never,
    listen: (callback: (message: Message) => void): Disposable => {
      this.#callback = callback;
      return { dispose: () => (this.#callback = null) };
    },
    dispose: NOTHING.dispose,
  };

  readonly writer = {
    onError: never,
    onClose: never,
    write: async (message: Message): Promise<void> => {
      this.failure = null;
      try {
        this.#send(message);
      } catch (thrown) {
        this.failure = thrown;
        throw thrown;
      }
    },
    end: NOTHING.dispose,
    dispose: NOTHING.dispose,
  };

  /** Hands a message that has arrived to the connection. */
  receive(message: Message): void {
    this.#callback?.(message);
  }
}
