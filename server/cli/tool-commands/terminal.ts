import type { Progress } from '../../core/context.ts';
import { ProgressLine } from './progress-line.ts';

/** What a command writes to: `process.stdout` and `process.stderr`. */
export interface OutStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(data: string | Uint8Array, written: (failure?: Error | null) => void): boolean;
  on(event: 'error', listener: (failure: Error) => void): unknown;
}

/** The reader has closed the pipe, as `head` does. */
export class ReaderGone extends Error {}

/** Results on stdout; notes, failures and progress on stderr. */
export class Terminal {
  readonly #out: OutStream;
  readonly #err: OutStream;
  readonly #progress: ProgressLine;

  constructor(out: OutStream, err: OutStream) {
    this.#out = out;
    this.#err = err;
    this.#progress = new ProgressLine(err);
    // Each write reports its own failure.
    for (const stream of [out, err]) stream.on('error', () => undefined);
  }

  /** Results are shown to a person, and not piped elsewhere. */
  get isInteractive(): boolean {
    return this.#out.isTTY === true;
  }

  /**
   * Resolves once the data has left.
   * @throws ReaderGone when nobody reads any more
   */
  async write(data: string | Uint8Array): Promise<void> {
    this.#progress.clear();
    const shown = this.isInteractive && typeof data === 'string' ? withoutCommands(data) : data;
    const failure = await written(this.#out, shown);
    if (failure === null) return;
    throw 'code' in failure && failure.code === 'EPIPE' ? new ReaderGone() : failure;
  }

  /** A line for the person or the agent that reads along. A closed stderr is not a failure. */
  async note(line: string): Promise<void> {
    this.#progress.clear();
    await written(this.#err, `${this.#err.isTTY === true ? withoutCommands(line) : line}\n`);
  }

  /** Shows what a call is doing until the returned function is called; nothing unless stderr is a terminal. */
  follow(label: string): { readonly update: (progress: Progress) => void; readonly end: () => void } {
    return this.#progress.follow(label);
  }
}

const written = (stream: OutStream, data: string | Uint8Array): Promise<Error | null> =>
  new Promise((resolve) => void stream.write(data, (failure) => resolve(failure ?? null)));

/** With `--no-sanitize-content` a page's text may hold commands for the terminal that shows it. */
const withoutCommands = (text: string): string =>
  text.replaceAll('\r', '').replaceAll(/[^\P{Cc}\n\t]/gu, '\uFFFD');
