import type { TabInfo } from '../../../shared/bridge/tab.ts';
import { siteOf } from '../../../shared/policy/sites.ts';
import type { CallPolicy } from './call-policy.ts';

/** A tab as a call may know it: of a page that it may not read, where that is and nothing else. */
export async function toldTab(tab: TabInfo, policy: CallPolicy): Promise<TabInfo> {
  const { url, id: tabId } = tab;
  if (await policy.allows({ url, tabId, documentId: null }, ['read'])) return tab;
  return { ...tab, url: `${siteOf(url)?.origin ?? 'about:blank'}/`, title: '' };
}
