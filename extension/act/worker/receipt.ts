import browser from 'webextension-polyfill';
import * as z from 'zod/mini';
import { delay } from '../../../shared/base/async.ts';
import { deniedPermissions } from '../../core/in-page/permissions.ts';
import type { PageChannels } from '../../core/pages/channels.ts';
import { readTab, type ReadTabOptions } from '../../read/worker/read-tab.ts';
import type { ShownTo } from '../../core/pages/ref-book.ts';
import type { MethodResult, MethodParams } from '../../../shared/core/bridge/methods.ts';
import type { ReadPageOptions } from '../../../shared/read/read_page.methods.ts';
import { cut, cutUrl } from '../../../shared/base/cut.ts';
import { toSpillwayError } from '../../../shared/base/errors.ts';
import type { PageFacts } from '../../../shared/core/bridge/page.ts';
import { SCRIPTED } from '../../platform/chromium/debugger/absent.ts';
import type { TabInput } from '../../platform/device.ts';
import type { PageDialog } from '../../platform/chromium/debugger/page-guard.ts';
import { tabInfo } from '../../core/tabs/tab-info.ts';
import { NOTHING_CHANGED } from '../../read/worker/assembly.ts';
import { LINE_UNITS, shorten } from './units.ts';
import type { ServerPort, WorkerServices } from '../../core/handler.ts';
import { joined, type Settled } from './acting.ts';
import type { ActDebugger } from './act-debugger.ts';
import type { ActTraffic } from './settle.ts';
import type { CallPolicy } from '../../core/policy/call-policy.ts';
import { documentsOfCall } from '../../core/policy/documents.ts';
import { dialogFacts } from './dialogs.ts';
import type { OpeningsWatch } from '../../tabs/worker/openings.ts';
import type { Uploads } from './files.ts';

export interface ActServices extends WorkerServices {
  /** Checked for each document of a step. */
  readonly policy: CallPolicy;
  readonly uploads: Uploads;
  /** Gives secrets as they are typed. */
  readonly server: ServerPort;
  /** Reports progress. It throws once the call may no longer act on the tab. */
  readonly onStep: () => void;
}

export interface ActOptions extends ActServices {
  readonly attached: ActDebugger | null;
  /** Null if scripts send the events. */
  readonly input: TabInput | null;
  readonly opened: OpeningsWatch;
  /** Resolves once the state before the act is recorded. */
  readonly baseline: Promise<void>;
  /** The permissions that the page was denied since the last act. */
  readonly denied: Promise<readonly string[]>;
  readonly traffic: ActTraffic;
  readonly signal: AbortSignal;
}

/** The readable documents of an act's tab. */
export const readableOf = ({ channels, policy }: ActServices, waits = true): PageChannels =>
  documentsOfCall(channels, policy, { risks: ['read'], waits });

/** The session that sees the refs of an act's receipt. */
export const shownTo = ({ caller }: MethodParams<'act.run'>, { refBook: book }: ActServices): ShownTo => ({
  book,
  viewer: caller.session,
});

const SNAPSHOT: ReadPageOptions = {
  format: 'snapshot',
  selector: null,
  main_content_only: false,
  include_links: false,
  include_hidden: false,
};

/** Reads a page as a snapshot, before an act or after it: all of it, or the changes. */
export async function readOutline(
  reader: Pick<ReadTabOptions, 'tabId' | 'channels' | 'shownTo' | 'signal'>,
  more: Partial<ReadPageOptions>,
): Promise<{ readonly text: string; readonly read: MethodResult<'page.read'> }> {
  let text = '';
  const sink = { write: async (part: string) => void (text += part), flush: () => Promise.resolve() };
  const read = await readTab({ ...reader, options: { ...SNAPSHOT, ...more }, sink });
  if (more.purpose === 'baseline') reader.shownTo?.book.regions.note(reader.shownTo.viewer, text);
  return { text, read };
}

const DENIED_MS = 300;

/** The permissions that a tab's page has been denied since the last call. None if it does not answer. */
export async function deniedIn(tabId: number): Promise<readonly string[]> {
  const call = { target: { tabId }, injectImmediately: true, func: deniedPermissions };
  const asked = browser.scripting.executeScript(call).then(
    ([found]) => z.array(z.string()).safeParse(found?.result).data ?? [],
    () => [],
  );
  return Promise.race([asked, delay(DENIED_MS).then(() => [])]);
}

type Params = MethodParams<'act.run'>;
type Result = MethodResult<'act.run'>;

const DOWNLOAD_MS = 300;
const NOTE_UNITS = 500;
const LOADING_SHOWN = 5;
const MESSAGE_UNITS = 1_000;

interface ActOutcome extends Pick<Result, 'done' | 'failed'> {
  readonly fromUrl: string;
  readonly notTried: string[];
  readonly hidden: readonly number[];
  /** It may open at any time. */
  readonly dialog: () => PageDialog | null;
  /** The act's, which also aborts when a dialog opens. */
  readonly signal: AbortSignal;
  /** The last acted element declares a popup, or has one. */
  readonly opens: boolean;
  /** It was pressed, and nothing else has been done since. */
  readonly isPressed: boolean;
  readonly startedAt: number;
  readonly errors: readonly string[];
  readonly notes: readonly string[];
}

interface Outline extends Pick<Result, 'text' | 'left'> {
  readonly page: Pick<PageFacts, 'url' | 'title'> | null;
  /** Why the page could not be read. */
  readonly note: string | null;
}

/** Codes of failures after which a page does not answer. */
const SILENT = new Set<string>(['page_unresponsive', 'page_crashed', 'tab_not_found']);

const NO_OUTLINE: Outline = { text: null, left: [], page: null, note: null };

/** The effect of pressing an opener: content appeared, disappeared or is expanded. */
const OPENED = /^[+-] |\[expanded\b|^~ .*\b(?:menuitem\w*|option|treeitem) /m;
const STIRRED = '= no change of text or state; positions or styles may have changed\n';
const UNSEEN = 'unknown: nothing visible has opened yet';

/** The lines of the acts. A press alone does not show that something opened. */
function seenOf(
  { done, opens, isPressed }: ActOutcome,
  text: string | null,
  { pending, hasCommitted, hasStirred }: ActOptions['traffic'],
): Pick<Result, 'done' | 'text'> {
  const isUnchanged = text === NOTHING_CHANGED;
  const last = done.at(-1);
  if (opens && isPressed && last !== undefined && text !== null && !hasCommitted && !OPENED.test(text)) {
    const note = joined(last.note, UNSEEN);
    return { done: [...done.slice(0, -1), { ...last, note }], text: isUnchanged ? null : text };
  }
  if (!isUnchanged) return { done, text };
  if (done.some(({ note }) => note?.startsWith('= ') === true)) return { done, text: null };
  if (opens || pending.length > 0) return { done, text: '= nothing yet\n' };
  return { done, text: hasStirred ? STIRRED : text };
}

/** The lines of an act, with what became of fields that were left later. */
export const withOutcomes = (lines: Result['done'], settled: readonly Settled[]): Result['done'] =>
  lines.map((line, at) => {
    const [, outcome] = settled.findLast(([index]) => index === at) ?? [];
    if (outcome === undefined) return line;
    return { ...line, note: shorten(typeof outcome === 'string' ? outcome : outcome.message) };
  });

/** Describes an act that has ended, and its effect. @throws the signal's reason */
export async function describeAct(params: Params, options: ActOptions, outcome: ActOutcome): Promise<Result> {
  const { input, traffic, opened } = options;
  const { failed } = outcome;
  const downloads = await downloadsOf(params, options);
  // If nothing was done, the next receipt still has to report the changes.
  const isWorthIt = failed === null || (outcome.done.length > 0 && !SILENT.has(failed.code));
  const canRead = outcome.dialog() === null && isWorthIt;
  const [tab, outline, earlier, denied] = await Promise.all([
    browser.tabs.get(params.tab_id).catch(() => null),
    canRead ? outlineOf(params, options, outcome) : NO_OUTLINE,
    options.denied,
    canRead ? deniedIn(params.tab_id) : [],
  ]);
  const { page, note, text, left } = tab === null ? NO_OUTLINE : outline;
  const unread = failed === null ? note : null;
  const refused = [...earlier, ...denied].join(', ');
  const permissions = refused === '' ? null : `the page was denied a permission: ${refused}`;
  const notes = [...(input === null ? [SCRIPTED] : []), ...outcome.notes, permissions, unread].filter(
    (each) => each !== null,
  );
  const openedTabs = (await opened.take()).filter(({ id }) => !options.downloads.isForFile(id));
  const dialog = outcome.dialog();
  const isPressed = outcome.isPressed && openedTabs.length === 0 && params.show === 'diff';
  return {
    ...seenOf({ ...outcome, isPressed }, text, traffic),
    failed,
    not_tried: outcome.notTried,
    hidden: [...outcome.hidden],
    // The page itself learns of a route change earlier than the browser.
    tab: tab === null ? null : tabInfo({ ...tab, ...page }),
    from_url: outcome.fromUrl,
    is_new_document: traffic.hasCommitted,
    dialog: dialog && dialogFacts(dialog, MESSAGE_UNITS),
    opened: openedTabs,
    downloads,
    started_at: outcome.startedAt,
    ended_at: Date.now(),
    requests: traffic.count,
    loading: traffic.pending.slice(0, LOADING_SHOWN).map((url) => cutUrl(url, LINE_UNITS).toWellFormed()),
    left,
    console_errors: [...outcome.errors],
    notes: notes.map((each) => cut(each, NOTE_UNITS).toWellFormed()),
  };
}

async function outlineOf(
  params: Params,
  options: ActOptions,
  { dialog, signal }: ActOutcome,
): Promise<Outline> {
  const { show, budget, tab_id: tabId } = params;
  if (show === 'none') return NO_OUTLINE;
  try {
    const reader = { tabId, channels: readableOf(options), shownTo: shownTo(params, options), signal };
    const { text, read } = await readOutline(reader, { diff: show === 'diff', budget, purpose: 'receipt' });
    const { url, title } = read.page;
    const { book, viewer } = reader.shownTo;
    const isNew = show === 'diff' && !read.is_compared;
    const shown = isNew ? book.regions.fold(viewer, text) : text;
    if (!read.is_compared) book.regions.note(viewer, text);
    return { text: shown, left: read.left ?? [], page: { url, title }, note: null };
  } catch (thrown) {
    options.signal.throwIfAborted();
    if (dialog() !== null) return NO_OUTLINE;
    const note = `The page could not be read: ${toSpillwayError(thrown).message}`;
    return { ...NO_OUTLINE, note };
  }
}

/** Waits a moment, since small files arrive at once: reporting them here saves the agent a call. */
async function downloadsOf(
  { tab_id: tabId, caller }: Params,
  { downloads, signal }: ActOptions,
): Promise<Result['downloads']> {
  const since = downloads.lastAct(tabId, caller.session);
  await downloads.ended(tabId, since, DOWNLOAD_MS, signal);
  return downloads.of(tabId, since);
}
