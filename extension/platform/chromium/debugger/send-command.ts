import { delay, withTimeout } from '../../../../shared/base/async.ts';
import { SpillwayError, toSpillwayError, type ErrorCode } from '../../../../shared/base/errors.ts';
import { messageOf } from '../../../../shared/base/message-of.ts';
import { LIMITS } from '../../../../shared/base/limits.ts';
import { checkCommand } from './page-guard.ts';

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
  code === 'debugger_unavailable' || code === 'debugger_restricted' || code === 'unsupported_in_firefox';

/** The coded error of a command that failed. */
function commandError(thrown: unknown, tabId: number, method: string): SpillwayError {
  const reason = messageOf(thrown);
  const code = /restricted by policy/i.test(reason) ? 'debugger_restricted' : 'internal_error';
  return new SpillwayError(code, `Tab ${tabId}: ${method} failed: ${reason}`, { cause: thrown });
}

/** The error of a command, with another code if the browser itself refused it. */
export function refusalOf(
  thrown: unknown,
  code: ErrorCode,
  toMessage: (reason: string) => string = (reason) => reason,
): SpillwayError {
  const error = toSpillwayError(thrown);
  if (error.code !== 'internal_error') return error;
  return new SpillwayError(code, toMessage(error.message), { cause: thrown });
}

/** The last is what Chrome says of a closed tab. */
const DETACHED = /detached while|debugger is not|no tab with/i;
const DETACH_MS = 500;
const MIB = 1024 * 1024;

/**
 * For `Network.enable`, identical for all users of a tab: how much of bodies a renderer buffers. They are read
 * immediately, so this suffices for those that finish together. Fetching a body beyond its limit would be useless.
 */
export const NETWORK_BUFFERS = {
  maxTotalBufferSize: 64 * MIB,
  maxResourceBufferSize: LIMITS.networkBodyBytesMax,
  maxPostDataSize: LIMITS.networkBodyBytes,
} as const;

export interface SendOptions {
  readonly sessionId?: string | null;
  readonly timeoutMs?: number;
}

interface Command {
  readonly tabId: number;
  readonly method: string;
  readonly params: object | undefined;
  readonly options: SendOptions | undefined;
  readonly gone: AbortSignal;
}

/** A command to a hanging tab would never return, so it has a deadline, and ends with the lease. */
export async function sendCommand(command: Command): Promise<Record<string, unknown>> {
  const { tabId, method, params, options, gone } = command;
  const { sessionId = null, timeoutMs = LIMITS.debuggerCommandMs } = options ?? {};
  gone.throwIfAborted();
  checkCommand(tabId, method);
  const target = sessionId === null ? { tabId } : { tabId, sessionId };
  const sent = chrome.debugger.sendCommand(target, method, params === undefined ? {} : { ...params }).then(
    (result) => ({ ...result }),
    async (thrown: unknown) => {
      // The end of an attachment, with its reason, may be reported after the commands that it ended.
      if (DETACHED.test(messageOf(thrown))) await delay(DETACH_MS, gone);
      throw commandError(thrown, tabId, method);
    },
  );
  const late = (): SpillwayError =>
    new SpillwayError('page_unresponsive', `Tab ${tabId}: ${method} did not answer within ${timeoutMs} ms.`);
  return await withTimeout(sent, timeoutMs, late, gone);
}
