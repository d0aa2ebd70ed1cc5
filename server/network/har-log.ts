import { clean, cleanJsonText, type CleanRecord, type CleanText } from '../libraries/redaction/clean.ts';
import { vouch } from '../libraries/redaction/mark.ts';
import type { NetworkSlice } from './index.ts';

/** Who wrote a HAR document, and which browser made the requests. */
export interface HarAuthors {
  readonly version: string;
  readonly browser: { readonly name: string; readonly version: string } | null;
}

/**
 * A slice as one HAR 1.2 document (http://www.softwareishard.com/blog/har-12-spec/), in chunks of one entry
 * each, so that memory stays flat. A forgotten page is not referred to.
 */
export async function* writeHar(slice: NetworkSlice, authors: HarAuthors): AsyncGenerator<CleanText> {
  const creator = { name: 'Spillway', version: authors.version };
  const browser = authors.browser === null ? {} : { browser: authors.browser };
  const pages = new Set(slice.pages.map(({ id }) => id));
  const used = new Set<string>();
  const head = JSON.stringify({ version: '1.2', creator, ...browser });
  yield vouch(`{"log":${head.slice(0, -1)},"entries":[`);
  let separator = clean`\n`;
  for await (const { pageref, ...entry } of slice.entries) {
    const isKnown = typeof pageref === 'string' && pages.has(pageref);
    if (isKnown) used.add(pageref);
    const written: CleanRecord = isKnown ? { pageref, ...entry } : entry;
    yield clean`${separator}${cleanJsonText(written)}`;
    separator = clean`,\n`;
  }
  const named = slice.pages.filter(({ id }) => used.has(id));
  yield vouch(`\n],"pages":${JSON.stringify(named)}}}\n`);
}
