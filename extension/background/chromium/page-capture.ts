/** The page of a tab as MHTML, in a file of the browser; undefined when the browser gives none. */
export const saveAsMhtml = (tabId: number): Promise<Blob | undefined> =>
  chrome.pageCapture.saveAsMHTML({ tabId });
