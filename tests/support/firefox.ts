import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { FIREFOX_ID } from '../../shared/core/bridge/wire.ts';
import { findFirefox } from '../../scripts/lib/firefox.mjs';
import { hostManifestText, MANIFEST_FILE } from '../../server/core/bridge/launcher.ts';
import { openBidi, type BidiSession } from './bidi.ts';
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
  'browser.shell.checkDefaultBrowser': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'app.normandy.enabled': false,
  // Its pages have an address that tests know.
  'extensions.webextensions.uuids': JSON.stringify({ [FIREFOX_ID]: UUID }),
  'extensions.webextOptionalPermissionPrompts': false,
};

/** A browser that ends, with all its processes, when the other end of a pipe is closed, even if these tests are killed. */
const WATCHED = '(cat >/dev/null; kill -9 -$$) <&3 & exec "$@" 3<&-';

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
  const manifests = join(folder, '.mozilla/native-messaging-hosts');
  for (const path of [profile, manifests]) mkdirSync(path, { recursive: true, mode: 0o700 });
  writeFileSync(join(manifests, MANIFEST_FILE), hostManifestText(launcherOf(folder), 'firefox'));
  writeLauncher(folder, bridgeDirectory, rules);
  const preferences = Object.entries(PREFERENCES).map(
    ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`,
  );
  writeFileSync(join(profile, 'user.js'), preferences.join(''));
  const size = { MOZ_HEADLESS_WIDTH: '1280', MOZ_HEADLESS_HEIGHT: '900' };
  const child = spawn(
    '/bin/sh',
    [
      ...['-c', WATCHED, 'firefox', executable],
      '--headless',
      '--no-remote',
      '--profile',
      profile,
      '--remote-debugging-port=0',
      '--remote-allow-system-access',
      'about:blank',
    ],
    // Firefox finds the host's manifest below the home. A process group of its own, to end it as a whole.
    {
      env: { ...process.env, ...size, HOME: folder },
      stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
      detached: true,
    },
  );
  const exited = new Promise((fulfil) => child.once('exit', fulfil));
  const { pid, stderr } = child;
  if (pid === undefined || stderr === null) throw new Error(`${executable} did not start.`);
  let bidi: BidiSession | null = null;
  const close = endedOnce(async () => {
    bidi?.close();
    process.kill(-pid, 'SIGTERM');
    await exited;
    await removeProfile({ folder });
  });
  const prompts = keepsDialogs ? { unhandledPromptBehavior: { default: 'ignore' } } : {};
  bidi = await openBidi(await addressIn(stderr), prompts);
  const scope = new FirefoxScope(bidi);
  await scope.inBrowser(MAP_NAMES);
  await bidi.send('webExtension.install', { extensionData: { type: 'path', path: EXTENSION } });
  for (const deadline = performance.now() + START_MS; liveHosts(bridgeDirectory).length === others;) {
    if (performance.now() > deadline) {
      await close();
      throw new Error(`No native host registered within ${START_MS} ms.`);
    }
    await delay(POLL_MS);
  }
  const serverEnv = { SPILLWAY_BRIDGE_DIR: bridgeDirectory };
  return {
    ...{ pid, serverEnv, scope, close },
    grant: async (permission) => void (await scope.inBrowser(GRANT(permission))),
  };
}

/** The address that a starting Firefox prints. @throws Error with its output, if it ends first */
async function addressIn(output: NodeJS.ReadableStream): Promise<string> {
  let printed = '';
  for await (const chunk of output) {
    printed += String(chunk);
    const address = /WebDriver BiDi listening on (ws:\/\/\S+)/.exec(printed)?.[1];
    // The rest is read too: a full pipe would stop the browser.
    if (address !== undefined) {
      output.resume();
      return address;
    }
  }
  throw new Error(`Firefox ended: ${printed}`);
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
