import browser, { type Scripting } from 'webextension-polyfill';
import { delay, waitAtMost } from '../../../shared/base/async.ts';
import type { MethodParams, MethodResult } from '../../../shared/core/bridge/methods.ts';
import { SpillwayError, toSpillwayError } from '../../../shared/base/errors.ts';
import { isErrorPage, REJECTS_MISSING_ENTRY } from '../../platform/chromium/members.ts';
import { discardTab } from '../../platform/chromium/tab-groups.ts';
import { createTab, onTab, tabInfo } from '../../core/tabs/tab-info.ts';
import { checkUrl } from '../../core/tabs/url.ts';
import { answer, hasStepped, stepHistory } from '../../core/in-page/document.ts';
import {
  browserEvents,
  emitIfComplete,
  whenFrameMoves,
  type NavigationOutcome,
} from '../../core/navigation/browser-events.ts';
import { unenteredError } from './failures.ts';
import { UnsavedFiles } from '../../core/navigation/stop-loading.ts';
import { NavigationWatch } from './watch.ts';

/** A history navigation begins within milliseconds if there is an entry to go to. */
const BEGIN_MS = 1_000;
/** A page that runs no script for this long hangs. */
const ANSWER_MS = 3_000;

/** Moves one entry through the history of a tab whose page no script may enter. False if there is no such entry. */
type StepEntry = (tabId: number, action: 'back' | 'forward') => Promise<boolean>;

interface HistoryStep {
  readonly tabId: number;
  readonly action: 'back' | 'forward';
  readonly watch: NavigationWatch;
  readonly step: StepEntry | undefined;
}

/**
 * Moves one entry back or forward. `tabs.goBack` alone is not enough: like the browser's button it skips every page
 * without a user gesture, which means all pages that an agent loaded. The page's own `history` does not, but is silent
 * without an entry, and out of reach in the page of a failed load: then the debugger or the button decides.
 * @throws SpillwayError `no_history_entry`
 */
async function stepTabHistory(step: HistoryStep): Promise<void> {
  const { tabId, action, watch } = step;
  if (await stepInPage(step)) return;
  const missing = new SpillwayError(
    'no_history_entry',
    `Tab ${tabId} has no history entry to go ${action} to.`,
  );
  try {
    await (action === 'back' ? browser.tabs.goBack(tabId) : browser.tabs.goForward(tabId));
  } catch (error) {
    // Chrome has only a sentence for it: "Cannot find a next page in history."
    throw error instanceof Error && /in history/i.test(error.message) ? missing : error;
  }
  if (REJECTS_MISSING_ENTRY) return;
  if (!(await watch.begins(ANSWER_MS)) && !(await hangs(tabId)) && !(await watch.begins(0))) throw missing;
}

/** False if nothing begins: there is no such entry, or neither a script nor the debugger may enter the page. */
async function stepInPage({ tabId, action, watch, step }: HistoryStep): Promise<boolean> {
  const moved = new Map<number, string | null>();
  const stopListening = whenFrameMoves(tabId, (frameId, url) => moved.set(frameId, url));
  try {
    const steps = await runs({ tabId }, stepHistory, action);
    if (steps === null) return (await step?.(tabId, action).catch(() => false)) ?? false;
    if (!steps) return false;
    if (await watch.begins(BEGIN_MS)) return true;
    // A busy page begins late, but before it answers. The button as well would go two entries.
    await hangs(tabId);
    // Likewise if the entry is that of a frame: then the page itself begins nothing, and the frame's site may be slow.
    while ([...moved.values()].includes(null) && !watch.isOver) await delay(RETRY_MS);
    if (await watch.begins(0)) return true;
    for (const [frameId, url] of moved) {
      const stepped = runs({ tabId, frameIds: [frameId] }, hasStepped, action);
      if (url === null || (await waitAtMost(stepped, ANSWER_MS)) !== true) continue;
      watch.take({ type: 'same_document', tabId, url, isHistoryStep: true });
      await emitIfComplete(tabId);
      return true;
    }
    return false;
  } finally {
    stopListening();
  }
}

/** Whether a function in a document returns true; null if no script may enter it. */
const runs = (
  target: Scripting.ScriptInjection['target'],
  func: typeof stepHistory,
  action: HistoryStep['action'],
): Promise<boolean | null> =>
  browser.scripting.executeScript({ target, injectImmediately: true, args: [action], func }).then(
    ([ran]) => ran?.result === true,
    () => null,
  );

/** Whether the tab's page runs nothing: it loops, or has a dialog open. One that no script may enter does not hang. */
const hangs = async (tabId: number): Promise<boolean> =>
  (await waitAtMost(runs({ tabId }, answer, 'back'), ANSWER_MS)) === undefined;

export type NavigateParams = Omit<MethodParams<'page.navigate'>, 'caller'>;

/** Navigations in progress, by tab: a tab shows one page, so the later command wins. */
const inFlight = new Map<number, NavigationWatch>();

/** Abandoned loads that are being stopped, by tab: the next command waits, or it would be stopped too. */
const stopping = new Map<number, Promise<void>>();

/** The caller of a tab's last command, until that call has ended. */
const commanded = new Map<number, NavigationWatch>();

/** Stops the loading of a tab, unless it has a newer command. Ends within a bounded time. */
type StopLoading = (tabId: number, isOurs: () => boolean) => Promise<void>;

export interface Steering {
  readonly stop?: StopLoading;
  readonly step?: StepEntry;
  /** A reload asks for everything again, whatever is in the cache. */
  readonly isCold?: boolean;
  /** Resolves if a tab may go to an address; called for each address, redirects included. */
  readonly permit?: (url: string) => Promise<void>;
  /** Awaited when a new tab has opened. */
  readonly onOpened?: (tabId: number, url: string) => Promise<void>;
  /** Called when a tab has parsed a permitted page. */
  readonly onParsed?: (tabId: number) => void;
}

/**
 * Loads an address, goes back or forward, or reloads, in a tab or in a new background one, and waits until it is done.
 * @throws SpillwayError `url_not_allowed`, `tab_not_found`, `no_history_entry`, `not_a_page` for a file or no content,
 * `navigation_failed` with the `net::ERR_…`, `navigation_timeout` with the state reached, or the signal's reason. A tab
 * opened for an abandoned load is closed; `stop` stops the load of any other tab.
 */
export async function navigateTab(
  params: NavigateParams,
  signal: AbortSignal,
  steering: Steering = {},
): Promise<MethodResult<'page.navigate'>> {
  const url = await addressOf(params);
  const { permit, onParsed } = steering;
  const { tab_id: tabId } = params;
  if (url !== null) await permit?.(url);
  /** For the tab's new address; null while it still shows the old page. */
  let permitted: Promise<unknown> | null = null;
  const onAddress = (address: string): void => {
    permitted = Promise.resolve(permit?.(address));
    permitted.catch((refused: unknown) => watch.fail(refused));
  };
  const watch: NavigationWatch = new NavigationWatch({ ...params, tabId, url, signal, onAddress });
  try {
    // Already abandoned: the tab got no command yet, and its own load must not be stopped.
    if (watch.isOver) await watch.done;
    if (tabId !== null) {
      supersede(tabId, watch);
      await Promise.race([stopping.get(tabId), watch.done]);
    }
    return await follow({ params, url, watch }, signal, {
      ...steering,
      onParsed: (parsed) =>
        void permitted?.then(
          () => onParsed?.(parsed),
          () => undefined,
        ),
    });
  } catch (error) {
    throw toSpillwayError(error);
  } finally {
    watch.dispose();
    if (tabId !== null && inFlight.get(tabId) === watch) inFlight.delete(tabId);
  }
}

/** Gives the command and waits for its end; stops an abandoned or refused load. */
async function follow(
  { params, url, watch }: Command,
  signal: AbortSignal,
  { stop, step, permit, onOpened, onParsed, isCold = false }: Steering,
): Promise<MethodResult<'page.navigate'>> {
  const opened: { tabId: number | null; reported?: Promise<void> | undefined } = { tabId: null };
  const stopListening = browserEvents((event) => {
    watch.take(event);
    const isParsed = event.type === 'dom_content_loaded' && event.tabId === (params.tab_id ?? opened.tabId);
    if (isParsed) onParsed?.(event.tabId);
  });
  const unsaved = new UnsavedFiles(params.tab_id);
  if (params.tab_id !== null) commanded.set(params.tab_id, watch);
  watch.whenUnshown(() => {
    leaveHungPage({ params, url, watch }).catch((error: unknown) => watch.fail(error));
  });
  if (params.action === 'goto' && url !== null)
    watch.whenStopped((tabId) => {
      loadAgain(tabId, url, watch).catch((error: unknown) => watch.fail(error));
    });
  command({ params, url, watch, step, isCold }, (tabId) => {
    opened.tabId = tabId;
    opened.reported = onOpened?.(tabId, url ?? '');
    unsaved.add(tabId);
    // Abandoned before the browser had opened it: no caller would ever know of this tab.
    if (watch.isOver) browser.tabs.remove(tabId).catch(() => {});
    watch.setTab(tabId);
  }).then(
    () => watch.commandTaken(),
    (error: unknown) => watch.fail(error),
  );
  try {
    const outcome = await watch.done;
    await opened.reported;
    return await arrived(outcome, params, permit);
  } catch (error) {
    await opened.reported;
    const { tab_id: tabId } = params;
    if ((signal.aborted || isRefused(error)) && tabId !== null && stop !== undefined)
      await untilStopped(tabId, () => stop(tabId, () => commanded.get(tabId) === watch));
    throw await afterFailure(opened.tabId, toSpillwayError(error));
  } finally {
    stopListening();
    unsaved.end();
    if (params.tab_id !== null && commanded.get(params.tab_id) === watch) commanded.delete(params.tab_id);
  }
}

/** The tab where it has arrived. @throws SpillwayError for an address that it may not show, or that has no page */
async function arrived(
  { tabId, status, redirects }: NavigationOutcome,
  params: NavigateParams,
  permit: Steering['permit'],
): Promise<MethodResult<'page.navigate'>> {
  const tab = tabInfo(await onTab(tabId, () => browser.tabs.get(tabId)));
  await permit?.(tab.url);
  const isHttp = /^https?:/.test(tab.url);
  if (isHttp && status === null && (await isErrorPage(tabId))) throw unenteredError(tab.url);
  // The tab itself reports it a moment later.
  const loaded = params.wait_until === 'domcontentloaded' ? {} : { status: 'complete' as const };
  return { tab: { ...tab, ...loaded }, status: isHttp ? status : null, redirects: [...redirects] };
}

/** Whether the rules forbid the tab's destination. */
const isRefused = (thrown: unknown): boolean =>
  thrown instanceof SpillwayError && (thrown.code === 'policy_denied' || thrown.code === 'approval_required');

/** If a load cannot be stopped (because a person has forbidden the debugger, for example), it continues unwatched. */
async function untilStopped(tabId: number, stop: () => Promise<void>): Promise<void> {
  const stopped = stop().catch(() => undefined);
  stopping.set(tabId, stopped);
  await stopped;
  if (stopping.get(tabId) === stopped) stopping.delete(tabId);
}

function supersede(tabId: number, watch: NavigationWatch): void {
  const message = `Another call navigated tab ${tabId} before this one finished.`;
  const hint =
    'Navigate a tab with one call at a time; to load two pages at once, open a second tab with tabs.';
  inFlight.get(tabId)?.fail(new SpillwayError('navigation_failed', message, { hint }));
  inFlight.set(tabId, watch);
}

/** The address that will be loaded, or null if only the history knows it. */
async function addressOf({ action, tab_id: tabId, url }: NavigateParams): Promise<string | null> {
  if (action === 'goto') {
    if (url === undefined) throw new SpillwayError('invalid_argument', 'url: required for goto.');
    const address = await checkUrl(url);
    if (tabId !== null) await onTab(tabId, () => browser.tabs.get(tabId));
    return address;
  }
  if (tabId === null) throw new SpillwayError('invalid_argument', `tab_id: required for ${action}.`);
  const tab = await onTab(tabId, () => browser.tabs.get(tabId));
  return action === 'reload' ? (tab.url ?? null) : null;
}

interface Command {
  readonly params: NavigateParams;
  readonly url: string | null;
  readonly watch: NavigationWatch;
  readonly step?: StepEntry | undefined;
  readonly isCold?: boolean;
}

async function command(
  { params, url, watch, step, isCold = false }: Command,
  onOpened: (tabId: number) => void,
): Promise<void> {
  const { tab_id: tabId, action } = params;
  if (tabId === null) {
    const tab = await createTab(url ?? 'about:blank', false);
    onOpened(tabInfo(tab).id);
    return;
  }
  await onTab(tabId, async () => {
    if (action === 'goto') await load(tabId, url ?? 'about:blank', watch);
    else if (action === 'reload') await browser.tabs.reload(tabId, { bypassCache: isCold });
    else await stepTabHistory({ tabId, action, watch, step });
  });
}

/**
 * A hanging page keeps all pages of its site from being shown in its tab, since they would share its process. So it is
 * discarded, and the command repeated.
 */
async function leaveHungPage({ params, url, watch }: Command): Promise<void> {
  const { tab_id: tabId } = params;
  if (tabId === null || url === null || !(await hangs(tabId))) return;
  // It may have been shown meanwhile.
  if (watch.isOver || !watch.isUnshown) return;
  const discarded = await discardTab(tabId).catch(() => null);
  // A tab that cannot be discarded is left to the deadline.
  if (discarded === null || watch.isOver) return;
  await loadAgain(discarded, url, watch);
}

async function loadAgain(tabId: number, url: string, watch: NavigationWatch): Promise<void> {
  watch.startOver(tabId);
  await onTab(tabId, () => load(tabId, url, watch));
  watch.commandTaken();
}

/** Chrome's message for a command that came while it could not accept one. */
const REJECTED = /Navigation rejected/i;
const RETRY_MS = 100;

/**
 * Loads an address. While the browser still settles an earlier navigation of the tab (after it was stopped, for
 * example) it rejects a new one: then the command is repeated until the call's own deadline.
 */
async function load(tabId: number, url: string, watch: NavigationWatch): Promise<void> {
  for (;;) {
    try {
      await browser.tabs.update(tabId, { url });
      return;
    } catch (error) {
      if (watch.isOver || !(error instanceof Error) || !REJECTED.test(error.message)) throw error;
    }
    await delay(RETRY_MS);
  }
}

/**
 * A tab that was opened for a failed navigation is closed again. One that is only slow stays, since it can be read, and
 * the error names it.
 */
async function afterFailure(openedTabId: number | null, error: SpillwayError): Promise<SpillwayError> {
  if (openedTabId === null) return error;
  if (error.code === 'navigation_timeout')
    return new SpillwayError(error.code, error.message, { tabId: openedTabId });
  await browser.tabs.remove(openedTabId).catch(() => {});
  return error;
}
