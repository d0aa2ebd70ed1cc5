import type { ChannelOpen } from '../../shared/bridge/hello.ts';
import { JsonRpc, RpcMessage } from '../../shared/bridge/json-rpc.ts';
import { StreamControl, type StreamParams } from '../../shared/bridge/streams.ts';
import { SpillwayError } from '../../shared/errors.ts';
import type { Handlers, ServerPort } from './handler.ts';
import { askServer } from './ask-server.ts';
import { dispatch, type CallGuard } from './dispatch.ts';
import type { PolicyGuard } from './policy/guard.ts';
import { StreamSender } from './stream-sender.ts';

export interface ServerChannelOptions {
  readonly open: ChannelOpen;
  /** Creates the handlers of this channel. */
  readonly handlers: (server: ServerPort) => Handlers;
  readonly guard?: CallGuard | undefined;
  readonly policy: Pick<PolicyGuard, 'call'>;
  /** Posts one message on this channel; throws if the port is closed. */
  readonly send: (message: object) => void;
}

/** One connected server: its calls, its streams, and their end. */
export class ServerChannel {
  readonly server: ChannelOpen['server'];
  readonly #handlers: Handlers;
  readonly port: ServerPort;
  readonly #rpc: JsonRpc;
  readonly #closed = new AbortController();
  readonly #streams = new Map<number, { sender: StreamSender; cancel: (reason: string) => void }>();

  constructor(private readonly options: ServerChannelOptions) {
    this.server = options.open.server;
    this.#rpc = new JsonRpc(options.send, (method, params, call) => this.#call(method, params, call));
    const { server, wire } = options.open;
    this.port = {
      instance: server.instance,
      wire,
      request: (method, params, signal) =>
        askServer(this.#rpc, { method, params, signal, closed: this.#closed.signal }),
    };
    this.#handlers = options.handlers(this.port);
  }

  /** Handles one message of the server: JSON-RPC or stream control. Throws `frame_malformed`. */
  receive(raw: unknown): void {
    const rpc = RpcMessage.safeParse(raw);
    if (rpc.success) return this.#rpc.receive(rpc.data);
    const control = StreamControl.safeParse(raw);
    if (!control.success)
      throw new SpillwayError(
        'frame_malformed',
        'The server sent a message that is neither a call nor a stream frame.',
      );
    const stream = this.#streams.get(control.data.stream);
    // A message for a stream that has just ended crossed its end, and is not a fault.
    if (stream === undefined) return;
    if ('credit' in control.data) stream.sender.grant(control.data.credit);
    else stream.cancel(control.data.cancel);
  }

  /** Cancels all active calls. Idempotent. */
  close(reason: SpillwayError): void {
    if (this.#closed.signal.aborted) return;
    this.#closed.abort(reason);
    this.#rpc.dispose(reason);
  }

  async #call(method: string, params: unknown, call: AbortController): Promise<unknown> {
    const { signal } = call;
    const cancel = (reason: string): void => call.abort(new SpillwayError('cancelled', reason));
    const openStream = (stream: StreamParams): StreamSender => this.#openStream(stream, signal, cancel);
    try {
      const { guard, policy } = this.options;
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
      throw signal.aborted ? signal.reason : error;
    } finally {
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
    const sender = new StreamSender({ stream, credit, signal, send: this.options.send });
    this.#streams.set(stream, { sender, cancel });
    return sender;
  }
}
