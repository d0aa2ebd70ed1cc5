import type { ArticleFacts, Coverage } from '../../shared/bridge/page.ts';
import { linkLines } from '../page/crawl-lines.ts';
import type { DocumentSummary } from '../page/protocol.ts';
import { summarizeDocument } from '../page/document-summary.ts';
import type { PageKind } from '../../shared/tools/crawl/content-type.ts';
import { parsePage } from './parse.ts';
import { ParsedPage } from './parsed-page.ts';
import { ParsedRecords } from './parsed-records.ts';
import type { JobKind, PageError, Parts } from './protocol.ts';
import { isShell } from './shell.ts';

export interface Source {
  readonly text: string;
  readonly kind: PageKind;
  readonly contentType: string | null;
  /** Final address, without fragment. */
  readonly url: string;
  readonly what: Extract<JobKind, { kind: 'page' }>;
}

/** What a parsed page holds: its lines in parts, the first of which is ready. */
export interface Contents {
  readonly survey: DocumentSummary;
  readonly isShell: boolean;
  readonly parts: Parts;
  /** What of the content could not be read. */
  readonly coverage: readonly Coverage[];
  readonly article?: ArticleFacts | undefined;
  /** Why there is no content though there is a page. */
  readonly error: PageError | null;
}

/** Parses and reads a page: links first, then its content, or the records that were asked for. */
export function readParsed({ text, kind, contentType, url, what }: Source): Contents {
  const document = parsePage(text, kind, contentType, url);
  const survey = summarizeDocument(document);
  const records = what.extract === null ? null : new ParsedRecords(document, what.extract, url);
  const content = records ?? new ParsedPage(document, what);
  return {
    survey,
    isShell: isShell(document),
    parts: partsOf(linkLines(survey.links), content),
    ...(content instanceof ParsedPage
      ? { coverage: content.coverage, article: content.article }
      : { coverage: [] }),
    error: records?.error ?? null,
  };
}

function partsOf(links: string, content: ParsedPage | ParsedRecords): Parts {
  let before = links + content.next();
  return {
    next: () => {
      const text = before === '' ? content.next() : before;
      before = '';
      return { text, isLast: content.isEnded };
    },
  };
}
