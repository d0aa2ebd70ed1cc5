import type { JsonValue } from '../../../shared/json.ts';
import { MIME } from '../../../shared/mime.ts';
import type { CrawlFormat } from '../../../shared/tools/crawl/options.ts';
import type { RunScope } from '../../core/runs.ts';
import { PageSearch } from '../../toolkit/page-search.ts';
import type { PageRead } from './source.ts';

interface SearchOptions {
  readonly find: string;
  readonly format: CrawlFormat;
  readonly redact: RunScope['redact'];
}

/** What a search kept of a page. */
export interface PageMatches {
  readonly content: PageRead['content'];
  readonly matches: number;
}

/**
 * Keeps of a page's content what contains a text, as `find` of `read_page` does. It is redacted first: a part of
 * a secret does not show that it is one.
 */
export async function searchPage(
  content: PageRead['content'],
  { find, format, redact }: SearchOptions,
): Promise<PageMatches> {
  const search = new PageSearch(find, format);
  const picked = search.pick(
    typeof content === 'string'
      ? { kind: 'text', mimeType: MIME.text, chunks: each([redact(content)]) }
      : { kind: 'items', mimeType: MIME.json, items: each(content.map((item) => redact(item))) },
  );
  let text = '';
  const items: JsonValue[] = [];
  if (picked.kind === 'text') for await (const chunk of picked.chunks) text += chunk;
  else if (picked.kind === 'items') for await (const item of picked.items) items.push(item);
  return { content: typeof content === 'string' ? text : items, matches: search.counts().matches };
}

async function* each<T>(values: readonly T[]): AsyncGenerator<T> {
  yield* values;
}
