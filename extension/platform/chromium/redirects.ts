import browser, { type WebRequest } from 'webextension-polyfill';
import { listen } from './members.ts';

export type Redirect = Pick<
  WebRequest.OnBeforeRedirectDetailsType,
  'requestId' | 'url' | 'statusCode' | 'redirectUrl' | 'ip'
>;

/** Reports the redirects of requests that follow none, until the returned function is called. */
export const onRedirect = (
  listener: (redirect: Redirect) => void,
  filter: WebRequest.RequestFilter,
): (() => void) => listen(browser.webRequest.onBeforeRedirect, listener, filter);
