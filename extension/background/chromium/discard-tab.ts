/**
 * Ends the page of a tab, whatever its process is doing, and keeps the tab with its history.
 *
 * @returns the number that the tab has now: the browser may give it another
 * @throws when the browser does not discard the tab
 */
export async function discardTab(tabId: number): Promise<number> {
  const tab = await chrome.tabs.discard(tabId);
  if (tab?.id === undefined) throw new Error(`Tab ${tabId} was not discarded.`);
  return tab.id;
}
