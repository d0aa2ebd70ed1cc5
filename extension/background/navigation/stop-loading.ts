import browser from 'webextension-polyfill';
import type { DebuggerSessions } from '../debugger/sessions.ts';

/** Nobody waits for longer until a load that was given up has stopped. */
const STOP_MS = 1_000;

interface Stop {
  readonly debuggers: DebuggerSessions;
  /** False once another call navigates the tab: its load is not stopped. */
  readonly isOurs: () => boolean;
}

/**
 * Stops what a tab loads, as the browser's own button does: the document that is there stops itself,
 * and where a load without a document is left, which scripts do not reach, the debugger stops it.
 *
 * @throws what the debugger does when a person has forbidden it, or what takes too long
 */
export async function stopLoading(tabId: number, stop: Stop): Promise<void> {
  const signal = AbortSignal.timeout(STOP_MS);
  const late = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  await Promise.race([stopAll(tabId, stop, signal), late]);
}

async function stopAll(tabId: number, { debuggers, isOurs }: Stop, signal: AbortSignal): Promise<void> {
  if (!isOurs()) return;
  await chrome.scripting
    .executeScript({ target: { tabId }, injectImmediately: true, func: () => window.stop() })
    .catch(() => undefined);
  if (!isOurs() || !(await isPending(tabId))) return;
  const lease = await debuggers.acquire(tabId, signal);
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
