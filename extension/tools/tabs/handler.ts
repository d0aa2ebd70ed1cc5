import browser from 'webextension-polyfill';
import { SpillwayError } from '../../../shared/errors.ts';
import type { MethodParams, MethodResult } from '../../../shared/bridge/methods.ts';
import type { TabGroups } from '../../background/chromium/tab-groups.ts';
import type { Handler, Handlers, WorkerServices } from '../../background/handler.ts';
import { checkUrl } from '../../background/tabs/url.ts';
import { lastFocusedWindow } from '../../background/chromium/windows.ts';
import { createTab } from '../../background/tabs/create-tab.ts';
import { loaded } from '../../background/tabs/loaded.ts';
import { onTab, tabInfo } from '../../background/tabs/tab-info.ts';

/** A blank page is there within milliseconds; a browser that is busier than this says so. */
const BLANK_MS = 5_000;

/** `tabs.list`: every tab of every window of this profile. */
const list: Handler<'tabs.list'> = async () => ({
  tabs: (await browser.tabs.query({})).filter(({ id }) => id !== undefined && id >= 0).map(tabInfo),
});

/** `tabs.get` */
const get: Handler<'tabs.get'> = async ({ tab_id }) => ({
  tab: tabInfo(await onTab(tab_id, () => browser.tabs.get(tab_id))),
});

/** `tabs.active`: the front tab of the normal window that had the focus last. */
const active: Handler<'tabs.active'> = async () => {
  const windowId = await lastFocusedWindow();
  const [tab] = windowId === null ? [] : await browser.tabs.query({ active: true, windowId });
  if (tab === undefined) throw new SpillwayError('tab_not_found', 'No browser window with a tab is open.');
  return { tab: tabInfo(tab) };
};

/** `tabs.open`: at the end of the last focused window, in the background unless `active`. */
const open = async (
  groups: TabGroups,
  params: MethodParams<'tabs.open'>,
  signal: AbortSignal,
): Promise<MethodResult<'tabs.open'>> => {
  const { url, active: front, caller } = params;
  const created = tabInfo(await createTab(url === undefined ? 'about:blank' : await checkUrl(url), front));
  const { id } = created;
  if (caller !== undefined) await groups.add(id, caller);
  if (url !== undefined) return { tab: created };
  // A page that is asked for while the blank one still loads would be taken for it, and be ended.
  await loaded(id, BLANK_MS, signal);
  return { tab: tabInfo(await onTab(id, () => browser.tabs.get(id))) };
};

/** `tabs.close` */
const close: Handler<'tabs.close'> = async ({ tab_id }) => {
  await onTab(tab_id, () => browser.tabs.remove(tab_id));
  return {};
};

/** `tabs.activate`: brings the tab and its window to the front. */
const activate: Handler<'tabs.activate'> = async ({ tab_id }) => {
  const tab = await onTab(tab_id, () => browser.tabs.update(tab_id, { active: true }));
  if (tab.windowId !== undefined) await browser.windows.update(tab.windowId, { focused: true });
  return { tab: tabInfo(await onTab(tab_id, () => browser.tabs.get(tab_id))) };
};

/** The methods of `tabs`. */
export const createHandlers = ({
  groups,
}: Pick<WorkerServices, 'groups'>): Pick<
  Handlers,
  'tabs.list' | 'tabs.get' | 'tabs.active' | 'tabs.open' | 'tabs.close' | 'tabs.activate'
> => ({
  'tabs.list': list,
  'tabs.get': get,
  'tabs.active': active,
  'tabs.open': (params, { signal }) => open(groups, params, signal),
  'tabs.close': close,
  'tabs.activate': activate,
});
