import browser, { type Tabs } from 'webextension-polyfill';
import { SpillwayError } from '../../../shared/errors.ts';
import { lastFocusedWindow } from '../chromium/windows.ts';

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
