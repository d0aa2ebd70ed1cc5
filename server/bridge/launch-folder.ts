import { lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { SpillwayError } from '../../shared/errors.ts';
import type { Logger } from '../core/services.ts';
import { launcherText } from './install/launcher.ts';
import { hostManifestText, MANIFEST_FILE } from './install/manifest.ts';
import { isRunning, ownProcess } from '../machine/process-identity.ts';
import { readRegularSync } from '../machine/regular-file.ts';
import { messageOf } from '../../shared/message-of.ts';

const PREFIX = 'spillway-browser-';
const OWNER_FILE = 'owner.json';

const Owner = z.object({ pid: z.int(), start_time: z.string() });

/** The folder of one private browser. */
export interface LaunchFolder {
  readonly folder: string;
  readonly profile: string;
  /** The bridge directory that only its native host uses. */
  readonly directory: string;
}

/**
 * A folder, closed to others, for one private browser and its native host; it names the process
 * that it lives with. Folders of servers that were killed are removed first.
 *
 * @throws SpillwayError `browser_launch_failed` where there is no room for it.
 */
export function createLaunchFolder(hostScript: string, logger: Logger): LaunchFolder {
  try {
    removeStaleLaunchFolders(logger);
    const folder = mkdtempSync(join(tmpdir(), PREFIX));
    try {
      return fillLaunchFolder(folder, hostScript);
    } catch (thrown) {
      removeLaunchFolder(folder);
      throw thrown;
    }
  } catch (cause) {
    const why = messageOf(cause);
    throw new SpillwayError(
      'browser_launch_failed',
      `The private browser did not start: its folder in ${tmpdir()} cannot be created (${why}).`,
      { hint: 'Free space there, or set TMPDIR to a writable folder.', cause },
    );
  }
}

/** Writes whose folder it is, and where this profile, and only this one, finds the native host. */
function fillLaunchFolder(folder: string, hostScript: string): LaunchFolder {
  const { pid, startTime } = ownProcess();
  writeFileSync(join(folder, OWNER_FILE), JSON.stringify({ pid, start_time: startTime }), { mode: 0o600 });
  const profile = join(folder, 'profile');
  const directory = join(folder, 'run');
  const launcher = join(folder, 'spillway-host');
  const manifests = join(profile, 'NativeMessagingHosts');
  mkdirSync(directory, { mode: 0o700 });
  mkdirSync(manifests, { mode: 0o700, recursive: true });
  const facts = {
    node: process.execPath,
    hostScript,
    bridgeDirectory: directory,
    serverScript: null,
    isPrivate: true,
  } as const;
  writeFileSync(launcher, launcherText('linux', facts), { mode: 0o700 });
  writeFileSync(join(manifests, MANIFEST_FILE), hostManifestText(launcher), { mode: 0o600 });
  return { folder, profile, directory };
}

/** A browser's last helpers may still write while they end. */
export function removeLaunchFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
}

/** Removes the folders of servers that were killed before they could. */
function removeStaleLaunchFolders(logger: Logger): void {
  for (const name of readdirSync(tmpdir())) {
    if (!name.startsWith(PREFIX)) continue;
    const folder = join(tmpdir(), name);
    try {
      if (lstatSync(folder).uid !== process.getuid?.() || !isOwnerDead(folder)) continue;
      removeLaunchFolder(folder);
    } catch (error) {
      logger.debug({ err: error, folder }, 'the profile of a dead server could not be removed');
    }
  }
}

function isOwnerDead(folder: string): boolean {
  const owner = Owner.safeParse(JSON.parse(readRegularSync(join(folder, OWNER_FILE))));
  if (!owner.success) return false;
  return !isRunning({ pid: owner.data.pid, startTime: owner.data.start_time });
}
