import browser, { type Tabs } from 'webextension-polyfill';
import { SpillwayError } from '../../../shared/errors.ts';

/** A new tab; a window for it, behind the others, when none is open. */
export async function createTab(url: string, front: boolean): Promise<Tabs.Tab> {
  const windowId = await lastFocusedWindow();
  if (windowId !== null) return browser.tabs.create({ url, windowId, active: front });
  const opened = await browser.windows.create({ url, focused: front });
  const tab = opened.tabs?.[0];
  if (tab === undefined)
    throw new SpillwayError('internal_error', 'The browser opened a window without a tab.');
  return tab;
}

/** The normal window that had the focus last, or null when none is open. */
export async function lastFocusedWindow(): Promise<number | null> {
  try {
    // Without `windowTypes` this could be a window of developer tools or an application.
    const found = await chrome.windows.getLastFocused({ windowTypes: ['normal'] });
    if (found.id !== undefined && found.type === 'normal') return found.id;
  } catch {
    // Chrome rejects when there is no such window; another normal one may still be open.
  }
  const [first] = await chrome.windows.getAll({ windowTypes: ['normal'] });
  return first?.id ?? null;
}
