import type { StreamMethodParams } from '../../../../shared/bridge/methods.ts';
import { cutUrl, withoutFragment } from '../../../../shared/cut.ts';
import { SpillwayError, type ErrorCode } from '../../../../shared/errors.ts';
import { LIMITS } from '../../../../shared/limits.ts';
import { isPrivateHost } from '../../../../shared/private-address.ts';
import type { Hop } from '../../../background/fetching/network-trace.ts';
import type { CrawlTab } from './crawl-tab.ts';

/** A page that takes longer than this has its bytes counted: a fast one is not too large. */
const COUNT_AFTER_MS = 500;
type WatchedPage = Pick<StreamMethodParams<'crawl.page'>, 'url' | 'max_bytes' | 'allow_private'>;

/** What ends a page before it is read: a file, a crash, too many bytes, the debugger's end. */
export class PageWatch {
  /** Aborted with a coded reason by any of them, or by the call. */
  readonly signal: AbortSignal;
  readonly #tab: CrawlTab;
  readonly #own = new AbortController();
  readonly #redirects: Hop[] = [];
  /** Where the page wants to go, outside of its origin. */
  #movesTo: string | null = null;
  readonly #timer: ReturnType<typeof setTimeout>;
  #isCounting = false;
  #sizeBytes = 0;

  constructor(tab: CrawlTab, { url, max_bytes, allow_private }: WatchedPage, signal: AbortSignal) {
    this.#tab = tab;
    const lost = tab.debugger?.signal;
    this.signal = AbortSignal.any([signal, this.#own.signal, ...(lost === undefined ? [] : [lost])]);
    const end = (code: ErrorCode, message: string): void => this.#own.abort(new SpillwayError(code, message));
    const { origin } = new URL(url);
    tab.debugger?.listen({
      admits: (to) => {
        if (new URL(to).origin === origin) return true;
        this.#movesTo = withoutFragment(to);
        end('page_changed', `${url} leads to ${cutUrl(to, 300)}.`);
        return false;
      },
      admitsFrame: (to) => allow_private || !isPrivateHost(new URL(to).hostname),
      onFile: (file, contentType) =>
        end('not_a_page', `${file} returned a file (${contentType ?? 'no content type'}).`),
      onRedirect: (hop, count) => {
        this.#redirects.push(hop);
        if (count > LIMITS.redirects)
          end('redirect_loop', `${hop.url} failed with net::ERR_TOO_MANY_REDIRECTS.`);
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

  /** Where a redirect, or the page itself, leads: another origin, which nothing was sent to. Null if it stays. */
  get movesTo(): string | null {
    return this.#movesTo;
  }

  /** Redirects so far, the one that moves included. */
  get redirects(): readonly Hop[] {
    return this.#redirects;
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
