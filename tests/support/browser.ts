import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { chromium, type Browser, type BrowserContext } from 'playwright';
import { endedOnce } from './end-of-file.ts';
import { findChromium } from '../../server/core/bridge/chromium.ts';
import { launcherText, hostManifestText, MANIFEST_FILE } from '../../server/core/bridge/launcher.ts';
import { readRegistrations } from '../../server/core/bridge/registrations.ts';
import {
  extensionSwitches,
  QUIET,
  QUIET_PLAYWRIGHT,
  TEST_NAMES,
} from '../../scripts/lib/chromium-switches.ts';
import { waitForNoProcess } from './processes.ts';
import { WorkerScope } from './worker-scope.ts';

const DIST = resolve(import.meta.dirname, '../../dist');
export const BUILT_EXTENSION = join(DIST, 'extension');

/** A host name that leads to loopback and, unlike 127.0.0.1, is not a secure context. */
export const MAPPED_HOST = 'fixture.test';

/** A profile whose native host, ours, registers in a bridge directory of its own. */
export interface TestProfile {
  readonly folder: string;
  readonly profile: string;
  readonly bridgeDirectory: string;
  readonly rules: NonNullable<ProfileRules['rules']>;
  readonly serverEnv: Readonly<Record<string, string>>;
}

export interface LaunchOptions extends ProfileRules {
  readonly args?: readonly string[];
  /** With scrollbars, which Playwright hides though a person's browser has them. */
  readonly scrollbars?: boolean;
  /** The built extension; another folder for an older one. */
  readonly extension?: string;
  /** Further environment variables of the browser, and so of the native host. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Process ids of the native hosts that run and have registered. */
export const liveHosts = (bridgeDirectory: string): readonly number[] =>
  readRegistrations(bridgeDirectory)
    .filter(({ isAlive }) => isAlive)
    .map(({ registration }) => registration.pid);

export interface ProfileRules {
  /**
   * `person`: a person's default rules. `private`: as in a browser that a server launched for itself, everything is
   * allowed, for tests of anything but the rules.
   */
  readonly rules?: 'person' | 'private';
}

/** Makes the profile and installs the native host in it; several profiles may share a bridge directory. */
export function createProfile(
  sharedBridgeDirectory?: string,
  { rules = 'private' }: ProfileRules = {},
): TestProfile {
  const folder = mkdtempSync(join(tmpdir(), 'spillway-test-'));
  const profile = join(folder, 'profile');
  const bridgeDirectory = sharedBridgeDirectory ?? join(folder, 'run');
  const manifests = join(profile, 'NativeMessagingHosts');
  mkdirSync(manifests, { mode: 0o700, recursive: true });
  writeFileSync(join(manifests, MANIFEST_FILE), hostManifestText(launcherOf(folder)), { mode: 0o600 });
  writeLauncher(folder, bridgeDirectory, rules);
  return { folder, profile, bridgeDirectory, rules, serverEnv: { SPILLWAY_BRIDGE_DIR: bridgeDirectory } };
}

export const launcherOf = (folder: string): string => join(folder, 'spillway-host');

/** Makes our host the one that the browser starts, registering in a bridge directory. */
export function writeLauncher(
  folder: string,
  bridgeDirectory: string,
  rules: NonNullable<ProfileRules['rules']>,
): void {
  mkdirSync(bridgeDirectory, { mode: 0o700, recursive: true });
  const facts = {
    node: process.execPath,
    hostScript: join(DIST, 'host.js'),
    bridgeDirectory,
    serverScript: null,
    ...(rules === 'private' && { isPrivate: true as const }),
  };
  writeFileSync(launcherOf(folder), launcherText('linux', facts), { mode: 0o700 });
}

/** Its processes write there until they have ended. */
export async function removeProfile({ folder }: Pick<TestProfile, 'folder'>): Promise<void> {
  await waitForNoProcess(folder);
  rmSync(folder, { recursive: true, force: true });
}

/** @throws if none is installed */
export async function executable(): Promise<string> {
  const path = await findChromium();
  if (path === null) throw new Error('No Chromium was found: npm test installs one.');
  return path;
}

/** A browser under Playwright: its pages can be inspected, and background tabs pretend to be visible. */
export interface TestContext extends TestProfile {
  readonly context: BrowserContext;
  close(): Promise<void>;
}

export async function launchContext(options: LaunchOptions = {}): Promise<TestContext> {
  const { args = [], extension = BUILT_EXTENSION, env = {}, scrollbars = false } = options;
  const profile = createProfile(undefined, options);
  const context = await chromium.launchPersistentContext(profile.profile, {
    executablePath: await executable(),
    headless: true,
    ignoreDefaultArgs: ['--disable-extensions', ...(scrollbars ? ['--hide-scrollbars'] : [])],
    args: [...QUIET_PLAYWRIGHT, TEST_NAMES, ...extensionSwitches(extension), ...args],
    env: { ...process.env, ...env },
  });
  return {
    ...profile,
    context,
    close: endedOnce(async () => {
      await context.close();
      await removeProfile(profile);
    }),
  };
}

/** A browser without other control, as a user has it. */
export interface TestChromium extends TestProfile {
  readonly child: ChildProcess;
  readonly pid: number;
  /** For things that only the extension's worker can see. */
  readonly scope: WorkerScope;
  /** A Playwright connection for looking and acting as a person, never for navigating the tab under test. */
  devtools(): Promise<Browser>;
  /** Ends it at once, as a crash would; the profile stays for the next start. */
  kill(): Promise<void>;
  close(): Promise<void>;
}

export interface SpawnOptions extends LaunchOptions {
  readonly url?: string;
  /** An existing profile: of a browser that was killed, or one that shares a bridge directory. */
  readonly profile?: TestProfile;
}

function debuggingAddress(profile: string): string {
  const [port = '', path = ''] = readFileSync(join(profile, 'DevToolsActivePort'), 'utf8').split('\n');
  return `ws://127.0.0.1:${port}${path}`;
}

/** Time for a browser's first start on a busy machine; servers wait for a browser for less. */
export const START_MS = 60_000;
/** Time for a browser to exit; it may wait for a person's answer to a dialog. */
const END_MS = 10_000;
export const POLL_MS = 50;

/** Starts a browser with the extension by itself, and waits until its native host has registered. */
export async function spawnChromium(options: SpawnOptions = {}): Promise<TestChromium> {
  const { args = [], extension = BUILT_EXTENSION, env = {}, url = 'about:blank' } = options;
  const { folder, profile, bridgeDirectory, rules, serverEnv } =
    options.profile ?? createProfile(undefined, options);
  const switches = [
    `--user-data-dir=${profile}`,
    '--headless=new',
    '--remote-debugging-pipe',
    '--remote-debugging-port=0',
    ...QUIET,
    TEST_NAMES,
    ...extensionSwitches(extension),
  ];
  const before = new Set(liveHosts(bridgeDirectory));
  const child = spawn(await executable(), [...switches, ...args, url], {
    env: { ...process.env, ...env },
    // It exits when the other end of its debugging pipe is closed, even if these tests are killed.
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
    // A process group of its own, so that it can be killed as a whole.
    detached: true,
  });
  for (const stream of child.stdio) stream?.on('error', () => undefined);
  const exited = new Promise<void>((fulfil) => child.once('exit', () => fulfil()));
  const { pid } = child;
  if (pid === undefined) throw new Error('Chromium did not start.');
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) {
      process.kill(-pid, signal);
      const late = setTimeout(() => process.kill(-pid, 'SIGKILL'), END_MS);
      await exited;
      clearTimeout(late);
    }
    // Not the whole folder: a server that uses this browser names it in its environment, and may stay.
    await waitForNoProcess(profile);
  };
  const deadline = performance.now() + START_MS;
  while (!liveHosts(bridgeDirectory).some((host) => !before.has(host))) {
    if (child.exitCode !== null || child.signalCode !== null || performance.now() > deadline) {
      await end('SIGKILL');
      throw new Error(`No native host registered within ${START_MS} ms, or Chromium ended.`);
    }
    await delay(POLL_MS);
  }
  return {
    folder,
    profile,
    bridgeDirectory,
    rules,
    serverEnv,
    child,
    pid,
    scope: new WorkerScope(child),
    devtools: () => chromium.connectOverCDP(debuggingAddress(profile)),
    kill: () => end('SIGKILL'),
    async close() {
      await end('SIGTERM');
      await removeProfile({ folder });
    },
  };
}
