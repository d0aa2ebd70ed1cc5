import browser from 'webextension-polyfill';
import { cut } from '../../../shared/cut.ts';
import { anySignal } from '../../../shared/async/abort.ts';
import { abortable } from '../../../shared/async/wait.ts';
import { SpillwayError, toSpillwayError } from '../../../shared/errors.ts';
import type { MethodParams, MethodResult } from '../../../shared/bridge/methods.ts';
import type { PageFacts } from '../../../shared/bridge/page.ts';
import type { PageDialog } from '../chromium/debugger/page-dialog.ts';
import type { TabRequests } from '../navigation/tab-requests.ts';
import type { WaitConditions } from '../../../shared/tools/wait_for/conditions.ts';
import { awaitConditions } from '../pages/await-conditions.ts';
import { explainLost } from '../pages/read-tab.ts';
import type { PageChannels } from '../pages/channels.ts';
import type { RefBook, ShownTo } from '../pages/ref-book.ts';
import { tabInfo } from '../tabs/tab-info.ts';
import { createWatchDownloads, type ActDebugger, type ActDebuggers } from './act-debugger.ts';
import { ActFrames } from './act-frames.ts';
import type { ActTraffic } from './act-traffic.ts';
import type { TabDownloads } from './downloads.ts';
import type { Dialogs, DialogWait } from './dialogs.ts';
import { ConsoleErrors } from './console-errors.ts';
import { chooserNote, FileChoosers } from './file-choosers.ts';
import { TrustedInput } from './input.ts';
import { ScriptedInput } from './scripted-input.ts';
import type { OpeningsWatch, TabOpenings } from './openings.ts';
import { readReceipt } from './outline.ts';
import { settle } from './settle.ts';
import type { Uploads } from './uploads.ts';
import type { HandsOptions } from './hands.ts';
import { Stepper } from './steps.ts';
import { LINE_UNITS, unitsOf, type Unit } from './units.ts';
import { WAIT_STEP_MS } from './wait-step.ts';

export interface ActServices {
  readonly channels: PageChannels;
  readonly requests: TabRequests;
  readonly acting: ActDebuggers;
  readonly openings: TabOpenings;
  readonly downloads: TabDownloads;
  readonly uploads: Uploads;
  readonly dialogs: Dialogs;
  /** Reports progress. It throws once the tab may no longer be acted on. */
  readonly onStep: () => void;
  readonly refBook: RefBook;
}

type Params = MethodParams<'act.run'>;
type Result = MethodResult<'act.run'>;

const SCRIPTED =
  'The debugger cannot attach to this tab, so a script sent the events. Pages can detect this.';
/** How long a receipt waits for downloads to end. */
const DOWNLOAD_MS = 300;
const NOTE_UNITS = 500;
const LOADING_SHOWN = 5;
const MESSAGE_UNITS = 1_000;

/** What a receipt shows of the page, with the page's own URL and title. */
interface Outline extends Pick<Result, 'text' | 'left'> {
  readonly page: Pick<PageFacts, 'url' | 'title'> | null;
}

const NO_OUTLINE: Outline = { text: null, left: [], page: null };

/** The session that is shown the refs of an act's receipt. */
export const shownTo = ({ caller }: Params, { refBook: book }: ActServices): ShownTo => ({
  book,
  viewer: caller.session,
});

export interface ActOptions extends ActServices {
  readonly attached: ActDebugger | null;
  readonly opened: OpeningsWatch;
  readonly traffic: ActTraffic;
  readonly signal: AbortSignal;
}

/** One call of `interact` in the worker. */
export class Act {
  readonly #params: Params;
  readonly #options: ActOptions;
  readonly #frames: ActFrames;
  readonly #done: Result['done'] = [];
  readonly #errors: ConsoleErrors | null;
  readonly #choosers: FileChoosers | null;
  /** Aborted when a dialog opens or the page crashes: from then on the page answers nothing. */
  readonly #interrupt = new AbortController();
  readonly #waiting: DialogWait;
  readonly #stopListening: (() => void) | undefined;
  #dialog: PageDialog | null = null;
  #failed: Result['failed'] = null;
  #notTried: string[] = [];
  /** Why the page was lost while the act waited for the effect of a step. */
  #lost: SpillwayError | null = null;
  readonly #notes: string[] = [];
  readonly #startedAt = Date.now();

  constructor(params: Params, options: ActOptions) {
    this.#params = params;
    this.#options = options;
    const { channels, dialogs, attached } = options;
    const { tab_id: tabId } = params;
    this.#frames = new ActFrames({ tabId, channels, shownTo: shownTo(params, options) });
    this.#errors = attached === null ? null : new ConsoleErrors(attached.lease);
    this.#choosers = attached === null ? null : new FileChoosers(attached.lease);
    this.#waiting = dialogs.whenDialog(tabId);
    this.#stopListening = attached?.lease.onEvent(({ method, sessionId }) => {
      if (method === 'Inspector.targetCrashed' && sessionId === null)
        this.#interrupt.abort(new SpillwayError('page_crashed', `Tab ${tabId} has crashed.`));
    });
    void this.#waiting.opened.then((dialog) => {
      this.#dialog = dialog;
      this.#interrupt.abort(new SpillwayError('dialog_open', 'The page opened a dialog.'));
    });
  }

  async run(): Promise<void> {
    const { attached } = this.#options;
    const { signal, release } = anySignal([
      this.#options.signal,
      attached?.lease.signal,
      this.#interrupt.signal,
    ]);
    const units = unitsOf(this.#params);
    const canOpenChoosers = units.some((unit) => unit.hasEffect);
    const [{ os }] = await Promise.all([
      browser.runtime.getPlatformInfo(),
      canOpenChoosers ? this.#choosers?.start() : undefined,
    ]);
    const isMac = os === 'mac';
    const { wait_ms: waitMs, may_type_passwords: mayTypePasswords } = this.#params;
    const giveFiles: HandsOptions['giveFiles'] = (held, paths) =>
      this.#options.uploads.give(held, paths, { files: this.#params.files, signal });
    const wait: HandsOptions['wait'] = (conditions) => this.#wait(conditions, signal);
    const choosers = this.#choosers;
    const { traffic, requests } = this.#options;
    const pendingIds = (): readonly string[] => requests.of(this.#params.tab_id).ids;
    const how = {
      ...{ frames: this.#frames, isMac, waitMs, mayTypePasswords },
      ...{ giveFiles, choosers, wait, traffic, pendingIds, signal },
    };
    const input =
      attached === null ? new ScriptedInput(how) : new TrustedInput({ ...how, debugger: attached });
    const stepper = new Stepper({ ...how, input });
    try {
      for (const [index, unit] of units.entries()) {
        if (await this.#do(unit, stepper, signal)) continue;
        return this.#leave(units.slice(index + 1).map(({ line }) => line));
      }
    } finally {
      release();
      await stepper.end();
    }
  }

  #wait(conditions: WaitConditions, signal: AbortSignal): ReturnType<HandsOptions['wait']> {
    const { channels, refBook: refs, requests } = this.#options;
    const { tab_id, caller } = this.#params;
    const how = { tab_id, caller, conditions, mode: 'all', timeout_ms: WAIT_STEP_MS } as const;
    const watchDownloads = createWatchDownloads(this.#options);
    return awaitConditions({ ...how, channels, refs, requests, watchDownloads, signal });
  }

  #settle(signal: AbortSignal): Promise<void> {
    const frames = this.#frames;
    frames.forget();
    const touched = frames.last === null ? [] : [frames.last];
    const hasFiles = this.#params.files.length > 0;
    return settle({ frames, traffic: this.#options.traffic, touched, hasFiles, signal });
  }

  stop(): void {
    this.#waiting.stop();
    this.#errors?.stop();
    this.#choosers?.stop();
    this.#stopListening?.();
  }

  /** Does one unit and waits for its effect. False ends the act. */
  async #do(unit: Unit, stepper: Stepper, signal: AbortSignal): Promise<boolean> {
    const { traffic, onStep } = this.#options;
    const { line } = unit;
    let note: string | null = null;
    let isDone = false;
    try {
      onStep();
      note = await abortable(unit.run(stepper), signal);
      isDone = true;
      if (unit.hasEffect) await this.#settle(signal);
      note = this.#withChooser(note);
      return !traffic.isClosed;
    } catch (thrown) {
      this.#options.signal.throwIfAborted();
      if (this.#dialog !== null) isDone = true;
      else if (!isDone) this.#fail(line, await this.#explain(thrown));
      else if (!traffic.isClosed) this.#lost = await this.#explain(thrown);
      return false;
    } finally {
      if (isDone)
        this.#done.push({ line, note: note === null ? null : cut(note, LINE_UNITS).toWellFormed() });
    }
  }

  #withChooser(note: string | null): string | null {
    const chooser = this.#choosers?.take() ?? null;
    if (chooser === null) return note;
    return [note, chooserNote(chooser)].filter((part) => part !== null).join('; ');
  }

  /** Ends the act before it tries the steps with these lines. */
  #leave(lines: readonly string[]): void {
    const [next, ...rest] = lines;
    if (this.#lost !== null && next !== undefined) {
      this.#fail(next, this.#lost);
      this.#notTried = rest;
      return;
    }
    if (this.#lost !== null) this.#notes.push(this.#lost.message);
    this.#notTried = [...lines];
  }

  /** Reads what the receipt shows of the page. */
  async #outline(canRead: boolean): Promise<Outline> {
    const { show, budget, tab_id: tabId } = this.#params;
    if (show === 'none' || !canRead) return NO_OUTLINE;
    const { channels, signal } = this.#options;
    try {
      const reader = { tabId, channels, shownTo: shownTo(this.#params, this.#options), signal };
      const { text, read } = await readReceipt(reader, { diff: show === 'diff', budget });
      const { url, title } = read.page;
      return { text, left: read.left ?? [], page: { url, title } };
    } catch (thrown) {
      signal.throwIfAborted();
      this.#notes.push(`The page could not be read: ${toSpillwayError(thrown).message}`);
      return NO_OUTLINE;
    }
  }

  /** Waits a moment, since small files arrive at once: reporting them here saves the agent a call. */
  async #downloads(): Promise<Result['downloads']> {
    const { downloads, signal } = this.#options;
    const { tab_id: tabId, caller } = this.#params;
    const since = downloads.lastAct(tabId, caller.session);
    await downloads.ended(tabId, { since, waitMs: DOWNLOAD_MS, signal });
    return downloads.of(tabId, since);
  }

  #explain(thrown: unknown): Promise<SpillwayError> {
    return explainLost(toSpillwayError(thrown), this.#params.tab_id);
  }

  #fail(line: string, { code, message, hint, tabId }: SpillwayError): void {
    const tab = tabId === undefined ? {} : { tab_id: tabId };
    this.#failed = { line, code, message: cut(message, 2_000).toWellFormed(), hint, ...tab };
  }

  async result(fromUrl: string): Promise<Result> {
    const { traffic, opened } = this.#options;
    const { tab_id: tabId } = this.#params;
    const tab = await browser.tabs.get(tabId).catch(() => null);
    const dialog = this.#dialog;
    const downloads = await this.#downloads();
    // A failed act does not show the page, so the next receipt still has to report what changed.
    const canRead = tab !== null && dialog === null && this.#failed === null;
    const { page, ...outline } = await this.#outline(canRead);
    return {
      done: this.#done,
      failed: this.#failed,
      not_tried: this.#notTried,
      // The browser learns of a change of route later than the page itself.
      tab: tab === null ? null : tabInfo({ ...tab, ...page }),
      from_url: fromUrl,
      is_new_document: traffic.hasCommitted,
      dialog:
        dialog === null
          ? null
          : { type: dialog.type, message: cut(dialog.message, MESSAGE_UNITS).toWellFormed() },
      opened: (await opened.take()).filter(({ id }) => !this.#options.downloads.isForFile(id)),
      downloads,
      started_at: this.#startedAt,
      ended_at: Date.now(),
      requests: traffic.count,
      loading: traffic.pending.slice(0, LOADING_SHOWN).map((url) => cut(url, LINE_UNITS).toWellFormed()),
      ...outline,
      console_errors: [...(this.#errors?.lines ?? [])],
      notes: [
        ...(this.#options.attached === null ? [SCRIPTED] : []),
        ...this.#notes.map((note) => cut(note, NOTE_UNITS).toWellFormed()),
      ],
    };
  }
}
