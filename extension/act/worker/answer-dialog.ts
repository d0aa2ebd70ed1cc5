import browser from 'webextension-polyfill';
import { defer, onAbort, waitAtMost } from '../../../shared/base/async.ts';
import type { MethodParams, MethodResult } from '../../../shared/core/bridge/methods.ts';
import { cutUrl } from '../../../shared/base/cut.ts';
import { SpillwayError } from '../../../shared/base/errors.ts';
import { messageOf } from '../../../shared/base/message-of.ts';
import type { DebuggerLease, DebuggerSessions } from '../../platform/chromium/debugger/sessions.ts';
import { closeDialog, onDeparture, titleOf } from '../../platform/chromium/loading.ts';
import { onTab, tabInfo } from '../../core/tabs/tab-info.ts';
import type { HandlerServices } from '../../core/handler.ts';
import { ActFrames } from './act-frames.ts';
import { ActTraffic, settle } from './settle.ts';
import { dialogFacts, type Dialogs } from './dialogs.ts';
import { readOutline } from './receipt.ts';

const GO_ON_MS = 2_000;
/** To arrive at the next page: its site has to answer. */
const LEAVE_MS = 10_000;
const MESSAGE_UNITS = 300;
const MAX_WINDOWS = 20;

interface Answering extends Pick<HandlerServices, 'channels' | 'openings' | 'requests' | 'refBook'> {
  readonly debuggers: DebuggerSessions;
  readonly dialogs: Dialogs;
  readonly signal: AbortSignal;
}

/**
 * Answers a tab's dialog and waits until its page has continued: to the end of the script that opened the dialog, to
 * the next dialog, to another document, or to the end of the tab.
 * @throws SpillwayError `dialog_not_found`, `tab_not_found`, `invalid_argument` for text to a dialog that is not a
 * prompt, the errors of `DebuggerSessions.acquire`, or the signal's reason
 */
export async function answerDialog(
  params: MethodParams<'dialog.answer'>,
  services: Answering,
): Promise<MethodResult<'dialog.answer'>> {
  const { tab_id: tabId, accept, text } = params;
  const { debuggers, dialogs, signal } = services;
  const dialog = dialogs.of(tabId);
  if (dialog === null) {
    await onTab(tabId, () => browser.tabs.get(tabId));
    throw noDialog(tabId);
  }
  if (text !== undefined && dialog.type !== 'prompt')
    throw new SpillwayError(
      'invalid_argument',
      `text: the dialog of tab ${tabId} is of type ${dialog.type}.`,
      { hint: 'Pass text only for a prompt.' },
    );
  const lease = await debuggers.acquire(tabId, signal);
  const release = services.requests.hold();
  const traffic = new ActTraffic(tabId, services.requests.of(tabId).urls);
  const opened = services.openings.watch(tabId);
  const next = new NextStep(lease);
  try {
    await close(lease, accept, text ?? dialog.defaultText);
    // A tab's page may ask again though it is only attached briefly.
    lease.keepDialogs().catch(() => undefined);
    const waiting = dialogs.whenDialog(tabId);
    try {
      const hasGoneOn = next.happens(dialog.type === 'beforeunload' && accept, signal);
      const reopened = await Promise.race([waiting.opened, hasGoneOn.then(() => null)]);
      const hasEnded = reopened === null && (next.hasNavigated || next.title !== null);
      const changing = hasEnded ? changesOf(params, services, traffic) : null;
      const changes = await Promise.race([changing, waiting.opened.then(() => null)]);
      const following = reopened ?? dialogs.of(tabId);
      const tab = await browser.tabs.get(tabId).catch(() => null);
      const tabs = await opened.take();
      return {
        answered: dialogFacts(dialog, MESSAGE_UNITS),
        next: following && dialogFacts(following, MESSAGE_UNITS),
        opened: tabs,
        blocked: next.windows.slice(tabs.length).map((url) => cutUrl(url, MESSAGE_UNITS)),
        tab: tab && tabInfo(next.hasNavigated ? tab : { ...tab, title: next.title ?? tab.title ?? '' }),
        navigated: next.hasNavigated,
        changes,
      };
    } finally {
      waiting.stop();
    }
  } finally {
    next.stop();
    opened.end();
    traffic.stop();
    release();
    await lease.release();
  }
}

/** Changes since the session last saw the page. Null for an unreadable page. */
async function changesOf(
  { tab_id: tabId, caller, budget }: MethodParams<'dialog.answer'>,
  { channels, refBook: book, signal }: Answering,
  traffic: ActTraffic,
): Promise<string | null> {
  const shownTo = { book, viewer: caller.session };
  const frames = new ActFrames({ tabId, channels, shownTo });
  try {
    await settle({ frames, traffic, touched: [], hasFiles: false, opens: false, isBetween: false, signal });
    const reader = { tabId, channels, shownTo, signal };
    const { text } = await readOutline(reader, { diff: true, budget, purpose: 'receipt' });
    return text.trimEnd();
  } catch {
    signal.throwIfAborted();
    return null;
  }
}

const noDialog = (tabId: number): SpillwayError =>
  new SpillwayError(
    'dialog_not_found',
    `No dialog of tab ${tabId} is known. If one opened between acts, only a person can answer it.`,
  );

/** Resolves when the browser has closed the dialog. */
async function close(lease: DebuggerLease, accept: boolean, text: string): Promise<void> {
  try {
    await closeDialog(lease, { accept, text, closesMs: GO_ON_MS });
  } catch (thrown) {
    // A tab closed by its last dialog answers nothing more.
    if (lease.signal.aborted) return;
    if (/no dialog is showing/i.test(messageOf(thrown))) throw noDialog(lease.tabId);
    throw thrown;
  }
}

/** A page that continues after its dialog. */
class NextStep {
  /** Frames that are navigating to another document. */
  readonly #leaving = new Set<string>();
  readonly #arrived = defer<void>();
  hasNavigated = false;
  title: string | null = null;
  /** Addresses of windows that the page asked for. The browser opens none long after a press. */
  readonly windows: string[] = [];

  readonly stop: () => void;

  constructor(private readonly lease: DebuggerLease) {
    this.stop = onDeparture(lease, {
      onWindow: (url) => void (this.windows.length < MAX_WINDOWS && this.windows.push(url)),
      onLeaving: (frameId) => void this.#leaving.add(frameId),
      onNavigated: (frameId, isTab) => this.#navigated(frameId, isTab),
      // By then, the tab has the address and the title of its new document.
      onParsed: () => this.hasNavigated && this.#arrived.resolve(),
    });
  }

  /**
   * @param leaves whether the answer lets the tab leave its page
   * @returns once the page's script has ended and any new document has loaded; at the latest after a bounded time
   */
  async happens(leaves: boolean, signal: AbortSignal): Promise<void> {
    const gone = new Promise<void>((resolve) => void onAbort(this.lease.signal, resolve));
    const continued = leaves ? this.#arrived.promise : this.#goesOn();
    await waitAtMost(Promise.race([continued, gone]), leaves ? LEAVE_MS : GO_ON_MS, signal);
  }

  /**
   * The command queues behind the script that opened the dialog, in the page's single thread. The browser itself learns
   * of a new title later.
   */
  async #goesOn(): Promise<void> {
    this.title = await titleOf(this.lease, GO_ON_MS).catch(() => null);
    if (this.#leaving.size > 0) await this.#arrived.promise;
  }

  #navigated(frameId: string, isTab: boolean): void {
    this.#leaving.delete(frameId);
    if (isTab) this.hasNavigated = true;
    else if (this.#leaving.size === 0) this.#arrived.resolve();
  }
}
