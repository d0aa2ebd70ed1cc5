import {
  CancellationTokenSource,
  createMessageConnection,
  NullLogger,
  ResponseError,
  type CancellationToken,
  type Message,
  type MessageConnection,
} from 'vscode-jsonrpc/node';
import {
  JsonRpcTransport,
  readCodedError,
  RPC_CODED_ERROR,
  toErrorData,
} from '../../shared/bridge/json-rpc-transport.ts';
import { onAbort } from '../../shared/async/abort.ts';
import { SpillwayError, toSpillwayError } from '../../shared/errors.ts';

/*
 * The only file here that loads vscode-jsonrpc: it is imported with the first connection, not when
 * the server starts.
 */

export interface RpcCall {
  /** Rejects with the coded error of the other end. Never settles once the connection has ended. */
  readonly answer: Promise<unknown>;
  cancel(): void;
}

/** Answers a request of the other end. */
export type AnswerRequest = (method: string, params: unknown, signal: AbortSignal) => Promise<unknown>;

/** JSON-RPC 2.0 on one channel of the bridge. */
export class JsonRpc {
  readonly #transport: JsonRpcTransport<Message>;
  readonly #connection: MessageConnection;
  readonly #closed = new AbortController();

  /**
   * @param send may throw a SpillwayError, which then is the call's
   * @param answer answers what the other end asks; what it throws is sent as a coded error
   */
  constructor(send: (message: object) => void, answer: AnswerRequest) {
    this.#transport = new JsonRpcTransport<Message>(send);
    const { reader, writer } = this.#transport;
    this.#connection = createMessageConnection(reader, writer, NullLogger);
    this.#connection.onRequest((method: string, params: unknown, token: CancellationToken) =>
      this.#answer(answer, { method, params, token }),
    );
    this.#connection.listen();
  }

  /** Takes a message that has `jsonrpc`. */
  receive(message: Message): void {
    this.#transport.receive(message);
  }

  /** Sends a request at once. */
  call(method: string, params: object): RpcCall {
    const source = new CancellationTokenSource();
    const sent = this.#connection.sendRequest<unknown>(method, params, source.token);
    const { failure } = this.#transport;
    const answer = sent.catch((error: unknown) => {
      const thrown: unknown = failure === null ? toCodedError(error, method) : failure;
      throw thrown;
    });
    return { answer, cancel: () => source.cancel() };
  }

  dispose(): void {
    this.#closed.abort(new SpillwayError('browser_disconnected', 'The connection was lost.'));
    this.#connection.dispose();
  }

  async #answer(
    answer: AnswerRequest,
    request: { readonly method: string; readonly params: unknown; readonly token: CancellationToken },
  ): Promise<unknown> {
    const { method, params, token } = request;
    const cancel = new AbortController();
    const stopListening = onAbort(this.#closed.signal, () => cancel.abort(this.#closed.signal.reason));
    token.onCancellationRequested(() =>
      cancel.abort(new SpillwayError('cancelled', `${method} was cancelled.`)),
    );
    try {
      return await answer(method, params, cancel.signal);
    } catch (thrown) {
      const error = toSpillwayError(thrown);
      return new ResponseError(RPC_CODED_ERROR, error.message, toErrorData(error));
    } finally {
      stopListening();
    }
  }
}

/** Makes of an error response the error that the other end raised. */
function toCodedError(error: unknown, method: string): SpillwayError {
  if (!(error instanceof ResponseError)) return toSpillwayError(error);
  return (
    readCodedError(error) ??
    new SpillwayError('upstream_error', `${method} failed in the extension: ${error.message}`, {
      cause: error,
    })
  );
}
