import { METHODS } from '../../../shared/core/bridge/methods.ts';
import type { Create } from '../../core/handler.ts';
import { documentsOfCall } from '../../core/policy/documents.ts';
import { extractTab, loadMore } from './extract-tab.ts';

/** The methods of `extract_data`. */
export const createHandlers: Create<'page.extract' | 'page.more'> = (services) => {
  const { extractChannels, focus, leases, closed } = services;
  return {
    'page.extract': ({ tab_id: tabId, request, next }, { signal, policy }, sink) => {
      const channels = documentsOfCall(extractChannels, policy, { risks: ['read'] });
      return extractTab({ tabId, request, next, channels, signal, sink });
    },
    'page.more': async ({ tab_id: tabId, caller, click, timeout_ms: timeoutMs }, { signal, policy }) => {
      const { risks } = METHODS['page.more'].policy;
      const channels = documentsOfCall(extractChannels, policy, { risks });
      const lease = await leases.take(tabId, caller, { signal, closed, isAct: true });
      try {
        return await loadMore({ tabId, click, timeoutMs, channels, focus, signal });
      } finally {
        lease.release();
      }
    },
  };
};
