/** Null where the browser has none. It may be called in a click alone. */
export const sidePanelOpener = (windowId: number): (() => Promise<void>) | null =>
  'sidePanel' in chrome ? () => chrome.sidePanel.open({ windowId }) : null;
