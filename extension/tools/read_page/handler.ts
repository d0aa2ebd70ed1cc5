import type { Handlers, WorkerServices } from '../../background/handler.ts';
import { readTab, type ReadTimes } from '../../background/pages/read-tab.ts';

/** `page.read`: see {@link readTab} for what it throws. */
export const createHandlers = (
  { channels }: Pick<WorkerServices, 'channels'>,
  times: Partial<ReadTimes> = {},
): Pick<Handlers, 'page.read'> => ({
  'page.read': ({ tab_id: tabId, ...options }, { signal }, sink) =>
    readTab({ tabId, options, channels, signal, sink, times }),
});
