import browser from 'webextension-polyfill';
import { abortable } from '../../../shared/async/wait.ts';
import { stopDocument } from '../../page/in-page/document.ts';
import type { DebuggerSessions } from '../chromium/debugger/sessions.ts';
import { isPending } from '../chromium/members.ts';

/** The longest wait for a load that was given up to stop. */
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
  await abortable(stopAll(tabId, stop, signal), signal);
}

async function stopAll(tabId: number, { debuggers, isOurs }: Stop, signal: AbortSignal): Promise<void> {
  if (!isOurs()) return;
  await stopDocuments(tabId, isOurs);
  if (!isOurs() || !isPending(await browser.tabs.get(tabId))) return;
  const lease = await debuggers.acquire(tabId, signal);
  try {
    if (isOurs()) await lease.send('Page.stopLoading', {}, { timeoutMs: STOP_MS });
  } finally {
    await lease.release();
  }
}

/**
 * Stops the document that a tab shows, and one that takes its place meanwhile. Each is named: a busy
 * page runs scripts late, and what is there by then may be another call's.
 */
async function stopDocuments(tabId: number, isOurs: () => boolean): Promise<void> {
  let stopped: string | null = null;
  for (;;) {
    const shown = await shownDocument(tabId);
    if (shown === null || shown === stopped || !isOurs()) return;
    await browser.scripting
      .executeScript({
        target: { tabId, documentIds: [shown] },
        injectImmediately: true,
        func: stopDocument,
      })
      .catch(() => undefined);
    stopped = shown;
  }
}

async function shownDocument(tabId: number): Promise<string | null> {
  const frame = await browser.webNavigation.getFrame({ tabId, frameId: 0 }).catch(() => null);
  return frame?.documentId ?? null;
}
