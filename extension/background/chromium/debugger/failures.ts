import { SpillwayError, type ErrorCode } from '../../../../shared/errors.ts';
import { messageOf } from '../../../../shared/message-of.ts';

/** Chrome's messages about refused attachments, and their meanings. */
const ATTACH_ERRORS: readonly (readonly [RegExp, ErrorCode, string])[] = [
  [/no tab with|tab was closed|no target with/i, 'tab_not_found', 'no longer exists'],
  [/another debugger/i, 'debugger_unavailable', 'has another debugger attached'],
  // Chrome 155 on managed machines: for the host, or for screenshots.
  [
    /restricted by policy/i,
    'debugger_restricted',
    'may not be debugged: a policy of this browser forbids it',
  ],
  [/cannot (?:access|attach)|not allowed|blocked/i, 'page_forbidden', 'does not allow debuggers'],
];

/** The coded error of a refused attachment. */
export function attachError(thrown: unknown, tabId: number): SpillwayError {
  const reason = messageOf(thrown);
  for (const [pattern, code, meaning] of ATTACH_ERRORS)
    if (pattern.test(reason)) return new SpillwayError(code, `Tab ${tabId} ${meaning}.`);
  return new SpillwayError('debugger_unavailable', `Tab ${tabId}: ${reason}`, { cause: thrown });
}

/** The meaning of a detachment that was not requested. */
export function detachError(tabId: number, reason: string): SpillwayError {
  if (reason === 'canceled_by_user')
    return new SpillwayError('debugger_cancelled', `A person stopped debugging of tab ${tabId}.`);
  if (reason === 'target_closed') return new SpillwayError('tab_not_found', `Tab ${tabId} was closed.`);
  return new SpillwayError('debugger_unavailable', `The debugger was detached from tab ${tabId}: ${reason}.`);
}

/** Whether a tab has to work without the debugger, unless a person cancelled it. */
export const isWithoutDebugger = (code: ErrorCode): boolean =>
  code === 'debugger_unavailable' || code === 'debugger_restricted';

/** The coded error of a command that failed. */
export function commandError(thrown: unknown, tabId: number, method: string): SpillwayError {
  const reason = messageOf(thrown);
  const code = /restricted by policy/i.test(reason) ? 'debugger_restricted' : 'internal_error';
  return new SpillwayError(code, `Tab ${tabId}: ${method} failed: ${reason}`, { cause: thrown });
}
