import { chmodSync, closeSync, existsSync, fsyncSync, lstatSync, mkdirSync, openSync, rmSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type Database from 'libsql';
import { SpillwayError, toSpillwayError } from '../../../shared/base/errors.ts';
import { errnoOf, isFull } from '../machine/errno.ts';

export type SqlValue = string | number | Uint8Array | null;
export type SqlRow = readonly unknown[];

type Statement = Database.Statement;
type DiskCode = 'store_write_failed' | 'store_read_failed';

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** The prefix and 60 random bits, five to a character of RFC 4648 base32. */
export const newId = (prefix: string): string =>
  prefix + Array.from(randomBytes(12), (byte) => BASE32.charAt(byte & 31)).join('');

const NAME = 'home.db';
const OLD_FOLDERS = ['runs', 'journal', 'pending'];
const BUSY_MS = 10_000;
const PASSING_BUSY_MS = 1_000;
const RETRY_MS = 20;

/** The one database of a home. Several servers write to it and wait for each other. */
export class HomeDatabase {
  readonly path: string;
  readonly #statements = new Map<string, Statement>();
  #connection: Database.Database | undefined;
  #depth = 0;
  #refused: SpillwayError | undefined;
  readonly #isDurable: boolean;

  /**
   * @param home null for one in memory
   * @param options `isDurable: false`: a power cut may lose the last writes, and a write waits for no disk and not long for others
   */
  constructor(
    private readonly home: string | null,
    { isDurable = true }: { readonly isDurable?: boolean } = {},
  ) {
    this.#isDurable = isDurable;
    this.path = home === null ? ':memory:' : join(home, NAME);
  }

  /** False before any server's first write. @throws `store_corrupt` for a home of an earlier form */
  get isThere(): boolean {
    if (this.#connection !== undefined || this.home === null || existsSync(this.path)) return true;
    expectNewForm(this.home);
    return false;
  }

  /** Rows as arrays of their columns; none if there is no database yet. */
  rows(sql: string, ...values: SqlValue[]): SqlRow[] {
    if (!this.isThere) return [];
    return this.#coded('store_read_failed', () => {
      const rows: unknown[] = this.#statement(sql).raw(true).all(values);
      return rows.filter((row) => Array.isArray(row));
    });
  }

  row(sql: string, ...values: SqlValue[]): SqlRow | undefined {
    return this.rows(sql, ...values)[0];
  }

  /** Returns the number of changed rows. */
  run(sql: string, ...values: SqlValue[]): number {
    return this.#coded('store_write_failed', () => this.#statement(sql).run(values).changes);
  }

  /**
   * When it returns, the changes are on disk together or not at all. Inside another write it is a part that
   * can be undone separately. If `change` throws, the part is undone; if the disk refuses, the whole write
   * is, since SQLite may have undone more than the part.
   * @param options `isDurable: false`: a power cut may lose it, and everything after it until a durable
   *   write; the end of the process does not
   */
  write<T>(change: () => T, { isDurable = true }: { readonly isDurable?: boolean } = {}): T {
    if (this.#depth > 0 || !this.#isDurable || isDurable) return this.#write(change);
    this.#execute('PRAGMA synchronous = NORMAL');
    try {
      return this.#write(change);
    } finally {
      this.#execute('PRAGMA synchronous = FULL');
    }
  }

  #write<T>(change: () => T): T {
    const isOuter = this.#depth === 0;
    this.#expectUnrefused();
    this.#execute(isOuter ? 'BEGIN IMMEDIATE' : 'SAVEPOINT part');
    this.#depth += 1;
    try {
      const value = change();
      this.#expectUnrefused();
      this.#execute(isOuter ? 'COMMIT' : 'RELEASE part');
      return value;
    } catch (thrown) {
      attempt(this.#connection, isOuter ? 'ROLLBACK' : 'ROLLBACK TO part; RELEASE part');
      throw thrown;
    } finally {
      this.#depth -= 1;
      if (isOuter) this.#refused = undefined;
    }
  }

  #expectUnrefused(): void {
    if (this.#refused !== undefined) throw this.#refused;
  }

  close(): void {
    this.#statements.clear();
    // libsql closes the files only when its statements are collected, so the log is merged here.
    attempt(this.#connection, 'PRAGMA wal_checkpoint(PASSIVE)');
    this.#connection?.close();
    this.#connection = undefined;
  }

  #execute(sql: string): void {
    this.#coded('store_write_failed', () => this.#open().exec(sql));
  }

  #statement(sql: string): Statement {
    const connection = this.#open();
    const statement = this.#statements.get(sql) ?? connection.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  #open(): Database.Database {
    if (this.#connection !== undefined) return this.#connection;
    if (this.home !== null) {
      expectNewForm(this.home);
      expectFile(this.home, this.path);
    }
    const connection = new (loadLibsql())(this.path);
    try {
      // Two that set up the same file may meet a lock that no busy timeout covers.
      retryWhileBusy(() => setUp(connection, this.path));
      connection.exec(
        this.#isDurable
          ? 'PRAGMA synchronous = FULL'
          : `PRAGMA synchronous = NORMAL; PRAGMA busy_timeout = ${PASSING_BUSY_MS}`,
      );
    } catch (thrown) {
      connection.close();
      throw thrown;
    }
    this.#connection = connection;
    return connection;
  }

  #coded<T>(code: DiskCode, use: () => T): T {
    try {
      return use();
    } catch (thrown) {
      const error = toStoreError(thrown, this.path, code);
      if (this.#depth > 0) this.#refused ??= error;
      throw error;
    }
  }
}

/**
 * Created here, since SQLite gives its other files the mode of this one. An existing file is not opened:
 * closing it would drop SQLite's locks.
 */
function expectFile(home: string, path: string): void {
  mkdirSync(home, { recursive: true, mode: 0o700 });
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (thrown) {
    if (errnoOf(thrown) !== 'EEXIST') throw thrown;
    for (const file of [path, `${path}-wal`, `${path}-shm`])
      if (lstatSync(file, { throwIfNoEntry: false })?.isFile() === false)
        throw new SpillwayError('store_read_failed', `${file} is not a file.`);
    chmodSync(path, 0o600);
    return;
  }
  syncFolderNow(home, path);
}

function expectNewForm(home: string): void {
  const old = OLD_FOLDERS.map((name) => join(home, name)).filter((folder) => existsSync(folder));
  if (old.length > 0)
    throw new SpillwayError('store_corrupt', `${old.join(', ')}: written by an earlier build of Spillway.`, {
      hint: `Stop all servers of this home and remove it, with the folder output; its content cannot be read.`,
    });
}

function loadLibsql(): typeof Database {
  // Native code, loaded on first use: a server without runs does not need it.
  const load: (name: string) => typeof Database = createRequire(import.meta.url);
  return load('libsql');
}

function setUp(connection: Database.Database, path: string): void {
  connection.exec(`PRAGMA busy_timeout = ${BUSY_MS}`);
  if (PREVIOUS.includes(versionOf(connection))) makeTables(connection);
  const found = versionOf(connection);
  if (found !== SCHEMA_VERSION)
    throw new SpillwayError(
      'store_corrupt',
      `${path} has form ${found}; this server knows ${SCHEMA_VERSION}.`,
      { hint: 'Use one version of Spillway for this home, or another --home.' },
    );
}

const versionOf = (connection: Database.Database): number =>
  Number(connection.prepare('PRAGMA user_version').raw(true).all().flat()[0]);

function makeTables(connection: Database.Database): void {
  connection.exec('PRAGMA auto_vacuum = INCREMENTAL');
  connection.exec('PRAGMA journal_mode = WAL');
  connection.exec('BEGIN IMMEDIATE');
  try {
    const version = versionOf(connection);
    // Another server may have been faster.
    if (PREVIOUS.includes(version)) {
      if (version === 0) connection.exec(SCHEMA);
      if (version < 5) connection.exec(FOUND_BY);
      connection.exec(QUESTION);
      if (version > 0) connection.exec(MOVE_QUESTIONS);
      connection.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`);
    }
    connection.exec('COMMIT');
  } catch (thrown) {
    attempt(connection, 'ROLLBACK');
    throw thrown;
  }
}

/** A full disk undoes a write by itself. */
function attempt(connection: Database.Database | undefined, sql: string): void {
  try {
    connection?.exec(sql);
  } catch {
    // See above.
  }
}

function retryWhileBusy(use: () => void): void {
  for (const endsAt = performance.now() + BUSY_MS; ;)
    try {
      use();
      return;
    } catch (thrown) {
      if (!(errnoOf(thrown) ?? '').startsWith('SQLITE_BUSY') || performance.now() > endsAt) throw thrown;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS);
    }
}

/** A file whose name is not on disk must not be kept: the next server would not make the name durable. */
function syncFolderNow(folder: string, path: string): void {
  // Windows opens no folder for fsync; its file systems journal names by themselves.
  if (process.platform === 'win32') return;
  try {
    const handle = openSync(folder, 'r');
    try {
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
  } catch (thrown) {
    rmSync(path, { force: true });
    throw thrown;
  }
}

/** Names the refusal of the disk or SQLite; coded errors pass. */
export function toStoreError(thrown: unknown, path: string, code: DiskCode): SpillwayError {
  if (thrown instanceof SpillwayError) return thrown;
  const why = errnoOf(thrown);
  if (why === undefined) return toSpillwayError(thrown);
  // The second: the index of the log could not grow.
  if (isFull(thrown) || why === 'SQLITE_FULL' || why === 'SQLITE_IOERR_SHMSIZE')
    return new SpillwayError('store_full', `The disk of ${path} has no room.`, {
      hint: 'Free disk space, then call again.',
      cause: thrown,
    });
  if (why.startsWith('SQLITE_CORRUPT') || why.startsWith('SQLITE_NOTADB'))
    return new SpillwayError('store_corrupt', `${path} is damaged (${why}).`, {
      hint: `Stop all servers of this home and move ${path} and the files whose names begin with it to another folder.`,
      cause: thrown,
    });
  if (why.startsWith('SQLITE_BUSY'))
    return new SpillwayError(code, `${path} has been locked by another process for seconds.`, {
      hint: 'Call again. If a server of this home was stopped, continue or end it.',
      cause: thrown,
    });
  if (['EMFILE', 'ENFILE'].includes(why))
    return new SpillwayError(code, `${path} could not be opened: too many files are open.`, {
      hint: 'Raise the open file limit (ulimit -n), then call again.',
      cause: thrown,
    });
  return new SpillwayError(code, `The disk of ${path} failed (${why}).`, { cause: thrown });
}

/** A server that meets another form refuses it. */
const SCHEMA_VERSION = 6;
/** Forms that become this one; 0 is an empty file. */
const PREVIOUS = [0, 4, 5];

/** How runs are found, since form 5. A damaged record has null in its column. */
const FOUND_BY = `
  ALTER TABLE run ADD COLUMN tool TEXT AS (CASE WHEN json_valid(facts) THEN CAST(facts ->> 'tool' AS TEXT) END);
  ALTER TABLE run ADD COLUMN is_parked INTEGER
    AS (CASE WHEN json_valid(life) THEN life ->> '$.error.body.goes_on' IS 1 END);
  CREATE INDEX run_begun ON run (started_at_ms, number);
  CREATE INDEX run_of_tool ON run (tool, started_at_ms, number);
  CREATE INDEX run_parked ON run (number) WHERE is_parked = 1`;

/** Those that outlive their askers, a row for each id by which they are answered. */
const QUESTION = `
  CREATE TABLE question (
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    asked TEXT NOT NULL,
    state TEXT NOT NULL,
    forget_at_ms REAL NOT NULL,
    server TEXT,
    pid INTEGER NOT NULL,
    start_time TEXT NOT NULL,
    facts TEXT NOT NULL,
    PRIMARY KEY (kind, id, asked)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX question_asked ON question (kind, asked);
  CREATE INDEX question_over ON question (kind, forget_at_ms)`;

/** Before form 6, calls and turns of models had tables of their own. */
const MOVE_QUESTIONS = `
  INSERT INTO question SELECT 'call', call_id, call_id, iif(is_left, 'left', 'asked'),
      record ->> '$.lifetime.expires_at_ms', server, pid, start_time, record
    FROM kept_call WHERE json_valid(record) AND record ->> '$.lifetime.expires_at_ms' > 0;
  INSERT OR IGNORE INTO question SELECT 'turn', pause.id, asked.value ->> 'toolCallId',
      CASE state WHEN 'open' THEN 'asked' WHEN 'finished' THEN 'answered' ELSE 'withdrawn' END,
      expires_at_ms + ${24 * 60 * 60_000}, NULL, 0, '', facts
    FROM pause, json_each(iif(json_valid(facts), facts, '{}'), '$.questions') AS asked
    WHERE asked.value ->> 'toolCallId' IS NOT NULL;
  DROP TABLE kept_call;
  DROP TABLE pause`;

/*
 * Items are bytes, so that they can be sealed without being parsed. Numbers of runs are never used
 * again: rows of a removed run are deleted a part at a time.
 */
const SCHEMA = `
  CREATE TABLE run (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    started_at_ms INTEGER NOT NULL,
    owner TEXT,
    facts TEXT NOT NULL,
    life TEXT NOT NULL,
    tally TEXT NOT NULL
  ) STRICT;
  CREATE TABLE run_item (
    run INTEGER NOT NULL,
    position INTEGER NOT NULL,
    start INTEGER NOT NULL,
    size INTEGER NOT NULL,
    line BLOB NOT NULL,
    PRIMARY KEY (run, position)
  ) STRICT;
  CREATE TABLE run_state (
    run INTEGER NOT NULL,
    key BLOB NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (run, key)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE run_log (
    run INTEGER NOT NULL,
    position INTEGER PRIMARY KEY,
    at_ms INTEGER NOT NULL,
    line TEXT NOT NULL
  ) STRICT;
  CREATE INDEX run_log_of ON run_log (run, position);
  CREATE TABLE output (
    handle TEXT PRIMARY KEY,
    file TEXT NOT NULL,
    disk_bytes INTEGER NOT NULL,
    created_at_ms INTEGER NOT NULL,
    expires_at_ms INTEGER NOT NULL,
    boot TEXT NOT NULL,
    monotonic_ms INTEGER NOT NULL,
    kept_by TEXT,
    kept_since_ms INTEGER,
    note TEXT,
    deleted_at_ms INTEGER,
    sum INTEGER NOT NULL,
    meta TEXT NOT NULL
  ) STRICT;
  CREATE TABLE journal (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    at_ms INTEGER NOT NULL,
    line TEXT NOT NULL
  ) STRICT`;
