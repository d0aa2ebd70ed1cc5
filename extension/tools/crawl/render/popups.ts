import type { OpenTabs } from './open-tabs.ts';

/** Closes what crawled pages open: nobody asked for it, and nobody would read it. */
export function closePopups(tabs: OpenTabs): void {
  chrome.webNavigation.onCreatedNavigationTarget.addListener(({ sourceTabId, tabId }) => {
    if (tabs.has(sourceTabId) && !tabs.has(tabId)) chrome.tabs.remove(tabId).catch(() => undefined);
  });
}
