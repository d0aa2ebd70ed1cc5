import type { TabInfo } from '../../../shared/bridge/tab.ts';
import { siteOf } from '../../../shared/policy/sites.ts';
import type { PersonTabs } from '../takeover/person-tabs.ts';
import type { CallPolicy } from './call-policy.ts';

interface Told {
  readonly policy: CallPolicy;
  readonly personTabs: PersonTabs;
}

/** A tab as a call may know it: of a page that it may not read, or that a person has, where that is and nothing else. */
export async function toldTab(tab: TabInfo, { policy, personTabs }: Told): Promise<TabInfo> {
  const { url, id: tabId } = tab;
  await personTabs.loaded;
  const isRead = !personTabs.has(tabId) && (await policy.allows({ url, tabId, documentId: null }, ['read']));
  if (isRead) return tab;
  return { ...tab, url: `${siteOf(url)?.origin ?? 'about:blank'}/`, title: '' };
}
