import { SpillwayError } from '../../shared/errors.ts';
import { ownProcess } from '../machine/owner.ts';
import type { RunEnvironment } from './environment.ts';
import type { RunLife } from './records.ts';
import { isElsewhere } from './view.ts';

/** This process, as a run's life names it. */
export function ownOwner(): NonNullable<RunLife['owner']> {
  const { pid, startTime } = ownProcess();
  return { pid, start_time: startTime };
}

/**
 * Takes a run over. Of several servers one gets it: LMDB lets one write at a time, and the record
 * is read under its lock.
 * @throws `run_busy` while another process works on it, and what `change` throws.
 */
export function claim(environment: RunEnvironment, runId: string, change: (life: RunLife) => RunLife): void {
  environment.writeSync((transaction) => {
    const life = environment.life();
    if (isElsewhere(life))
      throw new SpillwayError('run_busy', `Another server (process ${life.owner?.pid}) works on ${runId}.`);
    transaction.life({ ...change(life), owner: ownOwner() });
  });
}
