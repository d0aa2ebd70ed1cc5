const ORIGIN = `chrome-extension://${chrome.runtime.id}`;

/** Whether this extension made a request. Chromium names its `initiator`, which Firefox does not know. */
export const isOwnRequest = (details: object): boolean => Reflect.get(details, 'initiator') === ORIGIN;
