import type { MethodResult } from '../../../shared/bridge/methods.ts';
import type { FetchOutcome } from '../../background/fetching/fetch-address.ts';

type PageResult = MethodResult<'crawl.page'>;

/** The answer of `crawl.page` for a fetched page. */
export function fetchedResult({ page, redirects, movesTo, remoteAddress, error }: FetchOutcome): PageResult {
  return {
    moves_to: movesTo,
    remote_address: remoteAddress,
    final_url: page.finalUrl,
    redirects: [...redirects],
    status: page.status,
    content_type: page.contentType,
    title: page.title,
    canonical: page.canonical,
    robots: [...page.robots],
    rendered: false,
    retry_after_ms: page.retryAfterMs,
    timing: { fetch_ms: page.fetchMs, parse_ms: page.parseMs, size_bytes: page.sizeBytes },
    error,
    coverage: [...page.coverage],
    ...(page.article !== undefined && { article: page.article }),
  };
}
