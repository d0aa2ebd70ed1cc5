import browser, { type WebRequest } from 'webextension-polyfill';
import { listen } from '../../../background/chromium/members.ts';
import { browserEvents } from '../../../background/navigation/browser-events.ts';
import { z } from 'zod';
import { SpillwayError } from '../../../../shared/errors.ts';
import type { DebuggerEvent, DebuggerLease } from '../../../background/chromium/debugger/sessions.ts';
import { pageKindOf } from '../../../../shared/tools/crawl/headers.ts';

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

/** Names in lower case; repeated headers are joined as `fetch` joins them. */
function headerMap(
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

const Dialog = z.object({ type: z.string() });
const Paused = z.object({
  requestId: z.string(),
  frameId: z.string(),
  request: z.object({ url: z.string() }),
  responseStatusCode: z.int().optional(),
  responseErrorReason: z.string().optional(),
  responseHeaders: z.array(z.object({ name: z.string(), value: z.string() })).optional(),
});
const DataReceived = z.object({ requestId: z.string(), dataLength: z.number() });
const Navigated = z.object({ frame: z.object({ id: z.string(), loaderId: z.string() }) });
const FrameTree = z.object({ frameTree: z.object({ frame: z.object({ id: z.string() }) }) });

/**
 * Acts like a popup blocker; a person may have turned theirs off for a site, but is not watching now. Links that save a
 * file are not followed either: early in a document's life Chromium does not always show such a request to the
 * debugger.
 */
const NO_SURPRISES = `window.open = () => null;
{
  const saves = (node) => node instanceof HTMLAnchorElement && node.hasAttribute('download');
  addEventListener('click', (event) => event.composedPath().some(saves) && event.preventDefault(), true);
  const { click } = HTMLElement.prototype;
  HTMLElement.prototype.click = function () {
    if (!saves(this)) click.call(this);
  };
}`;

/** Events of the current page. */
interface TabEvents {
  /** The tab is about to request a document, possibly by a redirect. False stops it before anything is sent. */
  admits(url: string): boolean;
  /** A frame of the page is about to request its document. */
  admitsFrame(url: string): boolean;
  /** The tab's own document is a file: it was rejected. */
  onFile(url: string, contentType: string | null): void;
  /** The number of consecutive redirects: browsers do not limit them under a debugger. */
  onRedirect(hop: { readonly url: string; readonly status: number }, count: number): void;
  onCrash(): void;
  /** Bytes of the document that arrived while the Network domain was enabled. */
  onBytes(sizeBytes: number): void;
}

/**
 * The debugger's tasks in a crawled tab, in addition to focus emulation: dialogs are dismissed, leaving is never
 * refused, files are not downloaded, a crash is reported immediately.
 */
export class TabDebugger {
  #events: TabEvents | null = null;
  /** Identifies the document's own request among its page's. */
  #loader = '';
  #redirects = 0;
  /** Its process ended, perhaps between two pages. */
  hasCrashed = false;

  private constructor(
    private readonly lease: DebuggerLease,
    private readonly mainFrame: string,
  ) {
    lease.onEvent((event) => this.#take(event));
  }

  static async attach(lease: DebuggerLease): Promise<TabDebugger> {
    const [tree] = await Promise.all([
      lease.send('Page.getFrameTree'),
      lease.send('Page.enable'),
      lease.send('Inspector.enable'),
      lease.send('Page.addScriptToEvaluateOnNewDocument', { source: NO_SURPRISES }),
      lease.send('Fetch.enable', {
        patterns: ['Request', 'Response'].map((requestStage) => ({ resourceType: 'Document', requestStage })),
      }),
    ]);
    return new TabDebugger(lease, FrameTree.parse(tree).frameTree.frame.id);
  }

  /** Aborted if the attachment ends before the tab does. */
  get signal(): AbortSignal {
    return this.lease.signal;
  }

  /** The current listener; null between two pages. */
  listen(events: TabEvents | null): void {
    this.#redirects = 0;
    this.#events = events;
  }

  release(): Promise<void> {
    return this.lease.release();
  }

  #take({ sessionId, method, params }: DebuggerEvent): void {
    if (sessionId !== null) return;
    if (method === 'Page.javascriptDialogOpening') this.#dialog(params);
    else if (method === 'Fetch.requestPaused') this.#paused(params);
    else if (method === 'Inspector.targetCrashed') {
      this.hasCrashed = true;
      this.#events?.onCrash();
    } else if (method === 'Network.dataReceived') {
      const data = DataReceived.safeParse(params).data;
      if (data?.requestId === this.#loader) this.#events?.onBytes(data.dataLength);
    } else if (method === 'Page.frameNavigated') {
      const frame = Navigated.safeParse(params).data?.frame;
      if (frame?.id === this.mainFrame) this.#loader = frame.loaderId;
    }
  }

  /** Nobody is there to answer: alerts are dismissed, and no page can prevent leaving. */
  #dialog(params: unknown): void {
    const accept = Dialog.safeParse(params).data?.type === 'beforeunload';
    void this.send('Page.handleJavaScriptDialog', { accept });
  }

  #paused(params: unknown): void {
    const paused = Paused.safeParse(params);
    if (!paused.success) return;
    const { requestId, frameId, request, responseStatusCode: status, responseErrorReason } = paused.data;
    const isMain = frameId === this.mainFrame;
    const isRequest = status === undefined && responseErrorReason === undefined;
    const isAdmitted = isRequest
      ? this.#admits(request.url, isMain)
      : this.#admitsResponse(paused.data, isMain);
    if (isAdmitted) void this.send('Fetch.continueRequest', { requestId });
    else void this.send('Fetch.failRequest', { requestId, errorReason: 'Aborted' });
  }

  #admitsResponse(paused: z.infer<typeof Paused>, isMain: boolean): boolean {
    const { request, responseStatusCode: status, responseHeaders = [] } = paused;
    const headers = headerMap(responseHeaders);
    const contentType = headers.get('content-type') ?? null;
    const isFile =
      status !== undefined &&
      !isBodiless(status) &&
      pageKindOf(contentType, headers.get('content-disposition') ?? null) === 'none';
    if (isMain) this.#countRedirect(request.url, status);
    if (!isFile || !(isMain || isAttachment(headers))) return true;
    if (isMain) this.#events?.onFile(request.url, contentType);
    return false;
  }

  /** Between two pages nothing is requested. */
  #admits(url: string, isMain: boolean): boolean {
    if (this.#events === null) return false;
    return isMain ? this.#events.admits(url) : this.#events.admitsFrame(url);
  }

  #countRedirect(url: string, status: number | undefined): void {
    if (status === undefined || status < 300 || status >= 400) this.#redirects = 0;
    else this.#events?.onRedirect({ url, status }, (this.#redirects += 1));
  }

  /** A tab that went away meanwhile needs no answer. */
  async send(method: string, params: object = {}): Promise<void> {
    await this.lease.send(method, params).catch((thrown: unknown) => {
      if (!(thrown instanceof SpillwayError)) throw thrown;
    });
  }
}

const isBodiless = (status: number): boolean =>
  status === 204 || status === 205 || (status >= 300 && status < 400);

const isAttachment = (headers: ReadonlyMap<string, string>): boolean =>
  /^\s*attachment\b/i.test(headers.get('content-disposition') ?? '');
