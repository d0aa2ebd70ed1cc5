import { z } from 'zod';
import type { DebuggerLease, DebuggerSessions } from './debugger/sessions.ts';

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
