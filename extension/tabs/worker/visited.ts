import browser from 'webextension-polyfill';
import { SpillwayError } from '../../../shared/base/errors.ts';
import { TAB_SHOWN } from '../../../shared/core/bridge/page.ts';
import { cut, cutUrl } from '../../../shared/base/cut.ts';
import { HISTORY_PERMISSIONS } from '../../../shared/core/policy/names.ts';
import type { VisitedPage } from '../../../shared/tabs/tabs.methods.ts';
import type { CallPolicy } from '../../core/policy/call-policy.ts';

const PAGES_MAX = 50;
/** Those of guarded sites are left out afterwards. */
const FOUND_MAX = 500;
const NOWHERE = { url: '', tabId: null, documentId: null };

/**
 * The pages of the person's history and bookmarks with these words in title or address, the latest first; none of sites
 * that are guarded, and none of private networks. The card asks the browser for its permission, too.
 * @throws SpillwayError `policy_denied` without that, and those of `CallPolicy.expect`
 */
export async function findVisited(text: string, policy: CallPolicy): Promise<VisitedPage[]> {
  const may = (): Promise<boolean> => browser.permissions.contains({ permissions: [...HISTORY_PERMISSIONS] });
  // Without it, only a press on a card helps.
  await policy.expect(NOWHERE, ['read_history'], { isAlone: !(await may()) });
  if (!(await may()))
    throw new SpillwayError(
      'policy_denied',
      'The browser lets Spillway read neither history nor bookmarks.',
      {
        hint: 'The person can allow it on the card of a call, if the browser may ask them.',
      },
    );
  const [visited, marked] = await Promise.all([
    browser.history.search({ text, startTime: 0, maxResults: FOUND_MAX }),
    browser.bookmarks.search(text),
  ]);
  const pages = new Map<string, VisitedPage>();
  for (const { url = '', title = '', lastVisitTime } of visited)
    pages.set(url, {
      url,
      title,
      ...(lastVisitTime && { visited_at: new Date(lastVisitTime).toISOString() }),
    });
  for (const { url = '', title } of marked.slice(0, FOUND_MAX))
    pages.set(url, { title, ...pages.get(url), url, bookmark: true });
  const shown: VisitedPage[] = [];
  for (const { url, title, ...page } of pages.values()) {
    if (shown.length === PAGES_MAX) break;
    const place = { ...NOWHERE, url, fromElsewhere: true };
    if (/^https?:/.test(url) && (await policy.allows(place, ['read'])))
      shown.push({
        url: cutUrl(url, TAB_SHOWN.url).toWellFormed(),
        title: cut(title, TAB_SHOWN.title).toWellFormed(),
        ...page,
      });
  }
  return shown;
}
