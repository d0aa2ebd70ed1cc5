import { lstat, mkdir, open, readdir, rm, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { errnoOf, isMissing } from '../machine/errno.ts';
import { namesIn } from '../machine/names-in.ts';
import { isRunning, ownProcess, type ProcessIdentity } from '../machine/process-identity.ts';
import { syncFolder } from '../machine/sync-folder.ts';
import { SpillwayError } from '../../shared/errors.ts';
import { RUN_ID_PATTERN } from '../../shared/tools/fields.ts';
import { openEnvironment, type RunEnvironment, type Transaction } from './environment.ts';
import { ItemsFile } from './items-file.ts';

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** `run_` and 60 random bits, five to a character of RFC 4648 base32. */
export function createRunId(): string {
  let id = 'run_';
  for (const byte of randomBytes(12)) id += BASE32.charAt(byte & 31);
  return id;
}

const isRunId = (text: string): boolean => RUN_ID_PATTERN.test(text);

/** `run_not_found`, for ids that are unknown or malformed alike. */
function runNotFound(runId: string): SpillwayError {
  const shown = runId.length > 40 ? `${runId.slice(0, 40)}…` : runId;
  return new SpillwayError('run_not_found', `There is no run ${JSON.stringify(shown)}.`);
}

/** A run's folder, open: its environment and its items. */
export interface OpenRun {
  readonly runId: string;
  readonly path: string;
  readonly environment: RunEnvironment;
  readonly file: ItemsFile;
}

/** Holds a run open until it is released. */
export interface Lease {
  readonly run: OpenRun;
  /** Whether another holds it open as well. */
  isShared(): boolean;
  release(): void;
}

interface Entry {
  readonly opening: Promise<OpenRun>;
  leases: number;
  timer: NodeJS.Timeout | undefined;
}

/** How long a run without readers stays open, and how many of them. */
const IDLE_MS = 5_000;
const IDLE_MAX = 8;
/** `new-<pid>-<start time>` is in a folder until its run is complete. */
const MARKER = /^new-(?<pid>\d{1,10})-(?<startTime>\d{1,20})$/;

const markerName = ({ pid, startTime }: ProcessIdentity): string => `new-${pid}-${startTime}`;

/** Who is about to make the run in a folder, if it is not whole. */
async function makerOf(folder: string): Promise<ProcessIdentity | undefined> {
  for (const name of await readdir(folder)) {
    const { pid, startTime } = MARKER.exec(name)?.groups ?? {};
    if (pid !== undefined && startTime !== undefined) return { pid: Number(pid), startTime };
  }
  return undefined;
}

/** What a new environment takes at first, several times over. */
const ROOM_BYTES = 256 * 1024;

/** A disk that is full while LMDB opens ends the process, so it is asked for room before. */
async function expectRoom(folder: string): Promise<void> {
  const path = join(folder, 'room');
  const handle = await open(path, 'wx', 0o600);
  try {
    await handle.writeFile(Buffer.alloc(ROOM_BYTES));
    await handle.sync();
  } finally {
    await handle.close();
    await unlink(path);
  }
}

/** The folders of runs below `<home>/runs`. A run is opened once per process, for all its readers. */
export class RunFolders {
  readonly root: string;
  readonly #entries = new Map<string, Entry>();
  /** Open runs without readers, the most recently read at the end. */
  readonly #idle = new Set<string>();
  readonly #removing = new Set<string>();
  readonly #closing = new Map<string, Promise<void>>();

  constructor(home: string) {
    this.root = join(home, 'runs');
  }

  /** Makes a run that is there whole or not at all. `write` is its first transaction. */
  async create(write: (transaction: Transaction, runId: string) => void): Promise<Lease> {
    await mkdir(this.root, { recursive: true, mode: 0o700 });
    const runId = await this.#makeFolder();
    const path = join(this.root, runId);
    const marker = join(path, markerName(ownProcess()));
    try {
      await (await open(marker, 'wx', 0o600)).close();
      await expectRoom(path);
      const lease = await this.#lease(runId);
      try {
        lease.run.environment.write((transaction) => write(transaction, runId));
        await unlink(marker);
        await syncFolder(path);
        await syncFolder(this.root);
        return lease;
      } catch (thrown) {
        lease.release();
        await this.#close(runId);
        throw thrown;
      }
    } catch (thrown) {
      await rm(path, { recursive: true, force: true });
      throw thrown;
    }
  }

  /** The folder must not be there: two servers never make the same run. */
  async #makeFolder(): Promise<string> {
    for (;;) {
      const runId = createRunId();
      try {
        await mkdir(join(this.root, runId), { mode: 0o700 });
        return runId;
      } catch (thrown) {
        if (errnoOf(thrown) !== 'EEXIST') throw thrown;
      }
    }
  }

  /** @throws `run_not_found`, before any path is built of what is malformed. */
  async lease(runId: string): Promise<Lease> {
    if (!isRunId(runId)) throw runNotFound(runId);
    if (!this.#entries.has(runId)) await this.#expectWhole(runId);
    const lease = await this.#lease(runId);
    try {
      if (lease.run.environment.facts() === undefined) throw runNotFound(runId);
      return lease;
    } catch (thrown) {
      lease.release();
      throw thrown;
    }
  }

  /**
   * Reads a run, and closes it immediately if it was not open before: listing runs opens many.
   * @throws `run_not_found`
   */
  async glance<T>(runId: string, read: (run: OpenRun) => T): Promise<T> {
    const wasOpen = this.#entries.has(runId);
    const lease = await this.lease(runId);
    try {
      return read(lease.run);
    } finally {
      lease.release();
      if (!wasOpen) await this.#close(runId);
    }
  }

  async #expectWhole(runId: string): Promise<void> {
    const path = join(this.root, runId);
    try {
      const isFolder = (await lstat(path)).isDirectory();
      if (!isFolder || (await makerOf(path)) !== undefined) throw runNotFound(runId);
    } catch (thrown) {
      throw isMissing(thrown) ? runNotFound(runId) : thrown;
    }
  }

  async #lease(runId: string): Promise<Lease> {
    // Another waiter may have opened it, and it may be closing again.
    for (let closing = this.#closing.get(runId); closing !== undefined; closing = this.#closing.get(runId))
      await closing;
    if (this.#removing.has(runId)) throw runNotFound(runId);
    const entry = this.#entries.get(runId) ?? this.#open(runId);
    entry.leases += 1;
    clearTimeout(entry.timer);
    this.#idle.delete(runId);
    let isReleased = false;
    const release = (): void => {
      if (isReleased) return;
      isReleased = true;
      entry.leases -= 1;
      if (entry.leases > 0) return;
      entry.timer = setTimeout(() => void this.#close(runId), IDLE_MS);
      entry.timer.unref();
      this.#idle.add(runId);
      const [oldest] = this.#idle;
      if (this.#idle.size > IDLE_MAX && oldest !== undefined) void this.#close(oldest);
    };
    try {
      return { run: await entry.opening, isShared: () => entry.leases > 1, release };
    } catch (thrown) {
      this.#entries.delete(runId);
      throw thrown;
    }
  }

  #open(runId: string): Entry {
    const path = join(this.root, runId);
    const opening = (async (): Promise<OpenRun> => {
      const environment = await openEnvironment(path, runId);
      try {
        return { runId, path, environment, file: await ItemsFile.open(path, runId) };
      } catch (thrown) {
        await environment.close();
        throw thrown;
      }
    })();
    const entry: Entry = { opening, leases: 0, timer: undefined };
    this.#entries.set(runId, entry);
    return entry;
  }

  async #close(runId: string): Promise<void> {
    const entry = this.#entries.get(runId);
    if (entry === undefined || entry.leases > 0) return;
    clearTimeout(entry.timer);
    this.#idle.delete(runId);
    this.#entries.delete(runId);
    const closing = (async () => {
      const run = await entry.opening;
      await Promise.allSettled([run.environment.close(), run.file.close()]);
    })().finally(() => this.#closing.delete(runId));
    this.#closing.set(runId, closing);
    await closing;
  }

  /** Closes a run without readers, and removes its folder. False when it has readers. */
  async remove(runId: string): Promise<boolean> {
    this.#removing.add(runId);
    try {
      await this.#close(runId);
      if (this.#entries.has(runId)) return false;
      await rm(join(this.root, runId), { recursive: true, force: true });
      return true;
    } finally {
      this.#removing.delete(runId);
    }
  }

  /** True for a folder in which no run became whole before its server died. */
  async isAbandoned(runId: string): Promise<boolean> {
    const maker = await makerOf(join(this.root, runId));
    return maker !== undefined && !isRunning(maker);
  }

  /** Names of runs, whole or not; none before the first. */
  async list(): Promise<string[]> {
    return (await namesIn(this.root)).filter(isRunId);
  }

  /** Closes runs without readers. */
  async close(): Promise<void> {
    await Promise.all([...this.#entries.keys()].map((runId) => this.#close(runId)));
    await Promise.all(this.#closing.values());
  }
}
