import type { Handlers, StreamHandler, WorkerServices } from '../../background/handler.ts';
import { fetchAddress, fetchedResult } from './fetch-page.ts';

const crawlPage: StreamHandler<'crawl.page'> = async (params, { signal }, sink) => {
  const { url, format, extract, timeout_ms: timeoutMs, max_bytes: maxBytes } = params;
  const outcome = await fetchAddress(
    { url, timeoutMs, maxBytes, holdsShell: false, what: { kind: 'page', format, extract } },
    { signal, write: (text) => sink.write(text), onShell: () => Promise.resolve(true) },
  );
  return fetchedResult(outcome);
};

const crawlResource: StreamHandler<'crawl.resource'> = async (params, { signal }, sink) => {
  const { url, timeout_ms: timeoutMs, max_bytes: maxBytes } = params;
  const { page, error } = await fetchAddress(
    { url, timeoutMs, maxBytes, holdsShell: false, what: { kind: 'resource' } },
    { signal, write: (text) => sink.write(text), onShell: () => Promise.resolve(true) },
  );
  return { final_url: page.finalUrl, status: page.status, content_type: page.contentType, error };
};

/** The methods of `crawl`. */
export function createCrawlHandlers(
  _services: WorkerServices,
): Pick<Handlers, 'crawl.page' | 'crawl.resource' | 'crawl.release'> {
  return {
    'crawl.page': crawlPage,
    'crawl.resource': crawlResource,
    'crawl.release': () => Promise.resolve({}),
  };
}
