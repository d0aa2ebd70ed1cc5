import browser from 'webextension-polyfill';
import type * as chromium from '../chromium/members.ts';

export {
  documentOf,
  isOwnPage,
  isPending,
  isPrerendered,
  listen,
  onGone,
  originOf,
  resolvePortPlace,
} from '../chromium/members.ts';

export const initiatorOf: typeof chromium.initiatorOf = (details) => {
  const from: unknown = Reflect.get(details, 'documentUrl') ?? Reflect.get(details, 'originUrl');
  return typeof from === 'string' ? from : undefined;
};

/** Each comes from another process. */
export const REQUESTS_LATE_MS: typeof chromium.REQUESTS_LATE_MS = 300;

/** Firefox runs them once a second. */
export const TIMERS_LATE_MS: typeof chromium.TIMERS_LATE_MS = 1_000;

/** Names of Chromium, which callers know, by Firefox's numbers and names (xpcom/base/ErrorList.py). */
const NET_ERRORS: readonly (readonly [number, string, string])[] = [
  [0x804b0002, 'NS_BINDING_ABORTED', 'ABORTED'],
  [0x804b000d, 'NS_ERROR_CONNECTION_REFUSED', 'CONNECTION_REFUSED'],
  [0x804b000e, 'NS_ERROR_NET_TIMEOUT', 'CONNECTION_TIMED_OUT'],
  [0x804b0010, 'NS_ERROR_OFFLINE', 'INTERNET_DISCONNECTED'],
  [0x804b0013, 'NS_ERROR_PORT_ACCESS_NOT_ALLOWED', 'UNSAFE_PORT'],
  [0x804b0014, 'NS_ERROR_NET_RESET', 'CONNECTION_RESET'],
  [0x804b001e, 'NS_ERROR_UNKNOWN_HOST', 'NAME_NOT_RESOLVED'],
  [0x804b001f, 'NS_ERROR_REDIRECT_LOOP', 'TOO_MANY_REDIRECTS'],
  [0x804b0047, 'NS_ERROR_NET_INTERRUPT', 'CONNECTION_CLOSED'],
];
/** The module of all errors of certificates and TLS. */
const TLS_MODULE = 0x805a;

/** `webNavigation` gives the number, `webRequest` the name. */
export const netErrorOf: typeof chromium.netErrorOf = (details) => {
  const error = String(Reflect.get(details, 'error'));
  const code = Number(/\d+/.exec(error)?.[0]);
  const known = NET_ERRORS.find(([number, name]) => number === code || name === error);
  const isTls = Math.floor(code / 0x1_0000) === TLS_MODULE;
  return `net::ERR_${known?.[2] ?? (isTls ? 'CERT_AUTHORITY_INVALID' : 'FAILED')}`;
};

export const REJECTS_MISSING_ENTRY: typeof chromium.REJECTS_MISSING_ENTRY = false;

/** Firefox reports no request of a port that it blocks, and shows a page that no script may enter. */
export const isErrorPage: typeof chromium.isErrorPage = (tabId) =>
  browser.scripting.executeScript({ target: { tabId }, func: () => null, injectImmediately: true }).then(
    ([ran]) => ran === undefined,
    () => true,
  );

export const product: typeof chromium.product = async () => {
  const { name, version } = await browser.runtime.getBrowserInfo();
  return { name: name.slice(0, 64), version: version.slice(0, 64), lacks: ['debugger', 'dialogs'] };
};

export const lastError: typeof chromium.lastError = (port) => {
  const error: unknown = Reflect.get(port, 'error');
  return error instanceof Error ? error.message : undefined;
};
