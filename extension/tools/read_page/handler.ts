import type { Handlers, WorkerServices } from '../../background/handler.ts';
import { readTab, type ReadTimes } from '../../background/pages/read-tab.ts';
import { waitForPage } from '../../background/pages/wait-for-page.ts';

/** `page.read` and `page.wait`: see {@link readTab} and {@link waitForPage} for what they throw. */
export const createHandlers = (
  { channels, requests }: Pick<WorkerServices, 'channels' | 'requests'>,
  times: Partial<ReadTimes> = {},
): Pick<Handlers, 'page.read' | 'page.wait'> => ({
  'page.read': ({ tab_id: tabId, ...options }, { signal }, sink) =>
    readTab({ tabId, options, channels, requests, signal, sink, times }),
  'page.wait': (params, { signal }) => waitForPage({ ...params, channels, requests, signal }),
});
