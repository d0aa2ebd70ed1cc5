import type { LoggingLevel } from '@modelcontextprotocol/sdk/types.js';
import type { Cleaner } from '../cleaner.ts';
import { beginningOf } from './failures.ts';

const LINES_MAX = 100;
const WINDOW_MS = 60_000;
const SHOWN_UNITS = 2_000;
/** More of a line than is shown: a cut may leave half a secret at its end. */
export const READ_UNITS = 16_000;

type WriteLine = (line: string, level: LoggingLevel | null) => void;

/** Passes on at most {@link LINES_MAX} lines a minute, each redacted and then cut. What is more is counted. */
export class BoundedLines {
  readonly #redact: Cleaner;
  readonly #write: WriteLine;
  #last: string | null = null;
  #since = 0;
  #count = 0;

  constructor(redact: Cleaner, write: WriteLine) {
    this.#redact = redact;
    this.#write = write;
  }

  /** The last line that came, passed on or not, as it came. */
  get last(): string | null {
    return this.#last;
  }

  /** @param level what the other server says of it; null for a line on stderr */
  write(text: string, level: LoggingLevel | null = null): void {
    const line = text.slice(0, READ_UNITS);
    this.#last = line;
    const now = performance.now();
    if (this.#count === 0 || now - this.#since > WINDOW_MS) {
      if (this.#count > LINES_MAX) this.#write(`${this.#count - LINES_MAX} more lines were left out`, null);
      this.#since = now;
      this.#count = 0;
    }
    this.#count += 1;
    if (this.#count <= LINES_MAX) this.#write(beginningOf(this.#redact.json(line), SHOWN_UNITS), level);
  }
}
