import browser, { type Runtime } from 'webextension-polyfill';

/**
 * True for a port that one of this extension's own pages opened, at `path`: not a web page, not a
 * content script, not another extension, not a page of ours that was opened in a tab.
 */
export function isOwnPage(port: Runtime.Port, path: string): boolean {
  const { sender } = port;
  return (
    sender !== undefined &&
    sender.id === browser.runtime.id &&
    sender.tab === undefined &&
    sender.url === browser.runtime.getURL(path)
  );
}
