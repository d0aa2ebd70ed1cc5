import type { MethodResult } from '../../../shared/bridge/methods.ts';
import { delay } from '../../../shared/async/wait.ts';
import { toSpillwayError } from '../../../shared/errors.ts';
import { LIMITS } from '../../../shared/limits.ts';
import { askTab, type TabQuestion } from './extract-tab.ts';
import type { FocusEmulation } from './ask-page.ts';

export interface LoadMoreOptions extends TabQuestion {
  readonly focus: FocusEmulation;
  /** Selector of the control. */
  readonly click: string;
  readonly timeoutMs: number;
}

/** Interval between checks of a page, and how long it must stay unchanged to count as done. */
const LOOK_MS = 100;
const SETTLED_LOOKS = 3;

/**
 * Makes a page load more by a click and waits until it has changed and come to rest. Focus emulation makes a background
 * tab load like a front one; if the debugger cannot attach, loading continues without it, with a note.
 */
export async function loadMore({
  focus,
  click,
  timeoutMs,
  ...tab
}: LoadMoreOptions): Promise<MethodResult<'page.more'>> {
  const coverage: MethodResult<'page.more'>['coverage'] = [];
  const releaseFocus = await focus.acquire(tab.tabId, tab.signal).catch((thrown: unknown) => {
    tab.signal.throwIfAborted();
    const { code } = toSpillwayError(thrown);
    coverage.push({
      kind: 'background_tab',
      detail: `Focus could not be emulated (${code}): a background tab may not load more content.`,
    });
    return null;
  });
  try {
    const grew = await askTab(tab, async (channel, id, patience) => {
      const measured = async (): Promise<string> => {
        const answer = await channel.receive(id, patience(LIMITS.pageResponseTimeoutMs));
        return answer.type === 'measured' ? answer.state : '';
      };
      const deadline = performance.now() + timeoutMs;
      channel.post({ type: 'click', id, selector: click });
      const before = await measured();
      let last = before;
      for (let rested = 0; performance.now() < deadline;) {
        // Waits in the worker: a background page's timers are slow.
        await delay(LOOK_MS, tab.signal);
        channel.post({ type: 'measure', id });
        const state = await measured();
        rested = state === last ? rested + 1 : 0;
        last = state;
        if (last !== before && rested >= SETTLED_LOOKS) break;
      }
      return last !== before;
    });
    return { grew, coverage };
  } finally {
    releaseFocus?.();
  }
}
