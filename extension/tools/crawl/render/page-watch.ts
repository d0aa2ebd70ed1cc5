import { SpillwayError, type ErrorCode } from '../../../../shared/errors.ts';
import type { CrawlTab } from './crawl-tab.ts';

/** A page that takes longer than this has its bytes counted: a fast one is not too large. */
const COUNT_AFTER_MS = 500;
/** As browsers have it (Fetch standard). */
const MOST_REDIRECTS = 20;

/** What ends a page before it is read: a file, a crash, too many bytes, the debugger's end. */
export class PageWatch {
  /** Aborted with a coded reason by any of them, or by the call. */
  readonly signal: AbortSignal;
  readonly #tab: CrawlTab;
  readonly #own = new AbortController();
  readonly #timer: ReturnType<typeof setTimeout>;
  #isCounting = false;
  #sizeBytes = 0;

  constructor(
    tab: CrawlTab,
    { url, max_bytes }: { readonly url: string; readonly max_bytes: number },
    signal: AbortSignal,
  ) {
    this.#tab = tab;
    const lost = tab.debugger?.signal;
    this.signal = AbortSignal.any([signal, this.#own.signal, ...(lost === undefined ? [] : [lost])]);
    const end = (code: ErrorCode, message: string): void => this.#own.abort(new SpillwayError(code, message));
    tab.debugger?.listen({
      onFile: (file, contentType) =>
        end('not_a_page', `${file} returned a file (${contentType ?? 'no content type'}).`),
      onRedirect: (hop, count) => {
        if (count > MOST_REDIRECTS) end('redirect_loop', `${hop} failed with net::ERR_TOO_MANY_REDIRECTS.`);
      },
      onCrash: () => end('page_crashed', `${url} crashed its tab.`),
      onBytes: (sizeBytes) => {
        this.#sizeBytes += sizeBytes;
        if (this.#sizeBytes > max_bytes)
          end(
            'response_too_large',
            `${url} is larger than ${max_bytes} bytes; only what was received is read.`,
          );
      },
    });
    this.#timer = setTimeout(() => this.#count(), COUNT_AFTER_MS);
  }

  /** What really ended the page: its own end explains what failed because of it. */
  reasonOf(thrown: unknown): unknown {
    if (this.#own.signal.aborted) return this.#own.signal.reason;
    const lost = this.#tab.debugger?.signal;
    return lost?.aborted === true ? lost.reason : thrown;
  }

  /** Ends the loading of what is there. */
  async stopLoading(): Promise<void> {
    await this.#tab.debugger?.stopLoading().catch(() => undefined);
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#tab.debugger?.listen(null);
    if (this.#isCounting) void this.#tab.debugger?.stopCounting().catch(() => undefined);
  }

  #count(): void {
    if (this.#tab.debugger === null) return;
    this.#isCounting = true;
    void this.#tab.debugger.countBytes().catch(() => undefined);
  }
}
