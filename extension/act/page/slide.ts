import { delay } from '../../../shared/base/async.ts';
import { boundsOf, sliderState } from './controls.ts';
import type { StepKey } from './protocol.ts';
import { focus, notTaken, type StepParts } from './step.ts';

/** Keys sent before the slider is read again. */
const KEYS_AT_ONCE = 50;
/** A slider that has not arrived after this many readings never will. */
const READINGS_MAX = 60;
const LOOK_MS = 30;
/**
 * How long a key may take to move a slider, by a timer that a tab behind the front one runs after a second, and the value
 * to settle after the first one.
 */
const MOVED_MS = 1_100;
const LAG_MS = 100;

/** Keys that move a slider forward and back. At its end, it moves only one way. */
const WAYS = [
  ['ArrowRight', 'ArrowLeft'],
  ['ArrowUp', 'ArrowDown'],
  ['ArrowLeft', 'ArrowRight'],
  ['ArrowDown', 'ArrowUp'],
] as const;

/**
 * Moves a slider by keys until it reports a value, possibly in its own words.
 * @throws PageError `value_not_taken`, with the slider back at its old value
 */
export async function slideTo(el: Element, text: string, parts: StepParts): Promise<string> {
  const slider = new Slider(el, parts);
  const value = Number(text);
  if (text.trim() === '' || Number.isNaN(value)) await slider.toWords(text);
  else await slider.toNumber(value);
  return `= ${text.trim()}`;
}

/** The effect of one press on a slider. */
interface Pace {
  readonly size: number;
  readonly up: StepKey;
  readonly down: StepKey;
}

interface Reading {
  readonly now: number;
  /** Its position in words, in lower case. */
  readonly words: string | undefined;
}

class Slider {
  /** The longest time from a key to the value that it led to; null before the first. */
  #lagMs: number | null = null;

  constructor(
    private readonly el: Element,
    private readonly parts: StepParts,
  ) {}

  async toNumber(value: number): Promise<void> {
    const { now: start } = this.#read();
    if (isNearly(start, value)) return;
    await focus(this.el, 'none', this.parts);
    const pace = await this.#paceFrom(start);
    const stops = await this.#walk(value, pace);
    if (stops === null) return;
    await this.#walk(start, pace);
    const { now } = this.#read();
    const by = stops.map(round).join(' and ');
    const left = isNearly(now, start) ? 'Nothing was changed' : `It is at ${round(now)} now`;
    throw notTaken(this.el, ` comes to ${by} when it is moved by keys, not to ${value}. ${left}`);
  }

  /** Starts from the minimum. */
  async toWords(text: string): Promise<void> {
    const wanted = text.trim().toLowerCase();
    const { now: start, words } = this.#read();
    if (words === wanted) return;
    await focus(this.el, 'none', this.parts);
    const { up } = await this.#paceFrom(start);
    let tried = 0;
    for (let [before, at] = [NaN, await this.#press('Home')]; tried < READINGS_MAX; tried += 1) {
      if (at.words === wanted) return;
      if (at.now === before) break;
      before = at.now;
      at = await this.#press(up);
    }
    await this.toNumber(start);
    throw notTaken(this.el, ` has no value ${JSON.stringify(text)} at the ${tried} stops that were tried`);
  }

  /** Learns from one press how far a key moves the value. */
  async #paceFrom(start: number): Promise<Pace> {
    // At its maximum, most sliders move only by the other keys.
    const ways = start === boundsOf(this.el)?.most ? WAYS.toReversed() : WAYS;
    for (const [on, back] of ways) {
      const { now } = await this.#press(on);
      const size = Math.abs(now - start);
      if (size > 0) return now > start ? { size, up: on, down: back } : { size, up: back, down: on };
    }
    throw notTaken(this.el, ` did not move within ${MOVED_MS} ms of a key`);
  }

  /** Moves towards a value. Returns null there, else the last stops: those around the value, or the end of the way. */
  async #walk(value: number, { size: first, up, down }: Pace): Promise<readonly number[] | null> {
    let { now } = this.#read();
    let size = first;
    let most = KEYS_AT_ONCE;
    for (let reading = 0; !isNearly(now, value) && reading < READINGS_MAX; reading += 1) {
      const count = Math.max(1, Math.min(most, Math.round(Math.abs(value - now) / size)));
      const before = now;
      ({ now } = await this.#press(value > now ? up : down, count));
      if (now === before) break;
      const isOver = !isNearly(now, value) && value > before !== value > now;
      if (isOver && count === 1) return [Math.min(now, before), Math.max(now, before)];
      // Marks and ranges of their own make stops uneven.
      if (isOver) most = Math.floor(count / 2);
      size = Math.abs(now - before) / count;
    }
    return isNearly(now, value) ? null : [now];
  }

  #read(): Reading {
    const { now, text } = sliderState(this.el);
    if (now === null) throw notTaken(this.el, ' does not say where it is');
    return { now, words: text?.trim().toLowerCase() };
  }

  /** Presses a key, and reads the slider once it has settled: pages may draw the value later, or step by step. */
  async #press(key: StepKey, count = 1): Promise<Reading> {
    const { hands } = this.parts;
    const before = this.#read();
    await hands.key(key, count);
    const pressedAt = performance.now();
    let [last, changedAt] = [before, pressedAt];
    for (;;) {
      const reading = this.#read();
      const at = performance.now();
      if (reading.now !== last.now || reading.words !== last.words) [last, changedAt] = [reading, at];
      const hasMoved = last !== before;
      if (at - changedAt >= this.#waitMs(hasMoved)) {
        if (hasMoved) this.#lagMs = Math.max(this.#lagMs ?? 0, changedAt - pressedAt);
        return last;
      }
      await delay(LOOK_MS, hands.signal);
    }
  }

  /** How long to wait for a change, or for another one. */
  #waitMs(hasMoved: boolean): number {
    const lagMs = this.#lagMs ?? LAG_MS;
    return hasMoved ? Math.max(LOOK_MS, 1.5 * lagMs) : Math.max(MOVED_MS, 3 * lagMs);
  }
}

/** Floating-point steps are not exact. */
const isNearly = (a: number, b: number): boolean => Math.abs(a - b) < 1e-6;
const round = (number: number): number => Math.round(number * 1e6) / 1e6;
