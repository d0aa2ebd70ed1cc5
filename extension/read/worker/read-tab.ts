import type { Coverage } from '../../../shared/core/bridge/page.ts';
import { cutUrl } from '../../../shared/base/cut.ts';
import { delay } from '../../../shared/base/async.ts';
import { SpillwayError, toSpillwayError, type ErrorCode } from '../../../shared/base/errors.ts';
import { REF_RANGE } from '../../../shared/read/page-lines.ts';
import { LIMITS } from '../../../shared/base/limits.ts';
import type { MethodResult } from '../../../shared/core/bridge/methods.ts';
import type { ReadRequest } from '../../core/page/protocol.ts';
import type { TabRequests } from '../../core/navigation/tab-requests.ts';
import type { StreamSink } from '../../core/handler.ts';
import { Assembly, type ReadTimes } from './assembly.ts';
import type { PageChannels } from '../../core/pages/channels.ts';
import type { PageChannel } from '../../core/pages/page-channel.ts';
import { FrameFinder } from '../../core/pages/frame-finder.ts';
import type { ShownTo } from '../../core/pages/ref-book.ts';
import { getReadableTab, unresponsiveError } from '../../core/pages/targets.ts';

const LOADING_URL_UNITS = 200;

/** Channels of documents with the script that finds the main content. */
const withReadability = new WeakSet<PageChannel>();

const READ_TIMES: ReadTimes = {
  responseMs: LIMITS.pageResponseTimeoutMs,
  frameMs: 3_000,
  walkMs: LIMITS.callTimeoutMs,
  bufferBytes: LIMITS.pageBufferBytes,
};

export interface ReadTabOptions {
  readonly tabId: number;
  readonly options: ReadRequest;
  readonly channels: PageChannels;
  /** The session that sees the refs; null if nobody can use them. */
  readonly shownTo: ShownTo | null;
  /** Reports pending requests of the page. */
  readonly requests?: TabRequests | undefined;
  readonly signal: AbortSignal;
  readonly sink: StreamSink;
  readonly times?: Partial<ReadTimes>;
}

/**
 * Reads a tab's page with its frames into a sink.
 *
 * @throws SpillwayError `tab_not_found`, `tab_discarded`, `page_forbidden`, `page_crashed`,
 * `page_is_pdf`, `page_unresponsive`, `page_changed`, `navigation_failed`, `selector_invalid`,
 * `selector_not_found`, `ref_not_found`, `stale_ref`
 */
export async function readTab(read: ReadTabOptions): Promise<MethodResult<'page.read'>> {
  const { tabId, options, channels, signal } = read;
  const times = { ...READ_TIMES, ...read.times };
  return explaining(tabId, signal, async () => {
    await framesFetched(read, times.frameMs);
    const loading = read.requests?.of(tabId).urls ?? [];
    const { frameId, prefix } = await describeReadPlace(read);
    const channel = await channels.connect({ tabId, frameId }, { timeoutMs: times.responseMs, signal });
    const { url } = channel;
    const finder = new FrameFinder({ tabId, channels, timeoutMs: times.frameMs, signal });
    const { sink, note } = notingRegions(read);
    const assembly = new Assembly({ ...read, sink, finder, times, name: `Tab ${tabId} (${url})`, loading });
    if ('main_content_only' in options && options.main_content_only && !withReadability.has(channel)) {
      await channels.add('readability.js', { tabId, frameId, url }, { timeoutMs: times.responseMs, signal });
      withReadability.add(channel);
    }
    const done = await assembly.read(channel, assembly.contextOf(prefix));
    await assembly.finish();
    note();
    return {
      page: { ...done.page, frames: assembly.frames },
      coverage: [...assembly.coverage, ...loadingNote(loading)],
      hidden_elements: assembly.hiddenElements,
      main_content: done.mainContent,
      left: assembly.left,
      is_compared: assembly.isCompared,
    };
  });
}

/** Longer snapshots are noted only in part. */
const NOTED_UNITS = 20_000;

/** Passes a snapshot on to its reader, and then notes its regions as seen. A receipt notes its own. */
function notingRegions({ options, shownTo, sink }: ReadTabOptions): {
  readonly sink: StreamSink;
  readonly note: () => void;
} {
  if (shownTo === null || options.format !== 'snapshot' || options.purpose !== undefined)
    return { sink, note: () => undefined };
  let text = '';
  const write = (part: string): Promise<void> => {
    if (text.length < NOTED_UNITS) text += part;
    return sink.write(part);
  };
  const note = (): void => shownTo.book.regions.note(shownTo.viewer, text);
  return { sink: { write, flush: () => sink.flush() }, note };
}

/** Interval between checks of frames that are being fetched. */
const LOOK_MS = 50;

/** Waits for frames that the page is fetching: no load event does after a navigation within the document. */
async function framesFetched(
  { tabId, requests, signal }: Pick<ReadTabOptions, 'tabId' | 'requests' | 'signal'>,
  maxMs: number,
): Promise<void> {
  const until = performance.now() + maxMs;
  while (performance.now() < until && (requests?.of(tabId).frames ?? 0) > 0) await delay(LOOK_MS, signal);
}

/** The first document to ask: the page's, or a ref's. */
async function describeReadPlace({
  tabId,
  options,
  shownTo,
}: ReadTabOptions): Promise<{ readonly frameId: number; readonly prefix: string }> {
  const ref = 'ref' in options ? REF_RANGE.exec(options.ref ?? '')?.[1] : undefined;
  if (ref === undefined || shownTo === null) return { frameId: 0, prefix: '' };
  const { frameId, prefix } = await shownTo.book.find(ref, { tabId, viewer: shownTo.viewer });
  return { frameId, prefix: prefix ?? '' };
}

function loadingNote(urls: readonly string[]): Coverage[] {
  const [first] = urls;
  if (first === undefined) return [];
  const requests = urls.length === 1 ? 'A request was' : `${urls.length} requests were`;
  const detail = `${requests} pending: ${cutUrl(first, LOADING_URL_UNITS)}. Pass wait_for to read the page when it has loaded.`;
  return [{ kind: 'still_loading', detail: detail.toWellFormed() }];
}

const debuggingEnded = (tabId: number): SpillwayError =>
  new SpillwayError(
    'debugger_unavailable',
    `The browser ended debugging of tab ${tabId}, as it does when a page opens a PDF, or another program such as one for mail.`,
    { hint: 'The tab is still open: call again for the remaining steps.' },
  );

/** Does work in a tab. @throws SpillwayError as {@link explainLost}, or the signal's reason */
export async function explaining<T>(tabId: number, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    signal.throwIfAborted();
    throw await explainLost(toSpillwayError(thrown), tabId);
  }
}

const LOST: ReadonlySet<ErrorCode> = new Set(['page_changed', 'page_unresponsive', 'tab_not_found']);

/**
 * Finds out whether a lost page has navigated, crashed, or been closed or discarded. For a page that does not answer,
 * reports what the browser knows without it.
 */
export async function explainLost(error: SpillwayError, tabId: number): Promise<SpillwayError> {
  if (!LOST.has(error.code)) return error;
  try {
    const tab = await getReadableTab(tabId);
    if (error.code === 'page_unresponsive') return unresponsiveError(tab);
    // The debugger also reports a closed tab if the browser ends debugging for a page that opens another program.
    return error.code === 'tab_not_found' ? debuggingEnded(tabId) : error;
  } catch (gone) {
    return toSpillwayError(gone);
  }
}
