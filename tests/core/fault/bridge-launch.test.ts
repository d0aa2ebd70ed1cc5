import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { z } from 'zod';
import { openBidi } from '../../../server/core/bridge/bidi.ts';
import { bidiAddress } from '../../../server/core/bridge/firefox-start.ts';
import { launchBrowser } from '../../../server/core/bridge/launch.ts';
import { BridgeRig, coded, silentLogger } from '../../support/bridge-rig.ts';
import { itDeep } from '../../support/depth.ts';
import { findProcesses, waitForNoProcess } from '../../support/processes.ts';
import { within } from '../../support/within.ts';

/** A browser starts as fast as the machine is. */
vi.mock(import('../../../shared/base/limits.ts'), async (original) => {
  const limits = await original();
  const { LIMITS } = limits;
  return { ...limits, LIMITS: { ...LIMITS, launchTimeoutMs: 300_000 as typeof LIMITS.launchTimeoutMs } };
});

/** A temporary folder of this test: it identifies everything started in it. */
let temporary: string;
let rig: BridgeRig;
const before = process.env['TMPDIR'];
beforeEach(() => {
  temporary = mkdtempSync(join(tmpdir(), 'spl-'));
  process.env['TMPDIR'] = temporary;
  rig = new BridgeRig();
});
afterEach(async () => {
  await rig.close();
  process.env['TMPDIR'] = before ?? '/tmp';
  await waitForNoProcess(temporary);
  rmSync(temporary, { recursive: true, force: true });
});

/** Expects that nobody can take over the browser that listens there, and that no page can connect to it. */
async function expectShut(address: string): Promise<void> {
  const { port } = new URL(address);
  expect(address).toBe(`ws://127.0.0.1:${port}`);
  await expect(openBidi(address)).rejects.toThrow('Maximum number of active sessions');
  for (const headers of [{ origin: 'https://example.com' }, { host: `rebound.example:${port}` }]) {
    const socket = new WebSocket(`${address}/session`, { headers });
    await expect(once(socket, 'open')).rejects.toThrow(/Unexpected server response|socket hang up/);
  }
}

/** Listens as a Firefox does that has its session already. @returns the port */
async function listenAsTaken(): Promise<number> {
  const taken = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  onTestFinished(() => taken.close());
  const refusal = {
    type: 'error',
    error: 'session not created',
    message: 'Maximum number of active sessions',
  };
  taken.on('connection', (socket) =>
    socket.on('message', (data: Buffer) => {
      const { id } = z.object({ id: z.int() }).parse(JSON.parse(data.toString('utf8')));
      socket.send(JSON.stringify({ ...refusal, id }));
    }),
  );
  await once(taken, 'listening');
  return z.object({ port: z.int() }).parse(taken.address()).port;
}

const launchFolders = (): string[] =>
  readdirSync(temporary).filter((name) => name.startsWith('spillway-browser-'));

const launchingBridge = () => rig.readyBridge({ launch: { headless: true } });

/** The pid of the browser's main process: the one that has the profile and no type. */
function browserPid(): number {
  const found = findProcesses(temporary).find(
    ({ command }) => command.includes('--user-data-dir') && !command.includes('--type='),
  );
  if (found === undefined) throw new Error('No browser is running.');
  return found.pid;
}

it.each([
  ['Chromium', null],
  ['Firefox', 'firefox'],
])(
  'a private %s is started once for calls that come together, answers, and exits with the bridge',
  async (_name, browserPath) => {
    const bridge = rig.bridge({ launch: { headless: true, browserPath } });
    expect(launchFolders()).toEqual([]);
    await Promise.all([bridge.ready(), bridge.ready(), bridge.ready()]);
    expect(launchFolders()).toHaveLength(1);
    expect(await bridge.request('b1', 'bridge.echo', { value: 'hé😀' })).toEqual({ value: 'hé😀' });
    const [folder = ''] = launchFolders();
    if (browserPath !== null) await expectShut(bidiAddress(join(temporary, folder, 'profile')) ?? '');
    const { tabs } = await bridge.request('b1', 'tabs.list', {});
    expect(tabs.map((tab) => tab.url)).toEqual(['about:blank']);
    expect(statSync(join(temporary, folder)).mode & 0o777).toBe(0o700);
    await bridge.close();
    // The browser's crash handlers exit on their own once the browser is gone.
    await waitForNoProcess(temporary);
    expect(launchFolders()).toEqual([]);
  },
);

it('a private browser that is no longer needed is not left half started', async () => {
  const controller = new AbortController();
  const launching = launchBrowser({ headless: true, logger: silentLogger, signal: controller.signal });
  const failure = coded(launching.then((launched) => launched.close()));
  controller.abort(
    new (await import('../../../shared/base/errors.ts')).SpillwayError('cancelled', 'No more.'),
  );
  expect((await failure).code).toBe('cancelled');
  expect(launchFolders()).toEqual([]);
});

itDeep(
  'a private browser that is killed fails its calls at once, and the next call has a new one',
  async () => {
    const bridge = await launchingBridge();
    const reader = bridge.stream('b1', 'bridge.flood', { bytes: 2 ** 31 });
    await reader.next();
    process.kill(browserPid(), 'SIGKILL');
    const rest = async (): Promise<void> => {
      while ((await reader.next()).done !== true);
    };
    const failure = await within(200_000, coded(rest()), 'the stream to fail');
    expect(['browser_disconnected', 'stream_corrupt']).toContain(failure.code);
    await bridge.ready();
    const [lost, fresh] = bridge.browsers();
    expect(lost).toMatchObject({ id: 'b1', connected: false });
    expect(fresh).toMatchObject({ id: 'b2', connected: true });
    expect(await bridge.request('b2', 'bridge.echo', { value: 'next' })).toEqual({ value: 'next' });
    expect((await coded(bridge.request('b1', 'bridge.echo', { value: '' }))).code).toBe(
      'browser_disconnected',
    );
  },
);

itDeep.each([
  ['Chromium', []],
  ['Firefox', ['firefox']],
])(
  'a private %s does not outlive a server that is killed, and the next launch clears its profile away',
  async (_name, browser) => {
    const script = join(import.meta.dirname, '../../support/launch-server.ts');
    const child = spawn(process.execPath, ['--import', 'tsx', script, ...browser], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const lines = createInterface({ input: child.stdout });
    const ready = new Promise((resolve) => lines.once('line', resolve));
    const exited = new Promise((resolve) => child.once('exit', resolve));
    expect(await within(300_000, ready, 'the server to be ready')).toBe('ready');
    child.kill('SIGKILL');
    await exited;
    await waitForNoProcess(join(temporary, 'spillway-browser-'));
    const left = launchFolders();
    expect(left).toHaveLength(1);
    await launchingBridge();
    expect(launchFolders()).toHaveLength(1);
    expect(launchFolders()).not.toEqual(left);
  },
);

describe('a launch that cannot work says why', () => {
  const failure = (settings: object): ReturnType<typeof coded> =>
    coded(rig.bridge({ launch: { headless: true, ...settings } }).ready());

  it('without a build', async () => {
    const error = await failure({ extensionDir: join(temporary, 'absent') });
    expect(error.code).toBe('browser_launch_failed');
    expect(error.message).toContain('absent/manifest.json is missing');
  });

  it.each(['firefox:/nowhere/firefox', '/nowhere/firefox'])(
    'with a Firefox that is not there: %s',
    async (browserPath) => {
      const error = await failure({ browserPath });
      expect(error).toMatchObject({ code: 'browser_launch_failed' });
      expect(error.message).toContain('/nowhere/firefox: It is not an executable file.');
      expect(launchFolders()).toEqual([]);
    },
  );

  it('with a Firefox whose only session somebody else has', async () => {
    const port = await listenAsTaken();
    const browserPath = join(temporary, 'firefox');
    const lines = [
      'while [ "$1" != --profile ]; do shift; done',
      `echo '{"ws_host":"127.0.0.1","ws_port":${port}}' >"$2/WebDriverBiDiServer.json"`,
      'exec sleep 60',
    ];
    writeFileSync(browserPath, `#!/bin/sh\n${lines.join('\n')}\n`);
    chmodSync(browserPath, 0o755);
    const error = await failure({ browserPath });
    expect(error.message).toContain('session not created');
    await waitForNoProcess(temporary);
    expect(launchFolders()).toEqual([]);
  });

  it('with a browser that lives but makes no progress any more', async () => {
    const browserPath = join(temporary, 'chromium');
    const log = join(temporary, 'log');
    const lines = [
      'for word in "$@"; do case $word in --user-data-dir=*) profile=${word#*=};; esac; done',
      // Far more often than it must: a busy machine stretches each pause.
      `for n in 1 2 3 4 5 6 7 8 9 10 11 12; do sleep 0.25; : >"$profile/$n"; echo $n >>'${log}'; done`,
      'exec sleep 60',
    ];
    writeFileSync(browserPath, `#!/bin/sh\n${lines.join('\n')}\n`);
    chmodSync(browserPath, 0o755);
    const bridge = rig.bridge({ launch: { headless: true, browserPath }, connectTimeoutMs: 2_000 });
    const error = await coded(bridge.ready());
    expect(error.message).toMatch(/runs \(pid \d+\).*no file for 2000 ms/);
    expect(error.hint).toContain('--connect-timeout-ms');
    expect(readFileSync(log, 'utf8')).toMatch(/\n12\n$/);
  });

  it('with a browser that ends at once', async () => {
    const browserPath = join(temporary, 'chromium');
    writeFileSync(browserPath, '#!/bin/sh\necho "cannot open display" >&2\nexit 1\n');
    chmodSync(browserPath, 0o755);
    const error = await failure({ browserPath });
    expect(error.code).toBe('browser_launch_failed');
    expect(error.message).toContain('cannot open display');
    expect(existsSync(join(temporary, 'run'))).toBe(false);
    expect(launchFolders()).toEqual([]);
  });
});
