import { spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { chromium, type Browser } from 'playwright';
import { extensionSwitches, QUIET } from '../../../scripts/lib/chromium-switches.ts';
import { BUILT_EXTENSION, executable } from '../browser.ts';
import type { lendContext, LentChromium } from '../lent-browser.ts';

/** A Chromium whose background tabs are hidden as in real life. */
export interface SpawnedBrowser {
  /** Connected over the DevTools protocol to inspect and to kill, never to navigate the tab under test. */
  readonly devtools: Browser;
  close(): Promise<void>;
}

/** The browser of this worker of the tests, see {@link lendContext}. */
export async function lendBrowser(
  lending: Parameters<typeof lendContext>[0],
): Promise<SpawnedBrowser & Pick<LentChromium, 'serverEnv' | 'scope'>> {
  // Loaded only here: it needs a test runner, and pictures are made without one.
  const lent = await import('../lent-browser.ts');
  const { context, serverEnv, scope, close } = await lent.lendContext(lending);
  const devtools = context.browser();
  if (devtools === null) throw new Error('The browser is not connected.');
  return { devtools, serverEnv, scope, close };
}

const flags = [
  '--headless=new',
  '--remote-debugging-port=0',
  ...QUIET,
  ...extensionSwitches(BUILT_EXTENSION),
];

export async function spawnBrowser(profile: string, extra: readonly string[] = []): Promise<SpawnedBrowser> {
  const child = spawn(await executable(), [...flags, `--user-data-dir=${profile}`, ...extra, 'about:blank'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const endpoint = await new Promise<string>((resolve, reject) => {
    let stderr = '';
    child.stderr.on('data', (bytes: Buffer) => {
      stderr += bytes.toString();
      const found = /DevTools listening on (ws:\S+)/.exec(stderr);
      if (found?.[1] !== undefined) resolve(found[1]);
    });
    child.once('exit', () => reject(new Error(`Chromium ended: ${stderr}`)));
  });
  const devtools = await chromium.connectOverCDP(endpoint);
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  return {
    devtools,
    close: async () => {
      await devtools.close();
      child.kill('SIGKILL');
      await ended;
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
