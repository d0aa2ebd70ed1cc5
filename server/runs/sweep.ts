import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { toSpillwayError } from '../../shared/errors.ts';
import type { Logger } from '../core/services.ts';
import { isMissing } from '../machine/errno.ts';
import type { Expiry } from '../machine/expiry.ts';
import type { RunOwner } from './claim.ts';
import type { RunFolders } from './folders.ts';

export interface SweepServices {
  readonly expiry: Expiry;
  readonly claimant: RunOwner;
  readonly logger: Logger;
  /** Whether this server works on a run, or lets it wait. */
  readonly isAtWork: (runId: string) => boolean;
  readonly onRemoved: (runId: string) => void;
}

/**
 * Removes runs that were unused for `LIMITS.runTtlDays`, and folders of runs that never became
 * whole. The times of files choose who is looked at, so that a start opens no environment; the
 * lifetime in the run decides, which no jump of a clock moves. A run with an owner or a reader stays.
 */
export async function sweepRuns(folders: RunFolders, services: SweepServices): Promise<void> {
  const { expiry, claimant, logger, isAtWork, onRemoved } = services;
  await claimant.sweep();
  for (const runId of await folders.list()) {
    if (isAtWork(runId)) continue;
    try {
      const isRemoved = (await folders.isAbandoned(runId))
        ? await folders.remove(runId)
        : (await isUntouched(folders, runId, expiry)) && (await removeExpired(folders, runId, services));
      if (!isRemoved) continue;
      onRemoved(runId);
      logger.debug({ run_id: runId }, 'a run was removed');
    } catch (thrown) {
      logger.warn({ run_id: runId, err: thrown }, 'a run was not swept');
    }
  }
}

/** A run that is being made has no file yet. */
async function isUntouched(folders: RunFolders, runId: string, expiry: Expiry): Promise<boolean> {
  try {
    return expiry.isStale((await stat(join(folders.root, runId, 'data.mdb'))).mtimeMs);
  } catch (thrown) {
    if (isMissing(thrown)) return false;
    throw thrown;
  }
}

/**
 * Removes a run that has expired and that has no reader here. A server that wants to resume it from
 * then on learns that it is in use.
 */
async function removeExpired(
  folders: RunFolders,
  runId: string,
  { expiry, claimant }: SweepServices,
): Promise<boolean> {
  let lease;
  try {
    lease = await folders.lease(runId);
    const { environment } = lease.run;
    if (lease.isShared() || !expiry.isExpired(environment.life().lifetime)) return false;
    claimant.claim(environment, runId);
  } catch (thrown) {
    const { code } = toSpillwayError(thrown);
    if (code === 'run_busy') return false;
    // Damaged runs are of no use, and their files are as old as those of the others.
    if (code !== 'store_corrupt' && code !== 'run_not_found') throw thrown;
  } finally {
    lease?.release();
  }
  // In one turn with the claim: no reader comes between.
  return folders.remove(runId);
}
