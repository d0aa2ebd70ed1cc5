/*
 * When a run is polled: often while it moves, less and less often while it does not, never while it is hidden, and not
 * after it has ended or its server has become unreachable.
 */

const SOON_MS = 1_000;
const SELDOM_MS = 10_000;
const SLOWER = 1.5;
const LONGEST_RETRY_MS = 8_000;
/** Consecutive failures after which only the user can retry. */
const MAX_FAILURES = 3;

/** `lost`: several consecutive calls did not arrive. */
export type PollPhase = 'waiting' | 'asking' | 'paused' | 'lost' | 'ended';

export interface PollDeps {
  /** Polls once. Rejects if the request did not arrive. */
  ask(): Promise<{ readonly hasMoved: boolean; readonly hasEnded: boolean }>;
  onChange(phase: PollPhase): void;
  setTimer(run: () => void, delayMs: number): () => void;
}

/** Polls an active run, at once and until it has ended. */
export class Polling {
  #phase: PollPhase = 'waiting';
  #delayMs = 0;
  #failures = 0;
  #clearTimer: () => void = () => undefined;

  constructor(
    private readonly world: PollDeps,
    private isHidden: boolean,
  ) {
    this.#rest();
  }

  hide(isHidden: boolean): void {
    this.isHidden = isHidden;
    if (this.#phase === 'paused') this.#delayMs = 0;
    if (this.#phase === (isHidden ? 'waiting' : 'paused')) this.#rest();
  }

  retry(): void {
    if (this.#phase !== 'lost') return;
    this.#delayMs = 0;
    this.#failures = 0;
    this.#rest();
  }

  stop(): void {
    this.#set('ended');
  }

  #rest(): void {
    this.#set(this.isHidden ? 'paused' : 'waiting');
  }

  #set(phase: PollPhase): void {
    this.#clearTimer();
    this.#clearTimer = () => undefined;
    this.#phase = phase;
    this.world.onChange(phase);
    if (phase === 'waiting') this.#clearTimer = this.world.setTimer(() => void this.#ask(), this.#delayMs);
  }

  async #ask(): Promise<void> {
    this.#set('asking');
    const answer = await this.world.ask().catch(() => null);
    // It was stopped meanwhile.
    if (this.#phase !== 'asking') return;
    if (answer === null) {
      this.#failures += 1;
      this.#delayMs = Math.min(LONGEST_RETRY_MS, SOON_MS * 2 ** this.#failures);
    } else {
      this.#failures = 0;
      const slower = Math.min(SELDOM_MS, Math.max(SOON_MS, this.#delayMs * SLOWER));
      this.#delayMs = answer.hasMoved ? SOON_MS : slower;
    }
    if (answer?.hasEnded === true) this.#set('ended');
    else if (this.#failures >= MAX_FAILURES) this.#set('lost');
    else this.#rest();
  }
}
