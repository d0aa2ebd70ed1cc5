import type { JsonObject } from '../../../shared/json.ts';
import type { DebuggerLease, DebuggerSessions } from '../../background/chromium/debugger/sessions.ts';
import type { PersonTabs } from '../../background/takeover/person-tabs.ts';
import type { PagePlace } from './in-page.ts';

export interface FactRequest {
  /** The tab's main document. */
  readonly place: PagePlace;
  readonly debuggers: DebuggerSessions;
  readonly personTabs: PersonTabs;
  readonly signal: AbortSignal;
}

/** Yields one fact a line. No fact is a value of a cookie or of a storage. */
export type FactSource = (request: FactRequest) => AsyncGenerator<JsonObject>;

/** Runs `work` with the tab's debugger attached. */
export async function withDebugger<T>(
  { debuggers, place, signal }: FactRequest,
  work: (lease: DebuggerLease) => Promise<T>,
): Promise<T> {
  const lease = await debuggers.acquire(place.tabId, signal);
  try {
    return await work(lease);
  } finally {
    await lease.release();
  }
}
