import { fileNameOf } from '../../../shared/base/file-name.ts';
import browser, { type WebNavigation, type WebRequest } from 'webextension-polyfill';
import {
  isPrerendered,
  listen,
  netErrorOf,
  REQUESTS_LATE_MS,
  type BrowserEvent,
} from '../../platform/chromium/members.ts';
import { BLOCKING } from '../../platform/chromium/response-bodies.ts';
import type { z } from 'zod';
import type { RedirectHop as RedirectHopSchema } from '../../../shared/tabs/navigate.methods.ts';

export { REQUESTS_LATE_MS };

type RedirectHop = z.infer<typeof RedirectHopSchema>;

/**
 * The browser's reports while a tab navigates, from `webNavigation`, `webRequest` and `tabs`; for the main frame only
 * unless noted. A request may be any frame's; `main` marks the document's own.
 */
export type NavigationEvent = { readonly tabId: number } & (
  | { readonly type: 'started'; readonly url: string }
  | {
      readonly type: 'committed';
      readonly url: string;
      readonly isHistoryStep: boolean;
      /** The server redirected to it. */
      readonly isRedirected?: boolean;
    }
  | { readonly type: 'same_document'; readonly url: string; readonly isHistoryStep: boolean }
  | { readonly type: 'loaded'; readonly url: string }
  | { readonly type: 'dom_content_loaded' | 'tab_complete' | 'tab_removed' }
  | { readonly type: 'failed'; readonly url: string; readonly error: string }
  | { readonly type: 'tab_replaced'; readonly by: number }
  | {
      readonly type: 'request';
      readonly id: string;
      readonly url: string;
      readonly main: boolean;
      /** For the document of a frame, or of the tab. */
      readonly frame?: boolean;
      /** Of the frame that requested it; 0 is the tab's document. */
      readonly frameId?: number;
      /** A script of the page requested it. */
      readonly isData?: boolean;
      readonly longLived: boolean;
    }
  | { readonly type: 'redirect'; readonly id: string; readonly hop: RedirectHop; readonly to: string }
  | {
      readonly type: 'response';
      readonly id: string;
      readonly status: number;
      readonly longLived: boolean;
      readonly file?: FileFacts | undefined;
    }
  | {
      readonly type: 'request_ended';
      readonly id: string;
      readonly hasFailed: boolean;
      /** If it failed, or its status is an error. */
      readonly failed?: FailedLoad;
    }
  | { readonly type: 'sign_in_asked'; readonly id: string }
  /** A frame has parsed its document, or keeps the old one. */
  | { readonly type: 'frame_arrived'; readonly frameId: number }
);

/** The last stage of a load, as `webRequest` reports it; with `error` if there was no response. */
export type FailedLoad = WebRequest.OnCompletedDetailsType | WebRequest.OnErrorOccurredDetailsType;

/** A file as its response's headers describe it; null for unknown facts. */
export interface FileFacts {
  readonly name: string | null;
  readonly contentType: string | null;
  /** The server asks to save it. */
  readonly isAttachment: boolean;
  /** On the wire. */
  readonly sizeBytes: number | null;
}

type NavigationListener = (event: NavigationEvent) => void;

/** The source of events: the browser, or a test. Returns an unsubscribe function. */
export type NavigationSource = (listener: NavigationListener) => () => void;

export interface NavigationOutcome {
  /** The tab's id, which the browser may have changed on the way. */
  readonly tabId: number;
  /** HTTP status of the main document, or null without one. */
  readonly status: number | null;
  readonly redirects: readonly RedirectHop[];
}

/** One load of a main document, from its start to its `load` event. */
export class DocumentLoad {
  /** Null until the request is seen, and for loads without one (about:, file:, back/forward cache). */
  requestId: string | null = null;
  /** By how many processes `webNavigation` has announced it: none while only its request is known. */
  announced = 0;
  redirects: RedirectHop[] = [];
  status: number | null = null;
  /** Null until its response is seen. */
  file: FileFacts | null = null;
  responseMark: number | null = null;
  domContentLoaded = false;
  loaded = false;
  shownAt = 0;

  constructor(
    public url: string,
    public ours: boolean,
  ) {}

  /** Whether another process still has the load: Firefox moves loads, and aborts them where they were. */
  outlives(url: string, error: string): boolean {
    if (error !== 'net::ERR_ABORTED' || this.announced < 2 || !hasPassed(this, url)) return false;
    this.announced -= 1;
    return true;
  }
}

/** Whether the response of a shown document may still be reported. */
export const isStatusDue = ({ shownAt, status, url }: DocumentLoad): boolean =>
  status === null && /^https?:/.test(url) && performance.now() < shownAt + REQUESTS_LATE_MS;

/** The same for its request. */
export const isRequestDue = (load: DocumentLoad | null): load is DocumentLoad =>
  load !== null && load.ours && load.requestId === null && isStatusDue(load);

/** Content types that browsers always show. They sniff others, and save some: text with odd bytes, images, PDFs. */
const PAGE = /^(?:text\/html|application\/xhtml\+xml)\b/i;

/** Whether browsers show its response as a page: neither a file to save nor an empty response. */
export function isPage({ status, file }: DocumentLoad): boolean {
  if (status === null || status === 204 || status === 205 || file === null) return false;
  return !file.isAttachment && PAGE.test(file.contentType ?? '');
}

/** The address without fragment and user, as both requests and navigations report it. */
export function bareUrl(url: string): string {
  if (!URL.canParse(url)) return url;
  const parsed = new URL(url);
  parsed.hash = '';
  parsed.username = '';
  parsed.password = '';
  return parsed.href;
}

export const isSameUrl = (a: string, b: string): boolean => a === b || bareUrl(a) === bareUrl(b);

/** Whether `url` is the load's current address, or one that redirected to it. */
export const hasPassed = (load: DocumentLoad, url: string): boolean =>
  [load, ...load.redirects].some((at) => isSameUrl(at.url, url));

const everyUrl: WebRequest.RequestFilter = { urls: ['<all_urls>'] };
/** Connections meant to stay open, and beacons that no page waits for. */
const longLivedTypes: ReadonlySet<string> = new Set([
  'websocket',
  'webtransport',
  'media',
  'ping',
  'csp_report',
]);
const longLivedContent = /^(text\/event-stream|multipart\/x-mixed-replace)/i;

const listeners = new Set<NavigationListener>();
let detach: (() => void)[] = [];

/**
 * The browser's own events. Listened to only while a navigation is awaited, since each would otherwise wake the worker
 * for every request of every page. Listening begins before this returns, because the browser handles later commands
 * after it.
 */
export const browserEvents: NavigationSource = (listener) => {
  listeners.add(listener);
  if (listeners.size === 1) detach = [...attachNavigation(), ...attachRequests(), ...attachTabs()];
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    for (const stop of detach) stop();
    detach = [];
  };
};

function emit(event: NavigationEvent): void {
  for (const listener of [...listeners]) listener(event);
}

type Transition = WebNavigation.OnCommittedDetailsType;

function attachNavigation(): (() => void)[] {
  const nav = browser.webNavigation;
  const ofMain = <D extends { frameId: number; tabId: number }>(
    event: BrowserEvent<(details: D) => void, []>,
    type: (details: D) => NavigationEvent,
  ): (() => void) =>
    listen(event, (details) => {
      if (details.frameId === 0) emit(type(details));
    });
  const arrived = ({ tabId, frameId }: { readonly tabId: number; readonly frameId: number }): void => {
    if (frameId !== 0) emit({ type: 'frame_arrived', tabId, frameId });
  };
  const sameDocument = (details: Transition): NavigationEvent => {
    void emitIfComplete(details.tabId);
    return { type: 'same_document', ...details, isHistoryStep: isHistory(details) };
  };
  return [
    listen(nav.onDOMContentLoaded, arrived),
    listen(nav.onErrorOccurred, arrived),
    ofMain(nav.onBeforeNavigate, (details) => ({ type: 'started', ...details })),
    ofMain(nav.onCommitted, (details) => {
      const isHistoryStep = isHistory(details);
      // A page that comes back from the back/forward cache does not load again.
      if (isHistoryStep) void emitIfComplete(details.tabId);
      const isRedirected = (details.transitionQualifiers ?? []).includes('server_redirect');
      return { type: 'committed', ...details, isHistoryStep, isRedirected };
    }),
    ofMain(nav.onReferenceFragmentUpdated, sameDocument),
    ofMain(nav.onHistoryStateUpdated, sameDocument),
    ofMain(nav.onDOMContentLoaded, (details) => ({ type: 'dom_content_loaded', ...details })),
    ofMain(nav.onCompleted, (details) => ({ type: 'loaded', ...details })),
    ofMain(nav.onErrorOccurred, (details) => ({
      type: 'failed',
      ...details,
      error: netErrorOf(details),
    })),
  ];
}

const isHistory = (details: Transition): boolean =>
  (details.transitionQualifiers ?? []).includes('forward_back');

/** Reports a tab that has nothing to load. */
export async function emitIfComplete(tabId: number): Promise<void> {
  const tab = await browser.tabs.get(tabId).catch(() => null);
  if (tab?.status === 'complete') emit({ type: 'tab_complete', tabId });
}

/**
 * Calls back with null when a frame in a tab's page sets out for another address, and with that when it is there or has
 * failed, until the returned function is called.
 */
export function whenFrameMoves(
  tabId: number,
  moved: (frameId: number, url: string | null) => void,
): () => void {
  const nav = browser.webNavigation;
  const take =
    (isOver: boolean) =>
    (details: Pick<Transition, 'tabId' | 'frameId' | 'url'>): void => {
      const isInside = details.tabId === tabId && details.frameId !== 0 && !isPrerendered(details);
      if (isInside) moved(details.frameId, isOver ? details.url : null);
    };
  const moves = [nav.onCommitted, nav.onReferenceFragmentUpdated, nav.onHistoryStateUpdated];
  const stops = [
    listen(nav.onBeforeNavigate, take(false)),
    listen(nav.onErrorOccurred, take(true)),
    ...moves.map((move) => listen(move, take(true))),
  ];
  return () => stops.forEach((stop) => stop());
}

function attachRequests(): (() => void)[] {
  const requests = browser.webRequest;
  const ended = (details: FailedLoad): void => {
    const { tabId, requestId: id } = details;
    const hasFailed = 'error' in details;
    const isError = hasFailed || details.statusCode >= 400;
    emit({
      type: 'request_ended',
      tabId,
      id,
      hasFailed,
      ...(isError ? { failed: hasFailed ? { ...details, error: netErrorOf(details) } : details } : {}),
    });
  };
  return [
    listen(requests.onBeforeRequest, beforeRequest, everyUrl),
    listen(requests.onBeforeRedirect, beforeRedirect, everyUrl),
    listen(requests.onResponseStarted, responseStarted, everyUrl, [
      'responseHeaders',
    ] as WebRequest.OnResponseStartedOptions[]),
    listen(requests.onCompleted, ended, everyUrl),
    listen(requests.onErrorOccurred, ended, everyUrl),
    listen(
      requests.onAuthRequired,
      ({ tabId, requestId: id }: WebRequest.OnAuthRequiredDetailsType) =>
        emit({ type: 'sign_in_asked', tabId, id }),
      everyUrl,
      [...BLOCKING],
    ),
  ];
}

const ICON = /\/(?:favicon|apple-touch-icon)[^/]*$|\.ico$/i;

/** The browser requests a site's icon on its own, at any time: nobody waits for it, and no act causes it. */
export const isIcon = (url: string): boolean => URL.canParse(url) && ICON.test(new URL(url).pathname);

function beforeRequest(details: WebRequest.OnBeforeRequestDetailsType): void {
  const { tabId, requestId: id, url, type, frameId } = details;
  // A prerendered page has its own frames in the same tab, none of them number 0.
  if (tabId < 0 || isPrerendered(details)) return;
  const main = frameId === 0 && type === 'main_frame';
  if (!main && isIcon(url)) return;
  const frame = type === 'main_frame' || type === 'sub_frame';
  const isData = type === 'xmlhttprequest';
  emit({
    type: 'request',
    tabId,
    id,
    url,
    main,
    frame,
    frameId,
    isData,
    longLived: longLivedTypes.has(type),
  });
}

function beforeRedirect(details: WebRequest.OnBeforeRedirectDetailsType): void {
  const { tabId, requestId: id, url, statusCode: status, redirectUrl: to } = details;
  emit({ type: 'redirect', tabId, id, hop: { url, status }, to });
}

function responseStarted(details: WebRequest.OnResponseStartedDetailsType): void {
  const { tabId, requestId: id, statusCode: status, responseHeaders = [], url } = details;
  const header = (wanted: string): string | null =>
    responseHeaders.find(({ name }) => name.toLowerCase() === wanted)?.value ?? null;
  const contentType = header('content-type');
  const longLived = longLivedContent.test(contentType ?? '');
  const length = header('content-length');
  const file = {
    name: fileNameOf(header('content-disposition'), url),
    contentType,
    isAttachment: /^\s*attachment/i.test(header('content-disposition') ?? ''),
    sizeBytes: length === null || !/^\d{1,15}$/.test(length) ? null : Number(length),
  };
  const isMain = details.type === 'main_frame';
  emit({ type: 'response', tabId, id, status, longLived, file: isMain ? file : undefined });
}

function attachTabs(): (() => void)[] {
  return [
    listen(browser.tabs.onRemoved, (tabId: number) => emit({ type: 'tab_removed', tabId })),
    listen(browser.tabs.onReplaced, (by: number, tabId: number) => emit({ type: 'tab_replaced', tabId, by })),
    listen(browser.tabs.onUpdated, (tabId: number, change: { status?: string }) => {
      if (change.status === 'complete') emit({ type: 'tab_complete', tabId });
    }),
  ];
}
