import type { Create } from '../../core/handler.ts';
import { toldTab } from '../../core/policy/documents.ts';
import { navigateTab } from './navigate-tab.ts';
import { stepEntry } from '../../platform/chromium/loading.ts';
import { stopLoading } from '../../core/navigation/stop-loading.ts';

/** `page.navigate`: see {@link navigateTab} for errors. */
export const createHandlers: Create<'page.navigate'> = ({ leases, owners, server, ...services }) => ({
  'page.navigate': async ({ caller, ...params }, { signal, policy, scope }) => {
    const { tab_id: tabId } = params;
    const { debuggers, requests, channels, personTabs, closed } = services;
    const lease =
      tabId === null || caller === undefined
        ? null
        : await leases.take(tabId, caller, { signal, closed, isAct: false });
    const release = requests.hold();
    try {
      const result = await navigateTab(params, signal, {
        stop: (stopped, isOurs) => stopLoading(stopped, { debuggers, isOurs }),
        step: (of, action) => stepEntry(of, action, { debuggers, signal }),
        // Before its page opens others.
        onOpened: (opened, url) => owners.add(opened, url, { server: server.instance, scope }),
        permit: async (url) => {
          await policy.expect({ url, tabId, documentId: null }, ['navigate']);
          await debuggers.willLoad(tabId, url);
        },
        // Before the page has finished loading: the first read finds the script there.
        onParsed: (parsed) => channels.prepare(parsed),
      });
      return { ...result, tab: await toldTab(result.tab, { policy, personTabs }) };
    } finally {
      lease?.release();
      release();
    }
  },
});
