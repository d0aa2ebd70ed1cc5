/** Firefox's API for its sidebar, which Chromium's types lack. */
interface Sidebars {
  readonly sidebarAction?: { open(): Promise<void> };
}

/** Null if the browser has no side panel. Call it only during a click. */
export function sidePanelOpener(windowId: number): (() => Promise<void>) | null {
  const { sidebarAction }: typeof chrome & Sidebars = chrome;
  if (sidebarAction !== undefined) return () => sidebarAction.open();
  return 'sidePanel' in chrome ? () => chrome.sidePanel.open({ windowId }) : null;
}
