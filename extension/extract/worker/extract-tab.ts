import type { MethodResult } from '../../../shared/core/bridge/methods.ts';
import { cut } from '../../../shared/base/cut.ts';
import { toSpillwayError } from '../../../shared/base/errors.ts';
import type { ExtractRequest } from '../../../shared/libraries/values/plan.ts';
import { LIMITS } from '../../../shared/base/limits.ts';
import type { ExtractDone, FromExtract, ToExtract } from '../page/protocol.ts';
import type { StreamSink } from '../../core/handler.ts';
import type { ExtractChannels } from '../../core/pages/channels.ts';
import type { PageChannel } from '../../core/pages/page-channel.ts';
import { explaining } from '../../read/worker/read-tab.ts';
import { getReadableTab } from '../../core/pages/targets.ts';
import { delay } from '../../../shared/base/async.ts';
import type { FocusEmulation } from '../../platform/chromium/debugger/focus.ts';

interface TabQuestion {
  readonly tabId: number;
  readonly channels: ExtractChannels;
  readonly signal: AbortSignal;
}

export interface ExtractTabOptions extends TabQuestion {
  readonly request: ExtractRequest;
  /** Requests the way to the next page; see `page.extract`. */
  readonly next?: string | null | undefined;
  readonly sink: Pick<StreamSink, 'write'>;
}

/**
 * Finds records in a tab's page: its top document and same-origin frames. Writes one JSON line per `FoundRecord`.
 * @throws SpillwayError `tab_not_found`, `tab_discarded`, `page_forbidden`, `page_crashed`, `page_is_pdf`,
 * `page_unresponsive`, `page_changed`, `navigation_failed`, `selector_invalid`, `selector_not_found`
 */
export async function extractTab(extract: ExtractTabOptions): Promise<MethodResult<'page.extract'>> {
  const { request, next, sink, ...tab } = extract;
  return askTab(tab, async (channel, id, waiting) => {
    channel.post({ type: 'extract', id, request, next });
    await channel.receive(id, waiting);
    for (;;) {
      const part = await channel.receiveA('part', id, { ...waiting, timeoutMs: LIMITS.callTimeoutMs });
      // The next part is fetched while this one is written.
      if (part.done === null) channel.post({ type: 'pull', id });
      if (part.text !== '') await sink.write(part.text);
      if (part.done !== null) return resultOf(part.done);
    }
  });
}

function resultOf({ page, summary, next }: ExtractDone): MethodResult<'page.extract'> {
  return {
    page,
    coverage: summary.coverage.map(({ kind, detail }) => ({ kind, detail: cut(detail, 500).toWellFormed() })),
    tried: [...summary.tried],
    hidden_records: summary.hiddenRecords,
    next,
  };
}

/** Opens a request to a tab's top document, and explains a lost page. */
async function askTab<T>(
  { tabId, channels, signal }: TabQuestion,
  work: (
    channel: PageChannel<ToExtract, FromExtract>,
    id: number,
    waiting: Parameters<PageChannel['receive']>[1],
  ) => Promise<T>,
): Promise<T> {
  const { url = '' } = await getReadableTab(tabId);
  const waiting = { timeoutMs: LIMITS.pageResponseTimeoutMs, signal, name: `Tab ${tabId} (${url})` };
  return explaining(tabId, signal, async () => {
    const channel = await channels.connect({ tabId, frameId: 0, url }, waiting);
    const id = channel.open();
    return work(channel, id, waiting).finally(() => channel.release(id));
  });
}

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
export async function loadMore(more: LoadMoreOptions): Promise<MethodResult<'page.more'>> {
  const { focus, click, timeoutMs, ...tab } = more;
  const coverage: MethodResult<'page.more'>['coverage'] = [];
  const focused = await focus.acquire(tab.tabId, tab.signal).catch((thrown: unknown) => {
    tab.signal.throwIfAborted();
    const { code } = toSpillwayError(thrown);
    coverage.push({
      kind: 'background_tab',
      detail: `Focus could not be emulated (${code}): a background tab may not load more content.`,
    });
    return null;
  });
  try {
    const grew = await askTab(tab, async (channel, id, waiting) => {
      const measured = async (): Promise<string> => (await channel.receiveA('measured', id, waiting)).state;
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
    focused?.release();
  }
}
