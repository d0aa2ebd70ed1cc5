import type { CrawlFormat } from '../../../shared/crawl/crawl.methods.ts';
import type { ReadPageOptions } from '../../../shared/read/read_page.methods.ts';
import type { PageLink } from '../../core/page/protocol.ts';

/** Links per line of `crawl.page`. */
const LINKS_A_LINE = 500;

/** How a crawl reads a page. */
export const crawlReadOptions = (format: CrawlFormat, mainContentOnly: boolean): ReadPageOptions => ({
  format,
  selector: null,
  main_content_only: mainContentOnly,
  include_links: true,
  include_hidden: false,
});

export function linkLines(links: readonly PageLink[]): string {
  let lines = '';
  for (let from = 0; from < links.length; from += LINKS_A_LINE)
    lines += `${JSON.stringify({ kind: 'links', links: links.slice(from, from + LINKS_A_LINE) })}\n`;
  return lines;
}

export type ContentKind = 'text' | 'node' | 'found';

export const contentKind = (format: CrawlFormat): ContentKind => (format === 'nodes' ? 'node' : 'text');

/**
 * Turns a writer's pieces into lines of `crawl.page`: text as it comes, items whole, since a piece may end inside one.
 * Text begins without a line break and ends with one.
 */
export class ContentLines {
  #rest = '';
  #hasText = false;

  constructor(private readonly kind: ContentKind) {}

  push(piece: string): string {
    if (this.kind !== 'text') return this.#items(piece);
    const text = this.#hasText ? piece : piece.replace(/^\n+/, '');
    if (text === '') return '';
    this.#hasText = true;
    return textLine(text);
  }

  end(): string {
    return this.#hasText ? textLine('\n') : '';
  }

  #items(piece: string): string {
    const lines = (this.#rest + piece).split('\n');
    this.#rest = lines.pop() ?? '';
    const { kind } = this;
    // The text is JSON already.
    return lines.map((line) => (line === '' ? '' : `{"kind":"${kind}","${kind}":${line}}\n`)).join('');
  }
}

const textLine = (text: string): string => `${JSON.stringify({ kind: 'text', text })}\n`;
