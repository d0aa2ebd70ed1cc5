import type { NetworkSlice } from '../core/network.ts';
import type { Redactor } from '../core/services.ts';
import type { PageFacts } from './pages.ts';
import { redactPart } from './parts.ts';

/** Pages of captured tabs as HAR has them; -1 for events that have not happened. */
export function describePages(pages: readonly PageFacts[], redactor: Redactor): NetworkSlice['pages'] {
  return pages
    .toSorted((a, b) => a.wallAt - b.wallAt)
    .map((page) => ({
      id: page.id,
      startedDateTime: new Date(page.wallAt * 1_000).toISOString(),
      title: redactPart({ request: { url: page.url } }, redactor).part.request.url,
      pageTimings: { onContentLoad: page.contentLoadMs ?? -1, onLoad: page.loadMs ?? -1 },
    }));
}
