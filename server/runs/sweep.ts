import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { SpillwayError } from '../../shared/errors.ts';
import type { Expiry } from '../machine/expiry.ts';
import { isMissing } from '../machine/errno.ts';
import type { RunFolders } from './folders.ts';
import { claim } from './claim.ts';

/**
 * Removes runs that nobody has touched for `LIMITS.runTtlDays`, and folders in which none became
 * whole. The times of files choose who is looked at, so that a start opens no environment; the
 * lifetime in the run decides, which no jump of a clock moves. A run that somebody works on stays.
 */
export async function sweepRuns(folders: RunFolders, expiry: Expiry): Promise<number> {
  let removed = 0;
  for (const runId of await folders.list()) {
    await folders.removeAbandoned(runId);
    if ((await isUntouched(folders, runId, expiry)) && (await removeExpired(folders, runId, expiry)))
      removed += 1;
  }
  return removed;
}

async function isUntouched(folders: RunFolders, runId: string, expiry: Expiry): Promise<boolean> {
  try {
    return expiry.isStale((await stat(join(folders.root, runId, 'data.mdb'))).mtimeMs);
  } catch (thrown) {
    if (isMissing(thrown)) return false;
    throw thrown;
  }
}

async function removeExpired(folders: RunFolders, runId: string, expiry: Expiry): Promise<boolean> {
  let lease;
  try {
    lease = await folders.lease(runId);
    const { environment } = lease.run;
    if (!expiry.isExpired(environment.life().lifetime)) return false;
    // Whoever wants to resume it from now on is told that somebody is at it.
    claim(environment, runId, (life) => ({ ...life, status: 'running' }));
  } catch (thrown) {
    if (!(thrown instanceof SpillwayError) || thrown.code === 'run_busy') return false;
  } finally {
    lease?.release();
  }
  return folders.remove(runId);
}
