import {
  CancellationTokenSource,
  createMessageConnection,
  NullLogger,
  ResponseError,
  type Message,
  type MessageConnection,
} from 'vscode-jsonrpc/node';
import { JsonRpcTransport } from '../../shared/bridge/json-rpc-transport.ts';
import { RPC_CODED_ERROR, RpcErrorData } from '../../shared/bridge/methods.ts';
import { isErrorCode, SpillwayError, toSpillwayError } from '../../shared/errors.ts';

/*
 * The only file here that loads vscode-jsonrpc: it is imported with the first connection, not when
 * the server starts.
 */

/** One pending request. */
export interface RpcCall {
  /** Rejects with the coded error of the other end. Never settles once the connection has ended. */
  readonly answer: Promise<unknown>;
  cancel(): void;
}

/** JSON-RPC 2.0 on one channel of the bridge. */
export class JsonRpc {
  readonly #transport: JsonRpcTransport<Message>;
  readonly #connection: MessageConnection;

  /** @param send may throw a SpillwayError, which then is the call's. */
  constructor(send: (message: object) => void) {
    this.#transport = new JsonRpcTransport<Message>(send);
    const { reader, writer } = this.#transport;
    this.#connection = createMessageConnection(reader, writer, NullLogger);
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
