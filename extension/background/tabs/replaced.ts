import browser from 'webextension-polyfill';

const REMEMBERED = 200;

/** The numbers that tabs have got, by those that they had: a browser that discards a tab replaces it. */
const numbers = new Map<number, number>();

/** Has to be called while the worker starts. */
export function followReplacedTabs(): void {
  browser.tabs.onReplaced.addListener((added, removed) => {
    numbers.set(removed, added);
    const [oldest] = numbers.keys();
    if (numbers.size > REMEMBERED && oldest !== undefined) numbers.delete(oldest);
  });
}

/** The number that a tab has now which is not there under its own; null where none took its place. */
export const replacementOf = (tabId: number): number | null => numbers.get(tabId) ?? null;
