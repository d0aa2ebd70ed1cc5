import type { MethodResult } from '../../../shared/bridge/methods.ts';
import type { WaitConditions } from '../../../shared/tools/wait_for/conditions.ts';
import type { FieldState } from '../../page/act/protocol.ts';
import type { ActFrames } from './act-frames.ts';
import type { Held } from './act-page.ts';
import type { Input } from './input.ts';
import type { Press } from './pointer.ts';
import { sparingPasswords } from './typing-guard.ts';

export interface HandsOptions {
  readonly frames: ActFrames;
  readonly input: Input;
  readonly isMac: boolean;
  /** How long a step waits for its target. */
  readonly waitMs: number;
  readonly mayTypePasswords: boolean;
  /** Gives files, by the paths of the call; returns what the field holds then. */
  readonly giveFiles: (held: Held, paths: readonly string[]) => Promise<string>;
  /** Waits in the tab until these conditions hold, or for its own time. */
  readonly wait: (conditions: WaitConditions) => Promise<MethodResult<'page.await'>>;
  readonly signal: AbortSignal;
}

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

  /** Whether password fields have to be spared what is typed now. */
  get guards(): boolean {
    return !this.isSecret && !this.options.mayTypePasswords;
  }

  /** Does what may put text into any field that comes to have the focus. @throws SpillwayError `password_refused` */
  sparing<T>(work: () => Promise<T>): Promise<T> {
    const { frames, signal } = this.options;
    return this.guards ? sparingPasswords(frames, signal, work) : work();
  }

  /** @throws SpillwayError as `Input.press` */
  click(held: Held, how: Partial<Press> = {}): Promise<void> {
    return this.input.press(held, { ...CLICK, ...how });
  }

  /**
   * Focuses an element, so that keys go to it. Text in place of what it holds comes in one event, and is kept out of password
   * fields until {@link value} is asked for.
   *
   * @throws SpillwayError `target_hidden`, `target_disabled`, `target_unsuitable`
   */
  async focus({ page, facts }: Held, select: 'all' | 'end' | 'none'): Promise<void> {
    const { signal, waitMs } = this.options;
    const guards = select === 'all' && this.guards;
    await page.ask({ do: 'focus', held: facts.held, select, guards, waitMs }, signal);
  }

  /** What a field holds, and whether that is `expected`. */
  value({ page, facts }: Held, expected: string | null): Promise<FieldState> {
    return page.ask({ do: 'value', held: facts.held, expected }, this.options.signal);
  }
}
