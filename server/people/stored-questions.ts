import type { z } from 'zod';
import { parseAs } from '../../shared/base/json-schema.ts';
import { HomeDatabase, type SqlValue } from '../core/home/database.ts';
import { isRunning, ownProcess } from '../core/machine/process-identity.ts';

/**
 * `asked`: its asker waits. `left`: its server has ended, and the next one may take it over. `withdrawn`:
 * nobody needs the answer. `answered`: it is over, and the same answer again changes nothing.
 */
const STATES = ['asked', 'left', 'withdrawn', 'answered'] as const;
type QuestionState = (typeof STATES)[number];
const isState = (state: unknown): state is QuestionState => STATES.some((one) => one === state);

export interface StoredQuestion<Facts> {
  readonly id: string;
  readonly state: QuestionState;
  readonly facts: Facts;
  /** The server that it belongs to. */
  readonly server: string;
  /** Another server, which is running, waits for it. */
  readonly isElsewhere: boolean;
}

interface StoreParts<Facts> {
  /** Null: this process forgets them at its end. */
  readonly home: string | null;
  readonly kind: 'call' | 'turn';
  readonly schema: z.ZodType<Facts>;
  /** Beyond them, those that are forgotten first make room. */
  readonly max: number;
  readonly now: () => number;
  /** Instance of this server, to which the stored questions belong. */
  readonly server?: string | undefined;
  /** Whether one that is to be forgotten by the wall clock really is over. */
  readonly isOver?: (facts: Facts) => boolean;
}

/** Questions of one kind that outlive their askers: rows of the home's database. Their facts hold no secret. */
export class StoredQuestions<Facts> {
  readonly #database: HomeDatabase;

  constructor(private readonly parts: StoreParts<Facts>) {
    this.#database = new HomeDatabase(parts.home);
  }

  /**
   * On disk when it returns, in place of one with the same id.
   * @param options `asks`: the ids by which it is answered, if not its own
   */
  store(
    id: string,
    facts: Facts,
    { forgetAtMs, asks = [id] }: { readonly forgetAtMs: number; readonly asks?: readonly string[] },
  ): void {
    const { kind, max, server = null } = this.parts;
    const { pid, startTime } = ownProcess();
    const values = [forgetAtMs, server, pid, startTime, JSON.stringify(facts)];
    this.#database.write(() => {
      this.sweep();
      this.remove(id);
      this.#database.run(
        `DELETE FROM question WHERE kind = ? AND id IN
          (SELECT id FROM question WHERE kind = ? GROUP BY id ORDER BY forget_at_ms DESC LIMIT -1 OFFSET ?)`,
        ...[kind, kind, max - 1],
      );
      for (const asked of asks)
        this.#database.run(
          `INSERT INTO question (kind, id, asked, state, forget_at_ms, server, pid, start_time, facts)
            VALUES (?, ?, ?, 'asked', ?, ?, ?, ?, ?)`,
          ...[kind, id, asked, ...values],
        );
    });
  }

  /** Those that ask, or have asked, under this id. Removes damaged ones. */
  find(asked: string): readonly StoredQuestion<Facts>[] {
    const { kind, schema } = this.parts;
    return this.#database
      .rows(`${SELECT} WHERE kind = ? AND asked = ?`, kind, asked)
      .flatMap(([id, state, server, pid, startTime, text]) => {
        const facts = parseAs(schema, String(text));
        if (facts === null) this.remove(String(id));
        if (facts === null || !isState(state)) return [];
        const isGone = state === 'left' || !isRunning({ pid: Number(pid), startTime: String(startTime) });
        const isOther = server !== null && server !== this.parts.server;
        return [{ id: String(id), state, facts, server: String(server), isElsewhere: isOther && !isGone }];
      });
  }

  /** Assigns a question to this server. Only one of several servers gets it; false for the others. */
  claim({ id, server }: StoredQuestion<Facts>): boolean {
    const { pid, startTime } = ownProcess();
    return this.#change(
      `UPDATE question SET state = 'asked', server = ?, pid = ?, start_time = ? WHERE server = ?`,
      ...[this.parts.server ?? null, pid, startTime, server],
      id,
    );
  }

  /** Sets the state of a question of this server. False if it is answered, or belongs to another server. */
  move(id: string, to: Exclude<QuestionState, 'asked'>): boolean {
    const { server = null } = this.parts;
    return this.#change(
      `UPDATE question SET state = ? WHERE state <> 'answered' AND server IS ?`,
      ...[to, server],
      id,
    );
  }

  /** Removes this server's question. False if there was none. */
  removeOwn(id: string): boolean {
    return (
      this.#database.isThere &&
      this.#change('DELETE FROM question WHERE server IS ?', this.parts.server ?? null, id)
    );
  }

  remove(id: string): void {
    this.#change('DELETE FROM question WHERE true', id);
  }

  /** Removes those that are over. */
  sweep(): void {
    const { kind, schema, now, isOver = () => true } = this.parts;
    const due = `SELECT DISTINCT id, facts FROM question WHERE kind = ? AND forget_at_ms <= ?`;
    for (const [id, text] of this.#database.rows(due, kind, now())) {
      const facts = parseAs(schema, String(text));
      if (facts === null || isOver(facts)) this.remove(String(id));
    }
  }

  close(): void {
    this.#database.close();
  }

  /** @param values those of `sql`, then the id */
  #change(sql: string, ...values: SqlValue[]): boolean {
    return this.#database.run(`${sql} AND kind = '${this.parts.kind}' AND id = ?`, ...values) > 0;
  }
}

const SELECT = 'SELECT id, state, server, pid, start_time, facts FROM question';
