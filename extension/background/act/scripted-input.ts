import { SpillwayError } from '../../../shared/errors.ts';
import type { Point } from '../../page/act/protocol.ts';
import type { Held } from './act-page.ts';
import type { Input } from './input.ts';
import type { Press } from './pointer.ts';

/**
 * Events that a script makes, for tabs to which the debugger cannot attach. Pages can tell them from a
 * person's, and they have no default action but that of a click: keys and drags are refused.
 */
export class ScriptedInput implements Input {
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
