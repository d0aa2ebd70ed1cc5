import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { extensionSwitches, QUIET } from '../../scripts/lib/chromium-switches.ts';
import { searchChromium } from '../../server/core/bridge/index.ts';
import { launcherText, hostManifestText, MANIFEST_FILE } from '../../server/core/bridge/launcher.ts';
import { DebuggingPipe } from '../lib/debugging-pipe.mjs';
import { McpClient } from '../lib/mcp-client.mjs';
import { SPILLWAY } from '../lib/servers.mjs';

const DIST = join(import.meta.dirname, '../../dist');

/** Path of the Chromium that a private launch uses. */
export async function chromiumPath() {
  const { found } = await searchChromium();
  if (found === null) throw new Error('No Chromium was found.');
  return found.path;
}

/**
 * A Chromium with the built extension, as a user would run it: its pages are not automated. Its pipe is
 * there to ask the worker for its heap, and ends it when this process ends.
 * @param {string} executable
 * @param {{ readonly dist?: string, readonly isPrivate?: boolean }} [options] the build, and whether its rules are those
 * of a private launch, which allow everything
 */
export async function startChromium(executable, { dist = DIST, isPrivate = true } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'spillway-bench-'));
  const [profile, bridgeDirectory, launcher] = ['profile', 'run', 'host'].map((name) => join(folder, name));
  const manifests = join(profile, 'NativeMessagingHosts');
  mkdirSync(bridgeDirectory, { mode: 0o700 });
  mkdirSync(manifests, { mode: 0o700, recursive: true });
  const facts = {
    node: process.execPath,
    hostScript: join(dist, 'host.js'),
    bridgeDirectory,
    serverScript: null,
    ...(isPrivate && { isPrivate }),
  };
  writeFileSync(launcher, launcherText('linux', facts), { mode: 0o700 });
  writeFileSync(join(manifests, MANIFEST_FILE), hostManifestText(launcher), { mode: 0o600 });
  const switches = [
    '--headless=new',
    ...QUIET,
    ...extensionSwitches(join(dist, 'extension')),
    `--user-data-dir=${profile}`,
    '--remote-debugging-pipe',
  ];
  const child = spawn(executable, [...switches, 'about:blank'], {
    detached: true,
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
  });
  for (const stream of child.stdio) stream?.on('error', () => undefined);
  const exited = once(child, 'exit');
  return {
    pid: child.pid,
    folder,
    bridgeDirectory,
    pipe: new DebuggingPipe(child),
    /** A server that reaches this browser; its home ends with it. */
    startServer: () =>
      new McpClient({
        ...SPILLWAY.start({ home: folder, browser: null }),
        env: { SPILLWAY_BRIDGE_DIR: bridgeDirectory },
      }),
    close: async () => {
      if (child.exitCode === null && child.signalCode === null) process.kill(-child.pid, 'SIGTERM');
      await exited;
      rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    },
  };
}
