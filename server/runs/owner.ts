import { randomUUID } from 'node:crypto';
import { SpillwayError } from '../../shared/errors.ts';
import { isRunning, ownProcess } from '../machine/process-identity.ts';
import type { RunLife } from './records.ts';
import type { RunStore, StoredRun } from './run-store.ts';

/**
 * One server, as the lives of its runs name it. Several may share a process and a home, as
 * libraries or in threads of their own: the pid alone does not tell whose a run is, and a process
 * that is alive does not prove that its server is. So a server that stops gives its runs up.
 */
export class RunOwner {
  readonly #store: RunStore;
  readonly #owner: NonNullable<RunLife['owner']>;
  #hasClaimed = false;

  constructor(store: RunStore) {
    this.#store = store;
    const { pid, startTime } = ownProcess();
    this.#owner = { pid, start_time: startTime, instance: randomUUID() };
  }

  /** The life of a run that this server makes or takes over. */
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
   * Takes a run over. Of several servers one gets it: the record is read under the write lock.
   * @throws `run_busy` while another server works on it, and what `change` throws.
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

  /** Releases what it still owns. From then on it must not write to a run. */
  leave(): void {
    if (this.#hasClaimed)
      this.#store.database.run('UPDATE run SET owner = NULL WHERE owner = ?', JSON.stringify(this.#owner));
  }
}
