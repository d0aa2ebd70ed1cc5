import browser from 'webextension-polyfill';
import { waitAtMost } from '../../../shared/base/async.ts';
import { readTitle } from '../../core/in-page/document.ts';
import { runInPage } from '../../core/pages/targets.ts';
import type * as chromium from '../chromium/loading.ts';
import { answerOpenDialog } from './dialogs.ts';
import { listen } from './members.ts';

export { onCrash, reportCrashes, stepEntry, stopLoad } from '../chromium/loading.ts';

/** Firefox reports no windows that a page opens. */
export const onDeparture: typeof chromium.onDeparture = ({ tabId }, on) => {
  const nav = browser.webNavigation;
  const inTab =
    (heard: (frameId: number) => void) =>
    (details: { readonly tabId: number; readonly frameId: number }): void => {
      if (details.tabId === tabId) heard(details.frameId);
    };
  const stops = [
    listen(
      nav.onBeforeNavigate,
      inTab((frameId) => on.onLeaving(String(frameId))),
    ),
    listen(
      nav.onCommitted,
      inTab((frameId) => on.onNavigated(String(frameId), frameId === 0)),
    ),
    listen(
      nav.onDOMContentLoaded,
      inTab((frameId) => frameId === 0 && on.onParsed()),
    ),
  ];
  return () => stops.forEach((stop) => stop());
};

export const titleOf: typeof chromium.titleOf = async ({ tabId, signal }, timeoutMs) => {
  const title = await runInPage({
    target: { tabId },
    url: `tab ${tabId}`,
    func: readTitle,
    signal,
    timeoutMs,
  });
  return typeof title === 'string' ? title : null;
};

export const closeDialog: typeof chromium.closeDialog = async ({ tabId }, { closesMs, ...answer }) => {
  const answered = answerOpenDialog(tabId, answer);
  if ((await waitAtMost(answered, closesMs)) === false) throw new Error('No dialog is showing');
};
