import { z } from 'zod';
import { defer, onAbort, waitAtMost } from '../../../shared/base/async.ts';
import type { DebuggerLease, DebuggerSessions } from './debugger/sessions.ts';
import { evaluateValue } from './debugger/exchange.ts';

/** The browser itself answers. */
const ANSWER_MS = 3_000;

const Entries = z.object({ currentIndex: z.int(), entries: z.array(z.object({ id: z.int() })) });

/**
 * Moves a tab one entry through its history with the debugger, which skips none.
 * @returns false if there is no such entry
 * @throws the debugger's error if it cannot be attached
 */
export async function stepEntry(
  tabId: number,
  action: 'back' | 'forward',
  { debuggers, signal }: { readonly debuggers: Pick<DebuggerSessions, 'use'>; readonly signal: AbortSignal },
): Promise<boolean> {
  return debuggers.use(tabId, signal, async (lease) => {
    const send = (method: string, params: object = {}) =>
      lease.send(method, params, { timeoutMs: ANSWER_MS });
    const { currentIndex, entries } = Entries.parse(await send('Page.getNavigationHistory'));
    const entry = entries[currentIndex + (action === 'back' ? -1 : 1)];
    if (entry !== undefined) await send('Page.navigateToHistoryEntry', { entryId: entry.id });
    return entry !== undefined;
  });
}

/** Stops a load, also one without a document. */
export const stopLoad = (lease: DebuggerLease, timeoutMs: number): Promise<unknown> =>
  lease.send('Page.stopLoading', {}, { timeoutMs });

const Frame = z.object({ id: z.string(), parentId: z.string().optional() });

interface Departure {
  /** The page asks for a window. */
  onWindow(url: string): void;
  /** A frame is about to request another document. */
  onLeaving(frameId: string): void;
  /** A frame, or the tab itself, shows another document. */
  onNavigated(frameId: string, isTab: boolean): void;
  onParsed(): void;
}

/**
 * Reports how a page is left. The Page domain has to be enabled.
 * @returns a function that stops it
 */
export function onDeparture(lease: DebuggerLease, on: Departure): () => void {
  return lease.onEvent(({ method, params }) => {
    if (method === 'Page.windowOpen') on.onWindow(String(params['url']));
    if (method === 'Page.frameRequestedNavigation' && params['disposition'] === 'currentTab')
      on.onLeaving(String(params['frameId']));
    if (method === 'Page.domContentEventFired') on.onParsed();
    if (method !== 'Page.frameNavigated') return;
    const { id, parentId } = Frame.parse(params['frame']);
    on.onNavigated(id, parentId === undefined);
  });
}

/** Has the browser report a crash of the tab's page to {@link onCrash}. Commands to a crashing page are never answered. */
export const reportCrashes = (lease: DebuggerLease): void =>
  void lease.send('Inspector.enable').catch(() => undefined);

export const onCrash = (lease: DebuggerLease, listener: () => void): (() => void) =>
  lease.onEvent(({ method, sessionId }) => {
    if (method === 'Inspector.targetCrashed' && sessionId === null) listener();
  });

/** The page's title, once the page's script has ended: the question queues behind it. */
export async function titleOf(lease: DebuggerLease, timeoutMs: number): Promise<string | null> {
  const title = await evaluateValue(lease, 'document.title', { timeoutMs });
  return typeof title === 'string' ? title : null;
}

/**
 * Answers the tab's dialog.
 * @param answer `closesMs` is how long the browser may take to close it
 * @throws SpillwayError as `DebuggerLease.send`
 */
export async function closeDialog(
  lease: DebuggerLease,
  { accept, text, closesMs }: { readonly accept: boolean; readonly text: string; readonly closesMs: number },
): Promise<void> {
  const { promise: closed, resolve: done } = defer<void>();
  lease.onEvent(({ method }) => method === 'Page.javascriptDialogClosed' && done());
  const stopListening = onAbort(lease.signal, done);
  try {
    await lease.send('Page.handleJavaScriptDialog', { accept, promptText: text });
    await waitAtMost(closed, closesMs);
  } finally {
    stopListening();
  }
}
