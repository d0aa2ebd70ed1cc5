import browser, { type WebRequest } from 'webextension-polyfill';
import { onAbort } from '../../../shared/base/async.ts';
import type * as chromium from '../chromium/paused-requests.ts';
import { headerMap } from '../crawled-tab.ts';
import { initiatorOf, listen } from './members.ts';
import { unsupportedInFirefox } from './unsupported.ts';

type Decide = (response: WebRequest.BlockingResponse) => void;
type Details = WebRequest.OnBeforeSendHeadersDetailsType | WebRequest.OnAuthRequiredDetailsType;

/** A request whose listener has not answered yet. */
class HeldRequest implements chromium.PausedRequest {
  readonly session = null;
  readonly facts: chromium.PausedRequest['facts'];
  readonly from: string | undefined;

  constructor(
    details: Details,
    private readonly decide: Decide,
  ) {
    const { requestId, url, method, type, requestHeaders = [] } = { requestHeaders: [], ...details };
    const headers = Object.fromEntries(headerMap(requestHeaders));
    const resourceType = /_frame$/.test(type) ? 'Document' : type;
    this.facts = { requestId, request: { url, method, headers }, resourceType };
    this.from = initiatorOf(details);
  }

  block = async (): Promise<void> => this.decide({ cancel: true });

  answer = (): Promise<never> => Promise.reject(noAnswers());

  /** Firefox sends the given headers and no others, so the cookies too. */
  proceed = async (headers?: Readonly<Record<string, string>>): Promise<void> => {
    const { cookie } = this.facts.request.headers;
    const all = headers && { ...(cookie !== undefined && { cookie }), ...headers };
    this.decide(
      all === undefined
        ? {}
        : { requestHeaders: Object.entries(all).map(([name, value]) => ({ name, value })) },
    );
  };

  logIn: chromium.PausedRequest['logIn'] = async (by) =>
    this.decide(by === 'cancel' ? { cancel: true } : by === null ? {} : { authCredentials: { ...by } });
}

const stops = new WeakMap<object, () => void>();

export const pauseAll: typeof chromium.pauseAll = async (lease, paused, { onRequest, onLogin }) => {
  const { onBeforeSendHeaders, onAuthRequired } = browser.webRequest;
  const filter: WebRequest.RequestFilter = { tabId: lease.tabId, urls: ['<all_urls>'] };
  const asked = (details: WebRequest.OnBeforeSendHeadersDetailsType) =>
    new Promise<WebRequest.BlockingResponse>((decide) => onRequest(new HeldRequest(details, decide)));
  const asksWho = (details: WebRequest.OnAuthRequiredDetailsType) =>
    new Promise<WebRequest.BlockingResponse>((decide) => {
      const by = { origin: new URL(details.url).origin, isProxy: details.isProxy };
      onLogin?.(new HeldRequest(details, decide), by);
    });
  const ends = [
    listen(onBeforeSendHeaders, asked, filter, ['blocking', 'requestHeaders']),
    listen(onAuthRequired, asksWho, filter, ['blocking']),
  ];
  const stop = (): void => {
    for (const end of ends.splice(0)) end();
  };
  stops.set(paused, stop);
  onAbort(lease.signal, stop);
};

export const resumeAll: typeof chromium.resumeAll = async (_lease, paused) => stops.get(paused)?.();

const noAnswers = () =>
  unsupportedInFirefox(
    'An answer in place of the site’s',
    'Block or delay the request, or pass browser with the id of a Chromium.',
  );

export const expectAnswers: typeof chromium.expectAnswers = () => {
  throw noAnswers();
};
