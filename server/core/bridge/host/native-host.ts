import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import type {
  Identity,
  ToHostControl,
  WorkerHello,
  ToWorkerControl,
} from '../../../../shared/core/bridge/hello.ts';
import {
  describeWireMismatch,
  negotiateWire,
  PRODUCT,
  WIRE_RANGE,
} from '../../../../shared/core/bridge/wire.ts';
import { SpillwayError, toSpillwayError } from '../../../../shared/base/errors.ts';
import { messageOf } from '../../../../shared/base/message-of.ts';
import { LIMITS } from '../../../../shared/base/limits.ts';
import { VERSION } from '../../../../shared/base/version.ts';
import { waitAtMost } from '../../../../shared/base/async.ts';
import { ensureSecret, openBridgeDirectory, type Environment } from '../directory.ts';
import { bytesOfSealed, openEnvelope, sealEnvelope, parseFrame, FrameDecoder } from '../frames.ts';
import { forgetRefusal, noteRefusal } from '../registrations.ts';
import { commandLine, serverProgram } from '../../machine/command-line.ts';
import { clientsWithEntry } from '../client-files.ts';
import { PRIVATE_VARIABLE } from '../launcher.ts';
import { currentMachine } from '../machine.ts';
import { clipClean } from '../../../libraries/redaction/clean.ts';
import {
  type Endpoint,
  openEndpoint,
  helloTimeoutMs,
  ServerLink,
  type ServerLinkEvents,
} from './server-link.ts';
import { note, redactMessage } from './note.ts';

const CONTROL_CHANNEL = 0;

/** Heartbeats that a worker may leave unanswered before it counts as gone. */
const MISSED_HEARTBEATS = 3;
/** Time for unsent frames when the host ends. */
const FLUSH_TIMEOUT_MS = 1_000;
/** Longest reason sent to the worker. */
const REASON_UNITS = 500;

/** The router between one extension worker and the servers connected to it. */
export class NativeHost {
  readonly #identity: Identity = {
    product: PRODUCT,
    version: VERSION,
    wire: WIRE_RANGE,
    instance: randomBytes(12).toString('hex'),
  };
  readonly #decoder = new FrameDecoder();
  readonly #links = new Set<ServerLink>();
  readonly #channels = new Map<number, ServerLink>();
  readonly #checks = import('./checks.ts');
  readonly #helloTimer: NodeJS.Timeout;
  #lastChannel = 0;
  #worker: WorkerHello | null = null;
  #endpoint: Endpoint | null = null;
  #heartbeat: NodeJS.Timeout | null = null;
  #lookout: NodeJS.Timeout | null = null;
  #silentBeats = 0;
  #isStdoutFull = false;
  #isEnding = false;

  /** Says hello at once and listens for servers as soon as the worker has said hello. */
  constructor(
    private readonly options: {
      input: Readable;
      output: Writable;
      exit: (code: number) => void;
      /** Names the bridge directory. */
      env?: Environment;
    },
  ) {
    const { input, output } = options;
    const fail = (error: unknown): void => this.refuse(toSpillwayError(error));
    const orFail = (work: () => void): void => {
      try {
        work();
      } catch (error) {
        fail(error);
      }
    };
    input.on('data', (chunk: Buffer) => orFail(() => this.#receive(chunk)));
    input.once('end', () =>
      orFail(() => {
        this.#decoder.end();
        void this.end('The browser closed the port.');
      }),
    );
    input.on('error', fail);
    output.on('error', fail);
    output.on('drain', () => this.#holdServers(false));
    this.#helloTimer = setTimeout(
      () => this.refuse(new SpillwayError('host_no_hello', 'The extension sent no hello in time.')),
      helloTimeoutMs(),
    );
    const program = serverProgram();
    this.#sendControl({
      type: 'hello',
      role: 'host',
      identity: this.#identity,
      pid: process.pid,
      ...(program === null ? {} : { command: commandLine(program) }),
      ...(process.env[PRIVATE_VARIABLE] === '1' ? { private: true } : {}),
      takes_browser: true,
      entries: [...clientsWithEntry(currentMachine())],
    });
  }

  /** Tells the worker why this host gives up, and ends. */
  refuse(error: SpillwayError): void {
    if (this.#isEnding) return;
    const message = redactMessage(error.message);
    this.#sendControl({ type: 'refused', code: error.code, message: clipClean(message, REASON_UNITS) });
    void this.end(message, 1);
  }

  /** Removes its note and socket, flushes pending output, and exits. Idempotent. */
  async end(reason: string, exitCode = 0): Promise<void> {
    if (this.#isEnding) return;
    this.#isEnding = true;
    note(reason);
    clearTimeout(this.#helloTimer);
    if (this.#heartbeat !== null) clearInterval(this.#heartbeat);
    if (this.#lookout !== null) clearInterval(this.#lookout);
    this.removeTraces();
    const flushed = [this.#flush(), ...[...this.#links].map((link) => link.finish(reason))];
    await waitAtMost(Promise.all(flushed), FLUSH_TIMEOUT_MS);
    this.options.exit(exitCode);
  }

  /** The synchronous part of {@link end}, for the process's last moment. */
  removeTraces(): void {
    const endpoint = this.#endpoint;
    this.#endpoint = null;
    try {
      endpoint?.close();
    } catch (error) {
      note(`The bridge directory could not be cleaned up: ${toSpillwayError(error).message}`);
    }
  }

  /** False if the browser's pipe is full: send nothing more before it drains. */
  #send(channel: number, message: Buffer): boolean {
    return this.options.output.write(sealEnvelope(channel, message));
  }

  #sendControl(control: ToWorkerControl): void {
    this.#send(CONTROL_CHANNEL, Buffer.from(JSON.stringify(control)));
  }

  /** Resolves when everything sent has left this process, or can no longer leave it. */
  #flush(): Promise<void> {
    const { output } = this.options;
    return new Promise((resolve) => {
      if (output.destroyed || output.writableEnded) return resolve();
      output.once('error', () => resolve());
      output.end(() => resolve());
    });
  }

  #receive(chunk: Buffer): void {
    for (const frame of this.#decoder.push(chunk)) {
      if (this.#isEnding) return;
      const envelope = openEnvelope(frame);
      this.#silentBeats = 0;
      if (envelope.channel === CONTROL_CHANNEL) void this.#onControl(envelope.message);
      // A closed channel may still receive frames: they are dropped.
      else this.#channels.get(envelope.channel)?.send(envelope.toFrame());
    }
  }

  async #onControl(message: Buffer): Promise<void> {
    try {
      const { ToHostControl } = await this.#checks;
      const parsed = ToHostControl.safeParse(parseFrame(message));
      if (!parsed.success)
        throw new SpillwayError('frame_malformed', 'The extension sent an unknown control message.');
      await this.#applyControl(parsed.data);
    } catch (error) {
      this.refuse(toSpillwayError(error));
    }
  }

  async #applyControl(control: ToHostControl): Promise<void> {
    if (control.type === 'hello') return this.#welcome(control);
    if (control.type === 'close') return this.#channels.get(control.channel)?.close(control.reason);
    if (control.type === 'browser') return this.#rename(control.browser);
    if (control.type === 'ping') this.#sendControl({ type: 'pong', id: control.id });
  }

  /** Servers that connect later, and those that look for browsers, see the browser's new name. */
  #rename(browser: WorkerHello['browser']): void {
    if (this.#worker === null || this.#isEnding) return;
    this.#worker = { ...this.#worker, browser };
    this.#endpoint?.register(this.#worker);
  }

  async #welcome(worker: WorkerHello): Promise<void> {
    if (this.#worker !== null || this.#isEnding) return;
    clearTimeout(this.#helloTimer);
    this.#worker = worker;
    const host = { ...WIRE_RANGE, name: 'the native host' };
    const extension = { ...worker.identity.wire, name: 'the extension' };
    if (negotiateWire(host, extension) === null) {
      const message = describeWireMismatch(host, extension);
      leaveRefusal(this.options.env, worker, message);
      throw new SpillwayError('wire_version_mismatch', message);
    }
    const endpoint = await this.#listen(worker);
    if (this.#isEnding) return endpoint.close();
    this.#endpoint = endpoint;
    this.#heartbeat = setInterval(() => this.#beat(), LIMITS.heartbeatIntervalMs);
    this.#lookout = setInterval(() => void this.#registerAgain(), LIMITS.hostLookoutMs);
  }

  /** The bridge directory may be deleted under a running host: without a note, no new server finds it. */
  async #registerAgain(): Promise<void> {
    const [lost, worker] = [this.#endpoint, this.#worker];
    if (lost === null || worker === null || lost.isReachable()) return;
    this.#endpoint = null;
    note('The registration of this host was removed; it registers again.');
    try {
      lost.close();
      const endpoint = await this.#listen(worker);
      if (this.#isEnding) endpoint.close();
      else this.#endpoint = endpoint;
    } catch (error) {
      this.refuse(toSpillwayError(error));
    }
  }

  async #listen(worker: WorkerHello): Promise<Endpoint> {
    const { ServerProof, removeStale } = await this.#checks;
    try {
      const { directory, refused } = openBridgeDirectory(this.options.env);
      for (const reason of refused) note(reason);
      await removeStale(directory);
      forgetRefusal(directory, worker);
      ensureSecret(directory);
      const host = {
        identity: this.#identity,
        // Read again for each server: another host may have replaced a damaged one.
        secret: () => ensureSecret(directory),
        worker: () => this.#worker ?? worker,
        parseServerProof: (value: unknown) => ServerProof.parse(value),
      };
      const onConnection = (socket: Socket): void => {
        this.#links.add(new ServerLink(socket, host, this.#linkEvents));
      };
      return await openEndpoint(directory, host.worker, onConnection);
    } catch (cause) {
      const why = messageOf(cause);
      throw new SpillwayError('upstream_error', `The native host cannot listen: ${why}`, { cause });
    }
  }

  readonly #linkEvents: ServerLinkEvents = {
    onAdmitted: (link, server, wire) => {
      const channel = (this.#lastChannel += 1);
      this.#channels.set(channel, link);
      const { identity, pid, remote } = server;
      this.#sendControl({ type: 'open', channel, server: { ...identity, pid, remote }, wire });
      link.hold(this.#isStdoutFull);
      return channel;
    },
    onMessage: (link, channel, message) => {
      if (bytesOfSealed(channel, message) > LIMITS.bridgeFrameBytes)
        return link.close('frame_too_large: a message from the server does not fit in a frame.');
      if (!this.#send(channel, message)) this.#holdServers(true);
    },
    onClosed: (link, reason) => {
      this.#links.delete(link);
      const { channel } = link;
      if (channel === null) return;
      this.#channels.delete(channel);
      const why = redactMessage(reason);
      note(`channel ${channel} closed: ${why}`);
      if (!this.#isEnding) this.#sendControl({ type: 'close', channel, reason: clipClean(why, 300) });
    },
  };

  /** While the browser's pipe is full, servers wait. */
  #holdServers(isFull: boolean): void {
    this.#isStdoutFull = isFull;
    for (const link of this.#channels.values()) link.hold(isFull);
  }

  #beat(): void {
    this.#silentBeats += 1;
    if (this.#silentBeats > MISSED_HEARTBEATS)
      return this.refuse(new SpillwayError('timeout', 'The extension does not answer heartbeats.'));
    if (this.#silentBeats > 1) this.#sendControl({ type: 'ping', id: this.#silentBeats });
  }
}

/** The refusal counts even if no folder accepts its note. */
function leaveRefusal(env: Environment | undefined, worker: WorkerHello, message: string): void {
  try {
    noteRefusal(openBridgeDirectory(env).directory, worker, message);
  } catch (error) {
    note(`The refusal could not be noted: ${messageOf(error)}`);
  }
}
