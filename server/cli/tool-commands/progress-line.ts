import type { Progress } from '../../core/context.ts';

/** Cells of the bar. */
const BAR_WIDTH = 24;
const TICK_MS = 1_000;
/** Where a terminal does not say how wide it is. */
const COLUMNS = 80;

/** The start of the line, and everything behind it erased (ECMA-48 EL). */
const ERASE = '\r\u001B[K';

interface ProgressStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(data: string, written: (failure?: Error | null) => void): boolean;
}

/**
 * One line at the bottom of a terminal that says what a call does, rewritten in place. Nothing is
 * written to a stream that is not a terminal.
 */
export class ProgressLine {
  readonly #stream: ProgressStream;
  #isShown = false;

  constructor(stream: ProgressStream) {
    this.#stream = stream;
  }

  /** Shows a label with the time that has passed, then each progress, until `end`. */
  follow(label: string): { readonly update: (progress: Progress) => void; readonly end: () => void } {
    if (this.#stream.isTTY !== true) return { update: () => undefined, end: () => undefined };
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
    const width = (this.#stream.columns ?? COLUMNS) - 1;
    this.#write(`${ERASE}${text.length > width ? `${text.slice(0, Math.max(0, width - 1))}…` : text}`);
  }

  #write(data: string): void {
    this.#stream.write(data, () => undefined);
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
