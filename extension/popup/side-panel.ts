/** Null if the browser has no side panel. Call it only during a click. */
export const sidePanelOpener = (windowId: number): (() => Promise<void>) | null =>
  'sidePanel' in chrome ? () => chrome.sidePanel.open({ windowId }) : null;
