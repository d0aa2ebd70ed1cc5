import type { DebuggerLease } from '../chromium/debugger/sessions.ts';

/** Sends a command of input to a session of the tab, in the turn in which it is called. */
export type SendInput = (sessionId: string | null, method: string, params: object) => Promise<unknown>;

/**
 * Sends until the act ends: what it was doing continues for a moment, and must not reach the page any longer.
 */
export const sendUntil =
  (lease: DebuggerLease, signal: AbortSignal): SendInput =>
  async (sessionId, method, params) => {
    signal.throwIfAborted();
    return lease.send(method, params, { sessionId });
  };
