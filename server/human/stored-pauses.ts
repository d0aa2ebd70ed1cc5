import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { SpillwayError } from '../../shared/errors.ts';
import { JsonRecord } from '../../shared/json-schema.ts';
import type { Clock } from '../core/services.ts';
import { HomeDatabase } from '../home/database.ts';
import { ensureKey } from '../machine/key-file.ts';
import { humanInputSchema, type UserInput } from './contract.ts';
import { PAUSES_MAX, type Pause, type PauseStore } from './store.ts';

/** How long after its end a question is known: a late answer gives each call a result that says so. */
const LINGER_MS = 24 * 60 * 60_000;

const KeptPause = z.object({
  id: z.string().regex(/^[\da-f]{64}$/),
  length: z.int().min(1),
  questions: z.array(z.object({ toolCallId: z.string(), question: humanInputSchema })).min(1),
  waiting: z.array(z.object({ toolCallId: z.string(), toolName: z.string(), args: JsonRecord })),
  expiresAtMs: z.number(),
  hasSecret: z.boolean(),
});

/**
 * Pauses that outlive their program: in the database of the home, and in `<home>/human` the key that signs their messages.
 * Answers are in memory alone, since a person may have written a secret: the questions of a turn that were answered before
 * a restart are asked again.
 */
export class StoredPauses implements PauseStore {
  readonly #root: string;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #database: HomeDatabase;
  readonly #answers = new Map<string, Map<string, UserInput>>();
  #key: Promise<Buffer> | null = null;

  constructor(home: string, clock: Pick<Clock, 'now'>) {
    this.#root = join(home, 'human');
    this.#clock = clock;
    this.#database = new HomeDatabase(home);
  }

  /** @throws SpillwayError `store_write_failed` */
  async key(): Promise<Buffer> {
    this.#key ??= this.#readKey();
    this.#key.catch(() => (this.#key = null));
    return this.#key;
  }

  async #readKey(): Promise<Buffer> {
    try {
      await mkdir(this.#root, { recursive: true, mode: 0o700 });
      return await ensureKey(this.#root);
    } catch (cause) {
      throw new SpillwayError('store_write_failed', 'The question could not be kept in the home.', { cause });
    }
  }

  async add(pause: Pause): Promise<void> {
    await this.key();
    this.#database.write(() => {
      // The same question again, which is still open: what was answered of it stays.
      if (this.#isOpen(pause)) return;
      this.#removeOld();
      this.#answers.delete(pause.id);
      this.#database.run(
        `INSERT OR REPLACE INTO pause (id, state, expires_at_ms, facts) VALUES (?, 'open', ?, ?)`,
        ...[pause.id, pause.expiresAtMs, JSON.stringify(pause)],
      );
    });
  }

  async find(toolCallId: string): Promise<readonly Pause[]> {
    return this.#database.rows('SELECT state, facts FROM pause').flatMap(([state, facts]) => {
      const pause = parsePause(facts);
      if (pause === null || !pause.questions.some((asked) => asked.toolCallId === toolCallId)) return [];
      return [state === 'abandoned' ? { ...pause, expiresAtMs: 0 } : pause];
    });
  }

  async answer(pause: Pause, toolCallId: string, input: UserInput): Promise<boolean> {
    if (!this.#isOpen(pause)) return false;
    const answers = this.#answers.get(pause.id) ?? new Map<string, UserInput>();
    if (answers.has(toolCallId)) return false;
    this.#answers.set(pause.id, answers.set(toolCallId, input));
    return true;
  }

  async answers({ id }: Pause): Promise<ReadonlyMap<string, UserInput>> {
    return new Map(this.#answers.get(id));
  }

  /** At once, since a program that aborts its tasks may be about to exit. */
  abandon({ id }: Pause): void {
    try {
      this.#database.run(`UPDATE pause SET state = 'abandoned' WHERE id = ? AND state = 'open'`, id);
    } catch {
      // The program gives the task up because something failed; it is asked about no more.
    }
  }

  /** Of several programs that continue a task, one changes the state. */
  async finish({ id }: Pause): Promise<boolean> {
    const changed = this.#database.run(
      `UPDATE pause SET state = 'finished' WHERE id = ? AND state <> 'finished'`,
      id,
    );
    if (changed > 0) this.#answers.delete(id);
    return changed > 0;
  }

  /** A late answer to those finds no question. */
  #removeOld(): void {
    this.#database.run('DELETE FROM pause WHERE expires_at_ms <= ?', this.#clock.now() - LINGER_MS);
    this.#database.run(
      'DELETE FROM pause WHERE id IN (SELECT id FROM pause ORDER BY expires_at_ms DESC LIMIT -1 OFFSET ?)',
      PAUSES_MAX - 1,
    );
  }

  #isOpen({ id }: Pause): boolean {
    const row = this.#database.row(`SELECT facts FROM pause WHERE id = ? AND state = 'open'`, id);
    return row !== undefined && parsePause(row[0]) !== null;
  }
}

/** Null for what is damaged. */
function parsePause(facts: unknown): Pause | null {
  try {
    return KeptPause.safeParse(JSON.parse(String(facts))).data ?? null;
  } catch {
    return null;
  }
}
