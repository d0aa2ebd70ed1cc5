import browser from 'webextension-polyfill';
import type { OpenTabs } from './open-tabs.ts';

/** Tabs that were in front lately, newest last: the one before a popup is among them. */
const REMEMBERED = 8;

/**
 * Closes what crawled pages open: they were not requested and would not be read. A popup comes to
 * the front, and with its end the browser may show the tab that opened it: then the tab that a
 * person had in front is brought back.
 */
export function closePopups(tabs: OpenTabs): void {
  const front: number[] = [];
  browser.tabs.onActivated.addListener(({ tabId }) => {
    if (tabs.isEmpty || tabs.has(tabId)) return;
    front.push(tabId);
    if (front.length > REMEMBERED) front.shift();
  });
  tabs.onFirst = async () => {
    const active = await browser.tabs.query({ active: true });
    for (const { id } of active) if (id !== undefined) front.push(id);
  };
  const restore = async (crawled: number): Promise<void> => {
    const { windowId } = await browser.tabs.get(crawled);
    if (windowId === undefined) return;
    const [shown] = await browser.tabs.query({ active: true, windowId });
    if (shown?.id === undefined || !tabs.has(shown.id)) return;
    for (const tabId of front.toReversed()) {
      const tab = await browser.tabs.get(tabId).catch(() => null);
      if (tab?.windowId !== windowId) continue;
      await browser.tabs.update(tabId, { active: true });
      return;
    }
  };
  browser.webNavigation.onCreatedNavigationTarget.addListener(({ sourceTabId, tabId }) => {
    if (!tabs.has(sourceTabId) || tabs.has(tabId)) return;
    browser.tabs
      .remove(tabId)
      .then(() => restore(sourceTabId))
      .catch(() => undefined); // Closed windows need neither closing nor covering.
  });
}
