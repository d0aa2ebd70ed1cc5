/**
 * How many side panels show this page of the extension. Zero where it is also shown in another place that has no tab,
 * such as a popup: a port without a tab could then be of that one.
 */
export async function countSidePanels(page: string): Promise<number> {
  const url = chrome.runtime.getURL(page);
  const documents = await chrome.runtime.getContexts({ documentUrls: [url] });
  const withoutTab = documents.filter(({ tabId }) => tabId === -1);
  const isPanel = ({ contextType, frameId, documentUrl }: chrome.runtime.ExtensionContext): boolean =>
    contextType === 'SIDE_PANEL' && frameId === 0 && documentUrl === url;
  return withoutTab.every(isPanel) ? withoutTab.length : 0;
}
