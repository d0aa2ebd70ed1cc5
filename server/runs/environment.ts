import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import type { Key, RootDatabase } from 'lmdb';
import { SpillwayError } from '../../shared/errors.ts';
import type { JsonValue } from '../../shared/json.ts';
import type { RunKey, RunState } from '../core/runs.ts';
import { orAfter } from '../core/waiting.ts';
import { Attempt } from './attempt.ts';
import { ItemRow, parseRecord, RunFacts, RunLife, RunTally } from './records.ts';
import { onDisk, toRunError } from './run-error.ts';

/*
 * One ordered space of keys a run:
 *
 *     [0, "facts" | "life" | "tally"]   records about the run
 *     [1, index]                        where each item lies
 *     [2, ...key]                       what the worker keeps
 */
const RECORDS = 0;
const ITEMS = 1;
const STATE = 2;

/** LMDB takes 1,978 bytes; the rest is for separators and the first part. */
const KEY_BYTES = 1_900;
const NUMBER_BYTES = 9;

/** Entries that a range reads at once. */
const RANGE_PART = 256;

const FILES = ['data.mdb', 'lock.mdb'];

/**
 * Address space, not memory. One that grows is mapped again and again, and what was mapped before
 * counts as memory of the process: three times as much for a million entries. Windows reserves the
 * file with the space, so there it grows.
 */
const MAP_BYTES = 16 * 1024 ** 3;
const mapping = process.platform === 'win32' ? {} : { mapSize: MAP_BYTES };

function toStateKey(key: RunKey): (string | number)[] {
  const bytes = key.reduce<number>(
    (sum, part) => sum + (typeof part === 'string' ? Buffer.byteLength(part) + 1 : NUMBER_BYTES),
    0,
  );
  if (bytes > KEY_BYTES)
    throw new SpillwayError('internal_error', `A key of a run has ${bytes} bytes; ${KEY_BYTES} is the most.`);
  return [STATE, ...key];
}

/** What the database gives for a key; one of a single part comes without its list. */
function toRunKey(key: Key): RunKey {
  const parts: RunKey = Array.isArray(key)
    ? key.filter((part) => typeof part === 'string' || typeof part === 'number')
    : [];
  return parts.slice(1);
}

/** What LMDB has to tell why a commit failed, and to close. */
const PATIENCE_MS = 1_000;

/** After some failures of the disk LMDB never answers; a disk that works is never so slow. */
const COMMIT_MS = 20_000;

const noAnswer = (runId: string): SpillwayError =>
  new SpillwayError(
    'store_write_failed',
    `The disk did not take a commit of ${runId} in ${COMMIT_MS / 1000} s.`,
  );

/**
 * Why a commit failed is a second promise on its error, which has to be met, or the process ends by
 * it (https://github.com/kriszyp/lmdb-js/issues/368).
 */
async function reasonOf(thrown: unknown): Promise<unknown> {
  if (!(thrown instanceof Error && 'commitError' in thrown && thrown.commitError instanceof Promise))
    return thrown;
  const why: Promise<unknown> = thrown.commitError.catch((reason: unknown) => reason);
  return (await orAfter(why, PATIENCE_MS)) ?? thrown;
}

/** Changes under the write lock. */
export interface Transaction {
  facts(facts: RunFacts): void;
  life(life: RunLife): void;
  tally(tally: RunTally): void;
  row(index: number, row: ItemRow): void;
  put(key: RunKey, value: JsonValue): void;
  remove(key: RunKey): void;
}

/**
 * The environment of one run: its records, the rows of its items, the state of its worker.
 * @throws `store_read_failed`, `store_write_failed`, `store_full` for what the disk refuses
 */
export class RunEnvironment implements RunState {
  readonly #database: RootDatabase<JsonValue, Key>;
  readonly #runId: string;
  readonly #path: string;
  readonly #transaction: Transaction;
  /** Set when LMDB does not answer any more. */
  #broken: SpillwayError | undefined;

  constructor(database: RootDatabase<JsonValue, Key>, { runId, path }: { runId: string; path: string }) {
    this.#database = database;
    this.#runId = runId;
    this.#path = path;
    const put = (key: Key, value: JsonValue): void =>
      void onDisk(path, 'store_write_failed', () => database.putSync(key, value));
    this.#transaction = {
      facts: (facts) => put([RECORDS, 'facts'], facts),
      life: (life) => put([RECORDS, 'life'], life),
      tally: (tally) => put([RECORDS, 'tally'], tally),
      row: (index, row) => put([ITEMS, index], row),
      put: (key, value) => put(toStateKey(key), value),
      remove: (key) => void onDisk(path, 'store_write_failed', () => database.removeSync(toStateKey(key))),
    };
  }

  #read<T>(read: () => T): T {
    return onDisk(this.#path, 'store_read_failed', read);
  }

  #get(key: Key): JsonValue | undefined {
    return this.#read(() => this.#database.get(key));
  }

  /** Undefined where the run was never committed. */
  facts(): RunFacts | undefined {
    const value = this.#get([RECORDS, 'facts']);
    return value === undefined ? undefined : parseRecord(RunFacts, value, this.#runId);
  }

  life(): RunLife {
    return parseRecord(RunLife, this.#get([RECORDS, 'life']), this.#runId);
  }

  tally(): RunTally {
    return parseRecord(RunTally, this.#get([RECORDS, 'tally']), this.#runId);
  }

  /** Rows of items `first … first + count`, as many as there are. */
  rows(first: number, count: number): ItemRow[] {
    const range = { start: [ITEMS, first], end: [ITEMS, first + count] };
    const rows = this.#read(() => [...this.#database.getRange(range)]);
    return rows.map(({ value }) => parseRecord(ItemRow, value, this.#runId));
  }

  get(key: RunKey): JsonValue | undefined {
    return this.#get(toStateKey(key));
  }

  /** No cursor stays open between two parts, however long the caller takes. */
  *range({ start, end, limit = Infinity }: Parameters<RunState['range']>[0]) {
    let from: Key = toStateKey(start);
    let isContinued = false;
    for (let left = limit; left > 0;) {
      const count = Math.min(left, RANGE_PART);
      const options = { start: from, end: toStateKey(end), limit: count, exclusiveStart: isContinued };
      const part: readonly { key: Key; value: JsonValue }[] = this.#read(() => [
        ...this.#database.getRange(options),
      ]);
      for (const { key, value } of part) yield { key: toRunKey(key), value };
      const last = part.at(-1);
      if (last === undefined || part.length < count) return;
      from = last.key;
      isContinued = true;
      left -= part.length;
    }
  }

  /**
   * Changes that are there together or not at all, on the disk when it resolves. `change` runs with
   * the write lock; what it throws undoes it alone. Writes at the same time share one commit of the disk.
   */
  async write(change: (transaction: Transaction) => void): Promise<void> {
    if (this.#broken !== undefined) throw this.#broken;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject((this.#broken = noAnswer(this.#runId))), COMMIT_MS);
    });
    const attempt = new Attempt(() => change(this.#transaction));
    try {
      await Promise.race([this.#database.childTransaction(attempt.run), late]);
    } catch (thrown) {
      throw attempt.failed(thrown) ? thrown : toRunError(await reasonOf(thrown), this.#path);
    } finally {
      clearTimeout(timer);
    }
  }

  /** The same at once, for what is seldom; what `change` throws undoes it. */
  writeSync(change: (transaction: Transaction) => void): void {
    const attempt = new Attempt(() => change(this.#transaction));
    try {
      this.#database.transactionSync(attempt.run);
    } catch (thrown) {
      throw attempt.failed(thrown) ? thrown : toRunError(thrown, this.#path);
    }
  }

  /** After a commit that failed LMDB waits for ever for its flush; what is committed is on the disk by then. */
  async close(): Promise<void> {
    await orAfter(this.#database.close(), PATIENCE_MS);
  }
}

/**
 * Opens or makes the environment in a folder that exists. LMDB's own defaults hold: a transaction
 * is on the disk when it resolves, a kill at any point leaves the last one that was committed.
 */
export async function openEnvironment(folder: string, runId: string): Promise<RunEnvironment> {
  // Native code, and the first use only: a server that works on no run does not load it.
  const { open } = await import('lmdb');
  const database = open<JsonValue, Key>({
    path: folder,
    noSubdir: false,
    encoding: 'json',
    // A batch of each turn has a promise that nobody can meet when its commit fails.
    eventTurnBatching: false,
    ...mapping,
  });
  for (const name of FILES) await chmod(join(folder, name), 0o600);
  return new RunEnvironment(database, { runId, path: folder });
}
