import type { DebuggerLease } from './sessions.ts';

/** The pictures themselves are not wanted. */
const CAST = { format: 'jpeg', quality: 1, maxWidth: 16, maxHeight: 16, everyNthFrame: 1_000 };

/** The leases that need each tab cast. A lost attachment has ended its cast, too. */
const casting = new Map<number, Set<DebuggerLease>>();

const isCast = (leases: ReadonlySet<DebuggerLease>): boolean =>
  [...leases].some(({ signal }) => !signal.aborted);

/**
 * Keeps a tab drawing 60 times a second until the returned function is called, even while it is hidden. Chromium refuses a
 * second cast of the same tab, so all callers share one.
 *
 * @param timeoutMs of the command
 * @throws SpillwayError as `DebuggerLease.send` does
 */
export async function castTab(lease: DebuggerLease, timeoutMs?: number): Promise<() => Promise<void>> {
  const { tabId } = lease;
  const leases = casting.get(tabId) ?? new Set();
  const isFirst = !isCast(leases);
  casting.set(tabId, leases.add(lease));
  const stop = async (): Promise<void> => {
    if (!leases.delete(lease) || isCast(leases)) return;
    if (casting.get(tabId) === leases) casting.delete(tabId);
    await lease.send('Page.stopScreencast').catch(() => undefined);
  };
  if (!isFirst) return stop;
  try {
    await lease.send('Page.startScreencast', CAST, timeoutMs === undefined ? {} : { timeoutMs });
  } catch (thrown) {
    await stop();
    throw thrown;
  }
  return stop;
}
