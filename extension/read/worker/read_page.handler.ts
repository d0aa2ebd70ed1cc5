import type { Handlers, HandlerServices } from '../../core/handler.ts';
import { documentsOfCall } from '../../core/policy/documents.ts';
import type { ReadTimes } from './assembly.ts';
import { readTab } from './read-tab.ts';
import { scrollTab } from './scroll-tab.ts';

type ReadPageServices = Pick<
  HandlerServices,
  'refBook' | 'channels' | 'requests' | 'focus' | 'turns' | 'closed'
>;

/** The methods of `read_page`: see {@link readTab} and {@link scrollTab} for errors. */
export const createHandlers = (
  { channels, refBook, ...services }: ReadPageServices,
  times: Partial<ReadTimes> = {},
): Pick<Handlers, 'page.read' | 'page.scroll'> => ({
  'page.read': ({ tab_id: tabId, caller, ...options }, { signal, policy }, sink) =>
    readTab({
      tabId,
      options,
      channels: documentsOfCall(channels, policy, { risks: ['read'] }),
      shownTo: { book: refBook, viewer: caller.session },
      requests: services.requests,
      signal,
      sink,
      times,
    }),
  'page.scroll': (params, { signal, policy }) =>
    scrollTab({
      ...params,
      ...services,
      channels: documentsOfCall(channels, policy, { risks: ['read'] }),
      signal,
    }),
});
