import type { Progress } from '../../core/context.ts';

/** Cells of the bar. */
const BAR_WIDTH = 24;
const TICK_MS = 1_000;
/** For a terminal that does not report its width. */
const COLUMNS = 80;

/** The start of the line, with everything behind it erased (ECMA-48 EL). */
const ERASE = '\r\u001B[K';

interface ProgressStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(data: string, written: (failure?: Error | null) => void): boolean;
}

/**
 * One line at the bottom of a terminal with a call's progress, rewritten in place. A stream that is not a
 * terminal gets nothing.
 */
class ProgressLine {
  #isShown = false;

  constructor(private readonly stream: ProgressStream) {}

  /** Shows a label with the time that has passed, then each progress, until `end`. */
  follow(label: string): { readonly update: (progress: Progress) => void; readonly end: () => void } {
    if (this.stream.isTTY !== true) return { update: () => undefined, end: () => undefined };
    const startedAt = performance.now();
    let progress: Progress | null = null;
    const show = (): void => {
      const seconds = Math.floor((performance.now() - startedAt) / 1_000);
      this.#show(progressText(label, progress, seconds));
    };
    show();
    const timer = setInterval(show, TICK_MS).unref();
    return {
      update: (latest) => {
        progress = latest;
        show();
      },
      end: () => {
        clearInterval(timer);
        this.clear();
      },
    };
  }

  /** Removes the line, so that other text can be written in its place. */
  clear(): void {
    if (!this.#isShown) return;
    this.#isShown = false;
    this.#write(ERASE);
  }

  #show(text: string): void {
    this.#isShown = true;
    // A line that reaches the last column would wrap, and could not be erased.
    const width = (this.stream.columns ?? COLUMNS) - 1;
    this.#write(`${ERASE}${text.length > width ? `${text.slice(0, Math.max(0, width - 1))}…` : text}`);
  }

  #write(data: string): void {
    this.stream.write(data, () => undefined);
  }
}

/** `Crawling ███████░░░ 12/17  12 done, 5 queued  0:08`. The bar needs a total. */
function progressText(label: string, progress: Progress | null, seconds: number): string {
  const { done = 0, total = 0, message } = progress ?? {};
  const filled = Math.round((Math.min(done, total) / total) * BAR_WIDTH);
  const parts = [
    label.replaceAll(/\p{C}/gu, ''),
    ...(total > 0 ? ['█'.repeat(filled) + '░'.repeat(BAR_WIDTH - filled)] : []),
    ...(message === undefined ? [] : [message]),
    `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`,
  ];
  return parts.join('  ');
}

/** `process.stdout` and `process.stderr`. */
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
  readonly #progress: ProgressLine;

  constructor(
    private readonly out: OutStream,
    private readonly err: OutStream,
  ) {
    this.#progress = new ProgressLine(err);
    // Each write reports its own failure.
    for (const stream of [out, err]) stream.on('error', () => undefined);
  }

  /** A person sees the results; they are not piped elsewhere. */
  get isInteractive(): boolean {
    return this.out.isTTY === true;
  }

  /**
   * Resolves once the data has left.
   * @throws ReaderGone if nobody reads any more
   */
  async write(data: string | Uint8Array): Promise<void> {
    this.#progress.clear();
    const shown = this.isInteractive && typeof data === 'string' ? withoutCommands(data) : data;
    const failure = await written(this.out, shown);
    if (failure === null) return;
    throw 'code' in failure && failure.code === 'EPIPE' ? new ReaderGone() : failure;
  }

  /** A line for the person or agent reading along. A closed stderr is not a failure. */
  async note(line: string): Promise<void> {
    this.#progress.clear();
    await written(this.err, `${this.err.isTTY === true ? withoutCommands(line) : line}\n`);
  }

  /** Shows a call's progress until the returned function is called; does nothing unless stderr is a terminal. */
  follow(label: string): { readonly update: (progress: Progress) => void; readonly end: () => void } {
    return this.#progress.follow(label);
  }
}

const written = (stream: OutStream, data: string | Uint8Array): Promise<Error | null> =>
  new Promise((resolve) => void stream.write(data, (failure) => resolve(failure ?? null)));

/** With `--no-sanitize-content` a page's text may contain commands for the terminal. */
const withoutCommands = (text: string): string =>
  text.replaceAll('\r', '').replaceAll(/[^\P{Cc}\n\t]/gu, '\uFFFD');
