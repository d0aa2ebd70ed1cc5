import type { NetworkSlice } from '../core/network.ts';
import type { Redactor } from '../core/services.ts';
import type { Subscription } from './client-captures.ts';

/** Pages of captured tabs as HAR has them; -1 for what has not happened. */
export function describePages(parts: readonly Subscription[], redactor: Redactor): NetworkSlice['pages'] {
  const pages = parts.flatMap(({ capture }) => capture.pages);
  return pages
    .toSorted((a, b) => a.wallAt - b.wallAt)
    .map((page) => ({
      id: page.id,
      startedDateTime: new Date(page.wallAt * 1_000).toISOString(),
      title: redactor.exchange({ request: { url: page.url } }).entry.request.url,
      pageTimings: { onContentLoad: page.contentLoadMs ?? -1, onLoad: page.loadMs ?? -1 },
    }));
}
