import { SpillwayError } from '../../shared/errors.ts';
import type { CallScope } from '../../shared/policy/call-facts.ts';
import { CRAWL_BEGIN_URLS } from '../../shared/tools/crawl/methods.ts';
import type { Bridge, BrowserId } from '../core/services.ts';
import { AddressGuard } from './redirects.ts';
import { parseUrl } from './urls.ts';

/**
 * Asks the rules of a browser whether a crawl may begin at these addresses, one of each site.
 *
 * @throws SpillwayError `approval_required` where a person is asked, `policy_denied`, `ledger_unavailable`
 */
export async function expectToCrawl(
  bridge: Bridge,
  browser: BrowserId,
  starts: readonly string[],
  by: { readonly call: CallScope; readonly signal: AbortSignal },
): Promise<void> {
  const { allowsPrivate } = new AddressGuard(starts);
  const ofSites = new Map(starts.toReversed().map((url) => [parseUrl(url)?.origin ?? url, url]));
  const urls = [...ofSites.values()].toReversed();
  for (let from = 0; from < urls.length; from += CRAWL_BEGIN_URLS) {
    const some = urls.slice(from, from + CRAWL_BEGIN_URLS);
    try {
      await bridge.request(browser, 'crawl.begin', { urls: some, allow_private: allowsPrivate }, by);
    } catch (thrown) {
      // An extension of the version before judges the first page instead.
      if (thrown instanceof SpillwayError && thrown.code === 'api_not_found') return;
      throw thrown;
    }
  }
}
