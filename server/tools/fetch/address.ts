import { SpillwayError } from '../../../shared/errors.ts';
import { cut } from '../../../shared/cut.ts';
import type { CallContext } from '../../core/context.ts';
import type { Bridge, BrowserId } from '../../core/services.ts';
import { findTab, onTab, resolveBrowser, type TabChoice } from '../../core/targets.ts';
import { checkUrl, parseUrl } from '../../toolkit/urls.ts';

const RELATIVE = /^(?:\/|\.{1,2}\/|\?)/;

/**
 * The address that a call means, and the browser whose session fetches it: that of the tab, where there is
 * one. A relative address begins at the page of the tab.
 *
 * @throws SpillwayError `invalid_argument`, `url_not_allowed`, `no_current_tab`, and what finding a tab throws
 */
export async function findFile(
  bridge: Bridge,
  { url, ...choice }: TabChoice & { readonly url: string },
  context: CallContext,
): Promise<{ readonly browser: BrowserId; readonly url: string }> {
  if (!RELATIVE.test(url.trim())) assertHttp(checkUrl(url));
  const target = await findTab(bridge, choice, context);
  if (!RELATIVE.test(url.trim())) {
    const browser = target?.browser ?? (await resolveBrowser(bridge, choice.browser, context.signal));
    return { browser, url: checkUrl(url) };
  }
  if (target === null)
    throw new SpillwayError(
      'no_current_tab',
      'url: it is relative, and there is no current tab to begin at.',
      {
        hint: 'Pass the whole url, or tab.',
      },
    );
  const { tab } = await onTab(target, context, () =>
    bridge.request(
      target.browser,
      'tabs.get',
      { tab_id: target.tabId },
      { call: context.call, signal: context.signal },
    ),
  );
  const resolved = parseUrl(url.trim(), tab.url);
  if (resolved === null)
    throw new SpillwayError(
      'invalid_argument',
      `url: "${cut(url, 100)}" is not relative to the page of the tab.`,
    );
  assertHttp(resolved.href);
  return { browser: target.browser, url: resolved.href };
}

function assertHttp(url: string): void {
  const parsed = parseUrl(url);
  const hint = 'Use an http: or https: url.';
  if (parsed === null || !/^https?:$/.test(parsed.protocol))
    throw new SpillwayError('url_not_allowed', `url: ${parsed?.protocol ?? url} URLs are not fetched.`, {
      hint,
    });
  if (parsed.username !== '' || parsed.password !== '')
    throw new SpillwayError('url_not_allowed', 'url: a URL with a user name or password is not fetched.', {
      hint,
    });
}
