import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js';

const LATE = new McpError(ErrorCode.RequestTimeout, 'The call took too long.');

/** The time of one call: each step restarts it, and it is held while a person or a model is asked. */
export class Countdown {
  readonly #over = new AbortController();
  readonly #timeoutMs: number;
  #timer: NodeJS.Timeout | undefined;
  #holds = 0;
  #isStopped = false;

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
    this.restart();
  }

  /** Aborts when the time is over. */
  get signal(): AbortSignal {
    return this.#over.signal;
  }

  restart(): void {
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
