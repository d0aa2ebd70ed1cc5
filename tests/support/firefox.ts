import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { DEFAULT_WINDOW_SIZE } from '../../shared/base/limits.ts';
import { FIREFOX_ID } from '../../shared/core/bridge/wire.ts';
import { findFirefox } from '../../scripts/lib/firefox.mjs';
import { openBidi, type BidiSession } from '../../server/core/bridge/bidi.ts';
import {
  bidiAddress,
  firefoxCommand,
  MANIFESTS_BELOW_HOME,
  writePreferences,
} from '../../server/core/bridge/firefox-start.ts';
import { hostManifestText, MANIFEST_FILE } from '../../server/core/bridge/launcher.ts';
import {
  launcherOf,
  liveHosts,
  POLL_MS,
  removeProfile,
  START_MS,
  writeLauncher,
  type ProfileRules,
} from './browser.ts';
import { endedOnce } from './end-of-file.ts';
import { FirefoxScope } from './firefox-scope.ts';

const EXTENSION = resolve(import.meta.dirname, '../../dist/firefox');

const UUID = 'b5a1fe1e-7d2c-4c7e-9d0a-5f7c3f5d1b0a';

const PREFERENCES = {
  // Its pages have an address that tests know.
  'extensions.webextensions.uuids': JSON.stringify({ [FIREFOX_ID]: UUID }),
  'extensions.webextOptionalPermissionPrompts': false,
};

/** A Firefox with the built extension, as a person has it, and a connection for looking into it. */
export interface TestFirefox {
  readonly pid: number;
  readonly serverEnv: Readonly<Record<string, string>>;
  readonly scope: FirefoxScope;
  /** Gives the extension an optional permission. */
  grant(permission: string): Promise<void>;
  close(): Promise<void>;
}

interface FirefoxOptions extends ProfileRules {
  /** Of a browser that the same server uses too. */
  readonly serverEnv?: Readonly<Record<string, string>>;
  /** Dialogs stay open until {@link FirefoxScope.answerDialog}. */
  readonly keepsDialogs?: boolean;
}

/** Starts a headless Firefox with a profile of its own, and waits until its native host has registered. */
export async function spawnFirefox(options: FirefoxOptions = {}): Promise<TestFirefox> {
  const { rules = 'private', keepsDialogs = false } = options;
  const executable = findFirefox();
  if (executable === null) throw new Error('No Firefox was found: npm test installs one.');
  const folder = mkdtempSync(join(tmpdir(), 'spillway-firefox-'));
  const profile = join(folder, 'profile');
  const bridgeDirectory = options.serverEnv?.['SPILLWAY_BRIDGE_DIR'] ?? join(folder, 'run');
  const { length: others } = liveHosts(bridgeDirectory);
  const manifests = join(folder, MANIFESTS_BELOW_HOME);
  for (const path of [profile, manifests]) mkdirSync(path, { recursive: true, mode: 0o700 });
  writeFileSync(join(manifests, MANIFEST_FILE), hostManifestText(launcherOf(folder), 'firefox'));
  writeLauncher(folder, bridgeDirectory, rules);
  writePreferences(profile, PREFERENCES);
  const { command, env } = firefoxCommand({
    ...{ executable, folder, profile, headless: true, windowSize: DEFAULT_WINDOW_SIZE },
    args: ['--remote-allow-system-access'],
  });
  const [program = '', ...args] = command;
  // A process group of its own, to end it as a whole.
  const child = spawn(program, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const exited = new Promise((fulfil) => child.once('exit', fulfil));
  const { pid } = child;
  if (pid === undefined) throw new Error(`${executable} did not start.`);
  let bidi: BidiSession | null = null;
  const close = endedOnce(async () => {
    bidi?.close();
    process.kill(-pid, 'SIGTERM');
    await exited;
    await removeProfile({ folder });
  });
  const within = async <T>(look: () => T | null, lack: string): Promise<T> => {
    for (const deadline = performance.now() + START_MS; ; await delay(POLL_MS)) {
      const found = look();
      if (found !== null) return found;
      if (child.exitCode === null && performance.now() <= deadline) continue;
      await close();
      throw new Error(`Firefox ${lack} within ${START_MS} ms, or ended.`);
    }
  };
  const address = await within(() => bidiAddress(profile), 'took no commands');
  bidi = await openBidi(address, keepsDialogs ? { unhandledPromptBehavior: { default: 'ignore' } } : {});
  const scope = new FirefoxScope(bidi);
  await scope.inBrowser(MAP_NAMES);
  await bidi.send('webExtension.install', { extensionData: { type: 'path', path: EXTENSION } });
  await within(() => liveHosts(bridgeDirectory).length > others || null, 'registered no native host');
  const serverEnv = { SPILLWAY_BRIDGE_DIR: bridgeDirectory };
  return {
    ...{ pid, serverEnv, scope, close },
    grant: async (permission) => void (await scope.inBrowser(GRANT(permission))),
  };
}

/** A Firefox for a server to start, for which all names lead here. */
export function namingFirefox(): Pick<TestFirefox, 'serverEnv' | 'close'> {
  const folder = mkdtempSync(join(tmpdir(), 'spillway-named-'));
  const path = join(folder, 'firefox');
  const preference = `user_pref("network.dns.forceResolve", "127.0.0.1");`;
  const program = `#!/bin/sh\necho '${preference}' >> "$HOME/profile/user.js"\nexec '${findFirefox()}' "$@"\n`;
  writeFileSync(path, program, { mode: 0o700 });
  const close = async (): Promise<void> => rmSync(folder, { recursive: true, force: true });
  return { serverEnv: { SPILLWAY_FIREFOX: path }, close };
}

/** Has names of the fixtures lead here, as Chromium's TEST_NAMES: the list of a preference takes no pattern. */
const MAP_NAMES = `(() => {
  const names = Components.classes['@mozilla.org/network/native-dns-override;1'].getService(Ci.nsINativeDNSResolverOverride);
  Services.obs.addObserver((channel) => {
    const { host } = channel.QueryInterface(Ci.nsIHttpChannel).URI;
    if (host.endsWith('.test')) names.addIPOverride(host, '127.0.0.1');
  }, 'http-on-opening-request');
  return '';
})()`;

const GRANT = (permission: string): string => `(async () => {
  const { ExtensionPermissions } = ChromeUtils.importESModule('resource://gre/modules/ExtensionPermissions.sys.mjs');
  const { extension } = WebExtensionPolicy.getByID('${FIREFOX_ID}');
  await ExtensionPermissions.add('${FIREFOX_ID}', { permissions: ['${permission}'], origins: [], data_collection: [] }, extension);
  return '';
})()`;
