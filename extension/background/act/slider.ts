import { SpillwayError } from '../../../shared/errors.ts';
import type { Held } from './act-page.ts';
import { focus, type Acting } from './acting.ts';
import { pressKeys } from './keyboard.ts';

/** Keys sent before the slider is read again. */
const KEYS_AT_ONCE = 50;
/** A slider that has not arrived after this many readings never will. */
const READINGS_MAX = 60;

/** Keys that move a slider forward and back. At its end, it moves only one way. */
const WAYS = [
  ['ArrowRight', 'ArrowLeft'],
  ['ArrowUp', 'ArrowDown'],
  ['ArrowLeft', 'ArrowRight'],
  ['ArrowDown', 'ArrowUp'],
] as const;

/** @throws SpillwayError `value_not_taken` for a number outside a field's bounds, before anything has moved */
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
 * Moves a slider by keys until it reports a value, possibly in its own words.
 * @throws SpillwayError `value_not_taken`, with the slider back at its old value
 */
export async function slideTo(acting: Acting, held: Held, text: string): Promise<string> {
  const { page, facts } = held;
  const refused = (what: string): SpillwayError =>
    new SpillwayError('value_not_taken', `${facts.line} ${what}`);
  const read = async (): Promise<{ readonly now: number; readonly words: string | undefined }> => {
    const { now, text: words } = await page.ask({ do: 'slider', held: facts.held }, acting.signal);
    if (now === null) throw refused('does not say where it is.');
    return { now, words: words?.trim().toLowerCase() };
  };
  const press = (key: string, count = 1): Promise<void> =>
    pressKeys(acting, page, Array.from({ length: count }, () => key).join(' '));

  /** Learns from one press how far a key moves the value. */
  const stepFrom = async (
    start: number,
  ): Promise<{ readonly size: number; readonly on: string; readonly back: string }> => {
    for (const [on, back] of WAYS) {
      await press(on);
      const { now } = await read();
      if (now !== start) return { size: now - start, on, back };
    }
    throw refused('does not move by keys.');
  };

  const toNumber = async (value: number): Promise<void> => {
    const { now: start } = await read();
    if (isSame(start, value)) return;
    await focus(acting, held);
    const step = await stepFrom(start);
    const left = (value - start) / step.size;
    if (!isSame(left, Math.round(left))) {
      await press(step.back);
      const [under, over] = [Math.floor(left), Math.ceil(left)].map((count) =>
        round(start + count * step.size),
      );
      throw refused(`takes ${under} or ${over}, not ${value}. Nothing was changed.`);
    }
    let { now } = await read();
    for (let reading = 0; !isSame(now, value) && reading < READINGS_MAX; reading += 1) {
      const count = Math.round((value - now) / step.size);
      if (count === 0) break;
      await press(count > 0 ? step.on : step.back, Math.min(Math.abs(count), KEYS_AT_ONCE));
      const before = now;
      ({ now } = await read());
      if (now === before) break;
    }
    if (!isSame(now, value)) throw refused(`is at ${now}: it does not get to ${value}.`);
  };

  /** Starts from the minimum. */
  const toWords = async (wanted: string): Promise<void> => {
    const { now: start, words } = await read();
    if (words === wanted) return;
    await focus(acting, held);
    await press('Home');
    for (let turn = 0, before = NaN; turn < READINGS_MAX; turn += 1) {
      const at = await read();
      if (at.words === wanted) return;
      if (at.now === before) break;
      before = at.now;
      await press('ArrowRight');
    }
    await toNumber(start);
    throw refused(`has no value ${JSON.stringify(text)}.`);
  };

  const value = Number(text);
  if (text.trim() === '' || Number.isNaN(value)) await toWords(text.trim().toLowerCase());
  else await toNumber(value);
  return `= ${text.trim()}`;
}

/** Floating-point steps are not exact. */
const isSame = (a: number, b: number): boolean => Math.abs(a - b) < 1e-6;
const round = (number: number): number => Math.round(number * 1e6) / 1e6;
