/* global Document */

import { Readability } from '@mozilla/readability';
import { parsePage } from '../../extension/crawl/offscreen/parse.ts';
import { ParsedPage } from '../../extension/crawl/offscreen/page-contents.ts';

/** The text of a page's main content, as a crawl writes it. */
function textOf(html) {
  const page = new ParsedPage(parsePage(html, 'html', null, 'https://page.test/'), {
    format: 'text',
    mainContentOnly: true,
  });
  let text = '';
  while (!page.isEnded)
    for (const line of page.next().split('\n')) if (line !== '') text += JSON.parse(line).text ?? '';
  return text;
}

/** Extractors by name, each from HTML to text. */
globalThis.mainContentBench = {
  spillway: textOf,
  readability: (html) => new Readability(Document.parseHTMLUnsafe(html)).parse()?.textContent ?? '',
};
