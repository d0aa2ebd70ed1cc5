import type { MethodResult } from '../../../shared/core/bridge/methods.ts';
import { assertFetchable, fetchAddress, type FetchOutcome } from '../../files/worker/fetch-address.ts';
import { cutUrl } from '../../../shared/base/cut.ts';
import { LIMITS } from '../../../shared/base/limits.ts';
import { isPrivateHost } from '../../../shared/base/private-address.ts';
import type { Handlers, HandlerServices, StreamHandler } from '../../core/handler.ts';
import type { PolicyPlace } from '../../core/policy/call-policy.ts';
import { CRAWL_RISKS } from '../../../shared/crawl/crawl.methods.ts';
import { Rendered, type PageCall } from './render/rendered.ts';

type PageResult = MethodResult<'crawl.page'>;

/** The answer of `crawl.page` for a fetched page. */
function fetchedResult({ page, redirects, movesTo, remoteAddress, error }: FetchOutcome): PageResult {
  return {
    moves_to: movesTo,
    remote_address: remoteAddress,
    final_url: page.finalUrl,
    redirects: [...redirects],
    status: page.status,
    content_type: page.contentType,
    title: page.title,
    canonical: page.canonical,
    robots: [...page.robots],
    rendered: false,
    retry_after_ms: page.retryAfterMs,
    timing: { fetch_ms: page.fetchMs, parse_ms: page.parseMs, size_bytes: page.sizeBytes },
    error,
    coverage: [...page.coverage],
    ...(page.article !== undefined && { article: page.article }),
  };
}

/** A page that needs a person's approval is omitted: nobody waits for the answer. */
const PAGE_OF_CRAWL = { asks: false, isRecorded: false } as const;

const describeCrawlPlace = (url: string, allowPrivate: boolean): PolicyPlace => ({
  url,
  tabId: null,
  documentId: null,
  fromElsewhere: !allowPrivate,
});

/** Renders a page in a tab, and returns whether anything was written. */
async function render(rendered: Rendered, call: PageCall) {
  let hasWritten = false;
  const write = (text: string): Promise<void> => {
    hasWritten ||= text !== '';
    return call.write(text);
  };
  const result = await rendered.page({ ...call, write });
  return { result, hasWritten };
}

/**
 * Fetches; a page that is empty without its scripts is rendered if `rendered` is given. If rendering fails, the fetched
 * page is answered, with the failure.
 */
async function fetchPage(call: PageCall, rendered: Rendered | null): Promise<PageResult> {
  const { url, format, main_content_only: mainContentOnly, extract } = call.params;
  const { timeout_ms: timeoutMs, max_bytes: maxBytes } = call.params;
  const what = { kind: 'page', format, mainContentOnly, extract } as const;
  const after: { render: Awaited<ReturnType<typeof render>> | null } = { render: null };
  const outcome = await fetchAddress(
    { url, timeoutMs, maxBytes, holdsShell: rendered !== null, what },
    {
      signal: call.signal,
      write: call.write,
      onShell: async () => {
        if (rendered === null) return true;
        after.render = await render(rendered, call);
        return after.render.result.error !== null && !after.render.hasWritten;
      },
    },
  );
  const fetched = fetchedResult(outcome);
  if (after.render === null) return fetched;
  const { result, hasWritten } = after.render;
  return result.error === null || hasWritten ? result : { ...fetched, error: result.error };
}

/** Redirects of a resource are followed to any site, but not to this machine or its network. */
const fetchResource: StreamHandler<'crawl.resource'> = async (params, { signal, policy }, sink) => {
  const { timeout_ms: timeoutMs, max_bytes: maxBytes, allow_private: allowPrivate } = params;
  let { url } = params;
  for (let hop = 0; ; hop += 1) {
    await policy.expect(describeCrawlPlace(url, allowPrivate), CRAWL_RISKS, PAGE_OF_CRAWL);
    const { page, movesTo, error } = await fetchAddress(
      { url, timeoutMs, maxBytes, holdsShell: false, what: { kind: 'resource' } },
      { signal, write: (text) => sink.write(text), onShell: () => Promise.resolve(true) },
    );
    const facts = { final_url: page.finalUrl, status: page.status, content_type: page.contentType };
    if (movesTo === null) return { ...facts, error };
    if (hop === LIMITS.redirects) {
      const message = `${cutUrl(params.url, 300)} failed with net::ERR_TOO_MANY_REDIRECTS.`;
      return { ...facts, error: { code: 'redirect_loop', message } };
    }
    if (!allowPrivate && isPrivateHost(new URL(movesTo).hostname)) {
      const message = `${cutUrl(url, 300)} leads to ${cutUrl(movesTo, 300)}, which is an address of this machine or its network.`;
      return { ...facts, error: { code: 'redirect_refused', message } };
    }
    url = movesTo;
  }
};

/** The methods of `crawl`, for one server: its tabs are closed when its channel closes. */
export function createHandlers(
  services: HandlerServices,
): Pick<Handlers, 'crawl.begin' | 'crawl.page' | 'crawl.resource' | 'crawl.release'> {
  const rendered = new Rendered(services, services.closed);
  return {
    'crawl.begin': async ({ urls, allow_private: allowPrivate }, { policy }) => {
      for (const url of urls) await policy.expect(describeCrawlPlace(url, allowPrivate), CRAWL_RISKS);
      return {};
    },
    'crawl.page': async (params, { signal, policy }, sink) => {
      assertFetchable(params.url);
      await policy.expect(describeCrawlPlace(params.url, params.allow_private), CRAWL_RISKS, PAGE_OF_CRAWL);
      const call = { params, signal, policy, write: (text: string) => sink.write(text) };
      if (params.render === 'always') return (await render(rendered, call)).result;
      return fetchPage(call, params.render === 'auto' ? rendered : null);
    },
    'crawl.resource': fetchResource,
    'crawl.release': async ({ crawl }) => {
      await rendered.release(crawl);
      return {};
    },
  };
}
