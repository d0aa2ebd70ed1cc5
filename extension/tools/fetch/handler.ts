import type { MethodResult, StreamMethodParams } from '../../../shared/bridge/methods.ts';
import { SpillwayError, isErrorCode } from '../../../shared/errors.ts';
import type { FileHead } from '../../../shared/tools/fetch/methods.ts';
import { assertFetchable, fetchAddress } from '../../background/fetching/fetch-address.ts';
import type { Handlers, StreamSink } from '../../background/handler.ts';

/** The methods of `fetch`. */
export const createHandlers = (): Pick<Handlers, 'fetch.file'> => ({
  'fetch.file': (params, { signal }, sink) => fetchFile(params, signal, sink),
});

/** @throws SpillwayError `url_not_allowed`, and the codes of a response that did not come or broke off */
async function fetchFile(
  { url, timeout_ms: timeoutMs, max_bytes: maxBytes }: StreamMethodParams<'fetch.file'>,
  signal: AbortSignal,
  sink: StreamSink,
): Promise<MethodResult<'fetch.file'>> {
  const { page, error } = await fetchAddress(
    { url, timeoutMs, maxBytes, holdsShell: false, what: { kind: 'file' } },
    {
      signal,
      write: (text) => sink.write(text),
      onShell: () => Promise.resolve(true),
      onHead: async ({ finalUrl, status, headers }, redirects) => {
        // The same rule for every hop as for the first address, before a byte of the file is handed out.
        for (const hop of redirects) assertFetchable(hop.url);
        assertFetchable(finalUrl);
        const head: FileHead = { final_url: finalUrl, status, redirects: [...redirects], headers };
        await sink.write(`${JSON.stringify(head)}\n`.toWellFormed());
      },
    },
  );
  const isCut = error?.code === 'response_too_large';
  if (error !== null && !isCut)
    throw new SpillwayError(isErrorCode(error.code) ? error.code : 'navigation_failed', error.message);
  return { final_url: page.finalUrl, size_bytes: page.sizeBytes, is_cut: isCut };
}
