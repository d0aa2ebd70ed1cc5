import { SpillwayError } from '../../../shared/errors.ts';
import { isObject } from '../../../shared/json.ts';
import type { CallGuard } from '../dispatch.ts';

/**
 * Refuses every call about the tab of the window in which people decide, whatever the method: an agent that could
 * close it or lead it elsewhere could keep people from saying no, or show them a copy of it.
 */
export const createWindowGuard =
  (isTabOfWindow: (tabId: number) => Promise<boolean>, next: CallGuard): CallGuard =>
  async (call) => {
    const tabId = isObject(call.params) ? call.params['tab_id'] : undefined;
    if (typeof tabId === 'number' && (await isTabOfWindow(tabId)))
      throw new SpillwayError('page_forbidden', `Tab ${tabId} is where people decide what agents may do.`);
    return next(call);
  };
