/*
 * Members that Chromium adds to the objects of the extension API. The polyfill's types, which follow Firefox,
 * leave them out.
 */

/** Whether this extension made a request, by the `initiator` of its `webRequest` details. */
export const isOwnRequest = (details: object): boolean =>
  Reflect.get(details, 'initiator') === `chrome-extension://${chrome.runtime.id}`;

/** Whether a request belongs to a page that is rendered ahead of its being shown. */
export const isPrerendered = (details: object): boolean =>
  Reflect.get(details, 'documentLifecycle') === 'prerender';

/** Why a navigation failed, as a `net::` name, by the details of `webNavigation.onErrorOccurred`. */
export function navigationError(details: object): string {
  const error: unknown = Reflect.get(details, 'error');
  return typeof error === 'string' ? error : 'net::ERR_FAILED';
}

/** Whether a tab is on its way to an address that it does not show. */
export function isPending(tab: object): boolean {
  const pendingUrl: unknown = Reflect.get(tab, 'pendingUrl');
  return typeof pendingUrl === 'string' && pendingUrl !== '';
}

/** The origin of the document that opened a port: `null` for one without; undefined where the browser does not say. */
export function originOf({ sender }: { readonly sender?: object | undefined }): string | undefined {
  const origin: unknown = sender === undefined ? undefined : Reflect.get(sender, 'origin');
  return typeof origin === 'string' ? origin : undefined;
}
