import type { Handlers, WorkerServices } from '../../core/handler.ts';
import { documentsOfCall } from '../../core/policy/documents.ts';
import { readTab } from './read-tab.ts';

/** The method of `html_skeleton`: see {@link readTab} for errors. */
export function createHandlers({ channels }: WorkerServices): Pick<Handlers, 'page.skeleton'> {
  return {
    'page.skeleton': async ({ tab_id: tabId, ...options }, { signal, policy }, sink) => {
      const { page, coverage, hidden_elements } = await readTab({
        tabId,
        options: { format: 'skeleton', ...options },
        channels: documentsOfCall(channels, policy, { risks: ['read'] }),
        shownTo: null,
        signal,
        sink,
      });
      return { page, coverage, hidden_elements };
    },
  };
}
