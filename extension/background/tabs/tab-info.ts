import type { Tabs } from 'webextension-polyfill';
import type { TabInfo } from '../../../shared/bridge/tab.ts';
import { cut, cutUrl } from '../../../shared/cut.ts';
import { SpillwayError } from '../../../shared/errors.ts';

/** Addresses and titles beyond this are cut: a `data:` url of megabytes would break the frame limit. */
const URL_UNITS = 8_192;
const TITLE_UNITS = 1_024;

/** A tab in the bridge's words. Throws `tab_not_found` if it is not a tab (developer tools). */
export function tabInfo(tab: Tabs.Tab): TabInfo {
  const { id, windowId, active, status, discarded } = tab;
  if (id === undefined || windowId === undefined)
    throw new SpillwayError('tab_not_found', 'The browser returned a tab without an id.');
  return {
    id,
    window_id: windowId,
    url: cutUrl(tab.url || tab.pendingUrl || '', URL_UNITS).toWellFormed(),
    title: cut(tab.title ?? '', TITLE_UNITS).toWellFormed(),
    active,
    status: status === 'loading' || status === 'unloaded' ? status : 'complete',
    discarded: discarded ?? false,
  };
}

/** The error for a tab that does not exist (any longer). */
const tabNotFound = (tabId: number): SpillwayError =>
  new SpillwayError('tab_not_found', `Tab ${tabId} does not exist, or was closed.`);

/** Chrome has only a sentence for it: "No tab with id: 42." */
const saysNoTab = (thrown: unknown): boolean =>
  thrown instanceof Error && /no tab with id/i.test(thrown.message);

/** Runs `call` on a tab; a tab that is not there is `tab_not_found`, naming it. */
export async function onTab<T>(tabId: number, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw saysNoTab(error) ? tabNotFound(tabId) : error;
  }
}
