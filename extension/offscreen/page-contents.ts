import { decodeBody } from '../../shared/mime.ts';
import { cutUrl } from '../../shared/cut.ts';
import { linkLines } from '../page/crawl-lines.ts';
import { summarizeDocument } from '../page/document-summary.ts';
import { MOST_OPEN_ELEMENTS, isTooDeep } from './complexity.ts';
import { parsePage } from './parse.ts';
import { ParsedPage } from './parsed-page.ts';
import { ParsedRecords } from './parsed-records.ts';
import type { ParsedFacts, Source } from './parser-protocol.ts';
import type { Parts } from './protocol.ts';
import { isShell } from './shell.ts';

/** What a parsed page holds: its lines in parts, the first of which is ready. */
export interface Contents {
  readonly facts: ParsedFacts;
  readonly parts: Parts;
}

const NO_PARTS: Parts = { next: () => ({ text: '', isLast: true }) };

/** Parses and reads a page: links first, then its content, or the records that were asked for. */
export function readParsed({ bytes, kind, contentType, url, what }: Source): Contents {
  const text = decodeBody(bytes, contentType);
  if ((kind === 'html' || kind === 'xml') && isTooDeep(text, kind)) return tooDeep(url);
  const document = parsePage(text, kind, contentType, url);
  const { links, ...survey } = summarizeDocument(document);
  const records = what.extract === null ? null : new ParsedRecords(document, what.extract, url);
  const content = records ?? new ParsedPage(document, what);
  return {
    facts: {
      ...survey,
      isShell: isShell(document),
      ...(content instanceof ParsedPage
        ? { coverage: content.coverage, article: content.article }
        : { coverage: [] }),
      error: records?.error ?? null,
    },
    parts: partsOf(linkLines(links), content),
  };
}

function tooDeep(url: string): Contents {
  const message = `${cutUrl(url, 300)} nests more than ${MOST_OPEN_ELEMENTS} elements in each other.`;
  const error = { code: 'page_too_complex', message };
  return {
    facts: { title: '', canonical: null, robots: [], isShell: false, coverage: [], error },
    parts: NO_PARTS,
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
