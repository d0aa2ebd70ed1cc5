import type { Handlers, HandlerServices } from '../../core/handler.ts';
import { auditTab } from './audit-tab.ts';
import { documentsOfCall } from '../../core/policy/documents.ts';

/** The method of `audit`: see {@link auditTab} for errors. */
export const createHandlers = (services: HandlerServices): Pick<Handlers, 'page.audit'> => ({
  'page.audit': (params, { signal, policy }, sink) => {
    const { auditChannels, refBook: refs } = services;
    const channels = documentsOfCall(services.channels, policy, { risks: ['read'] });
    return auditTab({ ...params, channels, auditChannels, refs, signal, sink });
  },
});
