/*
 * Pages that no tool reads, opens, photographs or debugs, in one table. Anything not known to be a site's
 * page is forbidden, so that new browser schemes are too.
 */

/** Pages of sites, local files, and documents that pages of sites make. */
const PAGES: ReadonlySet<string> = new Set(['http', 'https', 'file', 'ftp', 'data']);
/** Documents of the origin named after the scheme. */
const MADE_BY: ReadonlySet<string> = new Set(['blob', 'filesystem']);
const ABOUT = /^about:(?:blank|srcdoc)(?:[?#]|$)/i;
const ERROR_PAGE = /^chrome-error:/i;
const EXTENSION = /^(?:chrome-extension|moz-extension|extension|safari-web-extension):/i;
const SOURCE = /^view-source:/i;
/** Hosts of extension stores, and the store's path on each. */
const STORES: readonly (readonly [string, RegExp])[] = [
  ['chromewebstore.google.com', /^/],
  ['chrome.google.com', /^\/webstore(?:[/?#]|$)/i],
  ['microsoftedge.microsoft.com', /^\/addons(?:[/?#]|$)/i],
];

/** A scheme and a host end long before; `data:` addresses are megabytes. */
const READ_UNITS = 8_192;

/** In the form that browsers read: without leading spaces and controls, and without line breaks. */
function clean(url: string): string {
  const text = url.slice(0, READ_UNITS).replaceAll(/[\t\n\r]/g, '');
  let start = 0;
  while (text.charCodeAt(start) <= 32) start += 1;
  return text.slice(start);
}

function isStore(address: string): boolean {
  const [, authority = '', path = ''] = /^https?:[/\\]*([^/\\?#]*)(.*)$/is.exec(address) ?? [];
  const host = authority.replace(/^.*@/s, '').replace(/:\d*$/, '').replace(/\.$/, '').toLowerCase();
  return STORES.some(([store, pattern]) => host === store && pattern.test(path === '' ? '/' : path));
}

/**
 * The kind of a forbidden page, for a message; null for one that may be read. An empty address belongs to a
 * tab that has no page yet.
 */
export function forbiddenPage(url: string): string | null {
  const address = clean(url);
  if (address === '' || ABOUT.test(address) || ERROR_PAGE.test(address)) return null;
  const scheme = /^[a-z][a-z0-9+.-]*(?=:)/i.exec(address)?.[0].toLowerCase() ?? '';
  if (MADE_BY.has(scheme)) {
    const maker = address.slice(scheme.length + 1);
    // `blob:null/…` belongs to a sandboxed page.
    return /^null(?:\/|$)/i.test(maker) ? null : forbiddenPage(maker);
  }
  if (isStore(address)) return 'an extension store';
  if (PAGES.has(scheme)) return null;
  if (EXTENSION.test(address)) return 'a page of an extension';
  return SOURCE.test(address) ? 'the source of a page' : 'a page of the browser itself';
}
