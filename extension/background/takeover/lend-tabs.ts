import type { DebuggerSessions } from '../chromium/debugger/sessions.ts';
import { maySave } from '../navigation/stop-loading.ts';
import { personHasTab, type PersonTabs } from './person-tabs.ts';

/** Keeps the debugger away from tabs that a person has taken over. Call while the worker starts. */
export function lendTabs(tabs: PersonTabs, debuggers: Pick<DebuggerSessions, 'lend'>): void {
  const lent = new Map<number, () => void>();
  tabs.onChange((tabId, isTaken) => {
    lent.get(tabId)?.();
    lent.delete(tabId);
    if (isTaken) maySave(tabId);
    if (isTaken) lent.set(tabId, debuggers.lend(tabId, personHasTab(tabId)));
  });
}
