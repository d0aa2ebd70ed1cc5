import { randomUUID } from 'node:crypto';
import { SpillwayError, toSpillwayError } from '../../shared/base/errors.ts';
import { isRunning, ownProcess } from '../core/machine/process-identity.ts';
import type { RunLife } from './records.ts';
import type { RunStore, StoredRun } from './run-store.ts';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Logger } from '../core/services.ts';
import type { Expiry } from '../core/machine/expiry.ts';

/**
 * One server, as its runs record it. Several may share a process and a home, as libraries or in separate
 * threads: the pid alone does not identify a run's server, and a live process does not prove that its server
 * lives. So a server that stops gives up its runs.
 */
export class RunOwner {
  readonly #owner: NonNullable<RunLife['owner']>;
  #hasClaimed = false;

  constructor(private readonly store: RunStore) {
    const { pid, startTime } = ownProcess();
    this.#owner = { pid, start_time: startTime, instance: randomUUID() };
  }

  own(life: Omit<RunLife, 'owner'>): RunLife {
    this.#hasClaimed = true;
    return { ...life, owner: this.#owner };
  }

  /** Whether another server has a run: its process is alive, and it has not stopped. */
  isElsewhere({ owner }: RunLife): boolean {
    if (owner === null || owner.instance === this.#owner.instance) return false;
    return isRunning({ pid: owner.pid, startTime: owner.start_time });
  }

  /**
   * Takes a run over. Only one of several servers gets it: the record is read under the write lock.
   * @throws `run_busy` while another server works on it, and the errors of `change`.
   */
  claim(run: StoredRun, change: (life: RunLife) => Omit<RunLife, 'owner'> = (life) => life): void {
    run.write(() => {
      const life = run.life();
      if (this.isElsewhere(life))
        throw new SpillwayError(
          'run_busy',
          `Another server (process ${life.owner?.pid}) is working on ${run.runId}.`,
        );
      run.putLife(this.own(change(life)));
    });
  }

  /** Releases its remaining runs. From then on it must not write to a run. */
  leave(): void {
    if (this.#hasClaimed)
      this.store.database.run('UPDATE run SET owner = NULL WHERE owner = ?', JSON.stringify(this.#owner));
  }

  /**
   * Removes runs that were unused for `LIMITS.runTtlDays`. Age is the run's own lifetime, which clock jumps do
   * not affect; a damaged run has none, and its start counts. A run with an owner stays.
   */
  async sweep({
    expiry,
    logger,
    isFree,
    onRemoved,
  }: {
    readonly expiry: Expiry;
    readonly logger: Logger;
    readonly isFree: (runId: string) => boolean;
    readonly onRemoved: (runId: string) => void;
  }): Promise<void> {
    const isOld = (run: StoredRun, life = readableLife(run)): boolean =>
      life === null ? expiry.isStale(run.startedAtMs) : expiry.isExpired(life.lifetime);
    for (const run of this.store.list()) {
      await nextTurn();
      const { runId } = run;
      try {
        if (!isFree(runId) || !isOld(run)) continue;
        run.write(() => {
          const life = readableLife(run);
          // Another server may have taken it over meanwhile.
          if (!isOld(run, life)) return;
          if (life !== null) this.claim(run);
          run.removeRun();
          onRemoved(runId);
        });
      } catch (thrown) {
        const { code } = toSpillwayError(thrown);
        if (code !== 'run_busy' && code !== 'run_not_found')
          logger.warn({ run_id: runId, err: thrown }, 'a run was not swept');
      }
    }
    await this.store.removeLeftovers(nextTurn);
  }
}

/** Null for a damaged run. */
function readableLife(run: StoredRun): RunLife | null {
  try {
    return run.life();
  } catch (thrown) {
    if (toSpillwayError(thrown).code === 'store_corrupt') return null;
    throw thrown;
  }
}

/** @param why such as `is complete` */
export const notResumable = (runId: string, why: string): SpillwayError =>
  new SpillwayError('run_not_resumable', `${runId} ${why}.`);

/** Its tool is not offered here. */
export const noWork = (runId: string, tool: string): SpillwayError =>
  new SpillwayError('run_not_resumable', `${runId}: runs of ${tool} cannot be continued here.`, {
    hint: `Read its items with run_output, or call ${tool} again.`,
  });

/** A secret is not stored on disk, not even to resume a run. */
export const withheld = (runId: string): SpillwayError =>
  new SpillwayError(
    'run_not_resumable',
    `${runId}: its arguments contain a secret that this server does not have.`,
    { hint: 'Resume it from the server that has it, or read its items with run_output and start a new run.' },
  );
