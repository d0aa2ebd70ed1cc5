import browser from 'webextension-polyfill';
import { cut } from '../../../shared/cut.ts';
import { anySignal } from '../../../shared/async/abort.ts';
import { abortable } from '../../../shared/async/wait.ts';
import { SpillwayError, toSpillwayError } from '../../../shared/errors.ts';
import type { MethodParams, MethodResult } from '../../../shared/bridge/methods.ts';
import type { PageDialog } from '../chromium/debugger/page-guard.ts';
import { risksOfAct } from '../../../shared/act/risks.ts';
import { documentsOfCall } from '../policy/documents.ts';
import type { WaitConditions } from '../../../shared/tools/wait_for/conditions.ts';
import { awaitConditions } from '../pages/await-conditions.ts';
import { explainLost } from '../pages/read-tab.ts';
import type { Point } from '../../page/act/protocol.ts';
import { createWatchDownloads, ConsoleErrors } from './act-debugger.ts';
import { ActFrames } from './act-frames.ts';
import { readableOf, shownTo, type ActOptions } from './act-options.ts';
import { describeAct } from './receipt.ts';
import type { DialogWait } from './dialogs.ts';
import { chooserNote, FileChoosers } from './files.ts';
import { ForeignFrames } from './foreign-frames.ts';
import { TrustedInput, type Input } from './input.ts';
import { StepEffects } from './settle.ts';
import type { HandsOptions } from './hands.ts';
import { Stepper, LINE_UNITS, unitsOf, WAIT_STEP_MS, type Unit } from './steps.ts';
import type { Held } from './act-page.ts';
import type { Press } from './pointer.ts';

/**
 * Events that a script makes, for tabs to which the debugger cannot attach. Pages can tell them from a
 * person's, and they have no default action but that of a click: keys and drags are refused.
 */
class ScriptedInput implements Input {
  readonly hasKeys = false;
  readonly #waitMs: number;
  readonly #signal: AbortSignal;

  constructor({ waitMs, signal }: { readonly waitMs: number; readonly signal: AbortSignal }) {
    this.#waitMs = waitMs;
    this.#signal = signal;
  }

  async press(held: Held, { button, count, position, isTouch, hold }: Press): Promise<null> {
    if (isTouch || hold > 0) throw needsDebugger(isTouch ? 'tap' : 'click for a time');
    const kind = button === 'right' ? 'right_click' : count === 2 ? 'double_click' : 'click';
    await this.#send(held, kind, position);
    return null;
  }

  hover(held: Held, position: Point | null): Promise<void> {
    return this.#send(held, 'hover', position);
  }

  drag(): Promise<never> {
    return Promise.reject(needsDebugger('drag'));
  }

  wheel(): Promise<never> {
    return Promise.reject(needsDebugger('wheel'));
  }

  keys(): Promise<void> {
    return Promise.reject(needsDebugger('press'));
  }

  type(held: Held, text: string): Promise<void> {
    return this.insert(held, text);
  }

  async insert({ page, facts }: Held, text: string): Promise<void> {
    const { done } = await page.ask({ do: 'insert', held: facts.held, text }, this.#signal);
    if (!done) throw new SpillwayError('not_delivered', `${facts.line} took no text from a script.`);
  }

  end(): Promise<void> {
    return Promise.resolve();
  }

  async #send(
    { page, facts: { held } }: Held,
    kind: 'click' | 'double_click' | 'right_click' | 'hover',
    position: Point | null,
  ): Promise<void> {
    const [waitMs, signal] = [this.#waitMs, this.#signal];
    // Under a cover a person could not have pressed it either.
    await page.ask({ do: 'aim', held, gesture: 'hover', position, waitMs, isBound: false }, signal);
    await page.ask({ do: 'synthesize', held, kind }, signal);
  }
}

const needsDebugger = (step: string): SpillwayError =>
  new SpillwayError('debugger_unavailable', `${step}: needs the debugger, which cannot attach to this tab.`);

type Params = MethodParams<'act.run'>;
type Result = MethodResult<'act.run'>;

/** One call of `interact` in the worker. */
export class Act {
  readonly #params: Params;
  readonly #options: ActOptions;
  readonly #frames: ActFrames;
  readonly #effect: StepEffects;
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
    const { channels, policy, dialogs, attached, traffic } = options;
    const risks = risksOfAct(params);
    const { tab_id: tabId } = params;
    this.#frames = new ActFrames({
      tabId,
      channels: documentsOfCall(channels, policy, { risks, waits: false }),
      named: documentsOfCall(channels, policy, { risks, frames: 'named', waits: false }),
      written: () => policy.written(),
      asSeen: (target, element) => policy.asSeen(target, element),
      shownTo: shownTo(params, options),
    });
    const frames = new ActFrames({ tabId, channels: readableOf(options), shownTo: shownTo(params, options) });
    const hasFiles = params.files.length > 0;
    this.#effect = new StepEffects({ frames, acted: this.#frames, traffic, hasFiles });
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
    try {
      await this.#doAll(signal);
    } finally {
      release();
    }
  }

  /** Does one unit after the other, until one ends the act. */
  async #doAll(signal: AbortSignal): Promise<void> {
    const units = unitsOf(this.#params);
    const canOpenChoosers = units.some((unit) => unit.hasEffect);
    const [{ os }] = await Promise.all([
      browser.runtime.getPlatformInfo(),
      canOpenChoosers ? this.#choosers?.start() : undefined,
    ]);
    const stepper = new Stepper(this.#hands(os === 'mac', signal));
    try {
      for (const [index, unit] of units.entries()) {
        const next = units[index + 1];
        if (await this.#do(unit, next, stepper, signal)) continue;
        return this.#leave(units.slice(index + 1).map(({ line }) => line));
      }
      await this.#rest(signal);
    } finally {
      await stepper.end();
    }
  }

  #hands(isMac: boolean, signal: AbortSignal): HandsOptions {
    const { attached, uploads, traffic, requests, policy } = this.#options;
    const { tab_id: tabId, files, wait_ms: waitMs, may_type_passwords: mayTypePasswords } = this.#params;
    const how = { frames: this.#frames, isMac, waitMs, signal };
    const foreign = new ForeignFrames({ tabId, policy, risks: risksOfAct(this.#params) });
    return {
      ...how,
      tabId,
      foreign,
      input:
        attached === null
          ? new ScriptedInput(how)
          : new TrustedInput({ ...how, foreign, debugger: attached }),
      mayTypePasswords,
      mayReveal: (place) => policy.confirms(place, ['input']),
      giveFiles: (held, paths) => uploads.give(held, paths, { files, signal }),
      choosers: this.#choosers,
      wait: (conditions) => this.#wait(conditions, signal),
      traffic,
      pendingIds: () => requests.of(tabId).ids,
    };
  }

  #wait(conditions: WaitConditions, signal: AbortSignal): ReturnType<HandsOptions['wait']> {
    const { refBook: refs, requests } = this.#options;
    const channels = readableOf(this.#options);
    const { tab_id, caller } = this.#params;
    const how = { tab_id, caller, conditions, mode: 'all', timeout_ms: WAIT_STEP_MS } as const;
    const watchDownloads = createWatchDownloads(this.#options);
    return awaitConditions({ ...how, channels, refs, requests, watchDownloads, signal });
  }

  /** Waits for what is left of the effect at the end of the act, for the receipt. */
  async #rest(signal: AbortSignal): Promise<void> {
    try {
      await this.#effect.rest(signal);
    } catch (thrown) {
      this.#options.signal.throwIfAborted();
      if (this.#dialog === null && !this.#options.traffic.isClosed)
        this.#notes.push((await this.#explain(thrown)).message);
    }
  }

  stop(): void {
    this.#waiting.stop();
    this.#errors?.stop();
    this.#choosers?.stop();
    this.#stopListening?.();
  }

  /** Does one unit and waits for its effect. False ends the act. */
  async #do(unit: Unit, next: Unit | undefined, stepper: Stepper, signal: AbortSignal): Promise<boolean> {
    const { traffic, onStep } = this.#options;
    const { line } = unit;
    let note: string | null = null;
    let isDone = false;
    try {
      onStep();
      note = await abortable(unit.run(stepper), signal);
      isDone = true;
      this.#options.policy.began();
      if (unit.hasEffect) await this.#effect.settle(signal, { isBetween: next?.awaitsTarget === true });
      note = this.#withChooser(note);
      return !traffic.isClosed;
    } catch (thrown) {
      this.#options.signal.throwIfAborted();
      // Nothing was done yet, and a person is asked: the whole act waits for them.
      if (thrown instanceof SpillwayError && thrown.questionId !== undefined) throw thrown;
      if (this.#dialog !== null) isDone = true;
      else if (!isDone) this.#fail(line, await this.#explain(thrown));
      else if (!traffic.isClosed) this.#lost = await this.#explain(thrown);
      return false;
    } finally {
      if (isDone)
        this.#done.push({
          line,
          note: note === null ? null : cut(note, LINE_UNITS).toWellFormed(),
          ...(stepper.named === undefined ? {} : { element: cut(stepper.named, LINE_UNITS).toWellFormed() }),
        });
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

  #explain(thrown: unknown): Promise<SpillwayError> {
    return explainLost(toSpillwayError(thrown), this.#params.tab_id);
  }

  #fail(line: string, { code, message, hint, retryable, tabId, body }: SpillwayError): void {
    const tab = tabId === undefined ? {} : { tab_id: tabId };
    const wentTo = body?.['went_to'];
    const frame = typeof wentTo === 'string' ? { went_to: wentTo } : {};
    this.#failed = {
      line,
      code,
      message: cut(message, 2_000).toWellFormed(),
      hint,
      retryable,
      ...tab,
      ...frame,
    };
  }

  result(fromUrl: string): Promise<Result> {
    return describeAct(this.#params, this.#options, {
      fromUrl,
      done: this.#done,
      failed: this.#failed,
      notTried: this.#notTried,
      dialog: this.#dialog,
      opens: this.#frames.lastOpens && this.#failed === null,
      startedAt: this.#startedAt,
      errors: this.#errors?.lines ?? [],
      notes: this.#notes,
    });
  }
}
