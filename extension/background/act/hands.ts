import { SpillwayError } from '../../../shared/errors.ts';
import type { MethodResult } from '../../../shared/bridge/methods.ts';
import type { WaitConditions } from '../../../shared/tools/wait_for/conditions.ts';
import type { FieldState } from '../../page/act/protocol.ts';
import type { ActFrames } from './act-frames.ts';
import type { Held } from './act-page.ts';
import type { ActTraffic } from './act-traffic.ts';
import type { FileChoosers } from './file-choosers.ts';
import type { Input } from './input.ts';
import type { BetweenKeys } from './keyboard.ts';
import type { Press } from './pointer.ts';
import { sparingPasswords } from './typing-guard.ts';

export interface HandsOptions {
  readonly frames: ActFrames;
  readonly input: Input;
  readonly isMac: boolean;
  /** How long a step waits for its target. */
  readonly waitMs: number;
  readonly mayTypePasswords: boolean;
  /** Gives the files at these paths of the call to an element; returns what it holds afterwards. */
  readonly giveFiles: (held: Held, paths: readonly string[]) => Promise<string>;
  /** Null where the debugger cannot attach. */
  readonly choosers: FileChoosers | null;
  /** Waits in the tab until these conditions hold, or for its own time. */
  readonly wait: (conditions: WaitConditions) => Promise<MethodResult<'page.await'>>;
  /** What the act sets off. */
  readonly traffic: ActTraffic;
  /** The ids of all pending requests of the tab. */
  readonly pendingIds: () => readonly string[];
  readonly signal: AbortSignal;
}

/** How long a chooser may take to open: a page may ask its server first where files go. */
const CHOOSER_MS = 1_500;
const CLICK: Press = { button: 'left', count: 1, modifiers: 0, position: null };

/** Mouse and keyboard at the elements of one act. */
export class Hands {
  readonly options: HandsOptions;
  readonly input: Input;
  /** Whether what is typed now is a value of `--secrets`. */
  isSecret = false;

  constructor(options: HandsOptions) {
    this.options = options;
    this.input = options.input;
  }

  /** Whether what is typed now has to be kept out of password fields. */
  get guards(): boolean {
    return !this.isSecret && !this.options.mayTypePasswords;
  }

  /**
   * Does work that may put text into any field that gets the focus, and guards what was added when it calls
   * `renew`.
   *
   * @throws SpillwayError `password_refused`
   */
  sparing<T>(work: (renew?: BetweenKeys) => Promise<T>): Promise<T> {
    const { frames, signal } = this.options;
    return this.guards ? sparingPasswords(frames, signal, work) : work();
  }

  /** @throws SpillwayError as `Input.press` */
  click(held: Held, how: Partial<Press> = {}): Promise<void> {
    return this.input.press(held, { ...CLICK, ...how });
  }

  /**
   * Focuses an element, so that keys go to it. Text in place of what it holds comes in one event, and is kept
   * out of password fields until {@link value} is asked for.
   *
   * @throws SpillwayError `target_hidden`, `target_disabled`, `target_unsuitable`
   */
  async focus({ page, facts }: Held, select: 'all' | 'end' | 'none'): Promise<void> {
    const { signal, waitMs } = this.options;
    const guards = select === 'all' && this.guards;
    await page.ask({ do: 'focus', held: facts.held, select, guards, waitMs }, signal);
  }

  /**
   * Gives files to a file field, to what they are dropped on, or to the chooser that an element opens.
   *
   * @throws SpillwayError `target_unsuitable`, and as {@link click}
   */
  async giveFiles(held: Held, paths: readonly string[]): Promise<string> {
    const { signal, giveFiles } = this.options;
    const { way } = await held.page.ask({ do: 'files_way', held: held.facts.held }, signal);
    if (way === 'field' || way === 'drop') return giveFiles(held, paths);
    const field = await this.#openChooser(held);
    if (field !== null) return giveFiles(field, paths);
    if (way === 'press or drop') return giveFiles(held, paths);
    throw new SpillwayError(
      'target_unsuitable',
      `${held.facts.line} takes no files, and opened no file chooser when it was clicked.`,
    );
  }

  /** Presses an element, and returns the file field of the chooser that it opens. */
  async #openChooser(held: Held): Promise<Held | null> {
    const { choosers, frames, signal } = this.options;
    const { line } = held.facts;
    if (choosers === null)
      throw new SpillwayError(
        'debugger_unavailable',
        `${line} opens a file chooser. Giving it files needs the debugger, which cannot attach to this tab.`,
      );
    choosers.take();
    await this.click(held);
    const chooser = await choosers.next(CHOOSER_MS, signal);
    if (chooser === null) return null;
    if (chooser.node === null)
      throw new SpillwayError(
        'target_unsuitable',
        `${line} asks for files in a way that only a person can answer (showOpenFilePicker).`,
      );
    const field = await choosers.fieldOf(chooser, frames, signal);
    if (field !== null) return field;
    throw new SpillwayError('stale_ref', `${line} opened a file chooser whose file field is gone.`);
  }

  /** What a field holds, and whether that is `expected`; once what is being typed into it has arrived. */
  value({ page, facts }: Held, expected: string | null, isTyping = false): Promise<FieldState> {
    return page.ask({ do: 'value', held: facts.held, expected, isTyping }, this.options.signal);
  }
}
