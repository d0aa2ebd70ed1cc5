import { connect, type Socket } from 'node:net';
import { HostChallenge, HostProof, type Identity, type ServerProof } from '../../shared/bridge/hello.ts';
import { describeWireMismatch, negotiateWire } from '../../shared/bridge/wire.ts';
import { isErrorCode, SpillwayError, toSpillwayError } from '../../shared/errors.ts';
import { LIMITS } from '../../shared/limits.ts';
import { errnoOf } from '../machine/errno.ts';
import { ENVELOPE_RESERVE_BYTES, encodeFrame, FrameDecoder, parseFrame } from './frames.ts';
import { createNonce, createProof, isProof } from './directory.ts';

export interface PeerInfo {
  readonly host: Identity;
  readonly extension: Identity;
  readonly browser: Extract<HostProof, { type: 'welcome' }>['browser'];
  readonly wire: number;
}

export interface ConnectOptions {
  readonly socketPath: string;
  readonly secret: string;
  readonly identity: Identity;
  /** How long a live host may take. Default: `helloTimeoutMs`. */
  readonly timeoutMs?: number | undefined;
}

const READ_BUFFER_BYTES = 256 * 1024;
/** The size of a message in a frame; the host's envelope takes the rest. */
const MESSAGE_BYTES = LIMITS.bridgeFrameBytes - ENVELOPE_RESERVE_BYTES;

interface ConnectionEvents {
  readonly onMessage: (message: unknown) => void;
  readonly onClose: (error: SpillwayError | null) => void;
}

/**
 * A connection to a native host: whole messages in and out. Messages wait until they are read, first by the
 * handshake and then by the owner. All reads fill one buffer, and frames are parsed from it immediately: a
 * stream's text is copied only when it becomes a string.
 */
class MessageSocket {
  readonly #socket: Socket;
  readonly #decoder = new FrameDecoder();
  readonly #queued: unknown[] = [];
  #events: ConnectionEvents | null = null;
  #end: { readonly error: SpillwayError | null } | null = null;
  #wake = (): void => undefined;

  constructor(socketPath: string) {
    this.#socket = connect({
      path: socketPath,
      onread: {
        buffer: Buffer.allocUnsafeSlow(READ_BUFFER_BYTES),
        callback: (sizeBytes, buffer) => this.#read(Buffer.from(buffer.buffer, buffer.byteOffset, sizeBytes)),
      },
    });
    this.#socket.on('error', (error) => this.end(describeSocketError(error)));
    this.#socket.once('close', () => this.end(null));
  }

  /** The next message. @throws SpillwayError with the reason if the connection has ended */
  async next(): Promise<unknown> {
    for (;;) {
      if (this.#queued.length > 0) return this.#queued.shift();
      if (this.#end !== null)
        throw this.#end.error ?? new SpillwayError('host_refused', 'The native host closed the connection.');
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  /** Takes over all messages, beginning with those that have arrived. Call it once. */
  listen(events: ConnectionEvents): void {
    this.#events = events;
    // An idle bridge should not keep the process alive.
    this.#socket.unref();
    for (const message of this.#queued.splice(0)) events.onMessage(message);
    if (this.#end !== null) events.onClose(this.#end.error);
  }

  /** @throws SpillwayError `frame_too_large`; nothing is sent then. */
  send(message: object): void {
    this.#socket.write(encodeFrame(JSON.stringify(message), MESSAGE_BYTES));
  }

  close(): void {
    this.#socket.destroy();
  }

  end(error: SpillwayError | null): void {
    if (this.#end !== null) return;
    this.#end = { error };
    this.#socket.destroy();
    this.#events?.onClose(error);
    this.#wake();
  }

  #read(chunk: Buffer): boolean {
    try {
      for (const body of this.#decoder.push(chunk)) {
        if (this.#end !== null) break;
        const message = parseFrame(body);
        if (this.#events === null) this.#queued.push(message);
        else this.#events.onMessage(message);
      }
      this.#wake();
    } catch (error) {
      this.end(toSpillwayError(error));
    }
    return true;
  }
}

/** An authenticated connection to a native host. */
export interface HostConnection extends Pick<MessageSocket, 'send' | 'close' | 'listen'> {
  readonly peer: PeerInfo;
}

/**
 * Connects; both ends prove that they know the directory's secret.
 * @throws SpillwayError `browser_not_connected` when no host listens, `host_no_hello` after `timeoutMs`,
 *   `host_refused`, `wire_version_mismatch`, `frame_malformed`, `frame_too_large`.
 */
export async function connectToHost(options: ConnectOptions): Promise<HostConnection> {
  const { socketPath, timeoutMs = LIMITS.helloTimeoutMs } = options;
  const socket = new MessageSocket(socketPath);
  const late = `The native host did not answer within ${timeoutMs} ms.`;
  const timer = setTimeout(() => socket.end(new SpillwayError('host_no_hello', late)), timeoutMs);
  try {
    const peer = await shakeHands(socket, options);
    return {
      peer,
      send: (message) => socket.send(message),
      close: () => socket.close(),
      listen: (events) => socket.listen(events),
    };
  } catch (error) {
    socket.close();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

async function shakeHands(socket: MessageSocket, { secret, identity }: ConnectOptions): Promise<PeerInfo> {
  const challenge = HostChallenge.safeParse(await socket.next());
  if (!challenge.success)
    throw new SpillwayError(
      'host_refused',
      'The program that listens on the socket is not a Spillway native host.',
    );
  const { identity: host, nonce } = challenge.data;
  const server = { ...identity.wire, name: 'the server' };
  const peer = { ...host.wire, name: 'the native host' };
  if (negotiateWire(server, peer) === null)
    throw new SpillwayError('wire_version_mismatch', describeWireMismatch(server, peer));
  const nonces = { host: nonce, server: createNonce() };
  const proof: ServerProof = {
    type: 'proof',
    identity,
    pid: process.pid,
    nonce: nonces.server,
    proof: createProof(secret, 'server', nonces),
  };
  socket.send(proof);
  const answer = HostProof.safeParse(await socket.next());
  if (!answer.success)
    throw new SpillwayError('host_refused', 'The native host sent an invalid handshake message.');
  if (answer.data.type === 'refused')
    throw new SpillwayError(
      isErrorCode(answer.data.code) ? answer.data.code : 'host_refused',
      answer.data.message,
    );
  if (!isProof(answer.data.proof, createProof(secret, 'host', nonces)))
    throw new SpillwayError('host_refused', 'The native host does not know the secret of its directory.');
  const { extension, browser, wire } = answer.data;
  return { host, extension, browser, wire };
}

function describeSocketError(error: Error): SpillwayError {
  const code = errnoOf(error);
  if (code === 'ECONNREFUSED' || code === 'ENOENT')
    return new SpillwayError(
      'browser_not_connected',
      `No process is listening on the native host's socket (${code}).`,
      {
        cause: error,
      },
    );
  return new SpillwayError('browser_disconnected', `The native host's socket failed: ${error.message}.`, {
    cause: error,
  });
}
