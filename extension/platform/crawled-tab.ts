import { pageKindOf } from '../../shared/core/page-headers.ts';
import type { DebuggerLease } from './chromium/debugger/sessions.ts';

/** Names in lower case; repeated headers are joined as `fetch` joins them. */
export function headerMap(
  headers: readonly { readonly name: string; readonly value?: string | undefined }[],
): ReadonlyMap<string, string> {
  const map = new Map<string, string>();
  for (const { name, value = '' } of headers) {
    const key = name.toLowerCase();
    const before = map.get(key);
    map.set(key, before === undefined ? value : `${before}, ${value}`);
  }
  return map;
}

/** Events of the current page. */
interface TabEvents {
  /** The tab is about to request a document, possibly by a redirect. False stops it before anything is sent. */
  admits(url: string): boolean;
  /** A frame of the page is about to request its document. */
  admitsFrame(url: string): boolean;
  /** The tab's own document is a file: it was rejected. */
  onFile(url: string, contentType: string | null): void;
  /** The number of consecutive redirects: browsers do not limit them under a debugger. */
  onRedirect(hop: { readonly url: string; readonly status: number }, count: number): void;
  onCrash(): void;
  /** Bytes of the document that arrived while they were counted. */
  onBytes(sizeBytes: number): void;
}

/** A hidden tab in which a crawl reads: what it may request, and what its answers are. */
export abstract class CrawledTab {
  protected events: TabEvents | null = null;
  #redirects = 0;
  /** Its process ended, perhaps between two pages. */
  hasCrashed = false;

  protected constructor(protected readonly lease: DebuggerLease) {}

  abstract stopLoading(): Promise<void>;

  /** Whether the bytes of documents are reported. */
  abstract countBytes(isOn: boolean): Promise<void>;

  /** Whether pages behave as if they were in front. */
  abstract readonly isAsShown: boolean;

  /** Aborted if the attachment ends before the tab does. */
  get signal(): AbortSignal {
    return this.lease.signal;
  }

  /** The current listener; null between two pages. */
  listen(events: TabEvents | null): void {
    this.#redirects = 0;
    this.events = events;
  }

  release(): Promise<void> {
    return this.lease.release();
  }

  /** Between two pages nothing is requested. */
  protected admits(url: string, isMain: boolean): boolean {
    if (this.events === null) return false;
    return isMain ? this.events.admits(url) : this.events.admitsFrame(url);
  }

  /** @param status undefined if the request failed */
  protected admitsAnswer({ url, status, headers }: CrawledAnswer, isMain: boolean): boolean {
    const contentType = headers.get('content-type') ?? null;
    const isFile =
      status !== undefined &&
      !isBodiless(status) &&
      pageKindOf(contentType, headers.get('content-disposition') ?? null) === 'none';
    if (isMain) this.#countRedirect(url, status);
    if (!isFile || !(isMain || isAttachment(headers))) return true;
    if (isMain) this.events?.onFile(url, contentType);
    return false;
  }

  #countRedirect(url: string, status: number | undefined): void {
    if (status === undefined || status < 300 || status >= 400) this.#redirects = 0;
    else this.events?.onRedirect({ url, status }, (this.#redirects += 1));
  }
}

interface CrawledAnswer {
  readonly url: string;
  readonly status: number | undefined;
  readonly headers: ReadonlyMap<string, string>;
}

const isBodiless = (status: number): boolean =>
  status === 204 || status === 205 || (status >= 300 && status < 400);

const isAttachment = (headers: ReadonlyMap<string, string>): boolean =>
  /^\s*attachment\b/i.test(headers.get('content-disposition') ?? '');
