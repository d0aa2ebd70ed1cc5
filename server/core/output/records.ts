import { SpillwayError } from '../../../shared/base/errors.ts';
import type { KeptBy, KeptFacts } from './index.ts';
import { HomeDatabase, type SqlRow } from '../home/database.ts';
import type { Expiry } from '../machine/expiry.ts';
import type { CleanText } from '../../libraries/redaction/clean.ts';
import { StoredText } from '../../libraries/redaction/mark.ts';
import { crc32, isHandle, buildKeptByPerson, notFound, parseMeta, sizeOnDisk, type Meta } from './format.ts';

export type EndReason = 'expired' | 'size_bound';

/** An output whose record is gone, and whose files are next. */
export interface EndedOutput {
  readonly handle: string;
  readonly file: string;
  readonly diskBytes: number;
  /** Null if its record was damaged. */
  readonly meta: Meta | null;
  readonly reason: EndReason;
}

export interface OutputRecord {
  readonly meta: Meta;
  readonly kept: KeptFacts | null;
}

const COLUMNS = 'handle, meta, sum, kept_by, kept_since_ms, note';

/** The database of a home's outputs. */
export class OutputRecords {
  readonly database: HomeDatabase;

  constructor(
    home: string,
    readonly expiry: Expiry,
    private readonly maxBytes: number,
  ) {
    this.database = new HomeDatabase(home);
  }

  /** Bytes that kept outputs may take: half of the bound, so that there is always room for new ones. */
  get keptMaxBytes(): number {
    return Math.floor(this.maxBytes / 2);
  }

  /**
   * @param why the message for a missing output
   * @throws `output_handle_not_found`, `store_corrupt`
   */
  find(handle: string, why: 'unknown' | 'expired' = 'unknown'): OutputRecord {
    const row = isHandle(handle)
      ? this.database.row(`SELECT ${COLUMNS}, deleted_at_ms FROM output WHERE handle = ?`, handle)
      : undefined;
    if (row === undefined) throw notFound(handle, why);
    if (row[6] !== null) throw notFound(handle, 'deleted');
    const record = toRecord(row);
    if (record.kept === null && this.expiry.isExpired(record.meta)) throw notFound(handle, 'expired');
    return record;
  }

  /** The newest first, without those that have expired or are damaged. */
  list(): OutputRecord[] {
    const rows = this.database.rows(
      `SELECT ${COLUMNS} FROM output WHERE deleted_at_ms IS NULL ORDER BY created_at_ms DESC, rowid DESC`,
    );
    return rows.flatMap((row) => {
      const record = readable(row);
      return record === null || (record.kept === null && this.expiry.isExpired(record.meta)) ? [] : [record];
    });
  }

  /** Makes room for an output and adds it. Returns the outputs that were removed. @throws `store_full` */
  add(meta: Meta): readonly EndedOutput[] {
    const { handle, file, created_at_ms, expires_at_ms, boot, monotonic_ms } = meta;
    return this.database.write(() => {
      const ended = this.#makeRoom(sizeOnDisk(meta));
      const text = JSON.stringify(meta);
      const sum = crc32(text);
      this.database.run(
        `INSERT INTO output (handle, file, disk_bytes, created_at_ms, expires_at_ms, boot, monotonic_ms, sum, meta)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        ...[handle, file, sizeOnDisk(meta), created_at_ms, expires_at_ms, boot, monotonic_ms, sum, text],
      );
      return ended;
    });
  }

  /** Expired outputs, and the oldest beyond the bound. Forgets old deletions. */
  sweep(): readonly EndedOutput[] {
    if (!this.database.isThere) return [];
    return this.database.write(() => {
      const deleted = this.database.rows(
        'SELECT handle, deleted_at_ms FROM output WHERE deleted_at_ms IS NOT NULL',
      );
      for (const [handle, at] of deleted) if (this.expiry.isStale(Number(at))) this.#remove(String(handle));
      const expired = this.#listUnkept().filter((entry) => this.expiry.isExpired(entry));
      return [...expired.map((entry) => this.#end(entry, 'expired')), ...this.#makeRoom(0)];
    });
  }

  /** Names of the files that belong to an output. */
  files(): ReadonlySet<unknown> {
    const rows = this.database.rows('SELECT file FROM output WHERE deleted_at_ms IS NULL');
    return new Set(rows.flat());
  }

  /** @throws `output_handle_not_found`, `store_corrupt`, `kept_full` */
  keep(
    handle: string,
    { note, by, at }: { readonly note: CleanText | undefined; readonly by: KeptBy; readonly at: number },
  ): OutputRecord {
    return this.database.write(() => {
      const { meta, kept } = this.find(handle, 'expired');
      if (kept === null) this.#expectRoomToKeep(meta);
      const values = [
        kept?.by === 'person' ? 'person' : by,
        kept?.since_ms ?? at,
        note ?? kept?.note ?? null,
        handle,
      ];
      this.database.run(
        'UPDATE output SET kept_by = ?, kept_since_ms = ?, note = ? WHERE handle = ?',
        ...values,
      );
      return this.find(handle);
    });
  }

  /** @throws `output_handle_not_found`; `invalid_argument` for an agent, where a person keeps it */
  release(handle: string, by: KeptBy) {
    return this.database.write(() => {
      const { meta, kept } = this.find(handle);
      if (kept === null) return { meta, isReleased: false, ended: [] };
      if (by === 'agent' && kept.by === 'person') throw buildKeptByPerson(handle);
      this.database.run(
        'UPDATE output SET kept_by = NULL, kept_since_ms = NULL, note = NULL WHERE handle = ?',
        handle,
      );
      const entry = { handle, file: meta.file, diskBytes: sizeOnDisk(meta) };
      const ended = this.expiry.isExpired(meta) ? [this.#end(entry, 'expired')] : [];
      return { meta, isReleased: true, ended };
    });
  }

  /** A handle deleted by a person is remembered as deleted until its original expiry. */
  markDeleted(handle: string, at: number): Meta {
    return this.database.write(() => {
      const { meta } = this.find(handle);
      this.database.run('UPDATE output SET deleted_at_ms = ? WHERE handle = ?', at, handle);
      return meta;
    });
  }

  unmarkDeleted(handle: string): void {
    this.database.run('UPDATE output SET deleted_at_ms = NULL WHERE handle = ?', handle);
  }

  sizes(): { readonly sizeBytes: number; readonly keptBytes: number } {
    const [sizeBytes, keptBytes] =
      this.database.row(
        `SELECT total(disk_bytes), total(disk_bytes) FILTER (WHERE kept_by IS NOT NULL)
           FROM output WHERE deleted_at_ms IS NULL`,
      ) ?? [];
    return { sizeBytes: Number(sizeBytes ?? 0), keptBytes: Number(keptBytes ?? 0) };
  }

  #makeRoom(neededBytes: number): EndedOutput[] {
    const { sizeBytes, keptBytes } = this.sizes();
    if (neededBytes > 0 && keptBytes > 0 && keptBytes + neededBytes > this.maxBytes)
      throw new SpillwayError(
        'store_full',
        `There is no room for ${neededBytes} bytes in --output-max-bytes ${this.maxBytes}: ${this.#describeKept()}.`,
        { hint: 'Release an output with output_keep { keep: false }, or raise --output-max-bytes.' },
      );
    let over = sizeBytes + neededBytes - this.maxBytes;
    const ended: EndedOutput[] = [];
    if (over <= 0) return ended;
    const unkept = this.#listUnkept().map((entry) => ({ ...entry, isExpired: this.expiry.isExpired(entry) }));
    for (const entry of unkept.toSorted((a, b) => Number(b.isExpired) - Number(a.isExpired))) {
      if (over <= 0 && !entry.isExpired) break;
      over -= entry.diskBytes;
      ended.push(this.#end(entry, entry.isExpired ? 'expired' : 'size_bound'));
    }
    return ended;
  }

  /** The oldest first. */
  #listUnkept() {
    const rows = this.database.rows(
      `SELECT handle, file, disk_bytes, created_at_ms, expires_at_ms, boot, monotonic_ms FROM output
         WHERE kept_by IS NULL AND deleted_at_ms IS NULL ORDER BY created_at_ms, rowid`,
    );
    return rows.map(([handle, file, size, created, expires, boot, monotonic]) => ({
      handle: String(handle),
      file: String(file),
      diskBytes: Number(size),
      created_at_ms: Number(created),
      expires_at_ms: Number(expires),
      boot: String(boot),
      monotonic_ms: Number(monotonic),
    }));
  }

  #end({ handle, file, diskBytes }: Omit<EndedOutput, 'meta' | 'reason'>, reason: EndReason): EndedOutput {
    const row = this.database.row(`SELECT ${COLUMNS} FROM output WHERE handle = ?`, handle);
    this.#remove(handle);
    return { handle, file, diskBytes, reason, meta: (row && readable(row)?.meta) ?? null };
  }

  #remove(handle: string): void {
    this.database.run('DELETE FROM output WHERE handle = ?', handle);
  }

  #expectRoomToKeep(meta: Meta): void {
    const sizeBytes = sizeOnDisk(meta);
    if (this.sizes().keptBytes + sizeBytes <= this.keptMaxBytes) return;
    throw new SpillwayError(
      'kept_full',
      `${meta.handle} (${sizeBytes} bytes) cannot be kept: kept outputs may take ${this.keptMaxBytes} bytes, half of --output-max-bytes ${this.maxBytes}, and ${this.#describeKept()}.`,
    );
  }

  /** Lists kept outputs for the end of a sentence, largest first. */
  #describeKept(): string {
    const kept = this.database.rows(
      'SELECT handle, disk_bytes FROM output WHERE kept_by IS NOT NULL AND deleted_at_ms IS NULL ORDER BY disk_bytes DESC',
    );
    const names = kept.slice(0, NAMED).map(([handle, size]) => `${String(handle)} ${Number(size)}`);
    const rest = kept.length - names.length;
    return `${this.sizes().keptBytes} bytes are kept${names.length === 0 ? '' : ` (${[...names, ...(rest > 0 ? [`${rest} more`] : [])].join(', ')})`}`;
  }
}

const NAMED = 5;

/** @throws `store_corrupt` */
function toRecord([handle, meta, sum, by, since, note]: SqlRow): OutputRecord {
  return { meta: parseMeta(meta, sum, String(handle)), kept: parseKept(by, since, note) };
}

/** Null if a kept output's record cannot be read: it stays kept. */
function parseKept(by: unknown, since: unknown, note: unknown): KeptFacts | null {
  if (by === null) return null;
  return {
    note: StoredText.nullable().safeParse(note).data ?? null,
    since_ms: since === null ? null : Number(since),
    by: by === 'agent' ? 'agent' : 'person',
  };
}

/** Null for a damaged one. */
function readable(row: SqlRow): OutputRecord | null {
  try {
    return toRecord(row);
  } catch {
    return null;
  }
}
