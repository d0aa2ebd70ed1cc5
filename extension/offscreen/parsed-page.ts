import Readability from '@mozilla/readability/Readability.js';
import type { ArticleFacts, Coverage } from '../../shared/bridge/page.ts';
import type { CrawlFormat } from '../../shared/tools/crawl/options.ts';
import { ContentLines, contentKind, crawlReadOptions } from '../page/crawl-lines.ts';
import { NO_MAIN_CONTENT, findMainContent } from '../page/main-content/find.ts';
import { Refs } from '../page/refs.ts';
import { SourceVisibility } from '../page/walk/source-visibility.ts';
import type { VisibilityCheckerFactory } from '../page/walk/visibility-checker.ts';
import { Walker } from '../page/walk/walker.ts';
import { rememberPasswords } from '../page/write/controls.ts';
import { HtmlWriter } from '../page/write/html.ts';
import { MarkdownWriter } from '../page/write/markdown.ts';
import { rememberBase } from '../page/write/media.ts';
import { NodesWriter } from '../page/write/nodes.ts';
import { Out, type Writer, type WriterTools } from '../page/write/out.ts';
import { TextWriter } from '../page/write/text.ts';
import { PART_UNITS } from './protocol.ts';

const WRITERS: Readonly<Record<CrawlFormat, new (tools: WriterTools) => Writer>> = {
  markdown: MarkdownWriter,
  text: TextWriter,
  html: HtmlWriter,
  nodes: NodesWriter,
};

/** Written and not yet taken, before the walk waits: a page of megabytes is not written twice over. */
const BUFFER_UNITS = 4 * PART_UNITS;

const createVisibility: VisibilityCheckerFactory = (levels, includeHidden) =>
  new SourceVisibility(levels, includeHidden);

export interface ParsedPageOptions {
  readonly format: CrawlFormat;
  readonly mainContentOnly: boolean;
}

/** The content of a parsed document in lines of `crawl.page`, by the walker and writers of `read_page`. */
export class ParsedPage {
  readonly coverage: readonly Coverage[];
  /** Where main content was asked for and found. */
  readonly article: ArticleFacts | undefined;
  readonly #document: Document;
  readonly #walker: Walker;
  readonly #writer: Writer;
  readonly #out = new Out(PART_UNITS);
  readonly #lines: ContentLines;
  #isWalked = false;
  #isEnded = false;

  constructor(document: Document, { format, mainContentOnly }: ParsedPageOptions) {
    this.#document = document;
    this.#lines = new ContentLines(contentKind(format));
    rememberPasswords(document);
    const refs = new Refs();
    const main = mainContentOnly
      ? findMainContent({
          document,
          roots: [],
          includeHidden: false,
          createVisibility,
          readability: Readability,
          format,
        })
      : null;
    this.coverage = mainContentOnly && main === null ? [NO_MAIN_CONTENT] : [];
    this.article = main?.article;
    const head = main?.head ?? '';
    this.#out.write(head);
    this.#walker = new Walker({
      document,
      roots: [],
      includeHidden: false,
      selection: main?.selection ?? null,
      refs,
      createVisibility,
    });
    this.#writer = new WRITERS[format]({
      out: this.#out,
      refs,
      options: crawlReadOptions(format, mainContentOnly),
      view: this.#walker,
      linePrefix: '',
      follows: head !== '',
    });
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** The next lines, about {@link PART_UNITS}; walks on when there is room. */
  next(): string {
    if (!this.#isWalked && this.#out.units <= BUFFER_UNITS / 2) this.#walk();
    let lines = '';
    for (const piece of this.#out.take(PART_UNITS))
      if (typeof piece === 'string') lines += this.#lines.push(piece);
    if (!this.#isWalked || !this.#out.isEmpty || this.#isEnded) return lines;
    this.#isEnded = true;
    return lines + this.#lines.end();
  }

  #walk(): void {
    // Another page may have been walked meanwhile, and it had another base.
    rememberBase(this.#document);
    this.#isWalked = this.#walker.run(this.#writer, () => this.#out.units > BUFFER_UNITS);
    if (this.#isWalked) this.#writer.finish();
  }
}
