import { cpSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { chromium, type BrowserContext, type Page, type Worker } from 'playwright';
import { build } from 'vite';
import { extensionSwitches, QUIET_PLAYWRIGHT, TEST_NAMES } from '../../../scripts/lib/chromium-switches.ts';
import { fingerprint } from '../../../scripts/lib/fingerprint.mjs';
import { withLock } from '../../../scripts/lib/lock.mjs';
import { CACHE, ROOT } from '../../../scripts/lib/run.mjs';
import { serveFixtures } from '../../../fixtures/serve.ts';
import { atEndOfFile } from '../../support/end-of-file.ts';
import { BUILT_EXTENSION, executable } from '../../support/browser.ts';
import type { ReadPageOptions } from '../../../shared/read/read_page.methods.ts';
import type { ReadAnswer, ReadRequest } from './test-worker.ts';

const MANIFEST = {
  manifest_version: 3,
  name: 'read_page under test',
  version: '1',
  minimum_chrome_version: '125',
  permissions: ['scripting', 'tabs', 'webNavigation', 'debugger', 'storage'],
  host_permissions: ['<all_urls>'],
  background: { service_worker: 'worker.js', type: 'module' },
};

/** The walker and its worker half in an extension of their own: no bridge, no server. */
export interface Rig {
  readonly context: BrowserContext;
  readonly worker: Worker;
  read(page: Page, options?: Partial<ReadPageOptions>, more?: Partial<ReadRequest>): Promise<ReadAnswer>;
  readTab(
    tabId: number,
    options?: Partial<ReadPageOptions>,
    more?: Partial<ReadRequest>,
  ): Promise<ReadAnswer>;
  tabIdOf(page: Page): Promise<number>;
}

const SCRIPTS = ['page.js', 'readability.js'];
const SOURCES = ['extension', 'shared', 'tests/read/e2e', 'tests/support/open-policy.ts'];

async function builtExtension(): Promise<string> {
  const folder = join(CACHE, 'read-page', fingerprint(ROOT, SOURCES));
  const manifest = join(folder, 'manifest.json');
  await withLock(join(CACHE, 'read-page.lock'), async () => {
    if (existsSync(manifest)) return;
    rmSync(dirname(folder), { recursive: true, force: true });
    await build({
      configFile: false,
      logLevel: 'warn',
      publicDir: false,
      root: ROOT,
      build: {
        outDir: folder,
        target: 'chrome125',
        rolldownOptions: {
          input: { worker: join(import.meta.dirname, 'test-worker.ts') },
          output: { format: 'es', entryFileNames: '[name].js' },
        },
      },
    });
    for (const name of SCRIPTS) cpSync(join(BUILT_EXTENSION, name), join(folder, name));
    writeFileSync(manifest, JSON.stringify(MANIFEST));
  });
  return folder;
}

/** A browser with the extension for all files of a process, which ends with it. */
const KEY = Symbol.for('spillway.read-page');
const world = globalThis as typeof globalThis & { [KEY]?: Promise<Rig> };
export const openRig = (): Promise<Rig> => (world[KEY] ??= startRig());

/** The pages of the fixtures and a tab for them, until the file ends. */
export async function openFixtures(root: string) {
  const server = await serveFixtures({ root });
  atEndOfFile(() => server.close());
  const rig = await openRig();
  const page = await rig.context.newPage();
  atEndOfFile(() => page.close());
  return { rig, server, page };
}

/** Starts a browser with the extension; `*.test` leads to loopback. */
export async function startRig(): Promise<Rig> {
  const context = await chromium.launchPersistentContext('', {
    executablePath: await executable(),
    headless: true,
    ignoreDefaultArgs: ['--disable-extensions'],
    args: [
      ...QUIET_PLAYWRIGHT,
      TEST_NAMES,
      '--site-per-process',
      ...extensionSwitches(await builtExtension()),
    ],
  });
  const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'));
  const readTab: Rig['readTab'] = (tabId, options = {}, more = {}) =>
    worker.evaluate(
      (request): Promise<ReadAnswer> => {
        const read: unknown = Reflect.get(globalThis, 'spillwayRead');
        if (typeof read !== 'function') throw new Error('The worker has not started.');
        return read(request);
      },
      { ...more, tabId, options },
    );
  const known = new WeakMap<Page, Promise<number>>();
  const findTabId: Rig['tabIdOf'] = async (page) => {
    const mark = `mark-${Math.random()}`;
    const title = await page.title();
    await page.evaluate((text) => (document.title = text), mark);
    const id = await worker.evaluate(async (text) => {
      for (;;) {
        const found = (await chrome.tabs.query({})).find((tab) => tab.title === text);
        if (found?.id !== undefined) return found.id;
      }
    }, mark);
    await page.evaluate((text) => (document.title = text), title);
    return id;
  };
  const tabIdOf: Rig['tabIdOf'] = (page) => {
    const id = known.get(page) ?? findTabId(page);
    known.set(page, id);
    return id;
  };
  return {
    context,
    worker,
    readTab,
    tabIdOf,
    read: async (page, options, more) => readTab(await tabIdOf(page), options, more),
  };
}
