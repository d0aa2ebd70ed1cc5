import { targetIn, type Target } from './page-guard.ts';
import type { SendOptions } from './send-command.ts';
import type { DebuggerLease } from './sessions.ts';

interface Announcing extends SendOptions {
  /** New targets stay paused. */
  readonly waits?: boolean;
  readonly only?: 'iframe';
}

/** Has the targets below a session announced. */
const announce = (
  lease: DebuggerLease,
  { waits = false, only, ...options }: Announcing,
): Promise<unknown> => {
  const filter = only === undefined ? {} : { filter: [{ type: only, exclude: false }] };
  const how = { autoAttach: true, waitForDebuggerOnStart: waits, flatten: true, ...filter };
  return lease.send('Target.setAutoAttach', how, options);
};

/** The same, unless it was asked for: asking again would change what another tool has asked for. */
export const announceOnce = async (lease: DebuggerLease, how: Announcing): Promise<unknown> =>
  lease.autoAttaches(how.sessionId ?? null) || announce(lease, how);

/** Each target stays paused until `begin` has sent its commands. */
export async function followSessions(
  lease: DebuggerLease,
  begin: (sessionId: string, type: string) => Promise<unknown>,
): Promise<void> {
  const attached = ({ session: sessionId, parent, type }: Target): void => {
    void begin(sessionId, type).catch(() => undefined);
    if (!lease.autoAttaches(parent)) return;
    announce(lease, { waits: true, sessionId }).catch(() => undefined);
    lease.send('Runtime.runIfWaitingForDebugger', {}, { sessionId }).catch(() => undefined);
  };
  lease.onEvent((event) => {
    const target = targetIn(event);
    if (target !== null) attached(target);
  });
  lease.targets().forEach(attached);
  await announce(lease, { waits: true });
}
