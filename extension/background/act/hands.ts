import type { FieldState } from '../../page/act/protocol.ts';
import type { ActDebugger } from './act-debugger.ts';
import type { ActFrames } from './act-frames.ts';
import type { Held } from './act-page.ts';
import { Keyboard } from './keyboard.ts';
import { Pointer, type Press } from './pointer.ts';

export interface HandsOptions {
  readonly frames: ActFrames;
  readonly debugger: ActDebugger;
  readonly isMac: boolean;
  /** How long a step waits for its target. */
  readonly waitMs: number;
  readonly mayTypePasswords: boolean;
  readonly signal: AbortSignal;
}

const CLICK: Press = { button: 'left', count: 1, modifiers: 0, position: null };

/** Mouse and keyboard at the elements of one act. */
export class Hands {
  readonly options: HandsOptions;
  readonly pointer: Pointer;
  readonly keyboard: Keyboard;

  constructor(options: HandsOptions) {
    this.options = options;
    this.pointer = new Pointer(options);
    this.keyboard = new Keyboard(options.debugger.lease, options.isMac);
  }

  /** @throws SpillwayError as `Pointer.press` */
  click(held: Held, how: Partial<Press> = {}): Promise<void> {
    return this.pointer.press(held, { ...CLICK, ...how });
  }

  /**
   * Focuses an element, and returns the session that its keys go to.
   *
   * @throws SpillwayError `target_hidden`, `target_disabled`, `target_unsuitable`
   */
  async focus({ page, facts }: Held, select: 'all' | 'end' | 'none'): Promise<string | null> {
    const { signal, waitMs } = this.options;
    await page.ask({ do: 'focus', held: facts.held, select, waitMs }, signal);
    return this.pointer.sessionOf(page);
  }

  /** What a field holds, and whether that is `expected`. */
  value({ page, facts }: Held, expected: string | null): Promise<FieldState> {
    return page.ask({ do: 'value', held: facts.held, expected }, this.options.signal);
  }
}
