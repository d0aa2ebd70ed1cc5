import { setImmediate as nextTurn } from 'node:timers/promises';
import { waitAtMost } from '../../shared/base/async.ts';
import { LIMITS } from '../../shared/base/limits.ts';
import type { Logger } from '../core/services.ts';
import type { HomeDatabase } from '../core/home/database.ts';
import type { CleanText } from '../libraries/redaction/clean.ts';

/** Maximum waiting lines; beyond that, the newest are lost and counted. */
const QUEUE_LINES = 10_000;
/** Lines within this time share a transaction: one each would cost more than the rest of a small call. */
const GATHER_MS = 25;
/** Maximum lines of one transaction or one reading: the thread does its other work in between. */
const PART_LINES = 256;
const DAY_MS = 86_400_000;

/** Appends lines in order. A failure is logged once, until a write succeeds again. */
export class JournalWriter {
  #queue: { readonly atMs: number; readonly line: CleanText }[] = [];
  #draining: Promise<void> | null = null;
  #lost = 0;
  #isFailing = false;
  #prunedOn = -1;
  /** Ends the gathering early. */
  #hurry: () => void = () => undefined;

  constructor(
    private readonly database: HomeDatabase,
    private readonly logger: Logger,
  ) {}

  /** Returns at once. */
  append(atMs: number, line: CleanText): void {
    if (this.#queue.length >= QUEUE_LINES) {
      this.#lost += 1;
      return;
    }
    this.#queue.push({ atMs, line });
    this.#draining ??= this.#drain();
  }

  /** Resolves when everything taken so far is written or abandoned. Never rejects. */
  async flush(): Promise<void> {
    while (this.#draining !== null) {
      this.#hurry();
      await this.#draining;
    }
  }

  async #drain(): Promise<void> {
    await waitAtMost(new Promise<void>((resolve) => (this.#hurry = resolve)), GATHER_MS);
    while (this.#queue.length > 0) {
      const part = this.#queue.splice(0, PART_LINES);
      try {
        this.database.write(() => {
          for (const { atMs, line } of part)
            this.database.run('INSERT INTO journal (at_ms, line) VALUES (?, ?)', atMs, line);
        });
        this.#noteRecovered();
        const day = Math.floor((part[0]?.atMs ?? 0) / DAY_MS);
        if (this.#prunedOn !== day) await this.#prune(day);
      } catch (thrown) {
        this.#noteFailed(thrown, part.length);
      }
      await nextTurn();
    }
    this.#draining = null;
  }

  #noteFailed(thrown: unknown, lines: number): void {
    this.#lost += lines;
    if (this.#isFailing) return;
    this.#isFailing = true;
    this.logger.error({ err: thrown }, 'the journal cannot be written; calls are still served');
  }

  #noteRecovered(): void {
    if (this.#lost > 0)
      this.logger.warn({ lost: this.#lost }, 'the journal can be written again; entries were lost');
    this.#lost = 0;
    this.#isFailing = false;
  }

  async #prune(day: number): Promise<void> {
    this.#prunedOn = day;
    const oldest = this.database.row(
      `SELECT DISTINCT at_ms / ${DAY_MS} AS day FROM journal ORDER BY day DESC LIMIT 1 OFFSET ?`,
      LIMITS.journalDays - 1,
    )?.[0];
    if (oldest === undefined) return;
    const old = `SELECT position FROM journal WHERE at_ms < ? ORDER BY position LIMIT ${PART_LINES}`;
    const remove = `DELETE FROM journal WHERE position IN (${old})`;
    while (this.database.run(remove, Number(oldest) * DAY_MS) > 0) await nextTurn();
  }
}
