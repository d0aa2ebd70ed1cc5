import { z } from 'zod';
import browser, { type Runtime } from 'webextension-polyfill';
import type { BrowserFacts } from '../../../shared/core/bridge/hello.ts';

/**
 * Where the page that opened a port is: a page of this extension at `path`, in its own tab or, like popups, side panels
 * and the offscreen document, in none. Null for anything else: a web page, a content script, a frame, another
 * extension.
 */
export function resolvePortPlace({ sender }: Runtime.Port, path: string): 'tab' | 'no_tab' | null {
  if (sender?.id !== browser.runtime.id || sender.url !== browser.runtime.getURL(path)) return null;
  // The browser numbers only the frames of tabs.
  if (sender.tab === undefined) return 'no_tab';
  return sender.frameId === 0 ? 'tab' : null;
}

/** Whether a page of this extension at `path` opened a port, not counting the same page in a tab. */
export const isOwnPage = (port: Runtime.Port, path: string): boolean =>
  resolvePortPlace(port, path) === 'no_tab';

/* Members that Chromium adds to the extension API. The polyfill's types, which follow Firefox, omit them. */

/** How long after a document is shown the browser may report its request. Chromium reports it before. */
export const REQUESTS_LATE_MS: number = 0;

/** How late the timers of a tab behind the front one may run. The debugger keeps them on time. */
export const TIMERS_LATE_MS: number = 0;

/** Whether a request belongs to a prerendered page. */
export const isPrerendered = (details: object): boolean =>
  Reflect.get(details, 'documentLifecycle') === 'prerender';

function getTextMember(details: object, name: string): string | undefined {
  const text: unknown = Reflect.get(details, name);
  return typeof text === 'string' ? text : undefined;
}

/** The origin of the document that made a request, or its address, by the details of `webRequest`. */
export const initiatorOf = (details: object): string | undefined => getTextMember(details, 'initiator');

/** Why a navigation or a request failed, as a `net::` name, by the details of `onErrorOccurred`. */
export const netErrorOf = (details: object): string => getTextMember(details, 'error') ?? 'net::ERR_FAILED';

/** `tabs.goBack` and `goForward` fail without an entry to go to. */
export const REJECTS_MISSING_ENTRY: boolean = true;

/** Whether a tab shows the browser's own page at an address that failed without a report: Chromium reports it. */
export const isErrorPage = (_tabId: number): Promise<boolean> => Promise.resolve(false);

/** The document of a navigation, by the details of `webNavigation`; empty if unknown. */
export const documentOf = (details: object): string => getTextMember(details, 'documentId') ?? '';

/** Whether a tab is on its way to an address that it does not show yet. */
export const isPending = (tab: object): boolean => (getTextMember(tab, 'pendingUrl') ?? '') !== '';

/**
 * The origin of the document that opened a port: `null` for one without; undefined if the browser does not
 * say.
 */
export const originOf = ({ sender }: { readonly sender?: object | undefined }): string | undefined =>
  sender && getTextMember(sender, 'origin');

/** The part of `navigator.userAgentData` that names the browser; TypeScript lacks it. */
const UserAgentData = z.object({ brands: z.array(z.object({ brand: z.string(), version: z.string() })) });

export async function product(): Promise<Omit<BrowserFacts, 'label'>> {
  const data: unknown = Reflect.get(navigator, 'userAgentData');
  const low = UserAgentData.safeParse(data);
  if (!low.success) return { name: 'Chromium', version: 'unknown' };
  const { fullVersionList: brands } = await fullVersions(data, low.data.brands);
  const real = brands.filter(({ brand }) => !/not.*brand/i.test(brand));
  const named = real.find(({ brand }) => brand !== 'Chromium') ?? real[0];
  return {
    name: (named?.brand ?? 'Chromium').slice(0, 64),
    version: (named?.version ?? 'unknown').slice(0, 64),
  };
}

type Brands = z.infer<typeof UserAgentData>['brands'];

async function fullVersions(data: unknown, brands: Brands): Promise<{ fullVersionList: Brands }> {
  const read: unknown = data instanceof Object ? Reflect.get(data, 'getHighEntropyValues') : undefined;
  if (typeof read !== 'function') return { fullVersionList: brands };
  const values: unknown = await read.call(data, ['fullVersionList']);
  const parsed = z.object({ fullVersionList: UserAgentData.shape.brands }).safeParse(values);
  return parsed.success ? parsed.data : { fullVersionList: brands };
}

export interface BrowserEvent<L, Rest extends unknown[]> {
  addListener(listener: L, ...rest: Rest): void;
  removeListener(listener: L): void;
}

/** Listens to an event of the browser until the returned function is called. */
export function listen<L, Rest extends unknown[]>(
  event: BrowserEvent<L, Rest>,
  listener: L,
  ...rest: Rest
): () => void {
  event.addListener(listener, ...rest);
  return () => event.removeListener(listener);
}

/** Why the browser closed a port. Only readable in `onDisconnect`. Firefox puts it into the port. */
export const lastError = (_port: object): string | undefined => chrome.runtime.lastError?.message;

/**
 * Calls back when the other end of a port is gone. A page in the back/forward cache puts its reason into `lastError`;
 * unread, it makes chrome://extensions show a red error button.
 */
export function onGone(
  port: { readonly onDisconnect: { addListener(listener: () => void): void } },
  listener: () => void,
): void {
  port.onDisconnect.addListener(() => {
    lastError(port);
    listener();
  });
}
