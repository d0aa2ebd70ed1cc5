import browser from 'webextension-polyfill';

const ALL_SITES = { origins: ['<all_urls>'] };

/** Whether the browser lets the extension work on all sites: a person may have taken that back. */
export const hasSiteAccess = (): Promise<boolean> => browser.permissions.contains(ALL_SITES);

/** Calls back when a person gives the extension sites, or takes them back. */
export function onSiteAccess(listener: () => void): void {
  browser.permissions.onAdded.addListener(() => listener());
  browser.permissions.onRemoved.addListener(() => listener());
}
