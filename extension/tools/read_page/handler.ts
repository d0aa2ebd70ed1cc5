import type { Handlers, HandlerServices } from '../../background/handler.ts';
import { readTab, type ReadTimes } from '../../background/pages/read-tab.ts';
import { scrollTab } from '../../background/pages/scroll-tab.ts';
import { waitForPage } from '../../background/pages/wait-for-page.ts';

/** The methods of `read_page`: see {@link readTab}, {@link scrollTab} and {@link waitForPage} for errors. */
export const createHandlers = (
  {
    channels,
    requests,
    focus,
    turns,
    closed,
  }: Pick<HandlerServices, 'channels' | 'requests' | 'focus' | 'turns' | 'closed'>,
  times: Partial<ReadTimes> = {},
): Pick<Handlers, 'page.read' | 'page.scroll' | 'page.wait'> => ({
  'page.read': ({ tab_id: tabId, ...options }, { signal }, sink) =>
    readTab({ tabId, options, channels, requests, signal, sink, times }),
  'page.scroll': (params, { signal }) =>
    scrollTab({ ...params, channels, requests, focus, turns, closed, signal }),
  'page.wait': (params, { signal }) => waitForPage({ ...params, channels, requests, signal }),
});
