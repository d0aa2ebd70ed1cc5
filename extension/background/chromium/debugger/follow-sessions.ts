import * as z from 'zod/mini';
import type { DebuggerEvent, DebuggerLease } from './sessions.ts';

export const SessionTarget = z.object({ sessionId: z.string(), targetInfo: z.object({ url: z.string() }) });

const AUTO_ATTACH = { autoAttach: true, waitForDebuggerOnStart: true, flatten: true };

/** Frames of other sites and workers are separate sessions: each stays paused until `begin` has sent its commands. */
export async function followSessions(
  lease: DebuggerLease,
  begin: (sessionId: string) => Promise<unknown>,
): Promise<void> {
  const attached = ({ params, sessionId: parent }: DebuggerEvent): void => {
    const { data } = SessionTarget.safeParse(params);
    if (data === undefined) return;
    const { sessionId } = data;
    void begin(sessionId).catch(() => undefined);
    if (!lease.autoAttaches(parent)) return;
    void lease.send('Target.setAutoAttach', AUTO_ATTACH, { sessionId }).catch(() => undefined);
    void lease.send('Runtime.runIfWaitingForDebugger', {}, { sessionId }).catch(() => undefined);
  };
  lease.onEvent((event) => {
    if (event.method === 'Target.attachedToTarget') attached(event);
  });
  for (const event of lease.announcements()) attached(event);
  await lease.send('Target.setAutoAttach', AUTO_ATTACH);
}
