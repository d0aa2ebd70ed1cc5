import browser, { type Tabs } from 'webextension-polyfill';
import { cut } from '../../../shared/base/cut.ts';
import { anySignal, abortable, lazy } from '../../../shared/base/async.ts';
import { SpillwayError, toSpillwayError } from '../../../shared/base/errors.ts';
import type { MethodParams, MethodResult } from '../../../shared/core/bridge/methods.ts';
import type { PageDialog } from '../../platform/chromium/debugger/page-guard.ts';
import { risksOfAct } from '../../../shared/core/policy/call-risks.ts';
import { documentsOfCall } from '../../core/policy/documents.ts';
import { awaitConditions } from '../../wait/worker/await-conditions.ts';
import { explainLost } from '../../read/worker/read-tab.ts';
import { createWatchDownloads, ConsoleErrors } from './act-debugger.ts';
import { ActFrames } from './act-frames.ts';
import { joined, type Acting } from './acting.ts';
import {
  readableOf,
  shownTo,
  type ActOptions,
  type ActServices,
  describeAct,
  withOutcomes,
} from './receipt.ts';
import { onCrash } from '../../platform/chromium/loading.ts';
import { chooserNote, FileChoosers } from './choosers.ts';
import { Gate } from './gate.ts';
import { restOf, settle } from './settle.ts';
import { begin, tellAhead } from './begin.ts';
import type { StepKind } from '../../../shared/act/step-words.ts';
import { leaveFields } from './leaving.ts';
import { revealer } from './lent.ts';
import { ActShower } from './shown-acts.ts';
import { filesOf } from './files.ts';
import { laterRefs, shorten, unitsOf, WAIT_STEP_MS, type Unit } from './units.ts';

type Params = MethodParams<'act.run'>;
type Result = MethodResult<'act.run'>;

/**
 * Fills fields and runs steps in a tab, one after another, until one fails or a dialog opens, and reports them with
 * their effects.
 * @throws SpillwayError if nothing could be started: for an unreadable tab, or from the debugger
 */
export async function runAct(
  params: Params,
  { url: fromUrl = '' }: Tabs.Tab,
  services: ActServices,
  signal: AbortSignal,
): Promise<Result> {
  const ends: (() => void)[] = [];
  try {
    await tellAhead(params, fromUrl, services.policy);
    const options = await begin(params, services, signal, ends);
    const act = new Act(params, options);
    ends.push(() => act.stop());
    await act.run();
    return await act.result(fromUrl);
  } finally {
    for (const end of ends.reverse()) end();
  }
}

const platform = lazy(() => browser.runtime.getPlatformInfo());

const PRESSES: ReadonlySet<StepKind | undefined> = new Set(['click', 'double_click', 'tap'] as const);

/** One call of `interact` in the worker. */
class Act {
  readonly #frames: ActFrames;
  readonly #gate: Gate;
  /** Aborted with the call, its debugger and its page, and at the end of the act. */
  readonly #signal: AbortSignal;
  readonly #over = new AbortController();
  /** For waiting: the page only has to be readable. */
  readonly #readable: ActFrames;
  /** The effects of the last step were waited for only as the next one needs it. */
  #isUnsettled = false;
  #done: Result['done'] = [];
  readonly #hidden: number[] = [];
  readonly #errors: ConsoleErrors | null;
  readonly #choosers: FileChoosers | null;
  /** Aborted when a dialog opens or the page crashes: then the page answers nothing. */
  readonly #interrupt = new AbortController();
  #dialog: PageDialog | null = null;
  #failed: Result['failed'] = null;
  #notTried: string[] = [];
  readonly #notes: string[] = [];
  readonly #startedAt = Date.now();
  readonly stop: () => void;

  constructor(
    private readonly params: Params,
    private readonly options: ActOptions,
  ) {
    const { channels, policy, dialogs, attached, input, baseline, traffic, requests, personTabs } = options;
    const { tab_id: tabId } = params;
    const [risks, viewer] = [risksOfAct(params), shownTo(params, options)];
    const ends = [options.signal, attached?.lease.signal, this.#interrupt.signal, this.#over.signal];
    const { signal, release } = anySignal(ends);
    this.#signal = signal;
    this.#gate = new Gate({
      ...{ tabId, policy, risks, personTabs, signal, input },
      renew: options.onStep,
      written: async () => void (await Promise.all([policy.written(), baseline])),
    });
    this.#frames = new ActFrames({
      tabId,
      channels: documentsOfCall(channels, policy, { risks, waits: false }),
      named: documentsOfCall(channels, policy, { risks, frames: 'named', waits: false }),
      gate: this.#gate,
      asSeen: (target, element) => policy.asSeen(target, element),
      hasShown: () => policy.shown.length > 0,
      shownTo: viewer,
      later: laterRefs(params),
      isLoading: () => traffic.isNavigating || requests.of(tabId).ids.length > 0,
    });
    this.#readable = new ActFrames({ tabId, channels: readableOf(options), shownTo: viewer });
    this.#errors = attached === null ? null : new ConsoleErrors(attached.lease);
    this.#choosers = attached === null ? null : new FileChoosers(attached.lease);
    const waiting = dialogs.whenDialog(tabId);
    void waiting.opened.then((dialog) => {
      this.#dialog = dialog;
      this.#interrupt.abort(new SpillwayError('dialog_open', 'The page opened a dialog.'));
    });
    const crashed = (): void =>
      this.#interrupt.abort(new SpillwayError('page_crashed', `Tab ${tabId} has crashed.`));
    const stopListening = attached === null ? undefined : onCrash(attached.lease, crashed);
    this.stop = () => {
      waiting.stop();
      this.#errors?.stop();
      this.#choosers?.interception.stop();
      stopListening?.();
      release();
    };
  }

  /** Does one unit after another, until one ends the act. */
  async run(): Promise<void> {
    const { attached, input } = this.options;
    try {
      const units = unitsOf(this.params);
      // The browser handles this before any input sent after it.
      if (units.some((unit) => unit.hasEffect)) void this.#choosers?.interception.start();
      const [{ os }] = await Promise.all([
        platform(),
        attached?.isResized === true ? this.#hearOfSize() : undefined,
      ]);
      const acting = this.#acting(os === 'mac');
      for (const [index, unit] of units.entries()) {
        const later = units.slice(index + 1);
        if (!(await this.#do(unit, later, acting))) return;
        if (index + 1 === this.params.fields.length && !(await this.#leaveFields(later, acting))) return;
      }
      await this.#rest();
    } finally {
      this.#over.abort();
      // Releases keys and buttons that a failed act left pressed.
      await input?.release();
    }
  }

  /** Pages that close lists on a resize do so before any list opens. */
  async #hearOfSize(): Promise<void> {
    const page = await this.#frames.page(this.#signal);
    await page.ask({ do: 'rest', until: 'drawn' }, this.#signal);
  }

  #acting(isMac: boolean): Acting {
    const signal = this.#signal;
    const { attached, input, uploads, traffic, requests, policy, server, refBook: refs } = this.options;
    const { tab_id: tabId, caller, files, wait_ms, may_type_passwords } = this.params;
    const waiting = { tab_id: tabId, caller, mode: 'all', timeout_ms: WAIT_STEP_MS } as const;
    const watchDownloads = createWatchDownloads(this.options.acting, this.options.downloads);
    const waitParts = () => ({ channels: readableOf(this.options), refs, requests, watchDownloads });
    return {
      tabId,
      frames: this.#frames,
      gate: this.#gate,
      ...{ attached, input, isMac, waitMs: wait_ms, mayTypePasswords: may_type_passwords },
      choosers: this.#choosers,
      filesOf: (step) => filesOf(this.params, step),
      filePart: (name, part) => uploads.partOf(files, name, part),
      wait: (conditions) => awaitConditions({ ...waiting, conditions, ...waitParts(), signal }),
      mayReveal: (place) => policy.confirms(place, ['input']),
      reveal: revealer(this.params.secret, server, signal),
      traffic,
      pendingIds: () => requests.of(tabId).ids,
      signal,
      shower: new ActShower(tabId, signal),
      ...{ use: { isSecret: false, bound: [] }, named: undefined, typed: [], left: [], filled: new Map() },
      ...{ hasEffect: false, wentTo: null, hides: false, leaveTyped: null, rests: null, resting: null },
    };
  }

  /** Waits for the effect of a step. @param isBetween the next step waits for its own target @throws the signal's reason */
  #settle(isBetween: boolean, acting?: Acting): Promise<void> {
    this.#isUnsettled = isBetween;
    const acted = this.#frames;
    acted.forget();
    return settle({
      frames: this.#readable,
      traffic: this.options.traffic,
      touched: acted.last === null ? [] : [acted.last],
      hasFiles: this.params.files.length > 0,
      opens: acted.lastOpens,
      isBetween,
      resting: acting?.resting ?? null,
      signal: this.#signal,
    });
  }

  /** At the end of the act, waits for its remaining effects, for the receipt. */
  async #rest(): Promise<void> {
    try {
      if (this.#isUnsettled) await this.#settle(false);
    } catch (thrown) {
      this.options.signal.throwIfAborted();
      if (this.#dialog === null && !this.options.traffic.isClosed)
        this.#notes.push((await this.#explain(thrown)).message);
    }
  }

  /** Does one unit and waits for its effect. False ends the act. */
  async #do(unit: Unit, later: readonly Unit[], acting: Acting): Promise<boolean> {
    const { traffic, onStep, policy } = this.options;
    let note: string | null = null;
    let isDone = false;
    /** Set if the page was lost while the act waited for this unit's effect. */
    let lost: SpillwayError | null = null;
    const isBetween = later.slice(0, 1).some(({ awaitsTarget }) => awaitsTarget);
    const rests = restOf({ hasFiles: this.params.files.length > 0, isBetween });
    Object.assign(acting, {
      named: undefined,
      hides: false,
      hasEffect: unit.hasEffect,
      rests,
      resting: null,
    });
    this.#gate.hasBegun = false;
    try {
      onStep();
      acting.shower.begin(unit.line);
      note = await abortable(unit.run(acting), acting.signal);
      isDone = true;
      policy.began();
      if (acting.hasEffect) await this.#settle(isBetween, acting);
      note = joined(note, chooserNote(this.#choosers?.take()));
      if (!traffic.isClosed) return true;
    } catch (thrown) {
      lost = await this.#lostBy(thrown, isDone ? null : unit);
      isDone ||= this.#dialog !== null && this.#gate.hasBegun;
    } finally {
      if (acting.hides) this.#hidden.push(this.#done.length);
      if (isDone)
        this.#done.push({
          line: unit.line,
          note: note === null ? null : shorten(note),
          ...(acting.named === undefined ? {} : { element: shorten(acting.named) }),
        });
      this.#done = withOutcomes(this.#done, acting.left.splice(0));
    }
    this.#leave(lost, isDone || this.#failed !== null ? later : [unit, ...later]);
    return false;
  }

  /** Leaves the fields that were typed into. False ends the act. */
  async #leaveFields(later: readonly Unit[], acting: Acting): Promise<boolean> {
    const [next] = this.params.steps;
    // Keys without a target go to the focused element.
    const refocuses = next === undefined || (next.do === 'press' && next.target === undefined);
    const dropped = new Map<number, SpillwayError>();
    let lost: SpillwayError | null | undefined;
    try {
      const settled = await abortable(leaveFields(acting, refocuses), this.#signal);
      this.#done = withOutcomes(this.#done, settled);
      for (const [index, outcome] of settled)
        if (typeof outcome !== 'string') dropped.set(index, await this.#explain(outcome));
      // Some pages submit a form once a field is left.
      if (this.options.traffic.isNavigating) await this.#settle(later.length > 0);
    } catch (thrown) {
      lost = await this.#lostBy(thrown, null);
    }
    if (lost === undefined && dropped.size === 0) return true;
    for (const [at, error] of [...dropped].slice(0, 1)) {
      const message = [...new Set([...dropped.values()].map((each) => each.message))].join(' ');
      this.#fail(this.#done[at]?.line ?? '', error.with({ message }), at);
    }
    this.#done = this.#done.filter((_, index) => !dropped.has(index));
    this.#leave(dropped.size === 0 ? (lost ?? null) : null, later);
    return false;
  }

  /**
   * Why the page was lost while the act waited for an effect, or null. @param undone the failure of the act
   * itself
   */
  async #lostBy(thrown: unknown, undone: Unit | null): Promise<SpillwayError | null> {
    this.options.signal.throwIfAborted();
    // Nothing was done yet, and a person is asked: the whole act waits for them.
    if (thrown instanceof SpillwayError && thrown.questionId !== undefined) throw thrown;
    if (this.#dialog !== null) return null;
    if (undone !== null) this.#fail(undone.line, await this.#explain(thrown));
    return undone !== null || this.options.traffic.isClosed ? null : this.#explain(thrown);
  }

  /** Ends the act before it tries these units. */
  #leave(lost: SpillwayError | null, units: readonly Unit[]): void {
    const [next, ...rest] = units;
    if (lost !== null && next !== undefined) this.#fail(next.line, lost);
    else if (lost !== null) this.#notes.push(lost.message);
    this.#notTried = (lost === null ? units : rest).map(({ line }) => line);
  }

  #explain(thrown: unknown): Promise<SpillwayError> {
    return explainLost(toSpillwayError(thrown), this.params.tab_id);
  }

  #fail(line: string, error: SpillwayError, at?: number): void {
    const { code, message, hint, retryable, tabId, body } = error;
    const wentTo = body?.['went_to'];
    this.#failed = {
      line,
      ...(at === undefined ? {} : { at }),
      code,
      message: cut(message, 2_000).toWellFormed(),
      hint,
      retryable,
      ...(tabId === undefined ? {} : { tab_id: tabId }),
      ...(typeof wentTo === 'string' ? { went_to: wentTo } : {}),
    };
  }

  result(fromUrl: string): Promise<Result> {
    const { signal, release } = anySignal([this.options.signal, this.#interrupt.signal]);
    return describeAct(this.params, this.options, {
      fromUrl,
      done: this.#done,
      failed: this.#failed,
      ...{ notTried: this.#notTried, hidden: this.#hidden },
      dialog: () => this.#dialog,
      signal,
      opens: this.#frames.lastOpens && this.#failed === null,
      isPressed: PRESSES.has(this.params.steps.at(-1)?.do),
      startedAt: this.#startedAt,
      errors: this.#errors?.lines ?? [],
      notes: this.#notes,
    }).finally(release);
  }
}
