import browser from 'webextension-polyfill';
import { bringToFront } from '../../../core/tabs/tab-info.ts';
import type { Takeovers } from './takeovers.ts';

/** Follows people's actions in the tabs that they have. Call while the worker starts. */
export function followTabs(takeovers: Takeovers): void {
  const looked = async (tabId: number): Promise<void> => {
    await takeovers.loaded;
    const takeover = takeovers.of(tabId);
    if (takeover !== null) await takeovers.see(takeover.id);
  };
  browser.webNavigation.onCreatedNavigationTarget.addListener(
    ({ sourceTabId, tabId }) => void takeovers.opened(sourceTabId, tabId),
  );
  browser.tabs.onRemoved.addListener((tabId) => void takeovers.closed(tabId));
  browser.tabs.onReplaced.addListener((added, removed) => void takeovers.replaced(removed, added));
  browser.tabs.onActivated.addListener(({ tabId }) => void looked(tabId));
  browser.windows.onFocusChanged.addListener((windowId) => {
    if (windowId === browser.windows.WINDOW_ID_NONE) return;
    void browser.tabs.query({ active: true, windowId }).then(
      ([tab]) => (tab?.id === undefined ? undefined : looked(tab.id)),
      () => undefined,
    );
  });
}

/**
 * Whether the person already has the tab in view. Our own window opens in front of it, so with a window they must
 * switch to the tab first; without one, the active tab of the focused window counts.
 */
export async function isWatched(tabId: number, hasWindow: boolean): Promise<boolean> {
  if (hasWindow) return false;
  const tab = await browser.tabs.get(tabId).catch(() => null);
  if (tab?.active !== true || tab.windowId === undefined) return false;
  const window = await browser.windows.get(tab.windowId).catch(() => null);
  return window?.focused === true;
}

/** Brings a tab and its window to the front, because the person wants to see it. */
export const showTab = (tabId: number): Promise<void> => bringToFront(tabId).catch(() => undefined);
