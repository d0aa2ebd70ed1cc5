import type { ChannelOpen } from '../../../shared/core/bridge/hello.ts';
import { JsonRpc, RpcMessage } from '../../../shared/core/bridge/json-rpc.ts';
import { StreamControl, type StreamParams } from '../../../shared/core/bridge/streams.ts';
import { cut } from '../../../shared/base/cut.ts';
import { SpillwayError } from '../../../shared/base/errors.ts';
import { isObject } from '../../../shared/base/json.ts';
import { CALL_SCOPE } from '../../../shared/core/policy/call-facts.ts';
import type { Handlers, ServerPort } from '../handler.ts';
import { askServer } from './ask-server.ts';
import { dispatch, type CallGuard } from './dispatch.ts';
import type { PolicyGuard } from '../../people/worker/guard.ts';
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
  readonly #streams = new Map<number, { sender: StreamSender; call: AbortController }>();

  constructor(private readonly options: ServerChannelOptions) {
    this.server = options.open.server;
    const { server, wire } = options.open;
    this.#rpc = new JsonRpc(options.send, (method, params, call) =>
      this.#call(method, atPlace(params, server.remote), call),
    );
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
    else stream.call.abort(new SpillwayError('cancelled', control.data.cancel));
  }

  /** Cancels all active calls. Idempotent. */
  close(reason: SpillwayError): void {
    if (this.#closed.signal.aborted) return;
    this.#closed.abort(reason);
    this.#rpc.dispose(reason);
  }

  async #call(method: string, params: unknown, call: AbortController): Promise<unknown> {
    const { signal } = call;
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
        openStream: (stream) => this.#openStream(stream, call),
      });
    } catch (error) {
      const reason: unknown = signal.aborted ? signal.reason : error;
      // If a guard has ended the call alone, its handler may wait for credit.
      for (const stream of this.#streams.values()) if (stream.call === call) call.abort(reason);
      throw reason;
    } finally {
      for (const [id, stream] of this.#streams) if (stream.call === call) this.#streams.delete(id);
    }
  }

  #openStream({ stream, credit }: StreamParams, call: AbortController): StreamSender {
    if (this.#streams.has(stream))
      throw new SpillwayError('invalid_argument', `stream: ${stream} is already open.`);
    const sender = new StreamSender({ stream, credit, signal: call.signal, send: this.options.send });
    this.#streams.set(stream, { sender, call });
    return sender;
  }
}

const AGENT_UNITS = 48;

/**
 * Names the machine with each agent of another one, whatever the agent calls itself: cards show it, and rules and answers
 * for an agent of this machine do not count for it.
 */
function atPlace(params: unknown, place: string | undefined): unknown {
  if (place === undefined || !isObject(params)) return params;
  const at = (one: unknown): unknown =>
    isObject(one)
      ? { ...one, name: `${cut(String(one['name'] ?? ''), AGENT_UNITS)} on ${place}`.trim() }
      : one;
  const { caller, clients, [CALL_SCOPE]: scope } = params;
  return {
    ...params,
    ...(caller !== undefined && { caller: at(caller) }),
    ...(Array.isArray(clients) && { clients: clients.map(at) }),
    ...(isObject(scope) && { [CALL_SCOPE]: { ...scope, caller: at(scope['caller']) } }),
  };
}
