import browser from 'webextension-polyfill';
import { BoundedMap } from '../../../shared/base/maps.ts';
import { defined } from '../../../shared/base/json.ts';
import type { Emulation } from '../../../shared/core/bridge/input-methods.ts';
import type { ServerPort } from '../../core/handler.ts';
import type * as chromium from '../chromium/emulation.ts';
import { topContextOf } from './contexts.ts';
import { listen } from './members.ts';
import { unsupportedInFirefox } from './unsupported.ts';

/** By a server that has started the browser. */
const BY_BIDI: ReadonlySet<string> = new Set<keyof Emulation>([
  ...(['geolocation', 'locale', 'network', 'timezone', 'user_agent', 'viewport'] as const),
]);
const OTHERS = 'Pass browser with the id of a Chromium: here only ';
const TABS_KEPT = 1_000;

/** The contexts of the tabs that may emulate more than a proxy. */
const tabs = new BoundedMap<number, { readonly context: string; readonly server: ServerPort }>(TABS_KEPT);

/** An extension gives a tab a proxy alone, and a server that has started the browser more. */
export const expectEmulated: typeof chromium.expectEmulated = async (set, tab) => {
  const names = Object.keys(defined(set)).filter((name) => name !== 'proxy');
  const [first] = names;
  if (first === undefined) return;
  const known = tabs.get(tab.tabId);
  // A tab keeps its context, also while it shows an error that no script may enter.
  const context = known?.server === tab.server ? known.context : await topContextOf(tab);
  if (context === null) throw unsupportedInFirefox(first, `${OTHERS}proxy works.`);
  const { viewport, network = 'online' } = set;
  const other =
    names.find((name) => !BY_BIDI.has(name)) ??
    (viewport?.mobile === true ? 'viewport.mobile' : undefined) ??
    (network === 'online' || network === 'offline' ? undefined : `network ${network}`);
  if (other !== undefined)
    throw unsupportedInFirefox(
      other,
      `${OTHERS}${[...BY_BIDI].join(', ')} and proxy work, with no mobile viewport and no slow network.`,
    );
  tabs.set(tab.tabId, { context, server: tab.server });
};

export const checkScript: typeof chromium.checkScript = () =>
  Promise.reject(unsupportedInFirefox('script', 'Pass browser with the id of a Chromium.'));

const stops = new WeakMap<object, () => void>();

/** The differences, in the form of the server. */
function changesOf(before: chromium.Settings, wanted: chromium.Settings): Emulation {
  const isChanged = (name: keyof Emulation): boolean =>
    JSON.stringify(before[name]) !== JSON.stringify(wanted[name]);
  const { geolocation = null, locale = null, timezone = null, user_agent = null, viewport = null } = wanted;
  const network = wanted.network === 'offline' ? ('offline' as const) : null;
  return {
    ...(isChanged('geolocation') && { geolocation }),
    ...(isChanged('locale') && { locale }),
    ...(isChanged('network') && { network }),
    ...(isChanged('timezone') && { timezone }),
    ...(isChanged('user_agent') && { user_agent }),
    ...(isChanged('viewport') && { viewport }),
  };
}

async function changeByServer(tabId: number, set: Emulation): Promise<void> {
  const tab = tabs.get(tabId);
  if (tab === undefined || Object.keys(set).length === 0) return;
  const { signal } = new AbortController();
  await tab.server.request('input.emulate', { context: tab.context, set }, signal);
}

/** Firefox asks for the proxy of each request; without a listener, the person's own settings apply. */
export const changeEmulation: typeof chromium.changeEmulation = async (lease, before, wanted, emulates) => {
  const { tabId } = lease;
  await changeByServer(tabId, changesOf(before, wanted)).catch(async (thrown: unknown) => {
    await changeByServer(tabId, changesOf(wanted, before)).catch(() => undefined);
    throw thrown;
  });
  stops.get(lease)?.();
  stops.delete(lease);
  emulates(wanted);
  const { proxy } = wanted;
  if (proxy === undefined) return;
  const [, scheme = '', host, port] = /^(\w+):\/\/(.+):(\d+)$/.exec(proxy) ?? [];
  const type = scheme.replace('socks5', 'socks');
  const through = () => ({ type, host, port: Number(port), proxyDNS: type === 'socks' });
  const filter = { urls: ['<all_urls>'], tabId };
  stops.set(lease, listen(browser.proxy.onRequest, through, filter));
};

export const emulateInNew: typeof chromium.emulateInNew = () => Promise.resolve();
