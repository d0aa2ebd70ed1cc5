import type { Progress } from '../../core/context.ts';

/** Cells of the bar. */
const BAR_WIDTH = 24;
const TICK_MS = 1_000;
/** For a terminal that does not report its width. */
const COLUMNS = 80;

/** The start of the line, with everything behind it erased (ECMA-48 EL). */
const ERASE = '\r\u001B[K';

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

/**
 * Results on stdout; notes, failures and progress on stderr. Progress is a line at the bottom of a terminal,
 * rewritten in place, and removed before other text.
 */
export class Terminal {
  #isLineShown = false;

  constructor(
    private readonly out: OutStream,
    private readonly err: OutStream,
  ) {
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
    this.#clearLine();
    const shown = this.isInteractive && typeof data === 'string' ? withoutCommands(data) : data;
    const failure = await written(this.out, shown);
    if (failure === null) return;
    throw 'code' in failure && failure.code === 'EPIPE' ? new ReaderGone() : failure;
  }

  /** A line for the person or agent reading along. A closed stderr is not a failure. */
  async note(line: string): Promise<void> {
    this.#clearLine();
    await written(this.err, `${this.err.isTTY === true ? withoutCommands(line) : line}\n`);
  }

  /**
   * Shows a label with the time that has passed, then each progress, until `end`; does nothing unless stderr
   * is a terminal.
   */
  follow(label: string): { readonly update: (progress: Progress) => void; readonly end: () => void } {
    if (this.err.isTTY !== true) return { update: () => undefined, end: () => undefined };
    const startedAt = performance.now();
    let progress: Progress | null = null;
    const show = (): void => {
      const text = progressText(label, progress, Math.floor((performance.now() - startedAt) / 1_000));
      // A line that reaches the last column would wrap, and could not be erased.
      const width = (this.err.columns ?? COLUMNS) - 1;
      const shown = text.length > width ? `${text.slice(0, Math.max(0, width - 1))}…` : text;
      this.#isLineShown = true;
      void written(this.err, ERASE + shown);
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
        this.#clearLine();
      },
    };
  }

  #clearLine(): void {
    if (this.#isLineShown) void written(this.err, ERASE);
    this.#isLineShown = false;
  }
}

const written = (stream: OutStream, data: string | Uint8Array): Promise<Error | null> =>
  new Promise((resolve) => void stream.write(data, (failure) => resolve(failure ?? null)));

/** With `--no-sanitize-content` a page's text may contain commands for the terminal. */
const withoutCommands = (text: string): string =>
  text.replaceAll('\r', '').replaceAll(/[^\P{Cc}\n\t]/gu, '\uFFFD');
