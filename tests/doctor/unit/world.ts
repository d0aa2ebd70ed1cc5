import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { once } from 'node:events';
import { ServerProof, type HostRegistration, type WorkerHello } from '../../../shared/core/bridge/hello.ts';
import { HOST_NAME, PRODUCT, WIRE_RANGE, type WireRange } from '../../../shared/core/bridge/wire.ts';
import { VERSION } from '../../../shared/base/version.ts';
import { ensureSecret } from '../../../server/core/bridge/directory.ts';
import { ServerLink } from '../../../server/core/bridge/host/server-link.ts';
import { nodeFiles, type Files, type Machine, runCommand } from '../../../server/core/bridge/machine.ts';
import { install } from '../../../server/install/install.ts';
import { ownProcess } from '../../../server/core/machine/process-identity.ts';
import { type TabInfo } from '../../../shared/core/bridge/page.ts';
import type { Bridge } from '../../../server/core/services.ts';
import { Findings, type DoctorContext, type DoctorReport } from '../../../server/doctor/hop.ts';
import { encodeFrame } from '../../../server/core/bridge/frames.ts';
import { diagnose, hopsFor } from '../../../server/doctor/doctor.ts';
import { browserState, FakeBridge } from '../../support/fake-bridge.ts';
import { pageFacts, tabInfo } from '../../support/fake-tabs.ts';
import { PATIENCE } from '../../support/patience.ts';
import { testFolder } from '../../support/test-folder.ts';

const EXTENSION_MANIFEST = join(import.meta.dirname, '../../../extension/core/public/manifest.json');
const INSTANCE = 'worker-of-the-test';

const HOST_HELLO = {
  type: 'hello',
  role: 'host',
  pid: process.pid,
  identity: { product: PRODUCT, version: VERSION, wire: { min: 1, max: 1 }, instance: 'host-of-the-test' },
};
/** Bytes in the syntax of a shell's `printf`. */
const octal = (bytes: Buffer): string =>
  [...bytes].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');
/** A host program that sends hello and ends with its input, as the real one does; a shell starts faster than Node. */
const HOST_SCRIPT = `printf '${octal(encodeFrame(JSON.stringify({ channel: 0, message: HOST_HELLO })))}'
cat >/dev/null
`;

export interface BridgeBehaviour {
  echo?: (value: string) => Promise<string>;
  read?: (url: string) => Promise<string>;
  describes?: { readonly debugging_cancelled?: boolean; readonly has_site_access?: boolean };
}

/** A whole chain in one temporary folder: every part works until a test breaks it. */
export class World {
  readonly root = testFolder();
  readonly userHome = join(this.root, 'user');
  readonly home = join(this.userHome, '.spillway');
  readonly dist = join(this.root, 'dist');
  readonly bridgeDirectory = join(this.root, 'run');
  readonly manifest = join(this.userHome, '.config/chromium/NativeMessagingHosts', `${HOST_NAME}.json`);
  readonly launcher = join(this.home, 'host', 'spillway-host');
  readonly host = join(this.home, 'host', 'host.mjs');
  readonly node = join(this.root, 'bin', 'node');
  readonly machine: Machine = {
    platform: 'linux',
    env: { PATH: join(this.root, 'bin') },
    userHome: this.userHome,
  };
  /** Isolated: the machine's own browsers and policies are invisible. */
  readonly files: Files = within(this.root);
  readonly opened: string[] = [];
  readonly closed: number[] = [];
  bridgeBehaviour: BridgeBehaviour = {};
  readonly #servers: Server[] = [];
  readonly #sockets = new Set<Socket>();

  static async working(): Promise<World> {
    const world = new World();
    world.put(join(world.userHome, '.config/chromium/Local State'), '{}');
    world.put(join(world.root, 'bin', 'chromium'), '#!/bin/sh\nexit 0\n', 0o755);
    world.put(world.node, '#!/bin/sh\nexec /bin/sh "$@"\n', 0o755);
    for (const name of ['index.js', 'extension/worker.js', 'extension/page.js'])
      world.put(join(world.dist, name), '');
    world.put(join(world.dist, 'host.js'), HOST_SCRIPT);
    world.put(
      join(world.dist, 'extension', 'manifest.json'),
      readFileSync(EXTENSION_MANIFEST, 'utf8').replace('{', `{ "version": "${VERSION}",`),
    );
    await world.install();
    mkdirSync(world.bridgeDirectory, { mode: 0o700 });
    return world;
  }

  async install(): Promise<void> {
    await install({
      machine: this.machine,
      files: this.files,
      run: runCommand,
      home: this.home,
      node: this.node,
      distDirectory: this.dist,
      bridgeDirectory: this.bridgeDirectory,
      browsers: ['chromium'],
    });
  }

  put(path: string, content: string, mode = 0o644): void {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(path, content);
    chmodSync(path, mode);
  }

  /** A registered host whose socket runs `onConnection`; by default the real handshake. */
  async listen(
    options: {
      secret?: string;
      wire?: WireRange;
      pid?: number;
      instance?: string;
      onConnection?: (socket: Socket) => void;
    } = {},
  ): Promise<HostRegistration> {
    const secret = options.secret ?? ensureSecret(this.bridgeDirectory);
    const wire = options.wire ?? WIRE_RANGE;
    const name = randomBytes(8).toString('hex');
    const registration: HostRegistration = {
      product: PRODUCT,
      version: VERSION,
      wire,
      pid: options.pid ?? process.pid,
      start_time: ownProcess().startTime,
      socket: join(this.bridgeDirectory, `${name}.sock`),
      extension_instance: options.instance ?? INSTANCE,
      browser: { name: 'Chromium', version: '156', label: null },
    };
    const worker: WorkerHello = {
      type: 'hello',
      role: 'extension',
      identity: { product: PRODUCT, version: VERSION, wire, instance: INSTANCE },
      browser: registration.browser,
    };
    const identity = { ...worker.identity, instance: 'host-of-the-test' };
    const host = {
      identity,
      secret: () => secret,
      worker: () => worker,
      parseServerProof: (value: unknown) => ServerProof.parse(value),
    };
    const nothing = { onAdmitted: () => 1, onMessage: () => {}, onClosed: () => {} };
    const admit = (socket: Socket): void => void new ServerLink(socket, host, nothing);
    const server = createServer((socket) => {
      this.#sockets.add(socket);
      // A peer that hangs up on an invalid frame resets the connection.
      socket.on('error', () => socket.destroy());
      (options.onConnection ?? admit)(socket);
    });
    server.listen(registration.socket);
    await once(server, 'listening');
    this.#servers.push(server);
    writeFileSync(join(this.bridgeDirectory, `${name}.json`), JSON.stringify(registration));
    return registration;
  }

  diagnose(changes: Partial<DoctorContext> = {}): Promise<DoctorReport> {
    return diagnose(hopsFor(null), {
      machine: this.machine,
      files: this.files,
      run: runCommand,
      home: this.home,
      distDirectory: this.dist,
      node: { version: process.version, path: process.execPath },
      browsers: ['chromium'],
      outputMaxBytes: 1_000,
      connectTimeoutMs: PATIENCE.timeout,
      bridgeDirectories: [this.bridgeDirectory],
      bridge: () => this.#bridge(),
      findings: new Findings(),
      ...changes,
    });
  }

  dispose(): void {
    for (const socket of this.#sockets) socket.destroy();
    for (const server of this.#servers) server.close();
  }

  /** Stops listening without a trace in the folder, as a killed host does. */
  async kill(registration: HostRegistration): Promise<void> {
    for (const server of this.#servers) server.close();
    const open = this.#servers.filter((server) => server.listening);
    await Promise.all(open.map((server) => once(server, 'close')));
    // Node removes the socket's file; a killed process does not.
    writeFileSync(registration.socket, '');
  }

  #bridge(): Bridge {
    const { echo = async (value: string) => value, read = fetchText, describes = {} } = this.bridgeBehaviour;
    const tabOf = (id: number): TabInfo => tabInfo({ id, url: this.opened[id - 1] ?? '' });
    const bridge = new FakeBridge({
      'bridge.echo': async ({ value }) => ({ value: await echo(value) }),
      'browser.describe': async () => ({
        browser: { name: 'Chromium', version: '156', label: null },
        extension_version: VERSION,
        tabs: 1,
        worker_started_at: 0,
        reconnects: 0,
        ...describes,
      }),
      'page.navigate': async ({ url = '' }) => ({
        tab: tabOf(this.opened.push(url)),
        status: 200,
        redirects: [],
      }),
      'page.read': async function* ({ tab_id }) {
        const page = tabOf(tab_id);
        yield await read(page.url);
        return { page: pageFacts(page), coverage: [], hidden_elements: 0, main_content: 'not_asked' };
      },
      'tabs.close': async ({ tab_id }) => {
        this.closed.push(tab_id);
        return {};
      },
    });
    bridge.change(browserState({ instance: INSTANCE, extensionVersion: VERSION, hostVersion: VERSION }));
    return bridge;
  }
}

const fetchText = async (url: string): Promise<string> => (await fetch(url)).text();

/** The real file system, limited to `root`. */
function within(root: string): Files {
  const isInside = (path: string): boolean => path.startsWith(root);
  return {
    ...nodeFiles,
    read: async (path) => (isInside(path) ? nodeFiles.read(path) : null),
    mode: async (path) => (isInside(path) ? nodeFiles.mode(path) : null),
    list: async (path) => (isInside(path) ? nodeFiles.list(path) : null),
    isExecutable: async (path) => isInside(path) && nodeFiles.isExecutable(path),
  };
}
