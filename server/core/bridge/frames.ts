import { endianness } from 'node:os';
import { SpillwayError, isErrorCode, toSpillwayError } from '../../../shared/base/errors.ts';
import { LIMITS } from '../../../shared/base/limits.ts';
import { connect, type Socket } from 'node:net';
import {
  HostChallenge,
  HostProof,
  type Identity,
  type ServerProof,
} from '../../../shared/core/bridge/hello.ts';
import { describeWireMismatch, negotiateWire } from '../../../shared/core/bridge/wire.ts';
import { errnoOf } from '../machine/errno.ts';
import { createNonce, createProof, isProof } from './directory.ts';

const HEADER_BYTES = 4;
const isLittleEndian = endianness() === 'LE';

/** Writes a frame's length, native byte order, at `offset`. */
export function writeLength(target: Buffer, sizeBytes: number, offset = 0): void {
  if (isLittleEndian) target.writeUInt32LE(sizeBytes, offset);
  else target.writeUInt32BE(sizeBytes, offset);
}

/** The length in a frame's header. */
export const readLength = (header: Buffer): number =>
  isLittleEndian ? header.readUInt32LE() : header.readUInt32BE();

/**
 * One frame: 32-bit length and the text's UTF-8 bytes.
 *
 * @throws SpillwayError `frame_too_large` beyond `maxBytes`, so that an oversized frame never
 * reaches a peer, which would have to drop the connection.
 */
export function encodeFrame(json: string, maxBytes: number = LIMITS.bridgeFrameBytes): Buffer {
  const sizeBytes = Buffer.byteLength(json);
  if (sizeBytes > maxBytes) throw tooLarge(sizeBytes, maxBytes);
  const frame = Buffer.allocUnsafe(HEADER_BYTES + sizeBytes);
  writeLength(frame, sizeBytes);
  frame.write(json, HEADER_BYTES);
  return frame;
}

/**
 * Cuts a byte stream into frame bodies, whatever the size of its chunks. Every byte is copied at most once: a
 * body that lies whole in a chunk is a view of it, any other fills a buffer of its announced size.
 */
export class FrameDecoder {
  readonly #header = Buffer.allocUnsafe(HEADER_BYTES);
  #headerFilled = 0;
  #body: Buffer | null = null;
  #bodyFilled = 0;

  /**
   * The bodies that `chunk` completes, in order. Iterate to the end before the next call.
   * @throws SpillwayError `frame_too_large` before anything is allocated; `frame_malformed` for an empty
   *   frame. The decoder is then unusable: the position of the next frame is unknown.
   */
  *push(chunk: Buffer): Generator<Buffer, void, undefined> {
    let offset = 0;
    while (offset < chunk.length) {
      if (this.#body !== null) {
        const copied = chunk.copy(this.#body, this.#bodyFilled, offset);
        this.#bodyFilled += copied;
        offset += copied;
        if (this.#bodyFilled < this.#body.length) return;
        const body = this.#body;
        this.#body = null;
        yield body;
        continue;
      }
      const copied = chunk.copy(this.#header, this.#headerFilled, offset);
      this.#headerFilled += copied;
      offset += copied;
      if (this.#headerFilled < HEADER_BYTES) return;
      this.#headerFilled = 0;
      const sizeBytes = this.#readAnnounced();
      if (chunk.length - offset >= sizeBytes) {
        yield chunk.subarray(offset, offset + sizeBytes);
        offset += sizeBytes;
      } else {
        this.#body = Buffer.allocUnsafe(sizeBytes);
        this.#bodyFilled = 0;
      }
    }
  }

  /** Call at the end of the byte stream. @throws SpillwayError `frame_malformed` inside a frame. */
  end(): void {
    if (this.#headerFilled === 0 && this.#body === null) return;
    throw new SpillwayError('frame_malformed', 'The bridge ended inside a frame.');
  }

  #readAnnounced(): number {
    const sizeBytes = readLength(this.#header);
    if (sizeBytes === 0) throw new SpillwayError('frame_malformed', 'The bridge received an empty frame.');
    if (sizeBytes > LIMITS.bridgeFrameBytes) throw tooLarge(sizeBytes, LIMITS.bridgeFrameBytes);
    return sizeBytes;
  }
}

/**
 * A frame's body as a value.
 * @throws SpillwayError `frame_malformed` if it is not JSON.
 */
export function parseFrame(body: Buffer): unknown {
  try {
    const value: unknown = JSON.parse(body.toString());
    return value;
  } catch (cause) {
    throw new SpillwayError('frame_malformed', 'A frame on the bridge is not JSON.', { cause });
  }
}

function tooLarge(sizeBytes: number, maxBytes: number): SpillwayError {
  return new SpillwayError(
    'frame_too_large',
    `A bridge frame of ${sizeBytes} bytes is over the limit of ${maxBytes}.`,
  );
}

/** Space in a frame for the envelope around its message. */
const ENVELOPE_RESERVE_BYTES = 64;

const PREFIX = Buffer.from('{"channel":');
const INFIX = Buffer.from(',"message":');
const ZERO = 0x30;
const NINE = 0x39;
const CLOSING_BRACE = 0x7d;
const MAX_DIGITS = 10;

/**
 * Opens `{"channel":N,"message":…}` without parsing the message.
 * @throws SpillwayError `frame_malformed` if the frame has another shape.
 */
export function openEnvelope(frame: Buffer) {
  let offset = PREFIX.length;
  let channel = 0;
  for (let digit = frame[offset]; digit !== undefined && digit >= ZERO && digit <= NINE;) {
    channel = channel * 10 + (digit - ZERO);
    offset += 1;
    digit = frame[offset];
  }
  const digits = offset - PREFIX.length;
  const start = offset + INFIX.length;
  const end = frame.length - 1;
  const isEnvelope =
    digits > 0 &&
    digits <= MAX_DIGITS &&
    start < end &&
    frame[end] === CLOSING_BRACE &&
    frame.compare(PREFIX, 0, PREFIX.length, 0, PREFIX.length) === 0 &&
    frame.compare(INFIX, 0, INFIX.length, offset, start) === 0;
  if (!isEnvelope)
    throw new SpillwayError('frame_malformed', 'A frame from the extension is not a valid envelope.');
  return {
    channel,
    /** A view of the frame. */
    message: frame.subarray(start, end),
    /** The message as a separate frame: a view that reuses the prefix's bytes for the length. */
    toFrame: (): Buffer => {
      // The prefix is longer than a frame's header and no longer needed, so the message is not copied.
      writeLength(frame, end - start, start - HEADER_BYTES);
      return frame.subarray(start - HEADER_BYTES, end);
    },
  };
}

/** Size of the frame's body that {@link sealEnvelope} makes. */
export function bytesOfSealed(channel: number, message: Buffer): number {
  return prefixOf(channel).length + message.length + 1;
}

/** A whole frame, including its header, that carries `message` on `channel` to the worker. */
export function sealEnvelope(channel: number, message: Buffer): Buffer {
  const prefix = prefixOf(channel);
  const sizeBytes = bytesOfSealed(channel, message);
  const frame = Buffer.allocUnsafe(HEADER_BYTES + sizeBytes);
  writeLength(frame, sizeBytes);
  frame.write(prefix, HEADER_BYTES, 'latin1');
  message.copy(frame, HEADER_BYTES + prefix.length);
  frame[frame.length - 1] = CLOSING_BRACE;
  return frame;
}

function prefixOf(channel: number): string {
  return `{"channel":${channel},"message":`;
}

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
    return Object.assign(socket, { peer: await shakeHands(socket, options) });
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
      { cause: error },
    );
  return new SpillwayError('browser_disconnected', `The native host's socket failed: ${error.message}.`, {
    cause: error,
  });
}
