import { randomBytes } from 'node:crypto';
import type { HumanInputRequest, TurnCall, UserInput } from './contract.ts';
import { BoundedMap } from '../../shared/bounded-map.ts';

/** A question of a pause. */
interface PausedQuestion {
  readonly toolCallId: string;
  readonly question: HumanInputRequest;
}

/**
 * A task that waits for a person. Its messages are with the client; only their signature is kept. What people are shown
 * and clients store of it is redacted, but for the ids, which the answer names.
 */
export interface Pause {
  /** The signature of its messages. */
  readonly id: string;
  /** How many messages are signed. */
  readonly length: number;
  readonly questions: readonly PausedQuestion[];
  /** Calls of the same turn, with redacted arguments: they run when every question is answered with yes. */
  readonly waiting: readonly TurnCall[];
  readonly expiresAtMs: number;
  /** The original is in the memory of the server that paused. */
  readonly hasSecret: boolean;
}

export interface PauseStore {
  /** Signs messages. The same as long as what is signed with it can be answered. */
  key(): Promise<Buffer>;
  add(pause: Pause): Promise<void>;
  /** Those that ask, or have asked, this question. */
  find(toolCallId: string): Promise<readonly Pause[]>;
  /** Keeps the answer to one question. False where there is one already. */
  answer(pause: Pause, toolCallId: string, input: UserInput): Promise<boolean>;
  /** All answers so far. */
  answers(pause: Pause): Promise<ReadonlyMap<string, UserInput>>;
  /** The program has given the task up: who answers after a restart learns that the question has expired. */
  abandon(pause: Pause): void;
  /** Takes the pause to continue it, once. False where someone has. */
  finish(pause: Pause): Promise<boolean>;
}

/** As many as are remembered. */
export const PAUSES_MAX = 1_000;

interface Kept {
  readonly pause: Pause;
  readonly answers: Map<string, UserInput>;
  isFinished: boolean;
}

/** Pauses of this process: a restart forgets them. */
export class MemoryPauses implements PauseStore {
  readonly #key = randomBytes(32);
  readonly #kept = new BoundedMap<string, Kept>(PAUSES_MAX);

  async key(): Promise<Buffer> {
    return this.#key;
  }

  async add(pause: Pause): Promise<void> {
    const known = this.#kept.get(pause.id);
    // The same question again, which is still open: what was answered of it stays.
    if (known?.isFinished === false) return;
    this.#kept.set(pause.id, { pause, answers: new Map(), isFinished: false });
  }

  async find(toolCallId: string): Promise<readonly Pause[]> {
    return [...this.#kept.values()]
      .map(({ pause }) => pause)
      .filter(({ questions }) => questions.some((asked) => asked.toolCallId === toolCallId));
  }

  async answer({ id }: Pause, toolCallId: string, input: UserInput): Promise<boolean> {
    const kept = this.#kept.get(id);
    if (kept === undefined || kept.answers.has(toolCallId)) return false;
    kept.answers.set(toolCallId, input);
    return true;
  }

  async answers({ id }: Pause): Promise<ReadonlyMap<string, UserInput>> {
    return new Map(this.#kept.get(id)?.answers);
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
