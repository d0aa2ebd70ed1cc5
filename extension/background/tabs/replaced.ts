import browser from 'webextension-polyfill';

const REMEMBERED = 200;

/** New tab numbers by the old ones: a browser replaces a tab when it discards it. */
const numbers = new Map<number, number>();

/** Has to be called while the worker starts. */
export function followReplacedTabs(): void {
  browser.tabs.onReplaced.addListener((added, removed) => {
    numbers.set(removed, added);
    const [oldest] = numbers.keys();
    if (numbers.size > REMEMBERED && oldest !== undefined) numbers.delete(oldest);
  });
}

/** The number of the tab that has replaced a tab; null if none has. */
export const replacementOf = (tabId: number): number | null => numbers.get(tabId) ?? null;
