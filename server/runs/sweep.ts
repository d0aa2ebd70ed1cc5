import { setImmediate as nextTurn } from 'node:timers/promises';
import { toSpillwayError } from '../../shared/errors.ts';
import type { Logger } from '../core/services.ts';
import type { Expiry } from '../machine/expiry.ts';
import type { RunOwner } from './owner.ts';
import type { RunStore, StoredRun } from './run-store.ts';

export interface SweepServices {
  readonly expiry: Expiry;
  readonly owner: RunOwner;
  readonly logger: Logger;
  readonly isAtWork: (runId: string) => boolean;
  readonly onRemoved: (runId: string) => void;
}

/**
 * Removes runs that were unused for `LIMITS.runTtlDays`. The lifetime in the run decides, which no jump of a
 * clock moves. A run with an owner stays.
 */
export async function sweepRuns(store: RunStore, services: SweepServices): Promise<void> {
  const { logger, isAtWork, onRemoved } = services;
  for (const run of store.list()) {
    await nextTurn();
    const { runId } = run;
    try {
      if (isAtWork(runId) || !isExpired(run, services)) continue;
      remove(run, services);
      onRemoved(runId);
      logger.debug({ run_id: runId }, 'a run was removed');
    } catch (thrown) {
      const { code } = toSpillwayError(thrown);
      if (code !== 'run_busy' && code !== 'run_not_found')
        logger.warn({ run_id: runId, err: thrown }, 'a run was not swept');
    }
  }
  await store.removeLeftovers(nextTurn);
}

/** A damaged run has no lifetime: its start counts. */
function isExpired(run: StoredRun, { expiry }: SweepServices): boolean {
  try {
    return expiry.isExpired(run.life().lifetime);
  } catch (thrown) {
    if (toSpillwayError(thrown).code !== 'store_corrupt') throw thrown;
    return expiry.isStale(run.startedAtMs);
  }
}

function remove(run: StoredRun, services: SweepServices): void {
  run.write(() => {
    // Another server may have taken it up meanwhile.
    if (!isExpired(run, services)) return;
    if (!isDamaged(run)) services.owner.claim(run);
    run.remove();
  });
}

function isDamaged(run: StoredRun): boolean {
  try {
    run.life();
    return false;
  } catch (thrown) {
    if (toSpillwayError(thrown).code === 'store_corrupt') return true;
    throw thrown;
  }
}
