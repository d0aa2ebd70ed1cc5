import browser from 'webextension-polyfill';
import { cut } from '../../../shared/cut.ts';
import { toSpillwayError } from '../../../shared/errors.ts';
import type { MethodParams, MethodResult } from '../../../shared/bridge/methods.ts';
import type { FieldValue, Step } from '../../../shared/act/steps.ts';
import type { DebuggerSessions, PageDialog } from '../chromium/debugger/sessions.ts';
import type { TabRequests } from '../navigation/tab-requests.ts';
import type { PageChannels } from '../pages/channels.ts';
import type { RefBook } from '../pages/ref-book.ts';
import { getReadableTab } from '../pages/targets.ts';
import { tabInfo } from '../tabs/tab-info.ts';
import type { ActDebugger, ActDebuggers } from './act-debugger.ts';
import { ActFrames } from './act-frames.ts';
import { ActTraffic } from './act-traffic.ts';
import { settle } from './settle.ts';
import { Stepper, hasEffect } from './steps.ts';

export interface ActServices {
  readonly channels: PageChannels;
  readonly requests: TabRequests;
  readonly debuggers: DebuggerSessions;
  readonly acting: ActDebuggers;
  readonly refBook: RefBook;
}

type Params = MethodParams<'act.run'>;
type Result = MethodResult<'act.run'>;

const LINE_UNITS = 200;
const LOADING_SHOWN = 5;
const MESSAGE_UNITS = 1_000;

/** One thing to do: a field to set, or a step. */
interface Unit {
  readonly line: string;
  readonly hasEffect: boolean;
  run(stepper: Stepper): Promise<string | null>;
}

/**
 * Fills fields and does steps in a tab, one after the other, until one fails or a dialog opens, and reports what was
 * done and what came of it.
 *
 * @throws SpillwayError where nothing could be begun: of a tab that cannot be read, or of the debugger
 */
export async function runAct(params: Params, services: ActServices, signal: AbortSignal): Promise<Result> {
  const { tab_id: tabId } = params;
  const { url: fromUrl = '' } = await getReadableTab(tabId);
  const release = services.requests.hold();
  const pending = services.requests.of(tabId).urls;
  const attached = await services.acting.acquire(tabId, signal);
  const traffic = new ActTraffic(tabId, { pending });
  const act = new Act(params, { ...services, attached, traffic, signal });
  try {
    await act.run();
    return await act.result(fromUrl);
  } finally {
    traffic.stop();
    attached.release();
    release();
  }
}

interface ActOptions extends ActServices {
  readonly attached: ActDebugger;
  readonly traffic: ActTraffic;
  readonly signal: AbortSignal;
}

class Act {
  readonly #params: Params;
  readonly #options: ActOptions;
  readonly #frames: ActFrames;
  readonly #done: Result['done'] = [];
  readonly #dialogOpened: Promise<PageDialog>;
  #dialog: PageDialog | null = null;
  #failed: Result['failed'] = null;
  #notTried: string[] = [];
  /** Changes of the top document before the step under way. */
  #since = 0;

  constructor(params: Params, options: ActOptions) {
    this.#params = params;
    this.#options = options;
    const { channels, debuggers, attached, refBook } = options;
    const { tab_id: tabId, caller } = params;
    this.#frames = new ActFrames({ tabId, channels, shownTo: { book: refBook, viewer: caller.session } });
    this.#dialogOpened = new Promise((resolve) => {
      attached.lease.onEvent(({ method }) => {
        if (method !== 'Page.javascriptDialogOpening') return;
        this.#dialog = debuggers.dialogOf(tabId);
        if (this.#dialog !== null) resolve(this.#dialog);
      });
    });
  }

  async run(): Promise<void> {
    const { attached, signal } = this.#options;
    const os = (await browser.runtime.getPlatformInfo()).os;
    const stepper = new Stepper({
      frames: this.#frames,
      debugger: attached,
      isMac: os === 'mac',
      waitMs: this.#params.wait_ms,
      mayTypePasswords: this.#params.may_type_passwords,
      signal,
    });
    const units = unitsOf(this.#params);
    try {
      for (const [index, unit] of units.entries()) {
        if (!(await this.#do(unit, stepper))) {
          this.#notTried = units.slice(index + 1).map(({ line }) => line);
          return;
        }
      }
    } finally {
      await stepper.end();
    }
  }

  /** Does one unit and waits for its effect. False ends the act. */
  async #do(unit: Unit, stepper: Stepper): Promise<boolean> {
    const { signal, traffic } = this.#options;
    try {
      if (unit.hasEffect) await this.#mark();
      const done = unit.run(stepper);
      done.catch(() => undefined);
      const note = await Promise.race([done, this.#dialogOpened.then(() => 'opened a dialog')]);
      this.#done.push({ line: unit.line, note: note === null ? null : cut(note, LINE_UNITS).toWellFormed() });
      if (this.#dialog !== null) return false;
      if (unit.hasEffect)
        await settle({
          frames: this.#frames,
          traffic,
          since: this.#since,
          interrupted: this.#dialogOpened,
          signal,
        });
      return this.#dialog === null && !traffic.isClosed;
    } catch (thrown) {
      signal.throwIfAborted();
      const { code, message, hint } = toSpillwayError(thrown);
      this.#failed = { line: unit.line, code, message: cut(message, 2_000).toWellFormed(), hint };
      return false;
    }
  }

  async #mark(): Promise<void> {
    const { signal } = this.#options;
    const page = await this.#frames.page(signal);
    this.#since = (await page.ask({ do: 'mark' }, signal)).changes;
  }

  async result(fromUrl: string): Promise<Result> {
    const { traffic } = this.#options;
    const { tab_id: tabId } = this.#params;
    const tab = await browser.tabs.get(tabId).catch(() => null);
    const dialog = this.#dialog;
    return {
      done: this.#done,
      failed: this.#failed,
      not_tried: this.#notTried,
      tab: tab === null ? null : tabInfo(tab),
      from_url: fromUrl,
      is_new_document: traffic.hasCommitted,
      dialog:
        dialog === null
          ? null
          : { type: dialog.type, message: cut(dialog.message, MESSAGE_UNITS).toWellFormed() },
      opened: [],
      requests: traffic.count,
      loading: traffic.pending.slice(0, LOADING_SHOWN).map((url) => cut(url, LINE_UNITS).toWellFormed()),
      text: null,
      notes: [],
    };
  }
}

function unitsOf({ fields, steps, secret }: Params): Unit[] {
  return [
    ...fields.map(({ name, value }, index) => fieldUnit(name, value, secret.fields.includes(index))),
    ...steps.map((step, index) => ({
      line: lineOf(step),
      hasEffect: hasEffect(step),
      run: (stepper: Stepper) => stepper.run(step, secret.steps.includes(index)),
    })),
  ];
}

const fieldUnit = (name: string, value: FieldValue, isSecret: boolean): Unit => ({
  line: cut(name, LINE_UNITS).toWellFormed(),
  // Pages show and hide further fields by what is chosen.
  hasEffect: typeof value !== 'string',
  run: (stepper) => stepper.setField(name, value, isSecret),
});

/** A step as receipts name it, without what was typed. */
const lineOf = ({ do: kind, target, to }: Step): string =>
  cut([kind, target, to].filter((part) => part !== undefined).join(' '), LINE_UNITS).toWellFormed();
