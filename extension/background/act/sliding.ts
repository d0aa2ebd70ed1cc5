import { SpillwayError } from '../../../shared/errors.ts';
import type { Held } from './act-page.ts';
import type { Hands } from './hands.ts';

/** Keys that are sent before the slider is read again. */
const KEYS_AT_ONCE = 50;
/** A slider that has not arrived after so many readings does not get there. */
const READINGS_MAX = 60;

/** @throws SpillwayError `value_not_taken` for a number out of the bounds of a field, before anything has moved */
export function expectWithin({ facts: { bounds, line } }: Held, text: string): void {
  const value = Number(text);
  if (bounds === null || text.trim() === '' || Number.isNaN(value)) return;
  const { least, most } = bounds;
  if ((least === null || value >= least) && (most === null || value <= most)) return;
  throw new SpillwayError(
    'value_not_taken',
    `${line} takes ${least ?? 'any number'} to ${most ?? 'any number'}, not ${text}. Nothing was changed.`,
  );
}

/**
 * Moves a slider by keys until it says that it is at a value, which may also be in its own words.
 *
 * @throws SpillwayError `value_not_taken`, with the slider where it was
 */
export async function slideTo(hands: Hands, held: Held, text: string): Promise<string> {
  expectWithin(held, text);
  const slider = new Slider(hands, held);
  const value = Number(text);
  if (text.trim() === '' || Number.isNaN(value)) await slider.toWords(text);
  else await slider.to(value);
  return `= ${text.trim()}`;
}

class Slider {
  readonly #hands: Hands;
  readonly #held: Held;

  constructor(hands: Hands, held: Held) {
    this.#hands = hands;
    this.#held = held;
  }

  async to(value: number): Promise<void> {
    const start = await this.#number();
    if (isSame(start, value)) return;
    await this.#hands.focus(this.#held, 'none');
    const step = await this.#stepFrom(start);
    const left = (value - start) / step.size;
    if (!isWhole(left)) {
      await this.#press(step.back, 1);
      const [under, over] = [Math.floor(left), Math.ceil(left)].map((count) =>
        round(start + count * step.size),
      );
      throw this.#refused(`takes ${under} or ${over}, not ${value}. Nothing was changed.`);
    }
    let now = await this.#number();
    for (let reading = 0; !isSame(now, value) && reading < READINGS_MAX; reading += 1) {
      const count = Math.round((value - now) / step.size);
      if (count === 0) break;
      await this.#press(count > 0 ? step.on : step.back, Math.min(Math.abs(count), KEYS_AT_ONCE));
      const before = now;
      now = await this.#number();
      if (now === before) break;
    }
    if (!isSame(now, value)) throw this.#refused(`is at ${now}: it does not get to ${value}.`);
  }

  /** By words, from the beginning. */
  async toWords(words: string): Promise<void> {
    const wanted = words.trim().toLowerCase();
    const isThere = async (): Promise<boolean> => (await this.#state()).text?.trim().toLowerCase() === wanted;
    if (await isThere()) return;
    await this.#hands.focus(this.#held, 'none');
    const start = await this.#number();
    await this.#press('Home', 1);
    for (let turn = 0, before = NaN; turn < READINGS_MAX; turn += 1) {
      if (await isThere()) return;
      const now = await this.#number();
      if (now === before) break;
      before = now;
      await this.#press('ArrowRight', 1);
    }
    await this.to(start);
    throw this.#refused(`has no value ${JSON.stringify(words)}.`);
  }

  /** Learns by one press how far a key moves the value. */
  async #stepFrom(
    start: number,
  ): Promise<{ readonly size: number; readonly on: string; readonly back: string }> {
    for (const [on, back] of [
      ['ArrowRight', 'ArrowLeft'],
      ['ArrowUp', 'ArrowDown'],
      // At its end, it moves one way only.
      ['ArrowLeft', 'ArrowRight'],
      ['ArrowDown', 'ArrowUp'],
    ] as const) {
      await this.#press(on, 1);
      const now = await this.#number();
      if (now !== start) return { size: now - start, on, back };
    }
    throw this.#refused('does not move by keys.');
  }

  async #press(key: string, count: number): Promise<void> {
    const keys = Array.from({ length: count }, () => key).join(' ');
    await this.#hands.input.keys(this.#held.page, keys);
  }

  async #number(): Promise<number> {
    const { now } = await this.#state();
    if (now === null) throw this.#refused('does not say where it is.');
    return now;
  }

  #state(): Promise<{ readonly now: number | null; readonly text: string | null }> {
    const { page, facts } = this.#held;
    return page.ask({ do: 'slider', held: facts.held }, this.#hands.options.signal);
  }

  #refused(what: string): SpillwayError {
    return new SpillwayError('value_not_taken', `${this.#held.facts.line} ${what}`);
  }
}

/** Steps of a tenth are not exact. */
const isSame = (a: number, b: number): boolean => Math.abs(a - b) < 1e-6;
const isWhole = (number: number): boolean => isSame(number, Math.round(number));
const round = (number: number): number => Math.round(number * 1e6) / 1e6;
