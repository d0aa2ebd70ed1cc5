import { type ChildProcess, spawn } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { chromium, type Browser } from 'playwright';
import { EXTENSION_ID, HOST_NAME } from '../../../shared/bridge/wire.ts';
import { extensionSwitches, QUIET } from '../../../scripts/lib/chromium-switches.ts';
import { BUILT_EXTENSION, executable } from '../../support/browser.ts';
import type { TestHost } from './test-host.ts';

/** A profile whose native messaging host is the test's relay. */
export async function makeProfile(host: TestHost | null): Promise<string> {
  const profile = await mkdtemp(join(tmpdir(), 'spillway-profile-'));
  if (host === null) return profile;
  const hosts = join(profile, 'NativeMessagingHosts');
  const launcher = join(profile, 'host.sh');
  await mkdir(hosts);
  const relay = resolve(import.meta.dirname, 'relay.mjs');
  await writeFile(launcher, `#!/bin/sh\nexec '${process.execPath}' '${relay}' '${host.socketPath}' "$@"\n`);
  await chmod(launcher, 0o700);
  await writeFile(
    join(hosts, `${HOST_NAME}.json`),
    JSON.stringify({
      name: HOST_NAME,
      description: 'Test',
      path: launcher,
      type: 'stdio',
      allowed_origins: [`chrome-extension://${EXTENSION_ID}/`],
    }),
  );
  return profile;
}

/** A Chromium that this process spawned itself, so that background tabs are hidden as in real life. */
export interface SpawnedBrowser {
  readonly process: ChildProcess;
  /** Connected over the DevTools protocol: to look and to kill, never to navigate the tab under test. */
  readonly devtools: Browser;
  close(): Promise<void>;
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
    process: child,
    devtools,
    close: async () => {
      await devtools.close();
      child.kill('SIGKILL');
      await ended;
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
