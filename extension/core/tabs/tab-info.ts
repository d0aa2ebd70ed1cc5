import browser, { type Tabs } from 'webextension-polyfill';
import type { TabInfo } from '../../../shared/core/bridge/page.ts';
import { BoundedMap } from '../../../shared/base/maps.ts';
import { cut, cutUrl } from '../../../shared/base/cut.ts';
import { SpillwayError } from '../../../shared/base/errors.ts';
import { defer, withTimeout } from '../../../shared/base/async.ts';
import { listen } from '../../platform/chromium/members.ts';
import { lastFocusedWindow } from '../../platform/chromium/tab-groups.ts';

/** Longer addresses and titles are cut: a `data:` url of megabytes would break the frame limit. */
const URL_UNITS = 8_192;
const TITLE_UNITS = 1_024;

/** A tab in the bridge's terms. Throws `tab_not_found` if it is not a tab (developer tools). */
export function tabInfo(tab: Tabs.Tab): TabInfo {
  const { id, windowId, active, status, discarded } = tab;
  if (id === undefined || windowId === undefined)
    throw new SpillwayError('tab_not_found', 'The browser returned a tab without an id.');
  return {
    id,
    window_id: windowId,
    url: cutUrl(tab.url || tab.pendingUrl || '', URL_UNITS).toWellFormed(),
    title: cut(tab.title ?? '', TITLE_UNITS).toWellFormed(),
    active,
    status: status === 'loading' || status === 'unloaded' ? status : 'complete',
    discarded: discarded ?? false,
  };
}

/** Runs `call` on a tab; a missing one is `tab_not_found`, with its number. */
export async function onTab<T>(tabId: number, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    // Chrome has only a sentence for it: "No tab with id: 42."
    if (!(error instanceof Error) || !/no tab with id/i.test(error.message)) throw error;
    throw new SpillwayError('tab_not_found', `Tab ${tabId} does not exist, or was closed.`);
  }
}

const REMEMBERED = 200;

/** New tab numbers by old ones: a browser replaces a tab when it discards it. */
const numbers = new BoundedMap<number, number>(REMEMBERED);

/** Call while the worker starts. */
export function followReplacedTabs(): void {
  browser.tabs.onReplaced.addListener((added, removed) => void numbers.set(removed, added));
}

/** The number of the tab that has replaced a tab; null if none has. */
export const replacementOf = (tabId: number): number | null => numbers.get(tabId) ?? null;

/**
 * Waits until a tab has finished its own navigation.
 * @throws SpillwayError `response_timeout`, `tab_not_found`, or the signal's reason
 */
export async function loaded(tabId: number, timeoutMs: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const { promise: isLoaded, resolve: done } = defer<void>();
  const onUpdated = (id: number, { status }: { readonly status?: string | undefined }): void => {
    if (id === tabId && status === 'complete') done();
  };
  const late = (): SpillwayError =>
    new SpillwayError('response_timeout', `Tab ${tabId} did not finish a navigation that the page started.`);
  const stop = listen(browser.tabs.onUpdated, onUpdated);
  // It may have loaded before the listener was added; a closed tab sends no event.
  browser.tabs.get(tabId).then(
    (tab) => onUpdated(tabId, tab),
    () => done(),
  );
  try {
    await withTimeout(isLoaded, Math.max(0, timeoutMs), late, signal);
  } finally {
    stop();
  }
}

/** Brings a tab and its window to the front. */
export async function bringToFront(tabId: number): Promise<void> {
  const { windowId } = await browser.tabs.update(tabId, { active: true });
  if (windowId !== undefined) await browser.windows.update(windowId, { focused: true });
}

/**
 * A new tab; if no window is open, in a new window behind other programs.
 * @param within names its container
 */
export async function createTab(
  url: string,
  front: boolean,
  within: Pick<Tabs.CreateCreatePropertiesType, 'cookieStoreId'> = {},
): Promise<Tabs.Tab> {
  const windowId = await lastFocusedWindow();
  if (windowId !== null) {
    const tab = await browser.tabs.create({ url, windowId, active: front, ...within });
    if (front) await bringToFront(tabInfo(tab).id);
    return tab;
  }
  const opened = await browser.windows.create({ url, focused: front, ...within });
  const tab = opened.tabs?.[0];
  if (tab === undefined)
    throw new SpillwayError('internal_error', 'The browser opened a window without a tab.');
  return tab;
}
