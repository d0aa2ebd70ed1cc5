import * as z from 'zod/mini';
import type { DebuggerEvent } from '../chromium/debugger/sessions.ts';

const Attached = z.object({ sessionId: z.string(), targetInfo: z.object({ type: z.string() }) });

/** The session of a frame that an event announces, or null. */
export function frameSession({ method, params }: DebuggerEvent): string | null {
  if (method !== 'Target.attachedToTarget') return null;
  const { data } = Attached.safeParse(params);
  return data?.targetInfo.type === 'iframe' ? data.sessionId : null;
}
