import { z } from 'zod';
import { SpillwayError } from '../../../shared/errors.ts';
import { pageKindOf } from '../../../shared/tools/crawl/headers.ts';
import { hear } from './debugger/exchange.ts';
import type { DebuggerLease } from './debugger/sessions.ts';
import { onCrash } from './loading.ts';
import { onPaused, pauseDocuments, type PausedRequest } from './paused-requests.ts';
import { frameIdsOf } from './tracing.ts';

/** Names in lower case; repeated headers are joined as `fetch` joins them. */
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

const DataReceived = z.object({ requestId: z.string(), dataLength: z.number() });
const Navigated = z.object({ frame: z.object({ id: z.string(), loaderId: z.string() }) });

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
  /** Bytes of the document that arrived while they were counted. */
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
    lease.onEvent(({ method, params, sessionId }) => {
      // Nobody watches this tab: dialogs are dismissed, and a page cannot block navigation away from it.
      if (method === 'Page.javascriptDialogOpening' && sessionId === null)
        void this.#send('Page.handleJavaScriptDialog', { accept: params['type'] === 'beforeunload' });
    });
    hear(lease, 'Network.dataReceived', DataReceived, ({ requestId, dataLength }) => {
      if (requestId === this.#loader) this.#events?.onBytes(dataLength);
    });
    hear(lease, 'Page.frameNavigated', Navigated, ({ frame }) => {
      if (frame.id === mainFrame) this.#loader = frame.loaderId;
    });
    onCrash(lease, () => {
      this.hasCrashed = true;
      this.#events?.onCrash();
    });
    onPaused(lease, {
      onRequest: (request) => {
        if (request.session === null) void ignoreGone(this.#decide(request));
      },
    });
  }

  static async attach(lease: DebuggerLease): Promise<TabDebugger> {
    const [[mainFrame = '']] = await Promise.all([
      frameIdsOf(lease),
      lease.send('Page.enable'),
      lease.send('Inspector.enable'),
      lease.send('Page.addScriptToEvaluateOnNewDocument', { source: NO_SURPRISES }),
      pauseDocuments(lease),
    ]);
    return new TabDebugger(lease, mainFrame);
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

  #decide(paused: PausedRequest): Promise<unknown> {
    const { frameId, request, responseStatusCode: status, responseErrorReason: error } = paused.facts;
    const isMain = frameId === this.mainFrame;
    const isAdmitted =
      status === undefined && error === undefined
        ? this.#admits(request.url, isMain)
        : this.#admitsResponse(paused.facts, isMain);
    return isAdmitted ? paused.proceed() : paused.block('Aborted');
  }

  #admitsResponse(paused: PausedRequest['facts'], isMain: boolean): boolean {
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

  stopLoading(): Promise<void> {
    return this.#send('Page.stopLoading');
  }

  /** Whether the bytes of documents are reported. */
  countBytes(isOn: boolean): Promise<void> {
    return isOn
      ? this.#send('Network.enable', { maxTotalBufferSize: 0, maxResourceBufferSize: 0 })
      : this.#send('Network.disable');
  }

  #send(method: string, params: object = {}): Promise<void> {
    return ignoreGone(this.lease.send(method, params));
  }
}

/** A tab that went away meanwhile needs no answer. */
async function ignoreGone(answer: Promise<unknown>): Promise<void> {
  await answer.catch((thrown: unknown) => {
    if (!(thrown instanceof SpillwayError)) throw thrown;
  });
}

const isBodiless = (status: number): boolean =>
  status === 204 || status === 205 || (status >= 300 && status < 400);

const isAttachment = (headers: ReadonlyMap<string, string>): boolean =>
  /^\s*attachment\b/i.test(headers.get('content-disposition') ?? '');
