import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js';

/** So long work may stay active without news. */
const SAME_MAX_MS = 60 * 60_000;
const LATE = new McpError(ErrorCode.RequestTimeout, 'The call took too long.');

/** The time of one call: each step restarts it, and it is held while a person or a model is asked. */
export class Countdown {
  readonly #over = new AbortController();
  readonly #timeoutMs: number;
  #timer: NodeJS.Timeout | undefined;
  #holds = 0;
  #isStopped = false;
  /** When something was heard last that was not the same as before. */
  #newsAt = 0;

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
    this.restart();
  }

  /** Aborts when the time is over. */
  get signal(): AbortSignal {
    return this.#over.signal;
  }

  restart(): void {
    this.#newsAt = performance.now();
    this.#restart();
  }

  /** The work is still active: that restarts the time, too, for an hour. */
  extend(): void {
    if (performance.now() - this.#newsAt < SAME_MAX_MS) this.#restart();
  }

  #restart(): void {
    if (this.#holds > 0 || this.#isStopped) return;
    if (this.#timer === undefined) this.#timer = setTimeout(() => this.#over.abort(LATE), this.#timeoutMs);
    else this.#timer.refresh();
  }

  /** Stops the time. Returns a function that starts it again from the beginning. */
  hold(): () => void {
    this.#holds += 1;
    this.#clear();
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#holds -= 1;
      this.restart();
    };
  }

  stop(): void {
    this.#isStopped = true;
    this.#clear();
  }

  #clear(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
