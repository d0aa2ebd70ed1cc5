import { SpillwayError } from '../../shared/base/errors.ts';
import { RUN_ID_PATTERN } from '../../shared/core/tools/manifest.ts';
import type { RunChange, RunKey, RunState } from '../core/runs.ts';
import { HomeDatabase, newId, type SqlRow, type SqlValue } from '../core/home/database.ts';
import {
  cleanJsonText,
  type CleanBytes,
  type CleanJson,
  type CleanRecord,
} from '../libraries/redaction/clean.ts';
import { vouchBytes, StoredJson, StoredRecord } from '../libraries/redaction/mark.ts';
import { type ItemRow, parseRecord, runCorrupt, RunFacts, RunLife, RunTally } from './records.ts';

/** Entries that a range reads at once: each may be as large as an answer. */
const RANGE_PART = 16;
/** Rows of a removed run that are deleted at once, so that other work comes between. */
const REMOVED_PART = 500;
/** In its state, long arguments. */
const ARGS: RunKey = ['args'];
const RUN_TABLES = ['run_item', 'run_state', 'run_log'];
const ofTool = (tool: string | undefined): readonly [where: string, ...values: string[]] =>
  tool === undefined ? [''] : ['WHERE tool = ?', tool];

export const createRunId = (): string => newId('run_');

/** `run_not_found`, for unknown and malformed ids alike. */
function runNotFound(runId: string): SpillwayError {
  const shown = runId.length > 40 ? `${runId.slice(0, 40)}…` : runId;
  return new SpillwayError('run_not_found', `There is no run ${JSON.stringify(shown)}.`);
}

interface RunRecords {
  readonly facts: RunFacts;
  /** Whole; the facts have a short form, which views show. */
  readonly args: CleanRecord;
  readonly life: RunLife;
  readonly tally: RunTally;
}

/** The runs of a home. */
export class RunStore {
  readonly database: HomeDatabase;

  constructor(home: string) {
    this.database = new HomeDatabase(home);
  }

  /** Creates a run that exists whole or not at all. */
  create(records: (runId: string) => RunRecords): StoredRun {
    const runId = createRunId();
    const { facts, args, life, tally } = records(runId);
    return this.database.write(() => {
      const values = [runId, facts.started_at_ms, JSON.stringify(facts), '', '', null] as const;
      this.database.run(
        'INSERT INTO run (id, started_at_ms, facts, life, tally, owner) VALUES (?, ?, ?, ?, ?, ?)',
        ...values,
      );
      const run = this.open(runId);
      run.putLife(life);
      run.putTally(tally);
      if (facts.has_long_args) run.put(ARGS, args);
      return run;
    });
  }

  /** @throws `run_not_found` */
  open(runId: string): StoredRun {
    const row = RUN_ID_PATTERN.test(runId)
      ? this.database.row('SELECT number FROM run WHERE id = ?', runId)
      : undefined;
    if (row === undefined) throw runNotFound(runId);
    return new StoredRun(this.database, runId, Number(row[0]));
  }

  /** The newest first. @param tool leaves out runs of other tools */
  list({
    limit = -1,
    tool,
  }: { readonly limit?: number; readonly tool?: string | undefined } = {}): StoredRun[] {
    const [where, ...values] = ofTool(tool);
    const order = 'ORDER BY started_at_ms DESC, number DESC LIMIT ?';
    return this.#all(`SELECT id, number FROM run ${where} ${order}`, ...values, limit);
  }

  listParked(): StoredRun[] {
    return this.#all('SELECT id, number FROM run WHERE is_parked = 1');
  }

  #all(sql: string, ...values: SqlValue[]): StoredRun[] {
    return this.database
      .rows(sql, ...values)
      .map(([id, number]) => new StoredRun(this.database, String(id), Number(number)));
  }

  count(tool?: string): number {
    const [where, ...values] = ofTool(tool);
    return Number(this.database.row(`SELECT count(*) FROM run ${where}`, ...values)?.[0] ?? 0);
  }

  /** Deletes the remains of removed runs, a part at a time, and frees the space. */
  async removeLeftovers(pause: () => Promise<unknown>): Promise<void> {
    if (!this.database.isThere) return;
    for (const table of RUN_TABLES) {
      const gone = `SELECT rest.run FROM ${table} AS rest WHERE NOT EXISTS (SELECT 1 FROM run WHERE number = rest.run) LIMIT 1`;
      for (let run = this.database.row(gone)?.[0]; run !== undefined; run = this.database.row(gone)?.[0])
        while (this.#removePart(table, Number(run)) > 0) await pause();
    }
  }

  #removePart(table: string, run: number): number {
    const order = table === 'run_state' ? 'key' : 'position';
    const part = `SELECT ${order} FROM ${table} WHERE run = ?1 ORDER BY ${order} LIMIT ${REMOVED_PART}`;
    const changes = this.database.run(`DELETE FROM ${table} WHERE run = ?1 AND ${order} IN (${part})`, run);
    this.database.rows('PRAGMA incremental_vacuum(4096)');
    return changes;
  }

  close(): void {
    this.database.close();
  }
}

/** One run: its records, its items, and the state of its worker. Nothing of it is kept in memory. */
export class StoredRun implements RunChange {
  constructor(
    private readonly database: HomeDatabase,
    readonly runId: string,
    private readonly number: number,
  ) {}

  #column(name: 'facts' | 'life' | 'tally' | 'owner' | 'started_at_ms'): unknown {
    const row = this.database.row(`SELECT ${name} FROM run WHERE number = ?`, this.number);
    if (row === undefined) throw runNotFound(this.runId);
    return row[0];
  }

  #parse(text: unknown): CleanJson {
    try {
      return StoredJson.parse(JSON.parse(String(text)));
    } catch (thrown) {
      throw runCorrupt(this.runId, 'a record cannot be decoded', thrown);
    }
  }

  get startedAtMs(): number {
    return Number(this.#column('started_at_ms'));
  }

  facts(): RunFacts {
    return parseRecord(RunFacts, this.#parse(this.#column('facts')), this.runId);
  }

  /** The stored arguments, whole. */
  args(): CleanRecord {
    const { args, has_long_args: areElsewhere } = this.facts();
    return areElsewhere ? parseRecord(StoredRecord, this.get(ARGS), this.runId) : args;
  }

  life(): RunLife {
    const life = this.#parse(this.#column('life'));
    const owner = this.#column('owner');
    const whole = {
      ...(typeof life === 'object' ? life : {}),
      owner: owner === null ? null : this.#parse(owner),
    };
    return parseRecord(RunLife, whole, this.runId);
  }

  tally(): RunTally {
    return parseRecord(RunTally, this.#parse(this.#column('tally')), this.runId);
  }

  /** The owner has its own column, so that a server can release all its runs at once. */
  putLife({ owner, ...life }: RunLife): void {
    this.#change('UPDATE run SET life = ?, owner = ? WHERE number = ?', [
      JSON.stringify(life),
      owner === null ? null : JSON.stringify(owner),
    ]);
  }

  putTally(tally: RunTally): void {
    this.#change('UPDATE run SET tally = ? WHERE number = ?', [JSON.stringify(tally)]);
  }

  #change(sql: string, values: readonly SqlValue[]): void {
    if (this.database.run(sql, ...values, this.number) === 0) throw runNotFound(this.runId);
  }

  addItem(position: number, start: number, line: CleanBytes): void {
    const values = [this.number, position, start, line.length, line];
    this.database.run(
      'INSERT INTO run_item (run, position, start, size, line) VALUES (?, ?, ?, ?, ?)',
      ...values,
    );
  }

  /** Changes that are on disk together or not at all; within another write they can be undone separately. */
  write<T>(change: () => T, options?: { readonly isDurable?: boolean }): T {
    return this.database.write(change, options);
  }

  put(key: RunKey, value: CleanJson): void {
    this.database.run(
      'INSERT OR REPLACE INTO run_state (run, key, value) VALUES (?, ?, ?)',
      ...[this.number, encodeKey(key), cleanJsonText(value)],
    );
  }

  remove(key: RunKey): void {
    this.database.run('DELETE FROM run_state WHERE run = ? AND key = ?', this.number, encodeKey(key));
  }

  /** The places of items `first … first + count` in the stored array, as many as there are. */
  items(first: number, count: number): ItemRow[] {
    const rows = this.database.rows(
      'SELECT position, start, size FROM run_item WHERE run = ? AND position >= ? AND position < ? ORDER BY position',
      ...[this.number, first, first + count],
    );
    return rows.map(([position, start, size], index) => {
      if (position !== first + index) throw runCorrupt(this.runId, 'an item is missing');
      return { position: first + index, start: Number(start), size: Number(size) };
    });
  }

  /** Bytes `from … to` of one item. */
  part(position: number, from: number, to: number): Uint8Array {
    const row = this.database.row(
      'SELECT substr(line, ?, ?) FROM run_item WHERE run = ? AND position = ?',
      ...[from + 1, to - from, this.number, position],
    );
    if (row?.[0] instanceof Uint8Array) return row[0];
    throw runCorrupt(this.runId, 'an item has no bytes');
  }

  /** The bytes of neighbouring items. */
  lines(rows: readonly ItemRow[]): CleanBytes[] {
    const [first, last] = [rows[0], rows.at(-1)];
    if (first === undefined || last === undefined) return [];
    const found = this.database.rows(
      'SELECT line FROM run_item WHERE run = ? AND position BETWEEN ? AND ? ORDER BY position',
      ...[this.number, first.position, last.position],
    );
    if (found.length < rows.length) throw runCorrupt(this.runId, 'its items end early');
    return found.map(([line]) => {
      if (line instanceof Uint8Array)
        return vouchBytes(Buffer.from(line.buffer, line.byteOffset, line.length));
      throw runCorrupt(this.runId, 'an item has no bytes');
    });
  }

  get(key: RunKey): CleanJson | undefined {
    const row = this.database.row(
      'SELECT value FROM run_state WHERE run = ? AND key = ?',
      ...[this.number, encodeKey(key)],
    );
    return row === undefined ? undefined : this.#parse(row[0]);
  }

  /** No cursor stays open between two parts, even if the caller takes long. */
  *range({ start, end, limit = Infinity }: Parameters<RunState['range']>[0]) {
    let from = encodeKey(start);
    let compared = '>=';
    for (let left = limit; left > 0; left -= RANGE_PART) {
      const count = Math.min(left, RANGE_PART);
      const part: readonly SqlRow[] = this.database.rows(
        `SELECT key, value FROM run_state WHERE run = ? AND key ${compared} ? AND key < ? ORDER BY key LIMIT ?`,
        ...[this.number, from, encodeKey(end), count],
      );
      for (const [key, value] of part) {
        if (!(key instanceof Uint8Array)) throw runCorrupt(this.runId, 'a key is malformed');
        from = Buffer.from(key);
        yield { key: decodeKey(from), value: this.#parse(value) };
      }
      if (part.length < count) return;
      compared = '>';
    }
  }

  addLog(lines: readonly { readonly at_ms: number; readonly line: string }[], keep: number): void {
    this.database.write(() => {
      for (const { at_ms, line } of lines)
        this.database.run(
          'INSERT INTO run_log (run, at_ms, line) VALUES (?, ?, ?)',
          ...[this.number, at_ms, line],
        );
      this.database.run(
        `DELETE FROM run_log WHERE run = ?1 AND position <=
           (SELECT position FROM run_log WHERE run = ?1 ORDER BY position DESC LIMIT 1 OFFSET ?2)`,
        ...[this.number, keep],
      );
    });
  }

  /** The last lines, newest first. */
  log(sinceMs: number, count: number): { readonly lines: readonly string[]; readonly total: number } {
    const of = 'FROM run_log WHERE run = ? AND at_ms >= ?';
    const total = Number(this.database.row(`SELECT count(*) ${of}`, this.number, sinceMs)?.[0] ?? 0);
    const rows = this.database.rows(
      `SELECT line ${of} ORDER BY position DESC LIMIT ?`,
      ...[this.number, sinceMs, count],
    );
    return { lines: rows.map(([line]) => String(line)), total };
  }

  /** Its items, state and log go later: {@link RunStore.removeLeftovers}. */
  removeRun(): void {
    this.database.run('DELETE FROM run WHERE number = ?', this.number);
  }
}

/*
 * Keys as bytes in the order of their parts: numbers before strings, and a key before those that it begins.
 * Numbers are whole and not negative; a string has no zero.
 */
const NUMBER = '\x01';
const TEXT = '\x02';
const DIGITS = String(Number.MAX_SAFE_INTEGER).length;

const encodeKey = (key: RunKey): Buffer =>
  Buffer.from(
    key
      .map((part) => (typeof part === 'number' ? `${NUMBER}${digitsOf(part)}\0` : `${TEXT}${part}\0`))
      .join(''),
  );

const digitsOf = (number: number): string =>
  String(Math.min(number, Number.MAX_SAFE_INTEGER)).padStart(DIGITS, '0');

const decodeKey = (bytes: Buffer): RunKey =>
  bytes
    .toString()
    .split('\0')
    .slice(0, -1)
    .map((part) => (part.startsWith(NUMBER) ? Number(part.slice(1)) : part.slice(1)));
