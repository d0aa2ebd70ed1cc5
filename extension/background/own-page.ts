import browser, { type Runtime } from 'webextension-polyfill';

/**
 * Where the page that opened a port is: a page of this extension at `path`, in its own tab or in none, like
 * popups, side panels and the offscreen document. Null for anything else: a web page, a content script, a
 * frame, another extension.
 */
export function placeOf({ sender }: Runtime.Port, path: string): 'tab' | 'no_tab' | null {
  if (sender?.id !== browser.runtime.id || sender.url !== browser.runtime.getURL(path)) return null;
  // The browser numbers the frames of tabs only.
  if (sender.tab === undefined) return 'no_tab';
  return sender.frameId === 0 ? 'tab' : null;
}

/** Whether a port was opened by a page of this extension at `path`, and not by the same page in a tab. */
export const isOwnPage = (port: Runtime.Port, path: string): boolean => placeOf(port, path) === 'no_tab';
