import { chmod, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { Key, RootDatabase } from 'lmdb';
import { SpillwayError } from '../../shared/errors.ts';
import type { JsonValue } from '../../shared/json.ts';
import type { CleanJson } from '../redact/clean.ts';
import { vouch } from '../redact/mark.ts';
import type { RunKey, RunState } from '../core/runs.ts';
import { openRegular } from '../machine/regular-file.ts';
import { assertLockUsable } from './lock-file.ts';
import { ItemRow, parseRecord, runCorrupt, RunFacts, RunLife, RunTally } from './records.ts';
import { onDisk, toRunError, refuse } from './run-error.ts';
import { Turns } from './turns.ts';

/*
 * One ordered space of keys a run:
 *
 *     [0, "facts" | "life" | "tally"]   records about the run
 *     [1, index]                        where each item lies
 *     [2, ...key]                       what the worker keeps
 */
/*
 * Two meta pages are at the beginning of an environment of LMDB (struct MDB_meta of its mdb.c, behind
 * the header of a page). Commits write them in turn; the one with the higher transaction counts.
 */
const MAGIC = 0xbe_ef_c0_de;
const MAGIC_AT = 24;
const PAGE_SIZE_AT = 48;
/** Roots of the two trees of an environment: what is free, and what is kept. */
const ROOTS_AT = [88, 136];
const LAST_PAGE_AT = 144;
const TRANSACTION_AT = 152;
const META_BYTES = 160;
const PAGE_BYTES_MIN = 256;
const PAGE_BYTES_MAX = 65_536;
/** The root of an empty tree. */
const NO_PAGE = 2n ** 64n - 1n;
/** The last pages may never have been written: a transaction that took and freed them again. One in practice. */
const UNWRITTEN_PAGES_MAX = 4n;

interface Meta {
  readonly pageBytes: number;
  /** The highest page that has to be there. */
  readonly neededPage: bigint;
  readonly transaction: bigint;
}

/** Null if it is not a meta page. */
function parseMeta(bytes: Buffer): Meta | null {
  if (bytes.length < META_BYTES || bytes.readUInt32LE(MAGIC_AT) !== MAGIC) return null;
  const pageBytes = bytes.readUInt32LE(PAGE_SIZE_AT);
  if (pageBytes < PAGE_BYTES_MIN || pageBytes > PAGE_BYTES_MAX) return null;
  const roots = ROOTS_AT.map((at) => bytes.readBigUInt64LE(at)).filter((root) => root !== NO_PAGE);
  const pages = [bytes.readBigUInt64LE(LAST_PAGE_AT) - UNWRITTEN_PAGES_MAX, ...roots];
  return {
    pageBytes,
    neededPage: pages.reduce((highest, page) => (page > highest ? page : highest)),
    transaction: bytes.readBigUInt64LE(TRANSACTION_AT),
  };
}

/** Open files that LMDB needs: its data twice, and its lock. */
const OPEN_FILES = 3;

/**
 * Tries what LMDB does first with the data of an environment, which is made where it is missing. LMDB maps it and
 * trusts it: a page that is not there ends the process. Where it cannot open its files, lmdb-js 3.5.6 ends the
 * process too: `EnvWrap::openEnv` of its env.cpp reads what it has just freed.
 * @throws `store_corrupt`, `store_read_failed`, `store_full`
 */
export async function assertUsable(folder: string, runId: string): Promise<void> {
  const why = await damageOf(folder).catch(refuse(folder, 'store_read_failed'));
  if (why !== null) throw runCorrupt(runId, why);
}

async function damageOf(folder: string): Promise<string | null> {
  const handles: FileHandle[] = [];
  try {
    // As many as LMDB needs, but not its lock: see lock-file.ts.
    while (handles.length < OPEN_FILES) handles.push(await openRegular(join(folder, 'data.mdb'), 'a+'));
    const [data] = handles;
    if (data === undefined) return null;
    const { size } = await data.stat();
    return size === 0 ? null : await damageOfData(data);
  } finally {
    await Promise.all(handles.map((handle) => handle.close()));
  }
}

async function damageOfData(data: FileHandle): Promise<string | null> {
  const read = async (position: number): Promise<Meta | null> => {
    const { buffer, bytesRead } = await data.read(Buffer.alloc(META_BYTES), 0, META_BYTES, position);
    return parseMeta(buffer.subarray(0, bytesRead));
  };
  const first = await read(0);
  const second = first && (await read(first.pageBytes));
  if (first === null || second === null || first.pageBytes !== second.pageBytes)
    return 'its environment has an invalid header';
  const { neededPage, pageBytes } = first.transaction >= second.transaction ? first : second;
  // After the pages, since a file that is written to only grows.
  const { size } = await data.stat();
  const expected = (neededPage + 1n) * BigInt(pageBytes);
  return size >= expected ? null : `its environment has ${size} bytes of at least ${expected}`;
}

/** A change in a transaction of LMDB: tells what the change itself threw from what the disk refused. */
class Attempt {
  readonly run: () => void;
  #thrown: { readonly value: unknown } | undefined;

  constructor(change: () => void) {
    this.run = () => {
      try {
        change();
      } catch (thrown) {
        this.#thrown = { value: thrown };
        throw thrown;
      }
    };
  }

  failed(thrown: unknown): boolean {
    return this.#thrown !== undefined && this.#thrown.value === thrown;
  }
}

const RECORDS = 0;
const ITEMS = 1;
const STATE = 2;

/** LMDB takes 1,978 bytes; the rest is for separators and the first part. */
const KEY_BYTES = 1_900;
const NUMBER_BYTES = 9;

/** Entries that a range reads at once. */
const RANGE_PART = 256;

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
    throw new SpillwayError(
      'internal_error',
      `A key of a run has ${bytes} bytes; at most ${KEY_BYTES} are allowed.`,
    );
  return [STATE, ...key];
}

/** What the database gives for a key; one of a single part comes without its list. */
function toRunKey(key: Key): RunKey {
  const parts: RunKey = Array.isArray(key)
    ? key.filter((part) => typeof part === 'string' || typeof part === 'number')
    : [];
  return parts.slice(1);
}

/** What was thrown; may be undefined. */
export interface Thrown {
  readonly value: unknown;
}

/** Changes under the write lock. */
export interface Transaction {
  facts(facts: RunFacts): void;
  life(life: RunLife): void;
  tally(tally: RunTally): void;
  row(index: number, row: ItemRow): void;
  put(key: RunKey, value: CleanJson): void;
  remove(key: RunKey): void;
}

/**
 * The environment of one run: its records, the rows of its items, the state of its worker.
 * @throws `store_read_failed`, `store_write_failed`, `store_full` when the disk refuses
 */
export class RunEnvironment implements RunState {
  readonly #database: RootDatabase<JsonValue, Key>;
  readonly #runId: string;
  readonly #path: string;
  readonly #turns: Turns;
  readonly #transaction: Transaction;

  constructor(
    database: RootDatabase<JsonValue, Key>,
    { runId, path, turns }: { readonly runId: string; readonly path: string; readonly turns: Turns },
  ) {
    this.#database = database;
    this.#runId = runId;
    this.#path = path;
    this.#turns = turns;
    this.#transaction = this.#changing(() => undefined);
  }

  /** @param before is called with each key that is about to change */
  #changing(before: (key: Key) => void): Transaction {
    const change = (key: Key, write: () => unknown): void => {
      before(key);
      onDisk(this.#path, 'store_write_failed', write);
    };
    const put = (key: Key, value: JsonValue): void => change(key, () => this.#database.putSync(key, value));
    return {
      facts: (facts) => put([RECORDS, 'facts'], facts),
      life: (life) => put([RECORDS, 'life'], life),
      tally: (tally) => put([RECORDS, 'tally'], tally),
      row: (index, row) => put([ITEMS, index], row),
      put: (key, value) => put(toStateKey(key), value),
      remove: (key) => {
        const stored = toStateKey(key);
        change(stored, () => this.#database.removeSync(stored));
      },
    };
  }

  #read<T>(read: () => T): T {
    try {
      return read();
    } catch (thrown) {
      const error = toRunError(thrown, this.#path, 'store_read_failed');
      // Neither the disk nor LMDB refused: what was stored there cannot be decoded.
      throw error.code === 'internal_error'
        ? runCorrupt(this.#runId, 'a record cannot be decoded', thrown)
        : error;
    }
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

  get(key: RunKey): CleanJson | undefined {
    const value = this.#get(toStateKey(key));
    return value === undefined ? undefined : vouch(value);
  }

  /** No cursor stays open between two parts, even if the caller takes long. */
  *range({ start, end, limit = Infinity }: Parameters<RunState['range']>[0]) {
    let from: Key = toStateKey(start);
    let isContinued = false;
    for (let left = limit; left > 0;) {
      const count = Math.min(left, RANGE_PART);
      const options = { start: from, end: toStateKey(end), limit: count, exclusiveStart: isContinued };
      const part: readonly { key: Key; value: JsonValue }[] = this.#read(() => [
        ...this.#database.getRange(options),
      ]);
      for (const { key, value } of part) yield { key: toRunKey(key), value: vouch(value) };
      const last = part.at(-1);
      if (last === undefined || part.length < count) return;
      from = last.key;
      isContinued = true;
      left -= part.length;
    }
  }

  /**
   * Changes that are there together or not at all, on the disk when it returns. `change` runs with the
   * write lock; what it throws undoes it. The lock is never held while something else has to happen
   * on this thread: a caller that opens the run waits for the lock on a thread of its own events.
   */
  write(change: (transaction: Transaction) => void): void {
    const attempt = new Attempt(() => change(this.#transaction));
    const use = (): void => {
      // After a meta page that was not written LMDB begins no transaction, and lmdb-js does not look.
      this.#database.resetReadTxn();
      this.facts();
      this.#database.transactionSync(attempt.run);
    };
    try {
      this.#turns.takeSync(use);
    } catch (thrown) {
      throw attempt.failed(thrown) ? thrown : toRunError(thrown, this.#path);
    }
  }

  /**
   * The same for many, with one commit of the disk: what a change throws undoes it alone. Undone by
   * hand, and not by a child transaction: with those, LMDB 0.9.90 came to write to a page that is not
   * there (`mdb_page_touch`) and ended the process, once in some hundred thousand.
   * @returns For each change what it threw; undefined for one that is on the disk.
   * @throws what the disk refused; none of them is there then
   */
  writeEach(changes: readonly ((transaction: Transaction) => void)[]): readonly (Thrown | undefined)[] {
    const results: (Thrown | undefined)[] = [];
    this.write(() => {
      for (const change of changes) {
        const undo: (() => void)[] = [];
        try {
          change(this.#changing((key) => undo.push(this.#restoring(key))));
          results.push(undefined);
        } catch (thrown) {
          for (const step of undo.reverse()) step();
          results.push({ value: thrown });
        }
      }
    });
    return results;
  }

  /** Gives a key the value back that it has now. */
  #restoring(key: Key): () => void {
    const value = this.#get(key);
    const write = (): unknown =>
      value === undefined ? this.#database.removeSync(key) : this.#database.putSync(key, value);
    return () => void onDisk(this.#path, 'store_write_failed', write);
  }

  async close(): Promise<void> {
    const close = (): Promise<void> => this.#database.close();
    // A folder that is gone, or a disk that refuses, must not keep it open.
    await this.#turns.take(close).catch(close);
    this.#turns.leave();
  }
}

/**
 * Opens or makes the environment in a folder that exists. LMDB's own defaults hold: a transaction
 * is on the disk when it returns, a kill at any point leaves the last one that was committed.
 * @throws `store_corrupt`, `store_read_failed`, `store_full` for files that LMDB would not survive
 */
export async function openEnvironment(folder: string, runId: string): Promise<RunEnvironment> {
  await assertUsable(folder, runId);
  // Native code, and the first use only: a server that works on no run does not load it.
  const { open } = await import('lmdb');
  const turns = new Turns(folder, runId);
  const lock = join(folder, 'lock.mdb');
  try {
    const database = await turns.take(() => {
      assertLockUsable(lock, runId, turns.others());
      return open<JsonValue, Key>({ path: folder, noSubdir: false, encoding: 'json', ...mapping });
    });
    await chmod(lock, 0o600);
    return new RunEnvironment(database, { runId, path: folder, turns });
  } catch (thrown) {
    turns.leave();
    throw thrown;
  }
}
