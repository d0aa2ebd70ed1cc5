import {
  NullLogger,
  createMessageConnection,
  type CancellationToken,
  type Message,
  type MessageConnection,
} from 'vscode-jsonrpc';
import type { ChannelOpen } from '../../shared/bridge/hello.ts';
import { JsonRpcTransport } from '../../shared/bridge/json-rpc-transport.ts';
import { StreamControl, type StreamParams } from '../../shared/bridge/streams.ts';
import { SpillwayError } from '../../shared/errors.ts';
import type { Handlers, ServerPort } from './handler.ts';
import { askServer } from './ask-server.ts';
import { dispatch, toResponseError, type CallGuard } from './dispatch.ts';
import { RpcMessage } from './host-link.ts';
import type { PolicyGuard } from './policy/guard.ts';
import { StreamSender } from './stream-sender.ts';

export interface ServerChannelOptions {
  readonly open: ChannelOpen;
  /** Makes the handlers of this channel. */
  readonly handlers: (server: ServerPort) => Handlers;
  readonly guard?: CallGuard | undefined;
  readonly policy: Pick<PolicyGuard, 'call'>;
  /** Posts one message on this channel; throws when the port is closed. */
  readonly send: (message: object) => void;
}

/** One connected server: its calls, its streams, and their end. */
export class ServerChannel {
  readonly server: ChannelOpen['server'];
  readonly #options: ServerChannelOptions;
  readonly #handlers: Handlers;
  /** The way to the server. */
  readonly port: ServerPort;
  readonly #transport: JsonRpcTransport<Message>;
  readonly #connection: MessageConnection;
  readonly #closed = new AbortController();
  /** Active calls; `AbortSignal.any` would cost each call more than everything else. */
  readonly #calls = new Set<AbortController>();
  readonly #streams = new Map<number, { sender: StreamSender; cancel: (reason: string) => void }>();

  constructor(options: ServerChannelOptions) {
    this.#options = options;
    this.server = options.open.server;
    // What a cancelled call answers after the channel has closed has nowhere to go.
    this.#transport = new JsonRpcTransport((message) => {
      if (!this.#closed.signal.aborted) options.send(message);
    });
    const { reader, writer } = this.#transport;
    this.#connection = createMessageConnection(reader, writer, NullLogger);
    this.#connection.onRequest((method: string, params: unknown, token: CancellationToken) =>
      this.#call(method, params, token),
    );
    this.#connection.listen();
    const { server, wire } = options.open;
    this.port = {
      instance: server.instance,
      wire,
      request: (method, params, signal) =>
        askServer(this.#connection, { method, params, signal, closed: this.#closed.signal }),
    };
    this.#handlers = options.handlers(this.port);
  }

  /** Takes one message of the server: JSON-RPC, or a word on a stream. Throws `frame_malformed`. */
  receive(raw: unknown): void {
    const rpc = RpcMessage.safeParse(raw);
    if (rpc.success) return this.#transport.receive(rpc.data);
    const control = StreamControl.safeParse(raw);
    if (!control.success)
      throw new SpillwayError(
        'frame_malformed',
        'The server sent a message that is neither a call nor a stream frame.',
      );
    const stream = this.#streams.get(control.data.stream);
    // A word on a stream that has just ended crosses its end and is not a fault.
    if (stream === undefined) return;
    if ('credit' in control.data) stream.sender.grant(control.data.credit);
    else stream.cancel(control.data.cancel);
  }

  /** Cancels all active calls. Idempotent. */
  close(reason: SpillwayError): void {
    if (this.#closed.signal.aborted) return;
    this.#closed.abort(reason);
    for (const call of this.#calls) call.abort(reason);
    this.#connection.dispose();
  }

  async #call(method: string, params: unknown, token: CancellationToken): Promise<unknown> {
    const call = new AbortController();
    const cancel = (reason: string): void => call.abort(new SpillwayError('cancelled', reason));
    if (token.isCancellationRequested) cancel(`${method} was cancelled.`);
    token.onCancellationRequested(() => cancel(`${method} was cancelled.`));
    this.#calls.add(call);
    if (this.#closed.signal.aborted) call.abort(this.#closed.signal.reason);
    const { signal } = call;
    const openStream = (stream: StreamParams): StreamSender => this.#openStream(stream, signal, cancel);
    try {
      const { guard, policy } = this.#options;
      return await dispatch({
        method,
        params,
        handlers: this.#handlers,
        guard,
        policy,
        server: this.port,
        signal,
        openStream,
      });
    } catch (error) {
      return toResponseError(signal.aborted ? signal.reason : error);
    } finally {
      this.#calls.delete(call);
      for (const [id, stream] of this.#streams) if (stream.cancel === cancel) this.#streams.delete(id);
    }
  }

  #openStream(
    { stream, credit }: StreamParams,
    signal: AbortSignal,
    cancel: (reason: string) => void,
  ): StreamSender {
    if (this.#streams.has(stream))
      throw new SpillwayError('invalid_argument', `stream: ${stream} is already open.`);
    const sender = new StreamSender({ stream, credit, signal, send: this.#options.send });
    this.#streams.set(stream, { sender, cancel });
    return sender;
  }
}
