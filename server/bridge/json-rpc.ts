import {
  AbstractMessageReader,
  AbstractMessageWriter,
  CancellationTokenSource,
  createMessageConnection,
  NullLogger,
  ResponseError,
  type DataCallback,
  type Disposable,
  type Message,
  type MessageConnection,
} from 'vscode-jsonrpc/node';
import { RPC_CODED_ERROR, RpcErrorData } from '../../shared/bridge/methods.ts';
import { isErrorCode, SpillwayError, toSpillwayError } from '../../shared/errors.ts';

/*
 * The only file here that loads vscode-jsonrpc: it is imported with the first connection, not when
 * the server starts.
 */

class ChannelReader extends AbstractMessageReader {
  #callback: DataCallback | null = null;

  listen(callback: DataCallback): Disposable {
    this.#callback = callback;
    return { dispose: () => (this.#callback = null) };
  }

  receive(message: Message): void {
    this.#callback?.(message);
  }
}

class ChannelWriter extends AbstractMessageWriter {
  readonly #send: (message: object) => void;
  /** Why the last message could not be sent: the library keeps only its text. */
  failure: unknown = null;

  constructor(send: (message: object) => void) {
    super();
    this.#send = send;
  }

  async write(message: Message): Promise<void> {
    this.failure = null;
    try {
      this.#send(message);
    } catch (error) {
      this.failure = error;
      throw error;
    }
  }

  end(): void {}
}

/** One request under way. */
export interface RpcCall {
  /** Rejects with the coded error of the other end. Never settles once the connection has gone. */
  readonly answer: Promise<unknown>;
  cancel(): void;
}

/** JSON-RPC 2.0 on one channel of the bridge. */
export class JsonRpc {
  readonly #reader = new ChannelReader();
  readonly #writer: ChannelWriter;
  readonly #connection: MessageConnection;

  /** @param send may throw a SpillwayError, which then is the call's. */
  constructor(send: (message: object) => void) {
    this.#writer = new ChannelWriter(send);
    this.#connection = createMessageConnection(this.#reader, this.#writer, NullLogger);
    this.#connection.listen();
  }

  /** Takes a message that has `jsonrpc`. */
  receive(message: Message): void {
    this.#reader.receive(message);
  }

  /** Sends a request at once. */
  call(method: string, params: object): RpcCall {
    const source = new CancellationTokenSource();
    const sent = this.#connection.sendRequest<unknown>(method, params, source.token);
    const { failure } = this.#writer;
    const answer = sent.catch((error: unknown) => {
      const thrown: unknown = failure === null ? toCodedError(error, method) : failure;
      throw thrown;
    });
    return { answer, cancel: () => source.cancel() };
  }

  dispose(): void {
    this.#connection.dispose();
  }
}

/** Makes of an error response the error that the other end raised. */
function toCodedError(error: unknown, method: string): SpillwayError {
  if (!(error instanceof ResponseError)) return toSpillwayError(error);
  const data = error.code === RPC_CODED_ERROR ? RpcErrorData.safeParse(error.data) : null;
  if (data?.success === true && isErrorCode(data.data.code)) {
    const { code, hint, tab_id: tabId } = data.data;
    return new SpillwayError(code, error.message, { hint, tabId });
  }
  return new SpillwayError('upstream_error', `${method} failed in the extension: ${error.message}`, {
    cause: error,
  });
}
