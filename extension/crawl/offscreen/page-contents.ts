import type { ArticleFacts, Coverage } from '../../../shared/core/bridge/page.ts';
import type { CrawlFormat } from '../../../shared/crawl/crawl.methods.ts';
import { ContentLines, contentKind, crawlReadOptions, linkLines } from '../page/crawl-lines.ts';
import { findMainContent } from '../../read/page/main-content/find.ts';
import { NO_MAIN_CONTENT } from '../../read/page/main-content/readability.ts';
import { Refs } from '../../dom/refs.ts';
import { SourceVisibility } from '../../dom/source-visibility.ts';
import type { VisibilityCheckerFactory } from '../../dom/layout-visibility.ts';
import type { Selection } from '../../dom/level.ts';
import { Walker } from '../../read/page/walker.ts';
import { rememberPasswords } from '../../dom/controls.ts';
import { HtmlWriter } from '../../read/page/write/html.ts';
import { MarkdownWriter } from '../../read/page/write/markdown.ts';
import { rememberBase } from '../../dom/media.ts';
import { NodesWriter } from '../../read/page/write/nodes.ts';
import { Out, type Writer, type WriterTools } from '../../read/page/write/out.ts';
import { TextWriter } from '../../read/page/write/text.ts';
import {
  PART_UNITS,
  type PageError,
  type PageJob,
  type ParsedFacts,
  type Parts,
} from '../../core/offscreen/protocol.ts';
import type { ExtractRequest } from '../../../shared/libraries/values/plan.ts';
import type { FoundRecord } from '../../../shared/libraries/values/request.ts';
import { extract } from '../../extract/page/engine.ts';
import { failureOf } from '../../dom/doorway.ts';
import { decodeBody, isGuessedUtf8 } from '../../../shared/base/mime.ts';
import { summarizeDocument } from '../page/document-summary.ts';
import { parsePage, isShell } from './parse.ts';
import type { Source } from '../../core/offscreen/parser-protocol.ts';

const WRITERS: Readonly<Record<CrawlFormat, new (tools: WriterTools) => Writer>> = {
  markdown: MarkdownWriter,
  text: TextWriter,
  html: HtmlWriter,
  nodes: NodesWriter,
};

/** How much the walk writes ahead of its reader: a page of megabytes is not kept in memory twice. */
const BUFFER_UNITS = 4 * PART_UNITS;

const createVisibility: VisibilityCheckerFactory = (includeHidden) => new SourceVisibility(includeHidden);

/** The content of a parsed document in lines of `crawl.page`, by the walker and writers of `read_page`. */
export class ParsedPage {
  readonly error = null;
  readonly coverage: readonly Coverage[];
  readonly article: ArticleFacts | undefined;
  isEnded = false;
  readonly #walker: Walker;
  readonly #writer: Writer;
  readonly #out = new Out(PART_UNITS);
  readonly #lines: ContentLines;
  #isWalked = false;

  constructor(
    private readonly document: Document,
    { format, mainContentOnly }: Pick<PageJob, 'format' | 'mainContentOnly'>,
  ) {
    this.#lines = new ContentLines(contentKind(format));
    rememberPasswords(document);
    const walkerOf = (selection: Selection | null, refs: Refs): Walker =>
      new Walker({ document, roots: [], includeHidden: false, selection, refs, createVisibility });
    const walk = (writer: Writer): void => void walkerOf(null, new Refs()).run(writer, () => false);
    const main = mainContentOnly ? findMainContent({ document, walk, format }) : null;
    const note = main === null ? NO_MAIN_CONTENT : main.note;
    this.coverage = mainContentOnly && note !== null ? [note] : [];
    this.article = main?.article;
    const head = main?.head ?? '';
    this.#out.write(head);
    const refs = new Refs();
    this.#walker = walkerOf(main?.selection ?? null, refs);
    this.#writer = new WRITERS[format]({
      out: this.#out,
      refs,
      options: crawlReadOptions(format, mainContentOnly),
      view: this.#walker,
      linePrefix: '',
      follows: head !== '',
    });
  }

  /** The next lines, about {@link PART_UNITS}; continues the walk if there is room. */
  next(): string {
    if (!this.#isWalked && this.#out.units <= BUFFER_UNITS / 2) this.#walk();
    let lines = '';
    for (const piece of this.#out.take(PART_UNITS))
      if (typeof piece === 'string') lines += this.#lines.push(piece);
    if (!this.#isWalked || !this.#out.isEmpty || this.isEnded) return lines;
    this.isEnded = true;
    return lines + this.#lines.end();
  }

  #walk(): void {
    // Another page, with another base, may have been walked meanwhile.
    rememberBase(this.document);
    this.#isWalked = this.#walker.run(this.#writer, () => this.#out.units > BUFFER_UNITS);
    if (this.#isWalked) this.#writer.finish?.();
  }
}

/** The records of a parsed document in lines of `crawl.page`, created as they are taken. */
class ParsedRecords {
  readonly error: PageError | null = null;
  readonly coverage = [];
  readonly article = undefined;
  isEnded = false;
  readonly #records: Iterator<FoundRecord, unknown>;
  readonly #lines = new ContentLines('found');

  constructor(document: Document, request: ExtractRequest, url: string) {
    let records: Iterable<FoundRecord> = [];
    try {
      ({ records } = extract(document, request, url));
    } catch (thrown) {
      this.error = failureOf(thrown);
    }
    this.#records = records[Symbol.iterator]();
  }

  /** The next lines, about {@link PART_UNITS}. */
  next(): string {
    let lines = '';
    while (lines.length < PART_UNITS) {
      const { value, done } = this.#records.next();
      if (done === true) {
        this.isEnded = true;
        break;
      }
      lines += this.#lines.push(`${JSON.stringify(value)}\n`.toWellFormed());
    }
    return lines;
  }
}

const GUESSED_UTF8: Coverage = {
  kind: 'encoding_guessed',
  detail: 'The page names no encoding, and its bytes are valid UTF-8. A tab may show them as windows-1252.',
};

/** Parses and reads a page: links first, then its content or the requested records. The first of its parts is ready. */
export function readParsed({ bytes, kind, contentType, refresh, url, what }: Source) {
  const text = decodeBody(bytes, contentType);
  const document = parsePage(text, kind, contentType, url);
  const { links, ...survey } = summarizeDocument(document, { url, refresh });
  const content =
    what.extract === null ? new ParsedPage(document, what) : new ParsedRecords(document, what.extract, url);
  const { article, error } = content;
  // XML is UTF-8 for a tab too.
  const isGuess = kind !== 'xml' && isGuessedUtf8(bytes, contentType);
  const coverage = isGuess ? [...content.coverage, GUESSED_UTF8] : content.coverage;
  const facts: ParsedFacts = { ...survey, isShell: isShell(document), coverage, article, error };
  return { facts, parts: streamParts(linkLines(links), content) };
}

function streamParts(links: string, content: ParsedPage | ParsedRecords): Parts {
  let before = links + content.next();
  return {
    next: () => {
      const text = before === '' ? content.next() : before;
      before = '';
      return { text, isLast: content.isEnded };
    },
  };
}
