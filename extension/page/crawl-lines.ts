import type { CrawlFormat } from '../../shared/tools/crawl/options.ts';
import type { ReadPageOptions } from '../../shared/tools/read_page/options.ts';
import type { PageLink } from './survey.ts';

/** Links in one line of `crawl.page`. */
const LINKS_A_LINE = 500;

/** How a crawl reads a page. */
export const crawlReadOptions = (format: CrawlFormat): ReadPageOptions => ({
  format,
  selector: null,
  main_content_only: false,
  include_links: true,
  include_hidden: false,
});

/** The `links` lines of a page. */
export function linkLines(links: readonly PageLink[]): string {
  let lines = '';
  for (let from = 0; from < links.length; from += LINKS_A_LINE)
    lines += `${JSON.stringify({ kind: 'links', links: links.slice(from, from + LINKS_A_LINE) })}\n`;
  return lines;
}

/** One record of `extract`. */
export const foundLine = (found: unknown): string => `${JSON.stringify({ kind: 'found', found })}\n`;

/**
 * Makes lines of `crawl.page` of what a writer wrote, piece by piece: text as it comes, items of
 * `nodes` whole, since a piece may end inside one. Content begins without and ends with a line break.
 */
export class ContentLines {
  readonly #isNodes: boolean;
  #rest = '';
  #hasText = false;

  constructor(format: CrawlFormat) {
    this.#isNodes = format === 'nodes';
  }

  push(piece: string): string {
    if (this.#isNodes) return this.#nodes(piece);
    const text = this.#hasText ? piece : piece.replace(/^\n+/, '');
    if (text === '') return '';
    this.#hasText = true;
    return textLine(text);
  }

  end(): string {
    return this.#hasText ? textLine('\n') : '';
  }

  #nodes(piece: string): string {
    const lines = (this.#rest + piece).split('\n');
    this.#rest = lines.pop() ?? '';
    // What the writer wrote is JSON already.
    return lines.map((line) => (line === '' ? '' : `{"kind":"node","node":${line}}\n`)).join('');
  }
}

const textLine = (text: string): string => `${JSON.stringify({ kind: 'text', text })}\n`;
