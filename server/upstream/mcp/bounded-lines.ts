import type { LoggingLevel } from '@modelcontextprotocol/sdk/types.js';

const LINES_MAX = 100;
const WINDOW_MS = 60_000;
const LINE_UNITS = 2_000;

type WriteLine = (line: string, level: LoggingLevel | null) => void;

/** Passes on at most {@link LINES_MAX} lines a minute, each bounded. What is more is counted. */
export class BoundedLines {
  readonly #write: WriteLine;
  #last: string | null = null;
  #since = 0;
  #count = 0;

  constructor(write: WriteLine) {
    this.#write = write;
  }

  /** The last line that came, passed on or not. */
  get last(): string | null {
    return this.#last;
  }

  /** @param level what the other server says of it; null for a line on stderr */
  write(text: string, level: LoggingLevel | null = null): void {
    const line = text.slice(0, LINE_UNITS);
    this.#last = line;
    const now = performance.now();
    if (this.#count === 0 || now - this.#since > WINDOW_MS) {
      if (this.#count > LINES_MAX) this.#write(`${this.#count - LINES_MAX} more lines were left out`, null);
      this.#since = now;
      this.#count = 0;
    }
    this.#count += 1;
    if (this.#count <= LINES_MAX) this.#write(line, level);
  }
}
