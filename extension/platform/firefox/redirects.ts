import browser, { type WebRequest } from 'webextension-polyfill';
import type * as chromium from '../chromium/redirects.ts';
import { listen } from './members.ts';

/** Firefox has no event for a redirect that is not followed: its headers tell. No other scheme can be fetched. */
export const onRedirect: typeof chromium.onRedirect = (listener, filter) => {
  const answered = (details: WebRequest.OnHeadersReceivedDetailsType): void => {
    const { url, statusCode, responseHeaders = [] } = details;
    if (statusCode < 300 || statusCode >= 400) return;
    const to = responseHeaders.find(({ name }) => name.toLowerCase() === 'location')?.value;
    const target = to !== undefined && URL.canParse(to, url) ? new URL(to, url) : null;
    if (target !== null && /^https?:$/.test(target.protocol))
      listener({ ...details, redirectUrl: target.href });
  };
  return listen(browser.webRequest.onHeadersReceived, answered, filter, ['responseHeaders']);
};
