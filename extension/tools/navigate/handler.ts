import type { Handlers, WorkerServices } from '../../background/handler.ts';
import { navigateTab } from '../../background/navigation/navigate-tab.ts';
import { stopLoading } from '../../background/navigation/stop-loading.ts';

/** `page.navigate`: see {@link navigateTab} for errors. */
export const createHandlers = ({
  debuggers,
  requests,
  channels,
}: WorkerServices): Pick<Handlers, 'page.navigate'> => ({
  'page.navigate': async (params, { signal }) => {
    const release = requests.hold();
    try {
      const result = await navigateTab(params, signal, (tabId, isOurs) =>
        stopLoading(tabId, { debuggers, isOurs }),
      );
      channels.prepare(result.tab.id);
      return result;
    } finally {
      release();
    }
  },
});
