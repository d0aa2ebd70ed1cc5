import { z } from 'zod';
import { SpillwayError } from '../../../shared/base/errors.ts';
import { CrawledTab, headerMap } from '../crawled-tab.ts';
import { hear } from './debugger/exchange.ts';
import type { DebuggerLease } from './debugger/sessions.ts';
import { onCrash } from './loading.ts';
import { onPaused, pauseDocuments, type PausedRequest } from './paused-requests.ts';
import { frameIdsOf } from './tracing.ts';

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

/**
 * The debugger's tasks in a crawled tab, in addition to focus emulation: dialogs are dismissed, leaving is never
 * refused, files are not downloaded, a crash is reported immediately.
 */
export class TabDebugger extends CrawledTab {
  /** Identifies the document's own request among its page's. */
  #loader = '';
  readonly isAsShown = true;

  private constructor(
    lease: DebuggerLease,
    private readonly mainFrame: string,
  ) {
    super(lease);
    lease.onEvent(({ method, params, sessionId }) => {
      // Nobody watches this tab: dialogs are dismissed, and a page cannot block navigation away from it.
      if (method === 'Page.javascriptDialogOpening' && sessionId === null)
        void this.#send('Page.handleJavaScriptDialog', { accept: params['type'] === 'beforeunload' });
    });
    hear(lease, 'Network.dataReceived', DataReceived, ({ requestId, dataLength }) => {
      if (requestId === this.#loader) this.events?.onBytes(dataLength);
    });
    hear(lease, 'Page.frameNavigated', Navigated, ({ frame }) => {
      if (frame.id === mainFrame) this.#loader = frame.loaderId;
    });
    onCrash(lease, () => {
      this.hasCrashed = true;
      this.events?.onCrash();
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

  #decide(paused: PausedRequest): Promise<unknown> {
    const { frameId, request, responseStatusCode: status, responseErrorReason: error } = paused.facts;
    const { responseHeaders = [] } = paused.facts;
    const isMain = frameId === this.mainFrame;
    const headers = headerMap(responseHeaders);
    const isAdmitted =
      status === undefined && error === undefined
        ? this.admits(request.url, isMain)
        : this.admitsAnswer({ url: request.url, status, headers }, isMain);
    return isAdmitted ? paused.proceed() : paused.block('Aborted');
  }

  stopLoading(): Promise<void> {
    return this.#send('Page.stopLoading');
  }

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
