import { connect, type Socket } from 'node:net';
import { HostChallenge, HostProof, type Identity, type ServerProof } from '../../shared/bridge/hello.ts';
import { describeWireMismatch, negotiateWire } from '../../shared/bridge/wire.ts';
import { isErrorCode, SpillwayError, toSpillwayError } from '../../shared/errors.ts';
import { LIMITS } from '../../shared/limits.ts';
import { errnoOf } from '../machine/errno.ts';
import { ENVELOPE_RESERVE_BYTES, encodeFrame, FrameDecoder, parseFrame } from './frames.ts';
import { createNonce, createProof, isProof } from './proof.ts';

/** What a host says of itself and its worker once both ends have proved themselves. */
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
  /** How long a host that lives may take. Default: `helloTimeoutMs`. */
  readonly timeoutMs?: number | undefined;
}

/** What a Unix socket holds at most by default on Linux, and some. */
const READ_BUFFER_BYTES = 256 * 1024;
/** A message's room in a frame; the rest is the host's envelope. */
const MESSAGE_BYTES = LIMITS.bridgeFrameBytes - ENVELOPE_RESERVE_BYTES;

/** A proved connection to a native host: whole messages in and out. */
export class HostConnection {
  readonly peer: PeerInfo;
  readonly #socket: Socket;
  readonly #queued: unknown[] = [];
  #onMessage: ((message: unknown) => void) | null = null;
  #onClose: ((error: SpillwayError | null) => void) | null = null;
  #end: { readonly error: SpillwayError | null } | null = null;

  private constructor(socket: Socket, handshake: Handshake, peer: PeerInfo) {
    this.#socket = socket;
    this.peer = peer;
    handshake.handOver({
      onMessage: (message) => this.#receive(message),
      onEnd: (error) => this.#finish(error),
    });
    // An idle bridge is not a reason for a process to stay.
    socket.unref();
  }

  /**
   * Connects and lets both ends prove that they share the directory's secret.
   *
   * @throws SpillwayError `browser_not_connected` when no host listens, `host_no_hello` after `timeoutMs`,
   * `host_refused`, `wire_version_mismatch`, `frame_malformed`, `frame_too_large`.
   */
  static async open(options: ConnectOptions): Promise<HostConnection> {
    const handshake = new Handshake(options.socketPath, options.timeoutMs ?? LIMITS.helloTimeoutMs);
    const { socket } = handshake;
    try {
      const peer = await shakeHands(handshake, options, (frame) => socket.write(frame));
      return new HostConnection(socket, handshake, peer);
    } catch (error) {
      socket.destroy();
      throw error;
    } finally {
      handshake.stopClock();
    }
  }

  /** Takes over all messages, those that have come already first. To be called once. */
  listen(events: {
    onMessage: (message: unknown) => void;
    onClose: (error: SpillwayError | null) => void;
  }): void {
    this.#onMessage = events.onMessage;
    this.#onClose = events.onClose;
    for (const message of this.#queued.splice(0)) this.#receive(message);
    if (this.#end !== null) events.onClose(this.#end.error);
  }

  /** @throws SpillwayError `frame_too_large`; nothing is sent then. */
  send(message: object): void {
    this.#socket.write(encodeFrame(JSON.stringify(message), MESSAGE_BYTES));
  }

  close(): void {
    this.#socket.destroy();
  }

  #receive(message: unknown): void {
    if (this.#end !== null) return;
    if (this.#onMessage === null) this.#queued.push(message);
    else this.#onMessage(message);
  }

  #finish(error: SpillwayError | null): void {
    if (this.#end !== null) return;
    this.#end = { error };
    this.#socket.destroy();
    this.#onClose?.(error);
  }
}

interface MessageEvents {
  onMessage(message: unknown): void;
  onEnd(error: SpillwayError | null): void;
}

/**
 * Reads a socket frame by frame, first for the handshake under one deadline, then for the owner.
 * All reads go into one buffer, out of which frames are parsed at once: a stream's text is copied
 * only where it becomes a string.
 */
class Handshake {
  readonly socket: Socket;
  readonly #decoder = new FrameDecoder();
  readonly #timer: NodeJS.Timeout;
  readonly #messages: unknown[] = [];
  #events: MessageEvents | null = null;
  #end: { readonly error: SpillwayError | null } | null = null;
  #wake: (() => void) | null = null;

  constructor(socketPath: string, timeoutMs: number) {
    const fail = (error: SpillwayError): void => this.#finish(error);
    this.#timer = setTimeout(() => {
      fail(new SpillwayError('host_no_hello', `The native host did not answer within ${timeoutMs} ms.`));
    }, timeoutMs);
    const socket = connect({
      path: socketPath,
      onread: {
        buffer: Buffer.allocUnsafeSlow(READ_BUFFER_BYTES),
        callback: (sizeBytes, buffer) => this.#read(Buffer.from(buffer.buffer, buffer.byteOffset, sizeBytes)),
      },
    });
    this.socket = socket;
    socket.on('error', (error) => fail(describeSocketError(error)));
    socket.once('close', () => this.#finish(null));
  }

  async next(): Promise<unknown> {
    for (;;) {
      if (this.#messages.length > 0) return this.#messages.shift();
      if (this.#end !== null)
        throw this.#end.error ?? new SpillwayError('host_refused', 'The native host closed the connection.');
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  stopClock(): void {
    clearTimeout(this.#timer);
  }

  handOver(events: MessageEvents): void {
    this.#events = events;
    for (const message of this.#messages.splice(0)) events.onMessage(message);
    if (this.#end !== null) events.onEnd(this.#end.error);
  }

  #read(chunk: Buffer): boolean {
    if (this.#end !== null) return true;
    try {
      for (const body of this.#decoder.push(chunk)) this.#take(parseFrame(body));
    } catch (error) {
      this.#finish(toSpillwayError(error));
    }
    return true;
  }

  #take(message: unknown): void {
    if (this.#events !== null) return this.#events.onMessage(message);
    this.#messages.push(message);
    this.#notify();
  }

  #finish(error: SpillwayError | null): void {
    if (this.#end !== null) return;
    this.#end = { error };
    this.#events?.onEnd(error);
    this.#notify();
  }

  #notify(): void {
    const wake = this.#wake;
    this.#wake = null;
    wake?.();
  }
}

async function shakeHands(
  handshake: Handshake,
  { secret, identity }: ConnectOptions,
  write: (frame: Buffer) => void,
): Promise<PeerInfo> {
  const challenge = HostChallenge.safeParse(await handshake.next());
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
  write(encodeFrame(JSON.stringify(proof)));
  const answer = HostProof.safeParse(await handshake.next());
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
