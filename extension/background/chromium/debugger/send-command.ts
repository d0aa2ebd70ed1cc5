import { delay, withTimeout } from '../../../../shared/async/wait.ts';
import { SpillwayError } from '../../../../shared/errors.ts';
import { LIMITS } from '../../../../shared/limits.ts';
import { messageOf } from '../../../../shared/message-of.ts';
import { commandError } from './failures.ts';
import { checkCommand } from './page-guard.ts';

const DETACHED = /detached while handling|debugger is not attached/i;
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
export async function sendCommand({
  tabId,
  method,
  params,
  options,
  gone,
}: Command): Promise<Record<string, unknown>> {
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
