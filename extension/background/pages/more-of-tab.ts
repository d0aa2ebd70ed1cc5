import type { MethodResult } from '../../../shared/bridge/methods.ts';
import { toSpillwayError } from '../../../shared/errors.ts';
import { LIMITS } from '../../../shared/limits.ts';
import type { DebuggerLease, DebuggerSessions } from '../debugger/sessions.ts';
import { askTab, type TabQuestion } from './extract-tab.ts';

export interface MoreOptions extends TabQuestion {
  readonly debuggers: DebuggerSessions;
  /** Null scrolls. */
  readonly click: string | null;
  readonly timeoutMs: number;
}

/** Between two looks at a page, and how long it has to stay as it is to count as done. */
const LOOK_MS = 100;
const SETTLED_LOOKS = 3;

/**
 * Makes a page load more and waits until it has changed and come to rest. While it waits, focus
 * emulation is on, so that a tab in the background loads as one in front does; where the debugger
 * cannot attach it goes on without, and says so.
 */
export async function moreOfTab({
  debuggers,
  click,
  timeoutMs,
  ...tab
}: MoreOptions): Promise<MethodResult<'page.more'>> {
  const coverage: MethodResult<'page.more'>['coverage'] = [];
  const lease = await focus(debuggers, tab).catch((thrown: unknown) => {
    tab.signal.throwIfAborted();
    const { code } = toSpillwayError(thrown);
    coverage.push({
      kind: 'background_tab',
      detail: `Focus could not be emulated (${code}): a tab in the background may load nothing.`,
    });
    return null;
  });
  try {
    const grew = await askTab(tab, async (channel, id, patience) => {
      const measured = async (): Promise<{ state: string; isAtEnd: boolean }> => {
        const answer = await channel.receive(id, patience(LIMITS.pageResponseTimeoutMs));
        return answer.type === 'measured' ? answer : { state: '', isAtEnd: false };
      };
      const deadline = performance.now() + timeoutMs;
      channel.post({ type: 'more', id, click });
      const before = await measured();
      let last = before.state;
      let rested = 0;
      while (performance.now() < deadline) {
        await pause(LOOK_MS, tab.signal);
        channel.post({
          type: 'measure',
          id,
          scroll: click === null && last === before.state && !before.isAtEnd,
        });
        const { state } = await measured();
        rested = state === last ? rested + 1 : 0;
        last = state;
        if (last !== before.state && rested >= SETTLED_LOOKS) break;
      }
      return last !== before.state;
    });
    return { grew, coverage };
  } finally {
    await lease?.release();
  }
}

const focus = (debuggers: DebuggerSessions, { tabId, signal }: TabQuestion): Promise<DebuggerLease> =>
  debuggers.acquire(tabId, signal);

/** Waits in the worker: a page in the background has no timers to speak of. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, ms);
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    signal.addEventListener('abort', stop, { once: true });
  });
}
