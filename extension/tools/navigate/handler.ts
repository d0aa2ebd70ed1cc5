import type { Handler, WorkerServices } from '../../background/handler.ts';
import { navigateTab } from '../../background/navigation/navigate-tab.ts';
import { stopLoading } from '../../background/navigation/stop-loading.ts';

/** `page.navigate`: see {@link navigateTab} for what it throws. */
export const createNavigate =
  ({ debuggers }: Pick<WorkerServices, 'debuggers'>): Handler<'page.navigate'> =>
  (params, { signal }) =>
    navigateTab(params, signal, (tabId, isOurs) => stopLoading(tabId, { debuggers, isOurs }));
