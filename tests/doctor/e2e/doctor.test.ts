import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createBridge } from '../../../server/core/bridge/index.ts';
import { readRegistrations } from '../../../server/core/bridge/registrations.ts';
import type { HopReport } from '../../../server/core/hop.ts';
import type { DoctorReport } from '../../../server/doctor/hop.ts';
import { extensionSwitches, QUIET } from '../../../scripts/lib/chromium-switches.ts';
import { executable } from '../../support/browser.ts';
import { PATIENCE } from '../../support/patience.ts';
import { waitForNoProcess } from '../../support/processes.ts';

/*
 * As a person does it: install into a home of their own, a browser that looks up its native host there, and doctor
 * after every step. The home's name breaks careless quoting.
 */

const PROGRAM = resolve(import.meta.dirname, '../../../dist/index.js');
const root = mkdtempSync(join(tmpdir(), 'spw-e2e-'));
const user = join(root, `Zoë's "home" $HOME`);
const home = join(user, '.spillway');
const profile = join(user, '.config', 'chromium');
const bridgeDirectory = join(root, 'run');
const bin = join(root, 'bin');
const env = {
  HOME: user,
  PATH: `${bin}:/usr/bin:/bin`,
  SPILLWAY_BRIDGE_DIR: bridgeDirectory,
  // As in an editor's shell; it must not reach the host.
  NODE_OPTIONS: '--no-warnings',
  // Chromium finds no extension in a folder with letters beyond ASCII under the C locale.
  LANG: 'C.UTF-8',
};

type Answer = { readonly code: number; readonly stdout: string };

const spillway = (...args: string[]): Promise<Answer> =>
  new Promise((done) => {
    const child = execFile(process.execPath, [PROGRAM, ...args], { env }, (_error, stdout) =>
      done({ code: child.exitCode ?? -1, stdout }),
    );
  });

async function doctor(...args: string[]): Promise<DoctorReport> {
  const { code, stdout } = await spillway('doctor', '--json', ...args);
  const report = JSON.parse(stdout) as DoctorReport;
  expect(code).toBe(report.ok ? 0 : 1);
  return report;
}

const failedHop = (report: DoctorReport): HopReport | undefined =>
  report.hops.find((hop) => hop.status === 'failed');

const liveHost = (): Promise<number> =>
  vi.waitFor(() => {
    const host = readRegistrations(bridgeDirectory).find(({ isAlive }) => isAlive);
    if (host === undefined) throw new Error('No native host has started.');
    return host.registration.pid;
  }, PATIENCE);

let chromium: string;
let browser: ChildProcess | null = null;

async function startBrowser(): Promise<number> {
  browser = spawn(
    chromium,
    [
      '--headless=new',
      // Where a browser of this user keeps its data, and looks for native hosts.
      `--user-data-dir=${profile}`,
      ...extensionSwitches(join(home, 'extension')),
      ...QUIET,
      'about:blank',
    ],
    { env, stdio: 'ignore', detached: true },
  );
  return liveHost();
}

async function killBrowser(): Promise<void> {
  const pid = browser?.pid;
  browser = null;
  if (pid === undefined) return;
  process.kill(-pid, 'SIGKILL');
  await waitForNoProcess(root);
}

beforeAll(async () => {
  chromium = await executable();
  for (const folder of [user, bin]) mkdirSync(folder, { recursive: true });
  symlinkSync(chromium, join(bin, 'chromium'));
});

afterAll(async () => {
  await killBrowser();
  rmSync(root, { recursive: true, force: true, maxRetries: 5 });
});

it('from nothing to a page and back names the missing manifest first; after the install it finds that no browser runs', async () => {
  expect(await doctor('--browser', 'chromium')).toMatchObject({ failed: 'host_manifest' });
  const { code, stdout } = await spillway('install', '--browser', 'chromium', '--json');
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ home, browsers: [{ browser: 'chromium', status: 'ready' }] });
  const hop = failedHop(await doctor('--browser', 'chromium'));
  expect(hop).toMatchObject({ id: 'host_process', code: 'browser_not_connected' });
  expect(hop?.evidence.join(' ')).toMatch(/the launcher starts host .* Chromium does not run\./);
});

it('from nothing to a page and back proves every hop once a browser runs, and leaves its tabs as they were', async () => {
  await startBrowser();
  const before = await tabs();
  const report = await doctor('--browser', 'chromium');
  expect(report.hops.filter((hop) => hop.status !== 'ok')).toEqual([]);
  expect(report).toMatchObject({ ok: true, failed: null });
  expect(await tabs()).toEqual(before);
});

it('from nothing to a page and back uninstalls to the last file', async () => {
  await killBrowser();
  expect((await spillway('uninstall', '--purge')).code).toBe(0);
  expect(existsSync(home)).toBe(false);
  expect(existsSync(join(profile, 'NativeMessagingHosts'))).toBe(false);
});

async function tabs(): Promise<unknown> {
  const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
  const clock = { now: () => Date.now(), monotonic: () => performance.now() };
  const bridge = createBridge({ logger: quiet, clock, directory: bridgeDirectory });
  try {
    await bridge.ready();
    const [first] = bridge.browsers();
    if (first === undefined) throw new Error('No browser is connected.');
    const { tabs: open } = await bridge.request(first.id, 'tabs.list', {});
    return open.map(({ id, url, active }) => ({ id, url, active }));
  } finally {
    await bridge.close();
  }
}
