import browser, { type WebRequest } from 'webextension-polyfill';
import { listen } from '../../../platform/chromium/members.ts';
import { browserEvents } from '../../../core/navigation/browser-events.ts';
import { headerMap } from '../../../platform/crawled-tab.ts';

/** The response for a tab's document. */
export interface MainResponse {
  readonly url: string;
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
}

interface Traffic {
  response: MainResponse | null;
  remoteAddress: string | null;
  /** Requests for data, code and frames, which may still change the page. */
  readonly inFlight: Set<string>;
  hasBegun: boolean;
}

type ResourceType = `${WebRequest.ResourceType}`;
const CHANGING: readonly ResourceType[] = ['xmlhttprequest', 'script', 'sub_frame'];
const DOCUMENTS: WebRequest.RequestFilter = { urls: ['<all_urls>'], types: ['main_frame'] };
const REQUESTS: WebRequest.RequestFilter = { urls: ['<all_urls>'], types: [...CHANGING] };

/** Listens while there are such tabs. */
export class TabTraffic {
  readonly #tabs = new Map<number, Traffic>();
  /** Stops navigation events, too: starting them again for each page would cost more than the page. */
  #listening: readonly (() => void)[] = [];

  watch(tabId: number): void {
    if (this.#tabs.size === 0) {
      const { webRequest } = browser;
      this.#listening = [
        browserEvents(() => undefined),
        listen(webRequest.onResponseStarted, this.#answered, DOCUMENTS, ['responseHeaders']),
        listen(webRequest.onBeforeRedirect, this.#redirected, DOCUMENTS),
        listen(webRequest.onBeforeRequest, this.#begun, REQUESTS),
        listen(webRequest.onCompleted, this.#ended, REQUESTS),
        listen(webRequest.onErrorOccurred, this.#ended, REQUESTS),
      ];
    }
    this.reset(tabId);
  }

  /** A new page is about to load. */
  reset(tabId: number): void {
    this.#tabs.set(tabId, { response: null, remoteAddress: null, inFlight: new Set(), hasBegun: false });
  }

  /** The newest response for the tab's document. */
  response(tabId: number): MainResponse | null {
    return this.#tabs.get(tabId)?.response ?? null;
  }

  /** IP address of the server that last answered or redirected; null if unknown. */
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
    for (const stop of this.#listening) stop();
  }

  readonly #answered = (details: WebRequest.OnResponseStartedDetailsType): void => {
    const { tabId, url, statusCode: status, responseHeaders = [], ip } = details;
    const traffic = this.#tabs.get(tabId);
    if (traffic === undefined) return;
    // Requests of the previous document no longer count.
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
