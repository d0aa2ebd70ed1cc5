import type { Handlers, WorkerServices } from '../../background/handler.ts';
import { extractTab } from '../../background/pages/extract-tab.ts';
import { loadMore } from '../../background/pages/load-more.ts';

/** The methods of `extract_data`. */
export function createHandlers({
  extractChannels: channels,
  focus,
}: WorkerServices): Pick<Handlers, 'page.extract' | 'page.more'> {
  return {
    'page.extract': ({ tab_id: tabId, request, next }, { signal }, sink) =>
      extractTab({ tabId, request, next, channels, signal, sink }),
    'page.more': ({ tab_id: tabId, click, timeout_ms: timeoutMs }, { signal }) =>
      loadMore({ tabId, click, timeoutMs, channels, focus, signal }),
  };
}
