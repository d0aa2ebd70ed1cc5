import { z } from 'zod';
import { Digest, FlowSource } from '../../shared/policy/call-facts.ts';
import { HomeDatabase, type SqlRow } from '../home/database.ts';
import { Lifetime, type Expiry } from '../machine/expiry.ts';
import { isRunning, ownProcess } from '../machine/process-identity.ts';
import { StoredRecord, StoredText } from '../redact/mark.ts';
import { parseAs } from '../../shared/json-schema.ts';

/** Maximum calls of all servers of a home. A person answers no more in ten minutes. */
const CALLS_MAX = 64;

/** A call that waits for a person, as the next server finds it. */
const KeptRecord = z.object({
  call_id: StoredText,
  tool: StoredText,
  /** Null if they are not stored: they contained a secret, or were too large. */
  args: StoredRecord.nullable(),
  /** SHA-256 of the client's name. */
  client: Digest,
  /** The extension's instance, and the server's id for it. */
  browser: z.object({ instance: z.string(), name: z.string().regex(/^b\d+$/) }),
  question: z.string().min(1).max(64),
  /** Proves to the browser that the question belongs to the reader. */
  key: Digest,
  /** Number of the tab that the session worked in. */
  tab: z.int().nullable(),
  /** From which sites the arguments have text, without the text. */
  sources: z.array(FlowSource).optional(),
  lifetime: Lifetime,
});
export type KeptRecord = z.infer<typeof KeptRecord>;

/** A call that a server has kept. */
export interface KeptCall {
  readonly record: KeptRecord;
  /** The server that it belongs to. */
  readonly server: string;
  readonly isElsewhere: boolean;
}

interface RowsParts {
  readonly home: string;
  /** Instance of this server. */
  readonly server: string;
  readonly expiry: Expiry;
}

/** The calls of a home that outlive their servers: rows of its database. Each belongs to one server. */
export class KeptRows {
  readonly #database: HomeDatabase;

  constructor(private readonly parts: RowsParts) {
    this.#database = new HomeDatabase(parts.home);
  }

  /** On disk when it returns. @throws SpillwayError of the store, or Error if too many are kept */
  write(facts: Omit<KeptRecord, 'lifetime'>): void {
    const record: KeptRecord = { ...facts, lifetime: this.parts.expiry.begin() };
    const { pid, startTime } = ownProcess();
    this.#database.write(() => {
      if (this.sweep() >= CALLS_MAX) throw new Error(`${CALLS_MAX} calls are kept already`);
      this.#database.run(
        'INSERT OR REPLACE INTO kept_call (call_id, server, pid, start_time, record) VALUES (?, ?, ?, ?, ?)',
        ...[facts.call_id, this.parts.server, pid, startTime, JSON.stringify(record)],
      );
    });
  }

  /** Null if no server has kept it. Removes a damaged one. */
  find(callId: string): KeptCall | null {
    const row = this.#database.row(
      'SELECT record, server, pid, start_time, is_left FROM kept_call WHERE call_id = ?',
      callId,
    );
    if (row === undefined) return null;
    const [text, server, pid, startTime, isLeft] = row;
    const record = parseAs(KeptRecord, String(text));
    if (record?.call_id !== callId) {
      this.remove(callId);
      return null;
    }
    const isGone = isLeft === 1 || !isRunning({ pid: Number(pid), startTime: String(startTime) });
    return { record, server: String(server), isElsewhere: server !== this.parts.server && !isGone };
  }

  isExpired({ lifetime }: KeptRecord): boolean {
    return this.parts.expiry.isExpired(lifetime);
  }

  /** Assigns a call to this server. Only one of several servers gets it; false for the others. */
  claim({ record, server }: KeptCall): boolean {
    const { pid, startTime } = ownProcess();
    return (
      this.#database.run(
        'UPDATE kept_call SET server = ?, pid = ?, start_time = ?, is_left = 0 WHERE call_id = ? AND server = ?',
        ...[this.parts.server, pid, startTime, record.call_id, server],
      ) > 0
    );
  }

  /** Removes this server's row of a call. False if there was none. */
  removeOwn(callId: string): boolean {
    const remove = 'DELETE FROM kept_call WHERE call_id = ? AND server = ?';
    return this.#database.isThere && this.#database.run(remove, callId, this.parts.server) > 0;
  }

  remove(callId: string): void {
    this.#database.run('DELETE FROM kept_call WHERE call_id = ?', callId);
  }

  /** Lets the next server claim a call while this one's process lives. */
  leave(callId: string): void {
    this.#database.run(
      'UPDATE kept_call SET is_left = 1 WHERE call_id = ? AND server = ?',
      ...[callId, this.parts.server],
    );
  }

  /** Removes ended and damaged calls. Returns how many are left. */
  sweep(): number {
    const rows: readonly SqlRow[] = this.#database.rows('SELECT call_id, record FROM kept_call');
    const over = rows.filter(([, text]) => {
      const record = parseAs(KeptRecord, String(text));
      return record === null || this.isExpired(record);
    });
    for (const [callId] of over) this.remove(String(callId));
    return rows.length - over.length;
  }

  close(): void {
    this.#database.close();
  }
}
