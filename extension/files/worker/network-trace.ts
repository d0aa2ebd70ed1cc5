import browser, { type WebRequest } from 'webextension-polyfill';
import { waitAtMost } from '../../../shared/base/async.ts';
import { initiatorOf, listen, netErrorOf } from '../../platform/chromium/members.ts';
import { onRedirect, type Redirect } from '../../platform/chromium/redirects.ts';
import { withoutFragment } from '../../../shared/base/cut.ts';
import { jobOfUrl } from '../../core/offscreen/protocol.ts';
import type { ErrorCode } from '../../../shared/base/errors.ts';

/** An address that redirected. */
export interface Hop {
  readonly url: string;
  readonly status: number;
}

export interface Trace {
  readonly hops: Hop[];
  /** The last hop's target, without fragment. */
  to: string | null;
  /** The `net::ERR_…` that ended the request. */
  error: string | null;
  /** IP address that answered or redirected. */
  remoteAddress: string | null;
  changed: () => void;
}

/** Of this extension's pages, as requests name it. */
const OWN_ORIGIN = browser.runtime.getURL('').slice(0, -1);

/** Longest delay of the browser's explanation after the end of a request: both cross processes. */
const EXPLANATION_MS = 1_000;

/** Listening starts and stops in another process, so it continues through a pause between two pages. */
const LULL_MS = 5_000;

const FILTER: WebRequest.RequestFilter = { urls: ['<all_urls>'], types: ['xmlhttprequest'] };

/**
 * Redirects and failures of the offscreen document's own requests. `fetch` itself only says "Failed to fetch". A
 * request names its job in the fragment of its first address; from then on its id identifies it. Listens only while
 * there are jobs, and only to rare events.
 */
export class NetworkTrace {
  readonly #traces = new Map<number, Trace>();
  readonly #jobs = new Map<string, number>();
  #listening: (() => void)[] = [];
  #lull: ReturnType<typeof setTimeout> | undefined;

  begin(job: number): void {
    clearTimeout(this.#lull);
    if (this.#listening.length === 0) this.#listening = this.#listen();
    this.#traces.set(job, { hops: [], to: null, error: null, remoteAddress: null, changed: () => undefined });
  }

  end(job: number): void {
    if (!this.#traces.delete(job)) return;
    for (const [request, owner] of this.#jobs) if (owner === job) this.#jobs.delete(request);
    if (this.#traces.size > 0) return;
    this.#jobs.clear();
    this.#lull = setTimeout(() => {
      for (const stop of this.#listening.splice(0)) stop();
    }, LULL_MS);
  }

  /** The trace of a job as it is known now. */
  of(job: number): Trace | undefined {
    return this.#traces.get(job);
  }

  /** The same, once it is explained or the time for that is over. */
  async until(job: number, isExplained: (trace: Trace) => boolean): Promise<Trace | undefined> {
    const trace = this.#traces.get(job);
    if (trace === undefined || isExplained(trace)) return trace;
    const explained = new Promise<void>((resolve) => {
      trace.changed = () => {
        if (isExplained(trace)) resolve();
      };
    });
    await waitAtMost(explained, EXPLANATION_MS);
    trace.changed = () => undefined;
    return this.#traces.get(job);
  }

  #traceOf(details: Details): Trace | undefined {
    if (initiatorOf(details)?.startsWith(OWN_ORIGIN) !== true) return undefined;
    const { requestId, url } = details;
    const job = this.#jobs.get(requestId) ?? jobOfUrl(url);
    if (job === null) return undefined;
    this.#jobs.set(requestId, job);
    return this.#traces.get(job);
  }

  #listen(): (() => void)[] {
    const { onErrorOccurred, onResponseStarted } = browser.webRequest;
    const noting =
      <D extends Details>(note: (trace: Trace, details: D) => void) =>
      (details: D): void => {
        const trace = this.#traceOf(details);
        if (trace === undefined) return;
        note(trace, details);
        trace.changed();
      };
    const redirected = noting((trace, { url, statusCode: status, redirectUrl, ip }: Redirect) => {
      trace.hops.push({ url: withoutFragment(url), status });
      trace.to = withoutFragment(redirectUrl);
      trace.remoteAddress = ip ?? null;
    });
    const answered = noting((trace, { ip }: WebRequest.OnResponseStartedDetailsType) => {
      trace.remoteAddress = ip ?? null;
    });
    const failed = noting((trace, details: WebRequest.OnErrorOccurredDetailsType) => {
      trace.error = netErrorOf(details);
    });
    return [
      onRedirect(redirected, FILTER),
      listen(onErrorOccurred, failed, FILTER),
      listen(onResponseStarted, answered, FILTER),
    ];
  }
}

interface Details {
  readonly requestId: string;
  readonly url: string;
}

/** All others are `navigation_failed`. */
const MEANINGS: readonly (readonly [RegExp, ErrorCode])[] = [
  [/^net::ERR_(?:NAME_NOT_RESOLVED|NAME_RESOLUTION_FAILED|DNS_|ICANN_NAME_COLLISION)/, 'dns_failed'],
  [/^net::ERR_(?:CERT_|SSL_|BAD_SSL_|TLS_|ECH_)/, 'tls_failed'],
  [/^net::ERR_TOO_MANY_REDIRECTS/, 'redirect_loop'],
  [/^net::ERR_RESPONSE_HEADERS_TOO_BIG/, 'headers_too_large'],
  [/^net::ERR_TIMED_OUT/, 'response_timeout'],
  [
    /^net::ERR_(?:CONNECTION_(?:REFUSED|FAILED|TIMED_OUT)|ADDRESS_|INTERNET_DISCONNECTED|PROXY_CONNECTION_FAILED|TUNNEL_CONNECTION_FAILED|HOST_RESOLVER|NETWORK_ACCESS_DENIED)/,
    'host_unreachable',
  ],
];

/** The code of a `net::ERR_…`. */
export function codeOfNetError(error: string): ErrorCode {
  return MEANINGS.find(([pattern]) => pattern.test(error))?.[1] ?? 'navigation_failed';
}

/** The `net::ERR_…` that a message names, or null. */
export const netErrorIn = (message: string): string | null => /net::ERR_\w+/.exec(message)?.[0] ?? null;
