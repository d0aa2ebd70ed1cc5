import { lstatSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import type { Logger } from '../services.ts';
import { readRegularSync } from './files.ts';
import { isRunning, ownProcess } from './process-identity.ts';

const OWNER_FILE = 'owner.json';
const Owner = z.object({ pid: z.int(), start_time: z.string() });

/**
 * A private folder among the temporary ones, which names the process that it lives with. Removes those of killed
 * processes first.
 */
export function createOwnedFolder(prefix: string, logger: Logger): string {
  removeStale(prefix, logger);
  const folder = mkdtempSync(join(tmpdir(), prefix));
  try {
    const { pid, startTime } = ownProcess();
    writeFileSync(join(folder, OWNER_FILE), JSON.stringify({ pid, start_time: startTime }), { mode: 0o600 });
    return folder;
  } catch (thrown) {
    removeOwnedFolder(folder);
    throw thrown;
  }
}

/** A browser's last helpers may still write while they end. */
export function removeOwnedFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
}

function removeStale(prefix: string, logger: Logger): void {
  for (const name of readdirSync(tmpdir())) {
    if (!name.startsWith(prefix)) continue;
    const folder = join(tmpdir(), name);
    try {
      if (lstatSync(folder).uid !== process.getuid?.() || !isOwnerDead(folder)) continue;
      removeOwnedFolder(folder);
    } catch (error) {
      logger.debug({ err: error, folder }, 'the folder of a dead process could not be removed');
    }
  }
}

function isOwnerDead(folder: string): boolean {
  const owner = Owner.safeParse(JSON.parse(readRegularSync(join(folder, OWNER_FILE))));
  if (!owner.success) return false;
  return !isRunning({ pid: owner.data.pid, startTime: owner.data.start_time });
}
