import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import type { MethodName, MethodParams, MethodResult } from '../../../shared/core/bridge/methods.ts';
import { PRODUCT, WIRE_RANGE, WIRE_VERSION } from '../../../shared/core/bridge/wire.ts';
import { encodeFrame, FrameDecoder } from '../../../server/core/bridge/frames.ts';
import { testFolder } from '../test-folder.ts';

export type Frame = { readonly channel: number; readonly message: Record<string, unknown> };

interface CodedError {
  readonly code: number;
  readonly message: string;
  readonly data?: {
    readonly code: string;
    readonly hint?: string;
    readonly question?: { readonly id: string };
  };
}

export class RpcFailure extends Error {
  readonly code: string;
  readonly hint: string | undefined;
  readonly question: string | undefined;

  constructor(error: CodedError) {
    super(error.message);
    this.code = error.data?.code ?? String(error.code);
    this.hint = error.data?.hint;
    this.question = error.data?.question?.id;
  }
}

export const SPILLWAY_COMMAND = '/opt/node-20/bin/node /home/ada/projects/spillway/dist/index.js';

const identity = {
  product: PRODUCT,
  version: '9.9.9',
  wire: { ...WIRE_RANGE },
  instance: 'test-host-instance',
};

/** One port that the extension opened, seen from the host. */
export class HostPort {
  readonly pid: number;
  readonly origin: string;
  readonly frames: Frame[] = [];
  readonly closed: Promise<void>;
  readonly #socket: Socket;
  readonly #listeners = new Set<(frame: Frame) => void>();
  readonly #calls = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>();
  #isClosed = false;
  #nextId = 1;

  constructor(socket: Socket, about: { pid: number; origin: string }) {
    this.#socket = socket;
    this.pid = about.pid;
    this.origin = about.origin;
    this.closed = new Promise((resolve) => {
      socket.once('close', () => {
        this.#isClosed = true;
        for (const call of this.#calls.values()) call.reject(new Error('The port closed.'));
        resolve();
      });
    });
    socket.on('error', () => socket.destroy());
  }

  receive(body: Buffer): void {
    const frame = JSON.parse(body.toString('utf8')) as Frame;
    const { message } = frame;
    // A stream's chunks go only to listeners: kept, they would fill the memory.
    if (message['seq'] === undefined || message['seq'] === 0) this.frames.push(frame);
    const id = message['id'];
    // The worker asks its server to keep a ledger.
    if (message['method'] === 'ledger.append') this.send(frame.channel, { jsonrpc: '2.0', id, result: {} });
    // A request of the worker may have the number of a call.
    else if (message['jsonrpc'] === '2.0' && message['method'] === undefined && typeof id === 'number') {
      const call = this.#calls.get(id);
      this.#calls.delete(id);
      if (message['error'] === undefined) call?.resolve(message['result']);
      else call?.reject(new RpcFailure(message['error'] as CodedError));
    }
    for (const listener of [...this.#listeners]) listener(frame);
  }

  on(listener: (frame: Frame) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  frame(matches: (frame: Frame) => boolean): Promise<Frame> {
    const there = this.frames.find(matches);
    if (there !== undefined) return Promise.resolve(there);
    return new Promise((resolve, reject) => {
      const off = this.on((frame) => {
        if (!matches(frame)) return;
        off();
        resolve(frame);
      });
      void this.closed.then(() => reject(new Error('The port closed.')));
    });
  }

  send(channel: number, message: object): void {
    this.#socket.write(encodeFrame(JSON.stringify({ channel, message })));
  }

  /** @param isPrivate as in a private launch, where the rules allow everything */
  greet(isPrivate: boolean): void {
    const command = SPILLWAY_COMMAND;
    const entries = ['Codex'];
    const own = { identity, pid: this.pid, command, private: isPrivate, entries };
    this.send(0, { type: 'hello', role: 'host', ...own });
  }

  open(channel = 1): void {
    const server = { ...identity, instance: `test-server-${channel}`, pid: process.pid };
    this.send(0, { type: 'open', channel, server, wire: WIRE_VERSION });
  }

  start(method: string, params: object, channel = 1): { id: number; result: Promise<unknown> } {
    const id = this.#nextId++;
    if (this.#isClosed) return { id, result: Promise.reject(new Error('The port is closed.')) };
    const result = new Promise<unknown>((resolve, reject) => this.#calls.set(id, { resolve, reject }));
    this.send(channel, { jsonrpc: '2.0', id, method, params });
    return { id, result };
  }

  async call<M extends MethodName>(
    method: M,
    params: MethodParams<M>,
    channel = 1,
  ): Promise<MethodResult<M>> {
    return (await this.start(method, params, channel).result) as MethodResult<M>;
  }

  cancel(id: number, channel = 1): void {
    this.send(channel, { jsonrpc: '2.0', method: '$/cancelRequest', params: { id } });
  }
}

/** The listening end: every port the extension opens arrives here. */
export class TestHost {
  readonly socketPath: string;
  readonly ports: HostPort[] = [];
  /** `person`: a person's default rules. `private`: everything is allowed. */
  rules: 'person' | 'private' = 'private';
  readonly #server: Server;
  readonly #waiting = new Set<() => void>();
  readonly #sockets = new Set<Socket>();

  private constructor(server: Server) {
    this.#server = server;
    this.socketPath = join(testFolder(), 'host.sock');
  }

  static async listen(): Promise<TestHost> {
    const server = createServer();
    const host = new TestHost(server);
    server.on('connection', (socket) => host.#accept(socket));
    await new Promise<void>((resolve) => server.listen(host.socketPath, resolve));
    return host;
  }

  /** The port number `count` (from 1) since the start, once its worker has answered. */
  async port(count: number): Promise<HostPort> {
    for (;;) {
      const port = this.ports[count - 1];
      if (port !== undefined) return port;
      await new Promise<void>((resolve) => this.#waiting.add(resolve));
    }
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #accept(socket: Socket): void {
    this.#sockets.add(socket);
    let head = Buffer.alloc(0);
    const readHead = (bytes: Buffer): void => {
      head = Buffer.concat([head, bytes]);
      const end = head.indexOf(10);
      if (end < 0) return;
      socket.off('data', readHead);
      const about = JSON.parse(head.subarray(0, end).toString()) as { pid: number; origin: string };
      this.#begin(new HostPort(socket, about), socket, head.subarray(end + 1));
    };
    socket.on('data', readHead);
  }

  #begin(port: HostPort, socket: Socket, rest: Buffer): void {
    const reader = new FrameDecoder();
    port.on(({ channel, message }) => {
      if (channel !== 0) return;
      this.#answer(port, message);
      if (message['type'] === 'pong') this.#arrived(port);
    });
    const take = (bytes: Buffer): void => {
      for (const body of reader.push(bytes)) port.receive(body);
    };
    socket.on('data', take);
    take(rest);
  }

  #arrived(port: HostPort): void {
    this.ports.push(port);
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }

  #answer(port: HostPort, message: Record<string, unknown>): void {
    if (message['type'] === 'ping') port.send(0, { type: 'pong', id: message['id'] });
    if (message['type'] !== 'hello') return;
    port.greet(this.rules === 'private');
    // A host may start for a worker that has ended meanwhile. That one sends no answer.
    port.send(0, { type: 'ping', id: 1 });
  }
}
