import browser, { type WebRequest } from 'webextension-polyfill';
import { browserEvents } from '../../../background/navigation/browser-events.ts';

/** The answer that a tab's document came with. */
export interface MainResponse {
  readonly url: string;
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
}

interface Traffic {
  response: MainResponse | null;
  remoteAddress: string | null;
  /** Requests for data, code and frames: what may still change the page. */
  readonly inFlight: Set<string>;
  hasBegun: boolean;
}

type ResourceType = `${WebRequest.ResourceType}`;
const CHANGING: readonly ResourceType[] = ['xmlhttprequest', 'script', 'sub_frame'];
const DOCUMENTS: WebRequest.RequestFilter = { urls: ['<all_urls>'], types: ['main_frame'] };
const REQUESTS: WebRequest.RequestFilter = { urls: ['<all_urls>'], types: [...CHANGING] };

/** What the tabs of crawls load, kept a tab and page; listened to while there are such tabs. */
export class TabTraffic {
  readonly #tabs = new Map<number, Traffic>();
  /** Stops the events of navigations: starting them again for each page would cost more than the page. */
  #release: () => void = () => undefined;

  watch(tabId: number): void {
    if (this.#tabs.size === 0) {
      this.#release = browserEvents(() => undefined);
      browser.webRequest.onResponseStarted.addListener(this.#answered, DOCUMENTS, ['responseHeaders']);
      browser.webRequest.onBeforeRedirect.addListener(this.#redirected, DOCUMENTS);
      browser.webRequest.onBeforeRequest.addListener(this.#begun, REQUESTS);
      browser.webRequest.onCompleted.addListener(this.#ended, REQUESTS);
      browser.webRequest.onErrorOccurred.addListener(this.#ended, REQUESTS);
    }
    this.reset(tabId);
  }

  /** A new page is about to load. */
  reset(tabId: number): void {
    this.#tabs.set(tabId, { response: null, remoteAddress: null, inFlight: new Set(), hasBegun: false });
  }

  /** The newest answer for the tab's document. */
  response(tabId: number): MainResponse | null {
    return this.#tabs.get(tabId)?.response ?? null;
  }

  /** IP address of the server that answered, or redirected, last; null where it is unknown. */
  remoteAddress(tabId: number): string | null {
    return this.#tabs.get(tabId)?.remoteAddress ?? null;
  }

  /** Something is pending that may change the page, or began since the last check. */
  isBusy(tabId: number): boolean {
    const traffic = this.#tabs.get(tabId);
    if (traffic === undefined) return false;
    const isBusy = traffic.hasBegun || traffic.inFlight.size > 0;
    traffic.hasBegun = false;
    return isBusy;
  }

  stop(tabId: number): void {
    if (!this.#tabs.delete(tabId) || this.#tabs.size > 0) return;
    this.#release();
    browser.webRequest.onResponseStarted.removeListener(this.#answered);
    browser.webRequest.onBeforeRedirect.removeListener(this.#redirected);
    browser.webRequest.onBeforeRequest.removeListener(this.#begun);
    browser.webRequest.onCompleted.removeListener(this.#ended);
    browser.webRequest.onErrorOccurred.removeListener(this.#ended);
  }

  readonly #answered = (details: WebRequest.OnResponseStartedDetailsType): void => {
    const { tabId, url, statusCode: status, responseHeaders = [], ip } = details;
    const traffic = this.#tabs.get(tabId);
    if (traffic === undefined) return;
    // What the document before was still waiting for counts no more.
    traffic.inFlight.clear();
    traffic.response = { url, status, headers: headerMap(responseHeaders) };
    traffic.remoteAddress = ip ?? null;
  };

  readonly #redirected = ({ tabId, ip }: WebRequest.OnBeforeRedirectDetailsType): void => {
    const traffic = this.#tabs.get(tabId);
    if (traffic !== undefined) traffic.remoteAddress = ip ?? null;
  };

  readonly #begun = ({ tabId, requestId }: Request): undefined => {
    const traffic = this.#tabs.get(tabId);
    if (traffic === undefined) return;
    traffic.hasBegun = true;
    traffic.inFlight.add(requestId);
  };

  readonly #ended = ({ tabId, requestId }: Request): undefined => {
    this.#tabs.get(tabId)?.inFlight.delete(requestId);
  };
}

interface Request {
  readonly tabId: number;
  readonly requestId: string;
}

/** Names in lower case; several headers of a name are joined as `fetch` joins them. */
export function headerMap(
  headers: readonly { readonly name: string; readonly value?: string | undefined }[],
): ReadonlyMap<string, string> {
  const map = new Map<string, string>();
  for (const { name, value = '' } of headers) {
    const key = name.toLowerCase();
    const before = map.get(key);
    map.set(key, before === undefined ? value : `${before}, ${value}`);
  }
  return map;
}
