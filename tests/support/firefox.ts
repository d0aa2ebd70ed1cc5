import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { vi } from 'vitest';
import { z } from 'zod';
import { FIREFOX_ID } from '../../shared/bridge/wire.ts';
import { findFirefox } from '../../scripts/lib/firefox.mjs';
import { hostManifestText, MANIFEST_FILE } from '../../server/bridge/install/launcher.ts';
import { openBidi, type BidiSession } from './bidi.ts';
import { launcherOf, liveHosts, removeProfile, writeLauncher, type ProfileRules } from './browser.ts';
import { endedOnce } from './end-of-file.ts';
import { PATIENCE } from './patience.ts';

const EXTENSION = resolve(import.meta.dirname, '../../dist/firefox');

const UUID = 'b5a1fe1e-7d2c-4c7e-9d0a-5f7c3f5d1b0a';
const EXTENSION_PAGES = `moz-extension://${UUID}`;

/** Names of the fixtures, as Chromium's TEST_NAMES: Firefox takes no pattern. */
const NAMES = [
  'a',
  'b',
  'c',
  'bank',
  'elsewhere',
  'evil',
  'fixture',
  'frame',
  'inner',
  'mail',
  'middle',
  'mill',
].concat(['ordinary', 'other', 'own', 'page', 'public', 'shop', 'site', 'sub.public', 'x']);

const PREFERENCES = {
  'browser.shell.checkDefaultBrowser': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'app.normandy.enabled': false,
  // Its pages have an address that tests know.
  'extensions.webextensions.uuids': JSON.stringify({ [FIREFOX_ID]: UUID }),
  'extensions.webextOptionalPermissionPrompts': false,
  'network.dns.localDomains': NAMES.map((name) => `${name}.test`).join(),
};

/** A browser that ends, with all its processes, when the other end of a pipe is closed, even if these tests are killed. */
const WATCHED = '(cat >/dev/null; kill -9 -$$) <&3 & exec "$@" 3<&-';

/** A Firefox with the built extension, as a person has it, and a connection for looking into it. */
export interface TestFirefox {
  readonly pid: number;
  readonly serverEnv: Readonly<Record<string, string>>;
  /** Presses a button in a page of the extension, once it is live, as a person does. */
  press(page: string, selector: string): Promise<void>;
  /** Gives the extension an optional permission. */
  grant(permission: string): Promise<void>;
  close(): Promise<void>;
}

/** Starts a headless Firefox with a profile of its own, and waits until its native host has registered. */
export async function spawnFirefox({ rules = 'private' }: ProfileRules = {}): Promise<TestFirefox> {
  const executable = findFirefox();
  if (executable === null) throw new Error('No Firefox was found: npm test installs one.');
  const folder = mkdtempSync(join(tmpdir(), 'spillway-firefox-'));
  const [profile, bridgeDirectory] = [join(folder, 'profile'), join(folder, 'run')];
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
  const { pid } = child;
  if (pid === undefined) throw new Error(`${executable} did not start.`);
  let bidi: BidiSession | null = null;
  const close = endedOnce(async () => {
    bidi?.close();
    process.kill(-pid, 'SIGTERM');
    await exited;
    await removeProfile({ folder });
  });
  bidi = await openBidi(await addressIn(child.stderr));
  await bidi.send('webExtension.install', { extensionData: { type: 'path', path: EXTENSION } });
  await vi.waitFor(() => {
    if (liveHosts(bridgeDirectory).length === 0) throw new Error('The host has not started.');
  }, PATIENCE);
  const serverEnv = { SPILLWAY_BRIDGE_DIR: bridgeDirectory };
  const session = bidi;
  return {
    ...{ pid, serverEnv, close },
    press: (page, selector) => press(session, `${EXTENSION_PAGES}${page}`, selector),
    grant: async (permission) => void (await inBrowser(session, GRANT(permission))),
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

const Contexts = z.object({ contexts: z.array(z.object({ context: z.string(), url: z.string() })) });
const Evaluated = z.object({ result: z.object({ value: z.unknown().optional() }) });

async function evaluate(bidi: BidiSession, context: string, expression: string): Promise<unknown> {
  const asked = { expression, target: { context }, awaitPromise: true };
  return Evaluated.parse(await bidi.send('script.evaluate', asked)).result.value;
}

/** Runs a script of the browser's own window. */
async function inBrowser(bidi: BidiSession, expression: string): Promise<unknown> {
  const { contexts } = Contexts.parse(await bidi.send('browsingContext.getTree', { 'moz:scope': 'chrome' }));
  return evaluate(bidi, contexts[0]?.context ?? '', expression);
}

const GRANT = (permission: string): string => `(async () => {
  const { ExtensionPermissions } = ChromeUtils.importESModule('resource://gre/modules/ExtensionPermissions.sys.mjs');
  const { extension } = WebExtensionPolicy.getByID('${FIREFOX_ID}');
  await ExtensionPermissions.add('${FIREFOX_ID}', { permissions: ['${permission}'], origins: [], data_collection: [] }, extension);
})()`;

/** Where a live button is, as JSON; an empty text without one. */
const PLACE = (selector: string): string => `(() => {
  const button = document.querySelector('${selector}');
  if (button === null || button.ariaDisabled === 'true') return '';
  button.scrollIntoView({ block: 'center' });
  const { x, y, width, height } = button.getBoundingClientRect();
  return JSON.stringify({ x: Math.round(x + width / 2), y: Math.round(y + height / 2) });
})()`;

async function press(bidi: BidiSession, url: string, selector: string): Promise<void> {
  const at = await vi.waitFor(async () => {
    const { contexts } = Contexts.parse(await bidi.send('browsingContext.getTree'));
    const context = contexts.find((one) => one.url === url)?.context;
    const place = context === undefined ? '' : await evaluate(bidi, context, PLACE(selector));
    if (context === undefined || typeof place !== 'string' || place === '')
      throw new Error(`${url} has no live ${selector}.`);
    return { context, ...Point.parse(JSON.parse(place)) };
  }, PATIENCE);
  const { context, x, y } = at;
  const actions = [
    { type: 'pointerMove', x, y },
    { type: 'pointerDown', button: 0 },
    { type: 'pointerUp', button: 0 },
  ];
  await bidi.send('input.performActions', { context, actions: [{ type: 'pointer', id: 'mouse', actions }] });
}

const Point = z.object({ x: z.number(), y: z.number() });
