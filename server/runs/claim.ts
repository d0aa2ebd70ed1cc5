import { randomUUID } from 'node:crypto';
import { SpillwayError } from '../../shared/errors.ts';
import { isRunning, ownProcess } from '../machine/owner.ts';
import type { RunEnvironment } from './environment.ts';
import type { RunLife } from './records.ts';

/** Claimants of this thread that have left: what they owned is nobody's. */
const gone = new Set<string>();

/**
 * One server, as the lives of its runs name it. Several may share a process and a home, be it as
 * libraries or in threads of their own: the pid alone does not tell whose a run is.
 */
export class Claimant {
  readonly #instance = randomUUID();

  get owner(): NonNullable<RunLife['owner']> {
    const { pid, startTime } = ownProcess();
    return { pid, start_time: startTime, instance: this.#instance };
  }

  /** Whether another server works on a run. One of this process that is not known to have left does. */
  isElsewhere({ status, owner }: RunLife): boolean {
    if (owner === null || (status !== 'queued' && status !== 'running')) return false;
    const { pid, start_time: startTime, instance = '' } = owner;
    const own = ownProcess();
    if (pid === own.pid && startTime === own.startTime)
      return instance !== this.#instance && !gone.has(instance);
    return isRunning({ pid, startTime });
  }

  /**
   * Takes a run over. Of several servers one gets it: LMDB lets one write at a time, and the record
   * is read under its lock.
   * @throws `run_busy` while another server works on it, and what `change` throws.
   */
  claim(environment: RunEnvironment, runId: string, change: (life: RunLife) => RunLife): void {
    environment.writeSync((transaction) => {
      const life = environment.life();
      if (this.isElsewhere(life))
        throw new SpillwayError('run_busy', `Another server (process ${life.owner?.pid}) works on ${runId}.`);
      transaction.life({ ...change(life), owner: this.owner });
    });
  }

  /** Lets go of what it still owns. */
  leave(): void {
    gone.add(this.#instance);
  }
}
