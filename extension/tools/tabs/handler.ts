import browser, { type Tabs } from 'webextension-polyfill';
import { withTimeout } from '../../../shared/async.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import { TAB_SHOWN, type TabInfo } from '../../../shared/bridge/page.ts';
import { cut, cutUrl } from '../../../shared/cut.ts';
import type { CallPolicy } from '../../background/policy/call-policy.ts';
import type { Create } from '../../background/handler.ts';
import { toldTab } from '../../background/policy/documents.ts';
import { checkUrl } from '../../background/tabs/url.ts';
import { bringToFront, createTab, loaded, onTab, tabInfo } from '../../background/tabs/tab-info.ts';
import { lastFocusedWindow } from '../../background/chromium/tab-groups.ts';
import { UnsavedFiles } from '../../background/navigation/stop-loading.ts';

/** A blank page loads, and a tab closes, within milliseconds, or seconds on a busy machine. The server waits longer. */
const BUSY_MS = 20_000;

const unclosed = (tabId: number): SpillwayError =>
  new SpillwayError(
    'page_unresponsive',
    `Tab ${tabId} is still open after ${BUSY_MS} ms: its page may be asking the person whether to leave it.`,
    { hint: 'Ask the person to answer in that tab, or leave it open.' },
  );

/** A browser may have hundreds of tabs, which have to fit into one answer. */
const shortened = (tab: TabInfo): TabInfo => ({
  ...tab,
  url: cutUrl(tab.url, TAB_SHOWN.url).toWellFormed(),
  title: cut(tab.title, TAB_SHOWN.title).toWellFormed(),
});

/** The methods of `tabs`. */
export const createHandlers: Create<
  'tabs.list' | 'tabs.get' | 'tabs.active' | 'tabs.open' | 'tabs.close' | 'tabs.activate'
> = ({ groups, personTabs, server }) => {
  const tell = (tab: Tabs.Tab, policy: CallPolicy): Promise<TabInfo> =>
    toldTab(tabInfo(tab), { policy, personTabs });
  const find = (tabId: number): Promise<Tabs.Tab> => onTab(tabId, () => browser.tabs.get(tabId));
  return {
    /** Every tab of every window of this profile. */
    'tabs.list': async (_params, { policy }) => {
      const tabs = (await browser.tabs.query({})).filter(({ id = -1 }) => id >= 0);
      const shown = await Promise.all(tabs.map((tab) => tell(tab, policy)));
      return { tabs: shown.map(shortened) };
    },
    'tabs.get': async ({ tab_id: tabId }, { policy }) => ({ tab: await tell(await find(tabId), policy) }),
    /** The front tab of the last focused normal window. */
    'tabs.active': async (_params, { policy }) => {
      const windowId = await lastFocusedWindow();
      const [tab] = windowId === null ? [] : await browser.tabs.query({ active: true, windowId });
      if (tab === undefined)
        throw new SpillwayError('tab_not_found', 'No browser window with a tab is open.');
      return { tab: await tell(tab, policy) };
    },
    /** At the end of the last focused window, in the background unless `active`. */
    'tabs.open': async ({ url, active: front, caller }, { signal, policy }) => {
      const address = url === undefined ? 'about:blank' : await checkUrl(url);
      await policy.expect({ url: address, tabId: null, documentId: null }, ['navigate']);
      const unsaved = url === undefined ? null : new UnsavedFiles();
      unsaved?.endWithLoad();
      const created = tabInfo(await createTab(address, front));
      const { id } = created;
      unsaved?.add(id);
      if (caller !== undefined) await groups.add(id, { caller, server: server.instance });
      if (url !== undefined) return { tab: created };
      // A page requested while the blank one still loads would be mistaken for it, and ended.
      await loaded(id, BUSY_MS, signal);
      return { tab: tabInfo(await find(id)) };
    },
    'tabs.close': async ({ tab_id: tabId }, { signal }) => {
      const closed = onTab(tabId, () => browser.tabs.remove(tabId));
      await withTimeout(closed, BUSY_MS, () => unclosed(tabId), signal);
      return {};
    },
    /** Brings the tab and its window to the front. */
    'tabs.activate': async ({ tab_id: tabId }, { policy }) => {
      await onTab(tabId, () => bringToFront(tabId));
      return { tab: await tell(await find(tabId), policy) };
    },
  };
};
