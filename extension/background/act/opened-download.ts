import type { Download } from '../../../shared/act/downloads.ts';
import type { FileFacts, NavigationEvent, NavigationSource } from '../navigation/events.ts';

/** A server that has not answered by then is not waited for. */
const ANSWER_MS = 60_000;
const ABORTED = 'net::ERR_ABORTED';
/** Content types that browsers show, unless the server asks to save them. */
const SHOWN = /^(?:text\/(?:html|plain|xml)|application\/(?:xhtml\+xml|xml|json|pdf)|image\/)/i;

interface Main {
  readonly id: string;
  readonly url: string;
  /** Of a response that browsers save. */
  file: FileFacts | null;
  end: 'completed' | 'interrupted' | null;
  isDownload: boolean;
}

type Report = (id: string, download: Download) => void;

/**
 * Follows a tab that a page has just opened until it shows a page. One that gets a file instead is closed by
 * the browser, and the request continues as a download.
 *
 * @param report called whenever more is known about the download
 */
export function followOpenedTab(tabId: number, source: NavigationSource, report: Report): void {
  const opened = new OpenedTab(tabId, report);
  const stop = source((event) => {
    if (opened.take(event)) end();
  });
  const timer = setTimeout(() => {
    if (!opened.isDownload) end();
  }, ANSWER_MS);
  function end(): void {
    clearTimeout(timer);
    stop();
  }
}

class OpenedTab {
  readonly #tabId: number;
  readonly #report: Report;
  #main: Main | null = null;

  constructor(tabId: number, report: Report) {
    this.#tabId = tabId;
    this.#report = report;
  }

  get isDownload(): boolean {
    return this.#main?.isDownload === true;
  }

  /** True once nothing more can be learned. */
  take(event: NavigationEvent): boolean {
    // If the tab is gone by then, the request belongs to no tab.
    if (event.type === 'request_ended') return this.#ended(event);
    if (event.tabId !== this.#tabId) return false;
    switch (event.type) {
      case 'request':
        if (event.main)
          this.#main = { id: event.id, url: event.url, file: null, end: null, isDownload: false };
        return false;
      case 'response':
        if (this.#main?.id === event.id && event.file !== undefined && isSaved(event.status, event.file))
          this.#main.file = event.file;
        return false;
      case 'failed':
        return event.error === ABORTED && this.#aborted();
      case 'committed':
        return event.url !== 'about:blank';
      case 'tab_removed':
        return !this.isDownload;
      default:
        return false;
    }
  }

  #ended({ id, hasFailed }: Extract<NavigationEvent, { type: 'request_ended' }>): boolean {
    if (this.#main?.id !== id) return false;
    this.#main.end = hasFailed ? 'interrupted' : 'completed';
    return this.isDownload && this.#reportOn(this.#main);
  }

  /** The response is a file and the navigation ended: the browser saves the file. */
  #aborted(): boolean {
    if (this.#main === null || this.#main.file === null) return false;
    this.#main.isDownload = true;
    return this.#reportOn(this.#main);
  }

  #reportOn({ id, url, file, end }: Main): boolean {
    const total = file?.sizeBytes ?? null;
    this.#report(`request ${id}`, {
      name: file?.name ?? 'download',
      url,
      state: end ?? 'in_progress',
      received_bytes: end === 'completed' ? total : null,
      total_bytes: total,
    });
    return end !== null;
  }
}

const isSaved = (status: number, { contentType, isAttachment }: FileFacts): boolean =>
  status !== 204 && status !== 205 && (isAttachment || !SHOWN.test(contentType ?? 'text/html'));
