import browser, { type WebRequest } from 'webextension-polyfill';
import { stopDocument } from '../../core/in-page/document.ts';
import { runInPage } from '../../core/pages/targets.ts';
import type { DebuggerLease } from '../chromium/debugger/sessions.ts';
import { CrawledTab, headerMap } from '../crawled-tab.ts';
import { listen } from './members.ts';

/** Dialogs, other windows and files are refused by the browser itself. */
const NO_SURPRISES = {
  name: 'Content-Security-Policy',
  value: 'sandbox allow-same-origin allow-scripts allow-forms',
};

/** Blocking listeners judge what a crawled tab requests, redirects too, before it is sent. */
export class TabDebugger extends CrawledTab {
  readonly isAsShown = false;
  readonly #listening: readonly (() => void)[];

  private constructor(lease: DebuggerLease) {
    super(lease);
    const { onBeforeRequest, onHeadersReceived } = browser.webRequest;
    const filter: WebRequest.RequestFilter = {
      tabId: lease.tabId,
      urls: ['<all_urls>'],
      types: ['main_frame', 'sub_frame'],
    };
    this.#listening = [
      listen(onBeforeRequest, this.#begin, filter, ['blocking']),
      listen(onHeadersReceived, this.#answer, filter, ['blocking', 'responseHeaders']),
    ];
  }

  static readonly attach = (lease: DebuggerLease): Promise<TabDebugger> =>
    Promise.resolve(new TabDebugger(lease));

  override release(): Promise<void> {
    for (const stop of this.#listening) stop();
    return super.release();
  }

  async stopLoading(): Promise<void> {
    const { tabId } = this.lease;
    await runInPage({ target: { tabId }, url: '', func: stopDocument }).catch(() => undefined);
  }

  /** They are counted from the start: a filter cannot join later. */
  countBytes(): Promise<void> {
    return Promise.resolve();
  }

  readonly #begin = ({ url, type }: WebRequest.OnBeforeRequestDetailsType) => ({
    cancel: !this.admits(url, type === 'main_frame'),
  });

  readonly #answer = (details: WebRequest.OnHeadersReceivedDetailsType): WebRequest.BlockingResponse => {
    const { url, statusCode: status, responseHeaders = [], type, requestId } = details;
    const isMain = type === 'main_frame';
    if (!this.admitsAnswer({ url, status, headers: headerMap(responseHeaders) }, isMain))
      return { cancel: true };
    if (!isMain) return {};
    if (status < 300 || status >= 400) this.#count(requestId);
    return { responseHeaders: [...responseHeaders, NO_SURPRISES] };
  };

  #count(requestId: string): void {
    const filter = browser.webRequest.filterResponseData(requestId);
    filter.ondata = ({ data }) => {
      filter.write(data);
      this.events?.onBytes(data.byteLength);
    };
    filter.onstop = () => filter.disconnect();
  }
}
