import browser, { type Runtime } from 'webextension-polyfill';

/**
 * Where the page that opened a port is: a page of this extension at `path`, in its own tab or, like popups, side panels
 * and the offscreen document, in none. Null for anything else: a web page, a content script, a frame, another
 * extension.
 */
export function placeOf({ sender }: Runtime.Port, path: string): 'tab' | 'no_tab' | null {
  if (sender?.id !== browser.runtime.id || sender.url !== browser.runtime.getURL(path)) return null;
  // The browser numbers only the frames of tabs.
  if (sender.tab === undefined) return 'no_tab';
  return sender.frameId === 0 ? 'tab' : null;
}

/** Whether a page of this extension at `path` opened a port, not counting the same page in a tab. */
export const isOwnPage = (port: Runtime.Port, path: string): boolean => placeOf(port, path) === 'no_tab';
