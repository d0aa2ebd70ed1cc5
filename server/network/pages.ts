import type { Exchange } from './exchange.ts';

/** A page of a HAR document: one navigation of a tab's main frame. */
export interface PageFacts {
  readonly id: string;
  readonly url: string;
  readonly issuedAt: number;
  readonly wallAt: number;
  /** Milliseconds after the start; null until it happened. */
  contentLoadMs: number | null;
  loadMs: number | null;
}

/** Pages that are remembered; of older ones the entries alone tell. */
const PAGES = 256;

/** Follows which page a tab shows, so that each request belongs to one. */
export class PageTracker {
  readonly #pages: PageFacts[] = [];
  #mainFrame: string | null = null;

  get pages(): readonly PageFacts[] {
    return this.#pages;
  }

  /** The page on show, or null before the first one was seen. */
  get current(): string | null {
    return this.#pages.at(-1)?.id ?? null;
  }

  setMainFrame(frameId: string): void {
    this.#mainFrame = frameId;
  }

  /** Whether a document of this frame is the tab's own; the first frame that loads is, until the browser says otherwise. */
  isMainFrame(frameId: string | null): boolean {
    this.#mainFrame ??= frameId;
    return frameId !== null && frameId === this.#mainFrame;
  }

  start(document: Pick<Exchange, 'id' | 'url' | 'issuedAt' | 'wallAt'>): string {
    const { url, issuedAt, wallAt } = document;
    const page = { id: `page_${document.id}`, url, issuedAt, wallAt, contentLoadMs: null, loadMs: null };
    this.#pages.push(page);
    if (this.#pages.length > PAGES) this.#pages.shift();
    return page.id;
  }

  /** @param timestamp monotonic seconds */
  reach(moment: 'contentLoadMs' | 'loadMs', timestamp: number): void {
    const page = this.#pages.at(-1);
    if (page !== undefined) page[moment] ??= Math.max(Math.round((timestamp - page.issuedAt) * 1e6) / 1e3, 0);
  }
}
