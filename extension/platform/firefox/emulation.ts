import browser from 'webextension-polyfill';
import { defined } from '../../../shared/base/json.ts';
import type * as chromium from '../chromium/emulation.ts';
import { listen } from './members.ts';
import { unsupportedInFirefox } from './unsupported.ts';

const OTHERS = 'Pass browser with the id of a Chromium: here only proxy works.';

/** Firefox emulates nothing else for an extension. */
export const expectEmulated: typeof chromium.expectEmulated = (names) => {
  const other = names.find((name) => name !== 'proxy');
  if (other !== undefined) throw unsupportedInFirefox(other, OTHERS);
};

export const checkScript: typeof chromium.checkScript = () =>
  Promise.reject(unsupportedInFirefox('script', OTHERS));

const stops = new WeakMap<object, () => void>();

/** Firefox asks for the proxy of each request; without a listener, the person's own settings apply. */
export const changeEmulation: typeof chromium.changeEmulation = async (lease, _before, wanted, emulates) => {
  const { proxy } = wanted;
  stops.get(lease)?.();
  stops.delete(lease);
  emulates(defined({ proxy }));
  if (proxy === undefined) return;
  const [, scheme = '', host, port] = /^(\w+):\/\/(.+):(\d+)$/.exec(proxy) ?? [];
  const type = scheme.replace('socks5', 'socks');
  const through = () => ({ type, host, port: Number(port), proxyDNS: type === 'socks' });
  const filter = { urls: ['<all_urls>'], tabId: lease.tabId };
  stops.set(lease, listen(browser.proxy.onRequest, through, filter));
};

export const emulateInNew: typeof chromium.emulateInNew = () => Promise.resolve();
