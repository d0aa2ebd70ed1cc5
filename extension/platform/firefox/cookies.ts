import * as z from 'zod/mini';
import browser, { type Cookies } from 'webextension-polyfill';
import { messageOf } from '../../../shared/base/message-of.ts';
import { defined } from '../../../shared/base/json.ts';
import { SpillwayError } from '../../../shared/base/errors.ts';
import type * as chromium from '../chromium/cookies.ts';
import { unsupportedInFirefox } from './unsupported.ts';

export type { BrowserCookie } from '../chromium/cookies.ts';

/** As the debugger of Chromium names them; a cookie without one is neither. */
const SAME_SITE: Readonly<Record<string, string>> = { strict: 'Strict', lax: 'Lax', no_restriction: 'None' };

interface Place {
  readonly url: string;
  readonly storeId: string;
}

/** @param session of the frame, which {@link findScope} numbers */
async function resolveCookiePlace(tabId: number, session: string | null, url?: string): Promise<Place> {
  const tab = await browser.tabs.get(tabId);
  const frame =
    session === null ? tab : await browser.webNavigation.getFrame({ tabId, frameId: Number(session) });
  return { url: url ?? frame?.url ?? '', storeId: tab.cookieStoreId ?? 'firefox-default' };
}

function asKnown({
  name,
  value,
  domain,
  path,
  secure,
  httpOnly,
  session,
  expirationDate,
  sameSite,
  ...more
}: Cookies.Cookie) {
  const named = SAME_SITE[sameSite];
  return {
    ...{ name, value, domain, path, secure, httpOnly, session },
    size: name.length + value.length,
    expires: expirationDate ?? -1,
    ...(named === undefined ? {} : { sameSite: named }),
    ...partitionOf(more),
  };
}

function partitionOf({ partitionKey }: Pick<Cookies.Cookie, 'partitionKey'>) {
  const site = partitionKey?.topLevelSite;
  return site ? { partitionKey: { topLevelSite: site, hasCrossSiteAncestor: true } } : {};
}

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).hostname : '');

/** A partition belongs to the tab if its site is. */
function isOfTab({ partitionKey }: Cookies.Cookie, tabUrl: string): boolean {
  const site = hostOf(partitionKey?.topLevelSite ?? '');
  return site === '' || `.${hostOf(tabUrl)}`.endsWith(`.${site}`);
}

export const cookiesOf: typeof chromium.cookiesOf = async ({ tabId }, { url, sessionId = null } = {}) => {
  const place = await resolveCookiePlace(tabId, sessionId, url);
  if (!/^https?:/.test(place.url)) return [];
  const all = await browser.cookies.getAll({ ...place, firstPartyDomain: null, partitionKey: {} });
  const { url: tabUrl = '' } = await browser.tabs.get(tabId);
  return all.filter((one) => isOfTab(one, tabUrl)).map(asKnown);
};

const addressOf = (domain: string, path: string, isSecure: boolean): string =>
  `http${isSecure ? 's' : ''}://${domain.replace(/^\./, '')}${path}`;

export const deleteCookie: typeof chromium.deleteCookie = async (
  { tabId },
  { name, domain, path, partitionKey },
) => {
  const { storeId } = await resolveCookiePlace(tabId, null);
  const own =
    typeof partitionKey === 'object' ? { partitionKey: { topLevelSite: partitionKey.topLevelSite } } : {};
  for (const isSecure of [true, false])
    await browser.cookies.remove({ url: addressOf(domain, path, isSecure), name, storeId, ...own });
};

const Wish = z.object({
  url: z.string(),
  name: z.string(),
  value: z.string(),
  domain: z.optional(z.string()),
  path: z.optional(z.string()),
  secure: z.optional(z.boolean()),
  httpOnly: z.optional(z.boolean()),
  sameSite: z.optional(z.enum(['Strict', 'Lax', 'None'])),
  expires: z.optional(z.number()),
});
const SAME_SITES = { Strict: 'strict', Lax: 'lax', None: 'no_restriction' } as const;

export const setCookie: typeof chromium.setCookie = async ({ tabId }, cookie) => {
  const { url, sameSite, expires, ...wish } = Wish.parse(cookie);
  const { storeId } = await resolveCookiePlace(tabId, null);
  const set = browser.cookies.set({
    ...{ url, storeId },
    ...defined(wish),
    ...(sameSite !== undefined && { sameSite: SAME_SITES[sameSite] }),
    ...(expires !== undefined && { expirationDate: expires }),
  });
  // The code by which callers know a refusal.
  await set.catch((thrown: unknown) =>
    Promise.reject(new SpillwayError('internal_error', messageOf(thrown))),
  );
  return true;
};

/** @throws SpillwayError `unsupported_in_firefox`: certificates are only known while a request runs */
export const certificatesOf: typeof chromium.certificatesOf = () =>
  Promise.reject(unsupportedInFirefox('The certificates of a connection'));
