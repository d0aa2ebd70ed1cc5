import { fileNameOf } from '../../../shared/file-name.ts';
import browser, { type WebNavigation, type WebRequest } from 'webextension-polyfill';
import { isPrerendered, listen, navigationError } from '../chromium/members.ts';
import type { NavigationEvent, NavigationListener, NavigationSource } from './events.ts';

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
  const ofMain =
    <D extends { frameId: number; tabId: number }>(type: (details: D) => NavigationEvent) =>
    (details: D): void => {
      if (details.frameId === 0) emit(type(details));
    };
  const sameDocument = ofMain((details: Transition) => {
    void emitIfComplete(details.tabId);
    return {
      type: 'same_document',
      tabId: details.tabId,
      url: details.url,
      isHistoryStep: isHistory(details),
    };
  });
  return [
    listen(
      nav.onBeforeNavigate,
      ofMain(({ tabId, url }) => ({ type: 'started', tabId, url })),
    ),
    listen(
      nav.onCommitted,
      ofMain((details: Transition) => {
        // A page that comes back from the back/forward cache does not load again.
        if (isHistory(details)) void emitIfComplete(details.tabId);
        return {
          type: 'committed',
          tabId: details.tabId,
          url: details.url,
          isHistoryStep: isHistory(details),
        };
      }),
    ),
    listen(nav.onReferenceFragmentUpdated, sameDocument),
    listen(nav.onHistoryStateUpdated, sameDocument),
    listen(
      nav.onDOMContentLoaded,
      ofMain(({ tabId }) => ({ type: 'dom_content_loaded', tabId })),
    ),
    listen(
      nav.onCompleted,
      ofMain(({ tabId }) => ({ type: 'loaded', tabId })),
    ),
    listen(
      nav.onErrorOccurred,
      ofMain((details: WebNavigation.OnErrorOccurredDetailsType) => ({
        type: 'failed',
        tabId: details.tabId,
        url: details.url,
        error: navigationError(details),
      })),
    ),
  ];
}

const isHistory = (details: Transition): boolean =>
  (details.transitionQualifiers ?? []).includes('forward_back');

async function emitIfComplete(tabId: number): Promise<void> {
  const tab = await browser.tabs.get(tabId).catch(() => null);
  if (tab?.status === 'complete') emit({ type: 'tab_complete', tabId });
}

function attachRequests(): (() => void)[] {
  const {
    onBeforeRequest,
    onBeforeRedirect,
    onResponseStarted,
    onCompleted,
    onErrorOccurred,
    onAuthRequired,
  } = browser.webRequest;
  type Ended = (details: { tabId: number; requestId: string }) => void;
  const ended =
    (hasFailed: boolean): Ended =>
    ({ tabId, requestId: id }) =>
      emit({ type: 'request_ended', tabId, id, hasFailed });
  return [
    listen(onBeforeRequest, beforeRequest, everyUrl),
    listen(
      onBeforeRedirect,
      ({
        tabId,
        requestId: id,
        url,
        statusCode: status,
        redirectUrl: to,
      }: WebRequest.OnBeforeRedirectDetailsType) =>
        emit({ type: 'redirect', tabId, id, hop: { url, status }, to }),
      everyUrl,
    ),
    listen(onResponseStarted, responseStarted, everyUrl, [
      'responseHeaders',
    ] as WebRequest.OnResponseStartedOptions[]),
    listen(onCompleted, ended(false), everyUrl),
    listen(onErrorOccurred, ended(true), everyUrl),
    listen(
      onAuthRequired,
      ({ tabId, requestId: id }: WebRequest.OnAuthRequiredDetailsType) =>
        emit({ type: 'sign_in_asked', tabId, id }),
      everyUrl,
    ),
  ];
}

function beforeRequest(details: WebRequest.OnBeforeRequestDetailsType): void {
  const { tabId, requestId: id, url, type, frameId } = details;
  // A prerendered page has its own frames in the same tab, none of them number 0.
  if (tabId < 0 || isPrerendered(details)) return;
  const main = frameId === 0 && type === 'main_frame';
  const frame = type === 'main_frame' || type === 'sub_frame';
  const isData = type === 'xmlhttprequest';
  emit({ type: 'request', tabId, id, url, main, frame, isData, longLived: longLivedTypes.has(type) });
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
  emit({
    type: 'response',
    tabId,
    id,
    status,
    longLived,
    ...(details.type === 'main_frame' ? { file } : {}),
  });
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
