import type { ClientSession } from './context.ts';
import type { ToolResult } from './result.ts';

/**
 * Continues a call that a session left while a person was asked (`Executor.resume`).
 * @throws SpillwayError `call_not_pending` for a call that the session did not leave, or has resumed; `approval_expired`
 */
export type ResumeCall = (
  callId: string,
  how: { readonly session: ClientSession; readonly signal: AbortSignal; readonly timeoutMs: number },
) => Promise<ToolResult>;
