import browser from 'webextension-polyfill';
import { SpillwayError } from '../../../shared/errors.ts';
import type { MethodParams, MethodResult } from '../../../shared/bridge/methods.ts';
import type { Handler, HandlerContext, Handlers, HandlerServices } from '../../background/handler.ts';
import { toldTab } from '../../background/policy/documents.ts';
import type { PersonTabs } from '../../background/takeover/person-tabs.ts';
import { checkUrl } from '../../background/tabs/url.ts';
import { createTab, loaded, onTab, tabInfo } from '../../background/tabs/tab-info.ts';
import { lastFocusedWindow } from '../../background/chromium/tab-groups.ts';
import { UnsavedFiles } from '../../background/navigation/stop-loading.ts';

/** A blank page loads within milliseconds; a busier browser fails. */
const BLANK_MS = 5_000;

/** `tabs.list`: every tab of every window of this profile. */
const list =
  (personTabs: PersonTabs): Handler<'tabs.list'> =>
  async (_params, { policy }) => {
    const tabs = (await browser.tabs.query({})).filter(({ id }) => id !== undefined && id >= 0);
    return { tabs: await Promise.all(tabs.map((tab) => toldTab(tabInfo(tab), { policy, personTabs }))) };
  };

/** `tabs.get` */
const get =
  (personTabs: PersonTabs): Handler<'tabs.get'> =>
  async ({ tab_id }, { policy }) => ({
    tab: await toldTab(tabInfo(await onTab(tab_id, () => browser.tabs.get(tab_id))), { policy, personTabs }),
  });

/** `tabs.active`: the front tab of the last focused normal window. */
const active =
  (personTabs: PersonTabs): Handler<'tabs.active'> =>
  async (_params, { policy }) => {
    const windowId = await lastFocusedWindow();
    const [tab] = windowId === null ? [] : await browser.tabs.query({ active: true, windowId });
    if (tab === undefined) throw new SpillwayError('tab_not_found', 'No browser window with a tab is open.');
    return { tab: await toldTab(tabInfo(tab), { policy, personTabs }) };
  };

/** `tabs.open`: at the end of the last focused window, in the background unless `active`. */
const open = async (
  { groups, server }: Pick<HandlerServices, 'groups' | 'server'>,
  params: MethodParams<'tabs.open'>,
  { signal, policy }: HandlerContext,
): Promise<MethodResult<'tabs.open'>> => {
  const { url, active: front, caller } = params;
  const address = url === undefined ? 'about:blank' : await checkUrl(url);
  await policy.expect({ url: address, tabId: null, documentId: null }, ['navigate']);
  const unsaved = url === undefined ? null : new UnsavedFiles();
  unsaved?.endWithLoad();
  const created = tabInfo(await createTab(address, front));
  const { id } = created;
  unsaved?.add(id);
  if (caller !== undefined) await groups.add(id, { caller, server: server.instance });
  if (url !== undefined) return { tab: created };
  // A page requested while the blank one still loads would be mistaken for it, and ended.
  await loaded(id, BLANK_MS, signal);
  return { tab: tabInfo(await onTab(id, () => browser.tabs.get(id))) };
};

/** `tabs.close` */
const close: Handler<'tabs.close'> = async ({ tab_id }) => {
  await onTab(tab_id, () => browser.tabs.remove(tab_id));
  return {};
};

/** `tabs.activate`: brings the tab and its window to the front. */
const activate =
  (personTabs: PersonTabs): Handler<'tabs.activate'> =>
  async ({ tab_id }, { policy }) => {
    const tab = await onTab(tab_id, () => browser.tabs.update(tab_id, { active: true }));
    if (tab.windowId !== undefined) await browser.windows.update(tab.windowId, { focused: true });
    const shown = tabInfo(await onTab(tab_id, () => browser.tabs.get(tab_id)));
    return { tab: await toldTab(shown, { policy, personTabs }) };
  };

/** The methods of `tabs`. */
export const createHandlers = ({
  groups,
  personTabs,
  server,
}: HandlerServices): Pick<
  Handlers,
  'tabs.list' | 'tabs.get' | 'tabs.active' | 'tabs.open' | 'tabs.close' | 'tabs.activate'
> => ({
  'tabs.list': list(personTabs),
  'tabs.get': get(personTabs),
  'tabs.active': active(personTabs),
  'tabs.open': (params, context) => open({ groups, server }, params, context),
  'tabs.close': close,
  'tabs.activate': activate(personTabs),
});
