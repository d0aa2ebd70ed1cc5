import type { Handlers, HandlerServices } from '../../background/handler.ts';
import { auditTab } from '../../background/pages/audit-tab.ts';
import { documentsOfCall } from '../../background/policy/documents.ts';

/** The method of `audit`: see {@link auditTab} for errors. */
export const createHandlers = ({
  channels,
  auditChannels,
  refBook: refs,
}: Pick<HandlerServices, 'channels' | 'auditChannels' | 'refBook'>): Pick<Handlers, 'page.audit'> => ({
  'page.audit': (params, { signal, policy }, sink) =>
    auditTab({
      ...params,
      channels: documentsOfCall(channels, policy, { risks: ['read'] }),
      auditChannels,
      refs,
      signal,
      sink,
    }),
});
