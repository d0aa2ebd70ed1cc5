import browser, { type Tabs } from 'webextension-polyfill';
import { withTimeout } from '../../../shared/base/async.ts';
import { SpillwayError } from '../../../shared/base/errors.ts';
import { TAB_SHOWN, type TabInfo } from '../../../shared/core/bridge/page.ts';
import { cut, cutUrl } from '../../../shared/base/cut.ts';
import type { CallPolicy } from '../../core/policy/call-policy.ts';
import type { Create } from '../../core/handler.ts';
import { toldTab } from '../../core/policy/documents.ts';
import { checkUrl } from '../../core/tabs/url.ts';
import { containerOf, openContainer } from '../../platform/chromium/containers.ts';
import { bringToFront, createTab, loaded, onTab, tabInfo } from '../../core/tabs/tab-info.ts';
import { lastFocusedWindow } from '../../platform/chromium/tab-groups.ts';
import { APPROVE_PAGE } from '../../people/protocol.ts';
import { findVisited } from './visited.ts';
import { UnsavedFiles } from '../../core/navigation/stop-loading.ts';

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

/** A question that concerns no page. */
const NOWHERE = { url: '', tabId: null, documentId: null };

/** All tabs but that of the approval window, which comes and goes with questions. */
async function listPages(): Promise<Tabs.Tab[]> {
  const approval = browser.runtime.getURL(APPROVE_PAGE);
  const tabs = await browser.tabs.query({});
  return tabs.filter(({ id = -1, url, pendingUrl }) => id >= 0 && (url || pendingUrl) !== approval);
}

/** The person's tabs that the call may read the addresses of, once they have allowed the list. */
async function listOthers(tabs: readonly Tabs.Tab[], policy: CallPolicy): Promise<Tabs.Tab[]> {
  await policy.expect(NOWHERE, ['list_tabs']);
  const isListed = await Promise.all(
    tabs.map(({ url = '' }) => policy.allows({ ...NOWHERE, url }, ['read'])),
  );
  return tabs.filter((_tab, at) => isListed[at] === true);
}

/** The methods of `tabs`. */
export const createHandlers: Create<
  | 'tabs.list'
  | 'tabs.visited'
  | 'tabs.borrow'
  | 'tabs.get'
  | 'tabs.active'
  | 'tabs.open'
  | 'tabs.close'
  | 'tabs.activate'
> = ({ owners, lent, personTabs, server }) => {
  const tell = async (tab: Tabs.Tab, policy: CallPolicy): Promise<TabInfo> => ({
    ...(await toldTab(tabInfo(tab), { policy, personTabs })),
    container: await containerOf(tab),
  });
  const find = (tabId: number): Promise<Tabs.Tab> => onTab(tabId, () => browser.tabs.get(tabId));
  return {
    /** Of every window of this profile. */
    'tabs.list': async ({ all = false }, { policy, scope }) => {
      const tabs = await listPages();
      const user = { server: server.instance, scope };
      const describe = async (tab: Tabs.Tab): Promise<TabInfo> => shortened(await tell(tab, policy));
      if (await policy.allows(NOWHERE, ['list_tabs'])) return { tabs: await Promise.all(tabs.map(describe)) };
      const uses = await Promise.all(
        tabs.map(async (tab) => {
          const { id = -1 } = tab;
          if (await owners.isOwn(id, user)) return { tab, use: 'own' };
          return { tab, use: lent.isLentTo(id, user) ? 'lent' : 'other' };
        }),
      );
      const of = (...wanted: readonly string[]): Tabs.Tab[] =>
        uses.filter(({ use }) => wanted.includes(use)).map(({ tab }) => tab);
      // The list leaves out tabs of other agents and pages of guarded sites.
      const others = of('other').filter(({ id = -1 }) => !owners.isOwned(id));
      const listed = all ? await listOthers(others, policy) : undefined;
      return {
        tabs: await Promise.all(of('own', 'lent').map(describe)),
        lent: of('lent').flatMap(({ id }) => id ?? []),
        others_count: others.length,
        ...(listed === undefined ? {} : { others: await Promise.all(listed.map(describe)) }),
      };
    },
    'tabs.visited': async ({ text }, { policy }) => ({ pages: await findVisited(text, policy) }),
    'tabs.borrow': async ({ tab_id: tabId }, { policy }) => ({ tab: await tell(await find(tabId), policy) }),
    'tabs.get': async ({ tab_id: tabId }, { policy }) => ({ tab: await tell(await find(tabId), policy) }),
    /** The front tab of the last focused normal window. */
    'tabs.active': async (_params, { policy, scope }) => {
      const windowId = await lastFocusedWindow();
      const [tab] = windowId === null ? [] : await browser.tabs.query({ active: true, windowId });
      if (tab === undefined)
        throw new SpillwayError('tab_not_found', 'No browser window with a tab is open.');
      await owners.expect(tabInfo(tab).id, { server: server.instance, scope, policy, isRequest: true });
      return { tab: await tell(tab, policy) };
    },
    /** At the end of the last focused window, in the background unless `active`. */
    'tabs.open': async ({ url, active: front, container }, { signal, policy, scope }) => {
      const address = url === undefined ? 'about:blank' : await checkUrl(url);
      const risks = front ? (['navigate', 'show_tab'] as const) : (['navigate'] as const);
      await policy.expect({ url: address, tabId: null, documentId: null }, risks);
      const ask = (): Promise<unknown> => policy.expect(NOWHERE, ['use_container']);
      const within = container === undefined ? {} : await openContainer(container, ask);
      const unsaved = url === undefined ? null : new UnsavedFiles();
      unsaved?.endWithLoad();
      const opened = await createTab(address, front, within);
      const created = { ...tabInfo(opened), container: await containerOf(opened) };
      const { id } = created;
      unsaved?.add(id);
      await owners.add(id, address, { server: server.instance, scope });
      if (url !== undefined) return { tab: created };
      // A page requested while the blank one still loads would be mistaken for it, and ended.
      await loaded(id, BUSY_MS, signal);
      return { tab: { ...created, ...tabInfo(await find(id)) } };
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
