import browser from 'webextension-polyfill';
import type { DebuggerSessions } from '../debugger/sessions.ts';

/** Nobody waits for longer until a load that was given up has stopped. */
const STOP_MS = 1_000;

/**
 * Stops what a tab loads, as the browser's own button does. A document that is there stops itself; a
 * load that has no document yet is out of reach of scripts, and of every API but the debugger's.
 *
 * @param isOurs false once another call navigates the tab: its load is not stopped
 */
export async function stopLoading(
  tabId: number,
  { debuggers, isOurs }: { readonly debuggers: DebuggerSessions; readonly isOurs: () => boolean },
): Promise<void> {
  await chrome.scripting
    .executeScript({ target: { tabId }, injectImmediately: true, func: () => window.stop() })
    .catch(() => undefined);
  if (!isOurs() || !(await isPending(tabId))) return;
  const lease = await debuggers.acquire(tabId, AbortSignal.timeout(STOP_MS));
  try {
    if (isOurs()) await lease.send('Page.stopLoading', {}, { timeoutMs: STOP_MS });
  } finally {
    await lease.release();
  }
}

/** Whether a tab is on its way to an address that it does not show. The polyfill does not know Chrome's word. */
async function isPending(tabId: number): Promise<boolean> {
  const pendingUrl: unknown = Reflect.get(await browser.tabs.get(tabId), 'pendingUrl');
  return typeof pendingUrl === 'string' && pendingUrl !== '';
}
