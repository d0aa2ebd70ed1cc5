import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import type { Logger } from '../core/services.ts';
import { currentProcess, lookUpProcess } from './process-identity.ts';

const PREFIX = 'spillway-browser-';
const OWNER_FILE = 'owner.json';

const Owner = z.object({ pid: z.int(), started_at: z.number() });

/** A folder, closed to others, for one private browser; it names the process that it lives with. */
export function createLaunchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), PREFIX));
  const { pid, startedAt } = currentProcess();
  writeFileSync(join(folder, OWNER_FILE), JSON.stringify({ pid, started_at: startedAt }), { mode: 0o600 });
  return folder;
}

/** A browser's last helpers may still write while they end. */
export function removeLaunchFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
}

/** Removes the folders of servers that were killed before they could. */
export function removeStaleLaunchFolders(logger: Logger): void {
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
  const owner = Owner.safeParse(JSON.parse(readFileSync(join(folder, OWNER_FILE), 'utf8')));
  if (!owner.success) return false;
  return lookUpProcess({ pid: owner.data.pid, startedAt: owner.data.started_at }) === 'dead';
}
