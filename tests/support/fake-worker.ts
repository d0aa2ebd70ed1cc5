import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { PassThrough, type Readable, type Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { echo, flood } from '../../extension/core/worker/bridge-handlers.ts';
import { openPolicy } from './open-policy.ts';
import type { CallGuard } from '../../extension/core/link/dispatch.ts';
import type { Handlers, ServerPort } from '../../extension/core/handler.ts';
import { ServerChannel } from '../../extension/core/link/server-channel.ts';
import { BRIDGE_DIR_VARIABLE } from '../../server/core/bridge/directory.ts';
import { NativeHost } from '../../server/core/bridge/host/native-host.ts';
import { encodeFrame, FrameDecoder, parseFrame } from '../../server/core/bridge/frames.ts';
import { readRegistrations } from '../../server/core/bridge/registrations.ts';
import { ToWorkerControl, type WorkerHello } from '../../shared/core/bridge/hello.ts';
import { EXTENSION_ID, PRODUCT, WIRE_RANGE, type WireRange } from '../../shared/core/bridge/wire.ts';
import { SpillwayError } from '../../shared/base/errors.ts';
import { within } from './within.ts';
import { built } from '../../scripts/lib/server-process.ts';

const ROOT = join(import.meta.dirname, '../..');
/** The built host, as browsers start it: it is ready in a fifth of the time that its sources take. */
const HOST_ENTRY = join(ROOT, 'dist/host.js');
const OWN_ORIGIN = `chrome-extension://${EXTENSION_ID}/`;
/** Longer than any deadline of the host's own. */
const WAIT_MS = 60_000;
const POLL_MS = 5;

export interface FakeWorkerOptions {
  readonly directory: string;
  /** The host runs in this process, which takes a tenth of the time: for tests that do not end it. */
  readonly isHostHere?: boolean;
  readonly origin?: string;
  readonly instance?: string;
  readonly wire?: WireRange;
  readonly handlers?: Partial<Handlers>;
  readonly guard?: CallGuard;
  readonly onServer?: (server: ServerPort) => void;
  readonly tamper?: (message: object) => object | null;
}

type Distributed<C, T> = C extends { type: infer K } ? (T extends K ? C : never) : never;
type ControlOf<T> = Distributed<ToWorkerControl, T>;

export type HostExit = { readonly code: number | null; readonly signal: NodeJS.Signals | null };

/**
 * A browser with our extension, as far as the native host can tell: it starts the host and speaks the worker's side of
 * native messaging with the extension's own channel code. Checks that the host's whole standard output consists of
 * frames.
 */
export class FakeWorker {
  /** Undefined when the host runs in this process. */
  readonly child: ChildProcess | undefined;
  readonly exited: Promise<HostExit>;
  readonly controls: ToWorkerControl[] = [];
  readonly channels = new Map<number, ServerChannel>();
  stderr = '';
  /** Set if the host wrote anything but whole frames. */
  outputError: unknown = null;
  readonly #options: FakeWorkerOptions;
  readonly #instance: string;
  readonly #toHost: Writable;
  readonly #decoder = new FrameDecoder();

  constructor(options: FakeWorkerOptions) {
    this.#options = options;
    this.#instance = options.instance ?? randomUUID();
    if (options.isHostHere === true) {
      const [input, output] = [new PassThrough(), new PassThrough()];
      const env = { [BRIDGE_DIR_VARIABLE]: options.directory };
      this.exited = new Promise((resolve) => {
        const exit = (code: number): void => resolve({ code, signal: null });
        this.#read(output);
        void new NativeHost({ input, output, exit, env });
      });
      this.#toHost = input;
      return;
    }
    const child = spawn(process.execPath, [built(HOST_ENTRY), options.origin ?? OWN_ORIGIN], {
      cwd: ROOT,
      env: { ...process.env, [BRIDGE_DIR_VARIABLE]: options.directory },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    this.child = child;
    this.exited = new Promise((resolve) => {
      child.once('close', (code, signal) => {
        this.#checkEnd();
        resolve({ code, signal });
      });
    });
    this.#toHost = child.stdin;
    this.#toHost.on('error', () => undefined);
    child.stderr.on('data', (chunk: Buffer) => (this.stderr += chunk.toString()));
    this.#read(child.stdout);
  }

  /** A worker that has sent hello and whose host listens. */
  static async connect(options: FakeWorkerOptions): Promise<FakeWorker> {
    const worker = new FakeWorker(options);
    worker.sayHello();
    await worker.control('hello');
    await worker.listening();
    return worker;
  }

  get pid(): number {
    return this.child === undefined ? process.pid : (this.child.pid ?? -1);
  }

  get hello(): WorkerHello {
    const { wire } = this.#options;
    return {
      type: 'hello',
      role: 'extension',
      identity: { product: PRODUCT, version: '0.1.0', wire: wire ?? WIRE_RANGE, instance: this.#instance },
      browser: { name: 'Fake', version: '1.0', label: null },
    };
  }

  sayHello(): void {
    this.send(0, this.hello);
  }

  send(channel: number, message: object): void {
    this.write(encodeFrame(JSON.stringify({ channel, message }), 2 ** 30));
  }

  write(bytes: Uint8Array): void {
    this.#toHost.write(bytes);
  }

  hangUp(): void {
    this.#toHost.end();
  }

  kill(signal: NodeJS.Signals): void {
    this.child?.kill(signal);
  }

  async control<T extends ToWorkerControl['type']>(type: T, count = 1): Promise<ControlOf<T>> {
    const find = (): ToWorkerControl | undefined =>
      this.controls.filter((control) => control.type === type)[count - 1];
    await this.until(() => find() !== undefined, `control message "${type}"`);
    return find() as ControlOf<T>;
  }

  /** Waits until the host listens: it answers pings in order, after handling the hello. */
  async listening(): Promise<void> {
    const before = this.controls.filter((control) => control.type === 'pong').length;
    this.send(0, { type: 'ping', id: 1 });
    await this.control('pong', before + 1);
    await this.until(() => this.#isRegistered, 'registration');
  }

  async until(isTrue: () => boolean, what: string): Promise<void> {
    const deadline = performance.now() + WAIT_MS;
    while (!isTrue()) {
      if (performance.now() > deadline) throw new Error(`No ${what} within ${WAIT_MS} ms. ${this.stderr}`);
      await delay(POLL_MS);
    }
  }

  async close(): Promise<HostExit> {
    this.kill('SIGCONT');
    this.hangUp();
    try {
      return await within(60_000, this.exited, 'the host to end');
    } finally {
      this.kill('SIGKILL');
    }
  }

  #read(output: Readable): void {
    output.on('data', (chunk: Buffer) => {
      try {
        for (const frame of this.#decoder.push(chunk)) this.#receive(parseFrame(frame));
      } catch (error) {
        this.outputError ??= error;
      }
    });
  }

  #receive(envelope: unknown): void {
    const { channel, message } = envelope as { channel: number; message: unknown };
    if (channel !== 0) return this.channels.get(channel)?.receive(message);
    const control = ToWorkerControl.parse(message);
    this.controls.push(control);
    if (control.type === 'ping') this.send(0, { type: 'pong', id: control.id });
    if (control.type === 'open') {
      const send = (outgoing: object): void => {
        const passed = this.#options.tamper === undefined ? outgoing : this.#options.tamper(outgoing);
        if (passed !== null) this.send(control.channel, passed);
      };
      const handlers = {
        'bridge.echo': echo,
        'bridge.flood': flood,
        'server.clients': () => Promise.resolve({}),
        ...this.#options.handlers,
      };
      this.channels.set(
        control.channel,
        new ServerChannel({
          open: control,
          handlers: (server) => {
            this.#options.onServer?.(server);
            return handlers as Handlers;
          },
          guard: this.#options.guard,
          policy: { call: () => openPolicy },
          send,
        }),
      );
    }
    if (control.type === 'close') {
      this.channels.get(control.channel)?.close(new SpillwayError('browser_disconnected', control.reason));
      this.channels.delete(control.channel);
    }
  }

  get #isRegistered(): boolean {
    return readRegistrations(this.#options.directory).some(
      ({ registration }) =>
        registration.pid === this.pid && registration.extension_instance === this.#instance,
    );
  }

  #checkEnd(): void {
    try {
      this.#decoder.end();
    } catch (error) {
      this.outputError ??= error;
    }
  }
}
