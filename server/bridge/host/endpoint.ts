import { randomBytes } from 'node:crypto';
import { existsSync, renameSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import type { HostRegistration, WorkerHello } from '../../../shared/bridge/hello.ts';
import { PRODUCT, WIRE_RANGE } from '../../../shared/bridge/wire.ts';
import { VERSION } from '../../../shared/version.ts';
import { DRAFT_SUFFIX, REGISTRATION_SUFFIX, removeFile, SOCKET_SUFFIX } from '../directory.ts';
import { ownProcess } from '../../machine/process-identity.ts';

const NAME_BYTES = 8;
const MAX_CONNECTIONS = 256;

/** Where servers reach this host: a private socket and the note that leads to it. */
export class Endpoint {
  readonly #server: Server;
  readonly #socketPath: string;
  readonly #notePath: string;

  private constructor(server: Server, socketPath: string, notePath: string) {
    this.#server = server;
    this.#socketPath = socketPath;
    this.#notePath = notePath;
  }

  /** Listens first and registers then: a note never leads to a socket that is not there yet. */
  static async open(
    directory: string,
    worker: WorkerHello,
    onConnection: (socket: Socket) => void,
  ): Promise<Endpoint> {
    const name = randomBytes(NAME_BYTES).toString('hex');
    const socketPath =
      process.platform === 'win32' ? `\\\\.\\pipe\\spillway-${name}` : join(directory, name + SOCKET_SUFFIX);
    const server = createServer(onConnection);
    server.maxConnections = MAX_CONNECTIONS;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(socketPath, resolve);
    });
    const endpoint = new Endpoint(server, socketPath, join(directory, name + REGISTRATION_SUFFIX));
    endpoint.register(worker);
    return endpoint;
  }

  /** False when someone removed the note or the socket: no new server can find this host. */
  get isReachable(): boolean {
    return existsSync(this.#notePath) && (process.platform === 'win32' || existsSync(this.#socketPath));
  }

  /** Removes note and socket immediately: the host can no longer be found. */
  close(): void {
    removeFile(this.#notePath);
    this.#server.close();
    if (process.platform !== 'win32') removeFile(this.#socketPath);
  }

  /** Writes the note, in the place of the one before: a server finds either of them whole. */
  register(worker: WorkerHello): void {
    const { pid, startTime } = ownProcess();
    const registration: HostRegistration = {
      product: PRODUCT,
      version: VERSION,
      wire: WIRE_RANGE,
      pid,
      start_time: startTime,
      socket: this.#socketPath,
      extension_instance: worker.identity.instance,
      browser: worker.browser,
    };
    const draft = this.#notePath + DRAFT_SUFFIX;
    writeFileSync(draft, JSON.stringify(registration), { mode: 0o600, flag: 'wx' });
    renameSync(draft, this.#notePath);
  }
}
