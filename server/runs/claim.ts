import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { SpillwayError } from '../../shared/errors.ts';
import { namesIn } from '../machine/names-in.ts';
import { isRunning, ownProcess } from '../machine/process-identity.ts';
import { openRegular } from '../machine/regular-file.ts';
import type { RunEnvironment } from './environment.ts';
import type { RunLife } from './records.ts';

type Owner = NonNullable<RunLife['owner']>;

/** `left-<pid>-<start time>-<instance>` is next to the runs when a server has stopped. */
const DEPARTURE = /^left-(?<pid>\d{1,10})-(?<startTime>\d{1,20})-[\da-f-]{36}$/;

const departureOf = ({ pid, start_time: startTime, instance }: Owner): string =>
  `left-${pid}-${startTime}-${instance}`;

/**
 * One server, as the lives of its runs name it. Several may share a process and a home, as
 * libraries or in threads of their own: the pid alone does not tell whose a run is, and a process
 * that is alive does not prove that its server is. So a server that stops leaves a marker file for the others.
 */
export class RunOwner {
  readonly #root: string;
  readonly #owner: Owner;
  #hasClaimed = false;

  /** @param root The folder of the runs. */
  constructor(root: string) {
    this.#root = root;
    const { pid, startTime } = ownProcess();
    this.#owner = { pid, start_time: startTime, instance: randomUUID() };
  }

  /** The life of a run that this server makes or takes over. */
  own(life: Omit<RunLife, 'owner'>): RunLife {
    this.#hasClaimed = true;
    return { ...life, owner: this.#owner };
  }

  /** Whether another server has a run: its process is alive, and it is not known to have stopped. */
  isElsewhere({ owner }: RunLife): boolean {
    if (owner === null || owner.instance === this.#owner.instance) return false;
    const { pid, start_time: startTime } = owner;
    return isRunning({ pid, startTime }) && !existsSync(join(this.#root, departureOf(owner)));
  }

  /**
   * Takes a run over. Of several servers one gets it: LMDB lets one write at a time, and the record
   * is read under its lock.
   * @throws `run_busy` while another server works on it, and what `change` throws.
   */
  claim(
    environment: RunEnvironment,
    runId: string,
    change: (life: RunLife) => Omit<RunLife, 'owner'> = (life) => life,
  ): void {
    environment.write((transaction) => {
      const life = environment.life();
      if (this.isElsewhere(life))
        throw new SpillwayError(
          'run_busy',
          `Another server (process ${life.owner?.pid}) is working on ${runId}.`,
        );
      transaction.life(this.own(change(life)));
    });
  }

  /** Releases what it still owns. From then on it must not write to a run. */
  async leave(): Promise<void> {
    if (!this.#hasClaimed) return;
    const mark = await openRegular(join(this.#root, departureOf(this.#owner)), 'rw+');
    await mark.close();
  }

  /** Removes the marks of processes that have ended: those say enough. */
  async sweep(): Promise<void> {
    for (const name of await namesIn(this.#root)) {
      const { pid, startTime } = DEPARTURE.exec(name)?.groups ?? {};
      if (pid === undefined || startTime === undefined || isRunning({ pid: Number(pid), startTime }))
        continue;
      await rm(join(this.#root, name), { force: true });
    }
  }
}
