import { delay } from '../../../shared/base/async.ts';
import type { MethodParams, MethodResult } from '../../../shared/core/bridge/methods.ts';
import { toSpillwayError } from '../../../shared/base/errors.ts';
import { areInterrupted, haveEnded, type Download } from '../../../shared/core/downloads.ts';
import { addressPattern, AWAITED_NAMES } from '../../../shared/wait/wait_for.methods.ts';
import type { DownloadWatch, WatchDownloads } from '../../files/worker/download-watch.ts';
import type { TabRequests } from '../../core/navigation/tab-requests.ts';
import { IDLE_MS } from '../../tabs/worker/watch.ts';
import { findInTab, findRef, type FindInTab } from '../../find/worker/find-in-tab.ts';
import { isRef } from '../../core/pages/ref-book.ts';
import { getReadableTab, unlessReplaced } from '../../core/pages/targets.ts';

/** Interval between checks. The worker itself waits: a hidden page's timers are unreliable. */
const LOOK_MS = 100;
const URLS_KEPT = 5;
const NEAREST = 3;

export interface AwaitConditions
  extends MethodParams<'page.await'>, Pick<FindInTab, 'channels' | 'refs' | 'signal'> {
  readonly requests: TabRequests;
  readonly watchDownloads: WatchDownloads;
}

type Outcome = MethodResult<'page.await'>;
type Name = (typeof AWAITED_NAMES)[number];

/** Null while it is being replaced. */
type Seen = { readonly more: number; readonly hidden: number } | null;

/**
 * Waits until all or any of the conditions are met, through navigations. A time-out is an answer, not a failure.
 * @throws SpillwayError `selector_invalid`, `debugger_unavailable` or `debugger_cancelled` for a download,
 * `ref_not_found`, `stale_ref` for a target whose page the tab has left, `tab_not_found`, `tab_discarded`,
 * `page_forbidden`, `page_crashed`, or the signal's reason
 */
export async function awaitConditions(wait: AwaitConditions): Promise<Outcome> {
  const { tab_id: tabId, caller, conditions, mode, timeout_ms: timeoutMs, requests, signal } = wait;
  const release = requests.hold();
  let watch: DownloadWatch | null = null;
  const startedAt = performance.now();
  const left = (): number => startedAt + timeoutMs - performance.now();
  const asked = AWAITED_NAMES.filter((name) => conditions[name] !== undefined);
  try {
    if (asked.includes('download')) watch = await wait.watchDownloads(tabId, caller.session, signal);
    for (;;) {
      const downloads = watch?.list() ?? [];
      const holds = await Promise.all(asked.map((name) => isMet(wait, name, downloads)));
      signal.throwIfAborted();
      const met = asked.filter((_name, index) => holds[index]);
      const isDone = mode === 'all' ? met.length === asked.length : met.length > 0;
      const mayOthersHold = mode === 'any' && asked.length > 1;
      if (isDone || left() <= 0 || (areInterrupted(downloads) && !mayOthersHold))
        return await report(wait, { asked, met, isDone, startedAt, downloads });
      await delay(Math.min(LOOK_MS, Math.max(1, left())), signal);
    }
  } finally {
    watch?.release();
    release();
  }
}

/** Conditions that do not need the debugger. */
export type PageConditions = Omit<AwaitConditions, 'timeout_ms' | 'watchDownloads'>;

/**
 * Whether the conditions are currently met.
 * @throws SpillwayError as {@link awaitConditions}
 */
export async function conditionsHold(page: PageConditions): Promise<boolean> {
  const asked = AWAITED_NAMES.filter((name) => page.conditions[name] !== undefined);
  const holds = await Promise.all(asked.map((name) => isMet(page, name, [])));
  return page.mode === 'all' ? holds.every(Boolean) : holds.some(Boolean);
}

async function isMet(wait: PageConditions, name: Name, downloads: readonly Download[]): Promise<boolean> {
  if (name === 'download') return haveEnded(downloads);
  const { conditions, tab_id: tabId, requests } = wait;
  const seen = look(wait, name);
  if (seen !== null) {
    const counts = await seen;
    return counts !== null && (name.endsWith('_gone') ? counts.more === 0 : counts.more > 0);
  }
  const tab = await getReadableTab(tabId);
  if (name === 'load') return tab.status === 'complete';
  if (name === 'url') return addressPattern(conditions.url ?? '').test(tab.url ?? '');
  const { urls, quietMs } = requests.of(tabId);
  return urls.length === 0 && quietMs >= IDLE_MS;
}

/** Counts a condition's matches in the page; null if it does not concern the page's content. */
function look(wait: PageConditions, name: Name): Promise<Seen> | null {
  const wanted = String(wait.conditions[name]);
  switch (name) {
    case 'text':
    case 'text_gone':
      return unlessReplaced(wait, () => findInTab({ ...wait, target: { said: wanted }, limit: 0 }));
    case 'selector':
      return unlessReplaced(wait, () => findInTab({ ...wait, target: { rendered: wanted }, limit: 0 }));
    case 'target':
    case 'target_gone':
      if (isRef(wanted)) return lookForRef(wait, wanted, name === 'target_gone');
      return unlessReplaced(wait, () => findInTab({ ...wait, target: { selector: wanted }, limit: 0 }));
    default:
      return null;
  }
}

/** Looks for a ref's element. Once its document is gone, the element does not come back. */
async function lookForRef(wait: PageConditions, ref: string, mayBeGone: boolean): Promise<Seen> {
  try {
    return await unlessReplaced(wait, () => findRef({ ...wait, ref }));
  } catch (thrown) {
    if (!mayBeGone || toSpillwayError(thrown).code !== 'stale_ref') throw thrown;
    return { more: 0, hidden: 0 };
  }
}

interface Ended {
  readonly asked: readonly Name[];
  readonly met: readonly Name[];
  readonly isDone: boolean;
  readonly startedAt: number;
  readonly downloads: Download[];
}

async function report(
  wait: AwaitConditions,
  { asked, met, isDone, startedAt, downloads }: Ended,
): Promise<Outcome> {
  const waitedMs = Math.round(performance.now() - startedAt);
  const missing = isDone ? [] : asked.filter((name) => !met.includes(name));
  const target = missing.includes('target') ? await look(wait, 'target') : null;
  const { url = '' } = await getReadableTab(wait.tab_id);
  return {
    is_over: !isDone,
    met: [...met],
    missing,
    waited_ms: waitedMs,
    url,
    hidden: target?.hidden ?? null,
    downloads,
    nearest: isDone
      ? await matching(wait, met)
      : missing.includes('text')
        ? await findLines(wait, { query: wait.conditions.text ?? '' })
        : [],
    under_way: wait.requests.of(wait.tab_id).urls.slice(0, URLS_KEPT),
  };
}

/** Lines of the elements that were waited for. */
async function matching(wait: AwaitConditions, met: readonly Name[]): Promise<string[]> {
  const { text = '', target = '' } = wait.conditions;
  const texts = met.includes('text') ? await findLines(wait, { said: text }) : [];
  const isNamed = met.includes('target') && !isRef(target);
  return [...texts, ...(isNamed ? await findLines(wait, { selector: target }) : [])];
}

async function findLines(wait: AwaitConditions, target: FindInTab['target']): Promise<string[]> {
  const found = await unlessReplaced(wait, () => findInTab({ ...wait, target, limit: NEAREST }));
  return found === null ? [] : [...found.lines, ...found.nearest].slice(0, NEAREST);
}
