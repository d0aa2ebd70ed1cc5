import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { humanInputSchema, WaitingCall } from './human-contract.ts';
import { lazy } from '../../shared/async.ts';
import { BoundedMap } from '../../shared/bounded-map.ts';
import { SpillwayError } from '../../shared/errors.ts';
import type { Clock } from '../core/services.ts';
import { HomeDatabase } from '../home/database.ts';
import { ensureKey } from '../machine/files.ts';
import { parseAs } from '../../shared/json-schema.ts';

/**
 * A task that waits for a person. Its client has the messages; we keep only their signature. Texts for people
 * and clients are redacted, except the ids, which the answer names.
 */
const Pause = z.object({
  /** The signature of its messages. */
  id: z.string().regex(/^[\da-f]{64}$/),
  /** How many messages are signed. */
  length: z.int().min(1),
  questions: z
    .array(z.object({ toolCallId: z.string(), question: humanInputSchema }))
    .min(1)
    .readonly(),
  /** Calls of the same turn, with redacted arguments: they run if every question is answered with yes. */
  waiting: z.array(WaitingCall).readonly(),
  expiresAtMs: z.number(),
  /** The original is in the memory of the server that paused. */
  hasSecret: z.boolean(),
});
export type Pause = z.infer<typeof Pause>;

export interface PauseStore {
  /** Signs messages. It stays the same as long as signed messages can be answered. */
  key(): Promise<Buffer>;
  /** False if it is there already and still open. */
  add(pause: Pause): Promise<boolean>;
  /** The pauses that ask, or have asked, this question. */
  find(toolCallId: string): Promise<readonly Pause[]>;
  /** Whether it can be answered. */
  isOpen(pause: Pause): boolean;
  /** The program has abandoned the task: answering after a restart reports that the question has expired. */
  abandon(pause: Pause): void;
  /** Takes the pause to continue it, once. False if another program has. */
  finish(pause: Pause): Promise<boolean>;
}

export const PAUSES_MAX = 1_000;

interface Kept {
  readonly pause: Pause;
  isFinished: boolean;
}

/** Pauses of this process: a restart forgets them. */
export class MemoryPauses implements PauseStore {
  readonly #key = randomBytes(32);
  readonly #kept = new BoundedMap<string, Kept>(PAUSES_MAX);

  async key(): Promise<Buffer> {
    return this.#key;
  }

  async add(pause: Pause): Promise<boolean> {
    if (this.isOpen(pause)) return false;
    this.#kept.set(pause.id, { pause, isFinished: false });
    return true;
  }

  async find(toolCallId: string): Promise<readonly Pause[]> {
    return [...this.#kept.values()]
      .map(({ pause }) => pause)
      .filter(({ questions }) => questions.some((asked) => asked.toolCallId === toolCallId));
  }

  isOpen({ id }: Pause): boolean {
    return this.#kept.get(id)?.isFinished === false;
  }

  /** A restart forgets it anyway. */
  abandon(): void {}

  async finish({ id }: Pause): Promise<boolean> {
    const kept = this.#kept.get(id);
    if (kept === undefined || kept.isFinished) return false;
    kept.isFinished = true;
    return true;
  }
}

/** How long a question stays known after its end: a late answer gives each call a result that says so. */
const LINGER_MS = 24 * 60 * 60_000;

/**
 * Pauses that outlive their program: in the home's database, and in `<home>/human` the key that signs their
 * messages. Answers are not among them: a turn's questions that were answered before a restart are asked again.
 */
export class StoredPauses implements PauseStore {
  readonly #root: string;
  readonly #database: HomeDatabase;
  /** @throws SpillwayError `store_write_failed` */
  readonly key = lazy(async (): Promise<Buffer> => {
    try {
      await mkdir(this.#root, { recursive: true, mode: 0o700 });
      return await ensureKey(this.#root);
    } catch (cause) {
      throw new SpillwayError('store_write_failed', 'The question could not be kept in the home.', { cause });
    }
  });

  constructor(
    home: string,
    private readonly clock: Pick<Clock, 'now'>,
  ) {
    this.#root = join(home, 'human');
    this.#database = new HomeDatabase(home);
  }

  async add(pause: Pause): Promise<boolean> {
    await this.key();
    return this.#database.write(() => {
      if (this.isOpen(pause)) return false;
      this.#removeOld();
      this.#database.run(
        `INSERT OR REPLACE INTO pause (id, state, expires_at_ms, facts) VALUES (?, 'open', ?, ?)`,
        ...[pause.id, pause.expiresAtMs, JSON.stringify(pause)],
      );
      return true;
    });
  }

  async find(toolCallId: string): Promise<readonly Pause[]> {
    return this.#database.rows('SELECT state, facts FROM pause').flatMap(([state, facts]) => {
      const pause = parseAs(Pause, String(facts));
      if (pause === null || !pause.questions.some((asked) => asked.toolCallId === toolCallId)) return [];
      return [state === 'abandoned' ? { ...pause, expiresAtMs: 0 } : pause];
    });
  }

  /** Immediately, since a program that aborts its tasks may be about to exit. */
  abandon({ id }: Pause): void {
    try {
      this.#database.run(`UPDATE pause SET state = 'abandoned' WHERE id = ? AND state = 'open'`, id);
    } catch {
      // The program abandons the task because of a failure, so nothing else is reported.
    }
  }

  /** If several programs continue a task, one of them changes the state. */
  async finish({ id }: Pause): Promise<boolean> {
    const changed = this.#database.run(
      `UPDATE pause SET state = 'finished' WHERE id = ? AND state <> 'finished'`,
      id,
    );
    return changed > 0;
  }

  /** A late answer to those finds no question. */
  #removeOld(): void {
    this.#database.run('DELETE FROM pause WHERE expires_at_ms <= ?', this.clock.now() - LINGER_MS);
    this.#database.run(
      'DELETE FROM pause WHERE id IN (SELECT id FROM pause ORDER BY expires_at_ms DESC LIMIT -1 OFFSET ?)',
      PAUSES_MAX - 1,
    );
  }

  isOpen({ id }: Pause): boolean {
    const row = this.#database.row(`SELECT facts FROM pause WHERE id = ? AND state = 'open'`, id);
    return row !== undefined && parseAs(Pause, String(row[0])) !== null;
  }
}
