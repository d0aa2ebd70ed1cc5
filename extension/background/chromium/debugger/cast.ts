import type { DebuggerLease } from './sessions.ts';

/** The pictures themselves are not wanted. */
const CAST = { format: 'jpeg', quality: 1, maxWidth: 16, maxHeight: 16, everyNthFrame: 1_000 };

/** By tab, who needs it cast. An attachment that was lost took its cast with it. */
const casting = new Map<number, Set<DebuggerLease>>();

const isCast = (leases: ReadonlySet<DebuggerLease>): boolean =>
  [...leases].some(({ signal }) => !signal.aborted);

/**
 * Has a tab drawn 60 times a second until the returned function is called, also while it is hidden. Chromium casts a tab once and
 * refuses a second time, so all who need it share one.
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
