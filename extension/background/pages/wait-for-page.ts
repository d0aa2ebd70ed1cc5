import browser from 'webextension-polyfill';
import { delay } from '../../../shared/async/wait.ts';
import type { MethodParams } from '../../../shared/bridge/methods.ts';
import { toSpillwayError, type ErrorCode } from '../../../shared/errors.ts';
import type { WaitCondition, WaitOutcome } from '../../../shared/wait-for.ts';
import type { WaitTarget } from '../../page/protocol.ts';
import { IDLE_MS } from '../navigation/watch.ts';
import type { TabRequests } from '../navigation/tab-requests.ts';
import { askPage } from './ask-page.ts';
import type { PageChannels } from './channels.ts';
import { getReadableTab } from './targets.ts';

/** Between two looks at a page. The waits are the worker's own: a hidden page's timers cannot be relied on. */
const LOOK_MS = 100;
/** Frames that do not answer by then do not have what is sought. */
const ANSWER_MS = 3_000;
const URLS_KEPT = 5;

/** A page that is replaced or busy may show the target a moment later. */
const PASSING: ReadonlySet<ErrorCode> = new Set(['page_changed', 'page_unresponsive', 'navigation_failed']);

export interface PageWait extends MethodParams<'page.wait'> {
  readonly channels: PageChannels;
  readonly requests: TabRequests;
  readonly signal: AbortSignal;
}

/**
 * Waits until text and element can be seen in one of the tab's frames and its network is idle, as far
 * as these are asked for. The end of the time is an answer and no failure.
 *
 * @throws SpillwayError `tab_not_found`, `tab_discarded`, `page_forbidden`, `page_crashed`,
 * `selector_invalid`, or the signal's reason
 */
export async function waitForPage(wait: PageWait): Promise<WaitOutcome> {
  const { tab_id: tabId, wait_for: waitFor, requests, signal } = wait;
  const release = requests.hold();
  const startedAt = performance.now();
  const left = (): number => startedAt + waitFor.timeout_ms - performance.now();
  try {
    for (;;) {
      const missing = await missingIn(wait);
      signal.throwIfAborted();
      if (missing.length === 0 || left() <= 0)
        return {
          missing,
          waited_ms: Math.round(performance.now() - startedAt),
          under_way: requests.of(tabId).urls.slice(0, URLS_KEPT),
        };
      await delay(Math.min(LOOK_MS, Math.max(1, left())), signal);
    }
  } finally {
    release();
  }
}

async function missingIn(wait: PageWait): Promise<WaitCondition[]> {
  const { text = null, selector = null, network_idle: networkIdle } = wait.wait_for;
  const seen = text === null && selector === null ? null : await look(wait, { text, selector });
  const { urls, quietMs } = wait.requests.of(wait.tab_id);
  const missing: WaitCondition[] = [];
  if (text !== null && seen?.text !== true) missing.push('text');
  if (selector !== null && seen?.selector !== true) missing.push('selector');
  if (networkIdle === true && (urls.length > 0 || quietMs < IDLE_MS)) missing.push('network_idle');
  return missing;
}

interface Seen {
  readonly text: boolean;
  readonly selector: boolean;
}

/** What of it can be seen in any frame. */
async function look(wait: PageWait, target: WaitTarget): Promise<Seen> {
  const { tab_id: tabId } = wait;
  await getReadableTab(tabId);
  const frames = (await browser.webNavigation.getAllFrames({ tabId })) ?? [];
  const looks = await Promise.all(
    frames
      .filter(({ errorOccurred }) => !errorOccurred)
      .map(({ frameId, url }) => lookInFrame(wait, { tabId, frameId, url }, target)),
  );
  return { text: looks.some(({ text }) => text), selector: looks.some(({ selector }) => selector) };
}

async function lookInFrame(
  { channels, signal }: PageWait,
  address: { readonly tabId: number; readonly frameId: number; readonly url: string },
  target: WaitTarget,
): Promise<Seen> {
  try {
    const channel = await channels.connect(address, { timeoutMs: ANSWER_MS, signal });
    const asking = { channels, channel, timeoutMs: ANSWER_MS, signal };
    return (await askPage(asking, (id) => ({ type: 'look', id, target }), 'looked')).seen;
  } catch (thrown) {
    signal.throwIfAborted();
    const error = toSpillwayError(thrown);
    // A frame below may be gone, or closed to extensions; only the page itself has to be readable.
    const isPassing = PASSING.has(error.code) || (address.frameId !== 0 && error.code !== 'selector_invalid');
    if (!isPassing) throw error;
    return { text: false, selector: false };
  }
}
