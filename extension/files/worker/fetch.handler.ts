import type { MethodResult } from '../../../shared/core/bridge/methods.ts';
import { cutUrl } from '../../../shared/base/cut.ts';
import { LIMITS } from '../../../shared/base/limits.ts';
import { SpillwayError, isErrorCode } from '../../../shared/base/errors.ts';
import type { FileHead } from '../../../shared/files/fetch.methods.ts';
import { assertFetchable, fetchAddress, type FetchOutcome } from './fetch-address.ts';
import type { Hop } from './network-trace.ts';
import type { Handlers, StreamHandler } from '../../core/handler.ts';

export const createHandlers = (): Pick<Handlers, 'fetch.file'> => ({ 'fetch.file': fetchFile });

/**
 * Follows redirects itself: the rules are asked about each address before it is requested.
 * @throws SpillwayError `url_not_allowed`, of the rules, and the codes of a missing or interrupted response
 */
const fetchFile: StreamHandler<'fetch.file'> = async (params, { signal, policy }, sink) => {
  const { max_bytes: maxBytes, timeout_ms: timeoutMs, what, stays = false } = params;
  const endsAt = performance.now() + timeoutMs;
  const redirects: Hop[] = [];
  let { url } = params;
  for (;;) {
    assertFetchable(url);
    const fromElsewhere = hostOf(url) !== hostOf(params.url);
    const place = { url, tabId: null, documentId: null, fromElsewhere };
    if (stays && (fromElsewhere || !(await policy.allows(place, ['read']))))
      throw new SpillwayError(
        'url_not_allowed',
        `url: ${cutUrl(url, 300)} is not read for a page of ${hostOf(params.url)}.`,
      );
    const isDownload = what !== 'page' && (await policy.guardsFiles(place));
    await policy.expect(place, isDownload ? ['read', 'download'] : ['read']);
    const leftMs = Math.max(1, Math.round(endsAt - performance.now()));
    const outcome = await fetchAddress(
      { url, timeoutMs: leftMs, maxBytes, holdsShell: false, what: { kind: 'file' } },
      {
        signal,
        write: (text) => sink.write(text),
        onShell: () => Promise.resolve(true),
        onHead: async ({ finalUrl, status, headers }) => {
          const head: FileHead = { final_url: finalUrl, status, redirects, headers };
          await sink.write(`${JSON.stringify(head)}\n`.toWellFormed());
        },
      },
    );
    if (outcome.movesTo === null) return resultOf(outcome);
    redirects.push(...outcome.redirects);
    if (redirects.length > LIMITS.redirects)
      throw new SpillwayError(
        'redirect_loop',
        `${cutUrl(params.url, 300)} failed with net::ERR_TOO_MANY_REDIRECTS.`,
      );
    url = outcome.movesTo;
  }
};

const hostOf = (url: string): string => new URL(url).hostname;

function resultOf({ page, error }: FetchOutcome): MethodResult<'fetch.file'> {
  const isCut = error?.code === 'response_too_large';
  if (error !== null && !isCut)
    throw new SpillwayError(isErrorCode(error.code) ? error.code : 'navigation_failed', error.message);
  return { final_url: page.finalUrl, size_bytes: page.sizeBytes, is_cut: isCut };
}
