import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { randomBytes } from 'node:crypto';
import { existsSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LIMITS } from '../../../../shared/base/limits.ts';
import type {
  HostProof,
  Identity,
  ServerProof,
  WorkerHello,
  HostRegistration,
} from '../../../../shared/core/bridge/hello.ts';
import {
  describeWireMismatch,
  negotiateWire,
  type WireRange,
  PRODUCT,
  WIRE_RANGE,
} from '../../../../shared/core/bridge/wire.ts';
import { SpillwayError, toSpillwayError } from '../../../../shared/base/errors.ts';
import { encodeFrame, FrameDecoder, parseFrame } from '../frames.ts';
import {
  createNonce,
  createProof,
  isProof,
  DRAFT_SUFFIX,
  REGISTRATION_SUFFIX,
  removeFile,
  SOCKET_SUFFIX,
} from '../directory.ts';
import { VERSION } from '../../../../shared/base/version.ts';
import { ownProcess } from '../../machine/process-identity.ts';

/** How long a connected peer may take for its hello. The host has no flags, only an environment. */
export const helloTimeoutMs = (): number =>
  Number(process.env['SPILLWAY_CONNECT_TIMEOUT_MS']) || LIMITS.helloTimeoutMs;

interface HostSide {
  readonly identity: Identity;
  /** The secret of the folder. @throws Error unless its file is a private file of this user */
  readonly secret: () => string;
  readonly worker: () => WorkerHello;
  readonly parseServerProof: (value: unknown) => ServerProof;
}

export interface ServerLinkEvents {
  /** The server has proved itself: returns its channel. Precedes any message. */
  onAdmitted(link: ServerLink, server: ServerProof, wire: number): number;
  onMessage(link: ServerLink, channel: number, message: Buffer): void;
  /** Called exactly once. */
  onClosed(link: ServerLink, reason: string): void;
}

/** One server's socket: first the challenge, then messages, which are passed on unread. */
export class ServerLink {
  readonly #decoder = new FrameDecoder();
  readonly #nonce = createNonce();
  readonly #helloTimer: NodeJS.Timeout;
  /** Null until the server has proved itself. */
  channel: number | null = null;
  #isClosed = false;

  constructor(
    private readonly socket: Socket,
    private readonly host: HostSide,
    private readonly events: ServerLinkEvents,
  ) {
    this.#helloTimer = setTimeout(() => {
      this.#refuse(new SpillwayError('host_no_hello', 'The server sent no proof in time.'));
    }, helloTimeoutMs());
    socket.on('data', (chunk) => this.#read(chunk));
    socket.on('error', (error) => this.close(error.message));
    socket.once('close', () => this.close('The server disconnected.'));
    const challenge = { type: 'challenge', identity: host.identity, nonce: this.#nonce };
    socket.write(encodeFrame(JSON.stringify(challenge)));
  }

  /** Passes a frame on. A server that lets too much pile up loses its own channel. */
  send(frame: Buffer): void {
    if (this.socket.writableLength + frame.length > LIMITS.hostChannelBufferBytes)
      this.close('slow_consumer: the server does not read the data that it requested.');
    else this.socket.write(frame);
  }

  hold(isHeld: boolean): void {
    if (isHeld) this.socket.pause();
    else this.socket.resume();
  }

  /** Ends the link at once and drops unsent frames. */
  close(reason: string): void {
    if (this.#finish(reason)) this.socket.destroy();
  }

  /** Ends the link after its unsent frames. Resolves when the socket is closed. */
  async finish(reason: string): Promise<void> {
    if (!this.#finish(reason)) return;
    const closed = new Promise((resolve) => this.socket.once('close', resolve));
    this.socket.destroySoon();
    await closed;
  }

  #finish(reason: string): boolean {
    if (this.#isClosed) return false;
    this.#isClosed = true;
    clearTimeout(this.#helloTimer);
    this.events.onClosed(this, reason);
    return true;
  }

  #read(chunk: Buffer): void {
    try {
      for (const body of this.#decoder.push(chunk)) {
        if (this.#isClosed) return;
        if (this.channel === null) this.#admit(body);
        else this.events.onMessage(this, this.channel, body);
      }
    } catch (error) {
      const failure = toSpillwayError(error);
      if (this.channel === null) this.#refuse(failure);
      else this.close(`${failure.code}: ${failure.message}`);
    }
  }

  #admit(body: Buffer): void {
    const worker = this.host.worker();
    const secret = this.host.secret();
    const proof = this.#parseProof(body);
    const nonces = { host: this.#nonce, server: proof.nonce };
    if (!isProof(proof.proof, createProof(secret, 'server', nonces)))
      throw new SpillwayError('host_refused', 'The server does not know the secret of the bridge directory.');
    const wire = this.#agreeOnWire(proof.identity);
    clearTimeout(this.#helloTimer);
    const welcome: HostProof = {
      type: 'welcome',
      proof: createProof(secret, 'host', nonces),
      extension: worker.identity,
      browser: worker.browser,
      wire,
    };
    this.socket.write(encodeFrame(JSON.stringify(welcome)));
    this.channel = this.events.onAdmitted(this, proof, wire);
  }

  #parseProof(body: Buffer): ServerProof {
    try {
      return this.host.parseServerProof(parseFrame(body));
    } catch (cause) {
      throw new SpillwayError('host_refused', 'The first frame from the server is not a valid proof.', {
        cause,
      });
    }
  }

  /** Host and server share no wire version; the message names both versions. */
  #agreeOnWire(server: Identity): number {
    const { identity, worker } = this.host;
    const named = (name: string, range: WireRange): WireRange & { name: string } => ({ ...range, name });
    const host = named('the native host', identity.wire);
    const other = named('the server', server.wire);
    const extension = named('the extension', worker().identity.wire);
    for (const peer of [host, extension])
      if (negotiateWire(peer, other) === null)
        throw new SpillwayError('wire_version_mismatch', describeWireMismatch(peer, other));
    const shared = { min: Math.max(host.min, extension.min), max: Math.min(host.max, extension.max) };
    const wire = negotiateWire(shared, other);
    if (wire === null)
      throw new SpillwayError('wire_version_mismatch', describeWireMismatch(host, extension));
    return wire;
  }

  #refuse(error: SpillwayError): void {
    if (!this.#finish(error.message)) return;
    this.socket.write(
      encodeFrame(JSON.stringify({ type: 'refused', code: error.code, message: error.message })),
    );
    this.socket.destroySoon();
  }
}

const NAME_BYTES = 8;
const MAX_CONNECTIONS = 256;

const isWindows = process.platform === 'win32';

export type Endpoint = Awaited<ReturnType<typeof openEndpoint>>;

/**
 * Opens where servers reach this host: a private socket and the note that points to it. Listens first and then
 * registers, so that a note never points to a missing socket.
 */
export async function openEndpoint(
  directory: string,
  worker: () => WorkerHello,
  onConnection: (socket: Socket) => void,
) {
  const name = randomBytes(NAME_BYTES).toString('hex');
  const socket = isWindows ? `\\\\.\\pipe\\spillway-${name}` : join(directory, name + SOCKET_SUFFIX);
  const note = join(directory, name + REGISTRATION_SUFFIX);
  const server = createServer(onConnection);
  server.maxConnections = MAX_CONNECTIONS;
  server.listen(socket);
  await once(server, 'listening');
  register(note, socket, worker());
  return {
    /** False when someone removed the note or the socket: no new server can find this host. */
    isReachable: (): boolean => existsSync(note) && (isWindows || existsSync(socket)),
    /** Removes note and socket immediately: the host can no longer be found. */
    close: (): void => {
      removeFile(note);
      server.close();
      if (!isWindows) removeFile(socket);
    },
    register: (renamed: WorkerHello): void => register(note, socket, renamed),
  };
}

/** Replaces the note: a server finds either the old or the new one, whole. */
function register(note: string, socket: string, worker: WorkerHello): void {
  const { pid, startTime } = ownProcess();
  const registration: HostRegistration = {
    product: PRODUCT,
    version: VERSION,
    wire: WIRE_RANGE,
    pid,
    start_time: startTime,
    socket,
    extension_instance: worker.identity.instance,
    browser: worker.browser,
  };
  writeFileSync(note + DRAFT_SUFFIX, JSON.stringify(registration), { mode: 0o600, flag: 'wx' });
  renameSync(note + DRAFT_SUFFIX, note);
}
