import { randomInt, randomUUID } from 'node:crypto';
import { closeSync, ftruncateSync, openSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { SpillwayError } from '../../shared/errors.ts';
import { isMissing } from '../machine/errno.ts';
import { isRunning, ownProcess, type ProcessIdentity } from '../machine/process-identity.ts';
import type { Others } from './lock-file.ts';

/** `turn-<pid>-<start time>-<random>` */
const NAME = /^turn-(?<pid>\d{1,10})-(?<startTime>\d{1,20})-[\da-f-]{36}$/;

/** A commit takes as long as the disk does. */
const WAIT_MS = 10_000;
const RETRY_MS_MAX = 4;
const retryMs = (): number => randomInt(1, RETRY_MS_MAX + 1);

type Attempt<T> = { readonly value: T } | { readonly busyPid: number };

/** A file in the folder, and the process that it belongs to. */
interface Member extends ProcessIdentity {
  readonly path: string;
}

function membersOf(folder: string): Member[] {
  return readdirSync(folder).flatMap((name) => {
    const { pid, startTime } = NAME.exec(name)?.groups ?? {};
    if (pid === undefined || startTime === undefined) return [];
    return [{ pid: Number(pid), startTime, path: join(folder, name) }];
  });
}

/** One that is at work has a byte in its file. */
function isBusy(path: string): boolean {
  try {
    return statSync(path).size > 0;
  } catch (thrown) {
    if (isMissing(thrown)) return false;
    throw thrown;
  }
}

/**
 * One of those who open, change and close the environment of a run, of whom at most one is at work at a time.
 *
 * LMDB excludes changes from each other, but not from an opening: a process that opens an environment reads the number
 * of the last transaction and then stores it for all (`mdb_env_open2` of mdb.c in lmdb-js 3.5.6). If another process
 * commits in between, the number is used twice: the first commit is lost, or its pages are, which ends a process. A
 * close may write as well, and may destroy locks that another process is just opening.
 *
 * Each has a file of its own. It makes the file a byte long, looks at the files of the others, and proceeds if all of
 * those are empty; otherwise it empties its own and tries again later. The length needs no space on a full disk. Files
 * of processes that have ended do not count.
 */
export class Turns {
  readonly #folder: string;
  readonly #runId: string;
  readonly #path: string;
  readonly #file: number;

  /** @throws what the disk refuses */
  constructor(folder: string, runId: string) {
    const { pid, startTime } = ownProcess();
    this.#folder = folder;
    this.#runId = runId;
    this.#path = join(folder, `turn-${pid}-${startTime}-${randomUUID()}`);
    for (const member of this.#members()) if (!isRunning(member)) rmSync(member.path, { force: true });
    this.#file = openSync(this.#path, 'wx', 0o600);
  }

  /**
   * Does something at its turn, in one go.
   * @throws `run_busy` where another takes longer than `waitMs`, what the disk refuses, and what `use` throws
   */
  async take<T>(use: () => T, waitMs = WAIT_MS): Promise<T> {
    for (const endsAt = performance.now() + waitMs; ;) {
      const result = this.#attempt(use, endsAt);
      if ('value' in result) return result.value;
      await delay(retryMs());
    }
  }

  /** The same on a thread that waits: for a transaction, which nothing may interrupt. */
  takeSync<T>(use: () => T, waitMs = WAIT_MS): T {
    for (const endsAt = performance.now() + waitMs; ;) {
      const result = this.#attempt(use, endsAt);
      if ('value' in result) return result.value;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, retryMs());
    }
  }

  #attempt<T>(use: () => T, endsAt: number): Attempt<T> {
    ftruncateSync(this.#file, 1);
    try {
      const busyPid = this.#otherAtWork();
      if (busyPid === undefined) return { value: use() };
      if (performance.now() < endsAt) return { busyPid };
      throw new SpillwayError(
        'run_busy',
        `${this.#runId} has been in use by process ${busyPid} for seconds.`,
        { hint: 'Call again. If that process was stopped, continue or end it.' },
      );
    } finally {
      this.#rest();
    }
  }

  #otherAtWork(): number | undefined {
    return this.#members().find((member) => isBusy(member.path) && isRunning(member))?.pid;
  }

  /** Who else may have the environment open. */
  others(): Others {
    const alive = this.#members().filter(isRunning);
    const here = alive.some(({ pid }) => pid === process.pid);
    return { here, elsewhere: alive.some(({ pid }) => pid !== process.pid) };
  }

  #members(): Member[] {
    return membersOf(this.#folder).filter(({ path }) => path !== this.#path);
  }

  /** What was done stays done when the disk refuses this; the others learn that the run is busy. */
  #rest(): void {
    try {
      ftruncateSync(this.#file, 0);
    } catch {
      // See above.
    }
  }

  /** Removes its file; it may not be used afterwards. */
  leave(): void {
    closeSync(this.#file);
    try {
      rmSync(this.#path, { force: true });
    } catch {
      // An empty file counts for nothing.
    }
  }
}
