import { rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { BrowserContext } from 'playwright';
import { test, vi } from 'vitest';
import type { TestHost } from './worker/test-host.ts';
import {
  launcherOf,
  liveHosts,
  spawnChromium,
  writeLauncher,
  type ProfileRules,
  type TestChromium,
} from './browser.ts';
import { endedOnce } from './end-of-file.ts';
import { PATIENCE } from './patience.ts';

const RELAY = resolve(import.meta.dirname, './worker/relay.mjs');

/** A browser that files borrow one after another: none of them can end it. */
export type LentChromium = Omit<TestChromium, 'kill' | 'child'>;

export interface LentContext extends LentChromium {
  readonly context: BrowserContext;
}

type Lending = { readonly rules?: NonNullable<ProfileRules['rules']>; readonly host?: TestHost };

let kept: TestChromium | null = null;
let lent = 0;
/** Whether the last file has restored its initial state. */
let isClear = false;

export const withLentBrowser = test.extend('lentBrowser', { scope: 'worker' }, ({}, { onCleanup }) => {
  onCleanup(async () => {
    await kept?.close();
    kept = null;
  });
});

/**
 * Lends the browser of this worker: with one blank tab, an extension without state, and a host that no server has found
 * yet. Files that end a browser, or need flags of their own, start one with `spawnChromium`.
 */
export async function lendChromium({ rules = 'private', host }: Lending = {}): Promise<LentChromium> {
  if (kept === null || kept.child.exitCode !== null || kept.child.signalCode !== null) {
    kept = await spawnChromium();
    isClear = false;
  }
  const browser = kept;
  // Also for a new browser: a file starts in the same state wherever it is in the order.
  await forgetAll(browser.scope);
  const { folder, scope } = browser;
  const bridgeDirectory = join(folder, `run-${(lent += 1)}`);
  // The previous worker, which may be looking for a host, must not find the next one: its port would end with it.
  rmSync(launcherOf(folder), { force: true });
  await scope.end();
  if (host === undefined) writeLauncher(folder, bridgeDirectory, rules);
  else
    writeFileSync(
      launcherOf(folder),
      `#!/bin/sh\nexec '${process.execPath}' '${RELAY}' '${host.socketPath}' "$@"\n`,
      { mode: 0o700 },
    );
  if (host === undefined)
    await vi.waitFor(() => {
      if (liveHosts(bridgeDirectory).length === 0) throw new Error('The host has not started.');
    }, PATIENCE);
  return {
    ...browser,
    bridgeDirectory,
    serverEnv: { SPILLWAY_BRIDGE_DIR: bridgeDirectory },
    close: endedOnce(async () => {
      await scope.clear();
      isClear = true;
      // Its folder goes with the browser: a host that has not exited yet writes there.
    }),
  };
}

/** The same browser under Playwright, which opens and inspects its tabs. */
export async function lendContext(lending?: Lending): Promise<LentContext> {
  const browser = await lendChromium(lending);
  const devtools = await browser.devtools();
  const [context] = devtools.contexts();
  if (context === undefined) throw new Error('The browser has no context.');
  return {
    ...browser,
    context,
    close: endedOnce(async () => {
      await devtools.close();
      await browser.close();
    }),
  };
}

/** Tabs are closed first: the worker may record that. A window of the last file may have opened late. */
async function forgetAll(scope: TestChromium['scope']): Promise<void> {
  if (!isClear || (await scope.tabs()) > 1) await scope.clear();
  isClear = false;
  await scope.evaluate(
    'Promise.all([chrome.storage.local.clear(), chrome.storage.session.clear()]).then(() => null)',
  );
}
