import { delay } from '../../../shared/async/wait.ts';
import { cut } from '../../../shared/cut.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import { checkPassword } from '../../../shared/act/passwords.ts';
import type { FieldValue } from '../../../shared/act/steps.ts';
import type { FieldState } from '../../page/act/protocol.ts';
import type { Held } from './act-page.ts';
import { Choosing } from './choosing.ts';
import { Editing } from './editing.ts';
import { whileFound } from './act-frames.ts';
import type { Bound, Hands } from './hands.ts';

/** Keys that are sent before the slider is read again. */
const KEYS_AT_ONCE = 50;
/** A slider that has not arrived after so many readings does not get there. */
const READINGS_MAX = 60;

/** @throws SpillwayError `value_not_taken` for a number out of the bounds of a field, before anything has moved */
function expectWithin({ facts: { bounds, line } }: Held, text: string): void {
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
async function slideTo(hands: Hands, held: Held, text: string): Promise<string> {
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

const VALUE_UNITS = 80;
/** After the browser has acknowledged text, the page's report is on its way. */
const LATE_MS = 250;

/** A field to set. */
export interface Field {
  /** Its label, placeholder, name or ref. */
  readonly name: string;
  readonly value: FieldValue;
  readonly isSecret: boolean;
  /** Where it may be typed alone. */
  readonly bound: readonly Bound[];
  /** The name of the one to set after it, if that takes text that is as secret. */
  readonly next: string | null;
}

/** Whether a value may be one to type. */
export const isText = (value: FieldValue): boolean => typeof value === 'string' || typeof value === 'number';

/** Sets the values of fields, whatever kind of control they are, and reads them back. */
export class Filling {
  readonly #hands: Hands;
  readonly #choosing: Choosing;
  readonly #editing: Editing;

  constructor(hands: Hands) {
    this.#hands = hands;
    this.#editing = new Editing(hands);
    this.#choosing = new Choosing(hands, async (held, text) => {
      await hands.focus(held, 'all');
      return this.#insert(held, text, null);
    });
  }

  /** Turns it on or off. @throws SpillwayError `target_unsuitable`, `value_not_taken` */
  async check(held: Held, wanted: boolean): Promise<string | null> {
    const { checked, line, kind } = held.facts;
    if (checked === null)
      throw new SpillwayError('target_unsuitable', `${line} is neither on nor off. Use click.`);
    const state = wanted ? 'on' : 'off';
    if (checked === wanted) return `was ${state} already`;
    if (!wanted && kind === 'radio')
      throw new SpillwayError(
        'target_unsuitable',
        `${line} cannot be turned off. Check another one of its group.`,
      );
    await this.#hands.click(held);
    const { checked: now } = await this.#hands.value(held, null);
    if (now === wanted) return `= ${state}`;
    throw new SpillwayError(
      'value_not_taken',
      `${line} is still ${wanted ? 'off' : 'on'} after it was clicked.`,
    );
  }

  /**
   * Replaces the text of a field.
   *
   * @param next the field to fill after it
   * @throws SpillwayError `value_not_taken` for a field that stays empty
   */
  fill(held: Held, text: string, next: string | null = null): Promise<string | null> {
    const { kind } = held.facts;
    expectWithin(held, text);
    if (kind === 'value') return this.#set(held, [text]);
    const { hasKeys } = this.#hands.input;
    if (kind === 'slider' && hasKeys) return slideTo(this.#hands, held, text);
    if (kind === 'editor' && hasKeys) return this.#editing.replace(held, text);
    if (kind === 'text' && held.facts.bounds !== null) return this.#writeNumber(held, text);
    if (kind === 'combobox' && text !== '') return this.#choosing.choose(held, [text], { isFree: true });
    return this.#write(held, text, next);
  }

  /** Fields of numbers tell their page when the focus leaves them, and may correct the number then. */
  async #writeNumber(held: Held, text: string): Promise<string | null> {
    const { value: before } = await this.#hands.value(held, null);
    const note = await this.#write(held, text, null);
    if (text === '') return note;
    const state = await this.#commit(held, text);
    const { value, isTaken } = state;
    if (isTaken || !isOtherNumber(value, text)) return isTaken ? isNow(state) : shows(value);
    await this.#write({ ...held, isFocused: false }, before, null);
    await this.#commit(held, before);
    throw new SpillwayError('value_not_taken', `${held.facts.line} makes ${quote(value)} of ${quote(text)}.`);
  }

  async #commit(held: Held, text: string): Promise<FieldState> {
    const { page, facts } = held;
    await page.ask({ do: 'commit', held: facts.held }, this.#hands.options.signal);
    return this.#hands.value(held, text);
  }

  async #write(held: Held, text: string, next: string | null): Promise<string | null> {
    if (!held.isFocused) await this.#hands.focus(held, 'all');
    const state = await this.#insert(held, text, next);
    if (state.isTaken) return isNow(state);
    const { line } = held.facts;
    if (state.isSecret) throw new SpillwayError('value_not_taken', `${line} did not take the text.`);
    if (state.value === '' && text !== '')
      throw new SpillwayError('value_not_taken', `${line} is empty after it was filled.`);
    // Pages format what is typed.
    return shows(state.value);
  }

  /** Puts text in place of what is selected, and returns what the field holds then. */
  async #insert(held: Held, text: string, next: string | null): Promise<FieldState> {
    const inserted = this.#hands.input.insert(held, text);
    // A field that is emptied may have been empty: then nothing arrives.
    if (text === '') await inserted;
    const state = this.#hands.value(held, text, text !== '');
    const { frames, signal } = this.#hands.options;
    if (next !== null) frames.lookAhead(next, { guards: this.#hands.guards, signal });
    // The browser acknowledges text that the page never sees.
    const late = inserted.then(() => delay(LATE_MS, signal));
    const first = await Promise.race([state, late.then(() => null)]);
    if (first !== null) return first;
    frames.forgetAhead();
    return this.#hands.value(held, text);
  }

  /** Types key by key behind what the field holds. */
  async type(held: Held, text: string): Promise<string | null> {
    if (held.facts.kind === 'editor' && this.#hands.input.hasKeys) return this.#editing.append(held, text);
    await this.#hands.focus(held, 'end');
    await this.#hands.sparing((renew) => this.#hands.input.type(held, text, renew));
    const state = await this.#hands.value(held, null);
    return state.isSecret ? null : shows(state.value);
  }

  async #set({ page, facts }: Held, values: readonly string[]): Promise<string | null> {
    const { signal, waitMs } = this.#hands.options;
    const state = await page.ask({ do: 'set', held: facts.held, values, waitMs }, signal);
    if (state.isTaken) return isNow(state);
    return state.isSecret ? null : shows(state.value);
  }

  /** Chooses options. @throws SpillwayError `option_not_found` with those that there are */
  select(held: Held, values: readonly string[]): Promise<string | null> {
    if (held.facts.kind === 'select') return this.#set(held, values);
    return this.#choosing.choose(held, values);
  }

  /**
   * Sets the field with a label, placeholder or name.
   *
   * @throws SpillwayError `field_not_found`, and what each kind of control throws
   */
  async setField({ name, value, isSecret, next }: Field): Promise<string | null> {
    const { frames, traffic, waitMs, signal, mayTypePasswords } = this.#hands.options;
    const isBusy = (): boolean => traffic.isNavigating || traffic.pending.length > 0;
    const how = { focus: isText(value), guards: this.#hands.guards, waitMs, isBusy, signal };
    return whileFound(
      () => frames.field(name, how),
      waitMs,
      async (held) => {
        checkPassword(held.facts, { isSecret, mayTypePasswords });
        await this.#hands.admitSecret(held);
        return this.#setTo(held, value, next);
      },
    );
  }

  async #setTo(held: Held, value: FieldValue, next: string | null): Promise<string | null> {
    const { kind, line } = held.facts;
    if (typeof value === 'boolean') return this.check(held, value);
    const values = Array.isArray(value) ? value : [String(value)];
    switch (kind) {
      case 'check':
        return this.check(held, isOn(line, values));
      case 'file':
        return this.#hands.options.giveFiles(held, values);
      case 'combobox':
        if (values.length !== 1) return this.select(held, values);
        return this.fill(held, values[0] ?? '');
      case 'text':
      case 'value':
      case 'slider':
      case 'editor':
        if (values.length === 1) return this.fill(held, values[0] ?? '', next);
        throw new SpillwayError('target_unsuitable', `${line} takes one value.`);
      // What is left is chosen from: `other` is a group of choices.
      default: {
        const note = await this.select(held, values);
        if (kind === 'other') await this.#uncheckOthers(held, values);
        return note;
      }
    }
  }

  /** A group of check boxes holds the values that are given, and no others. */
  async #uncheckOthers({ page, facts }: Held, texts: readonly string[]): Promise<void> {
    const { signal } = this.#hands.options;
    const { found } = await page.ask({ do: 'others', held: facts.held, texts }, signal);
    for (const choice of found) await this.check({ page, facts: choice }, false);
  }
}

const quote = (value: string): string => JSON.stringify(cut(value, VALUE_UNITS).toWellFormed());

/** What a field holds, in the page's own words. */
const isNow = ({ value, isSecret }: FieldState): string | null =>
  isSecret ? null : `= ${cut(value.replaceAll(/\s+/g, ' '), VALUE_UNITS).toWellFormed() || '""'}`;

const shows = (value: string): string => `shows ${quote(value)}`;

/** A number may be written in other ways: `1,000`, `42.00`. */
const isOtherNumber = (value: string, text: string): boolean =>
  value.trim() !== '' &&
  Number.isFinite(Number(value)) &&
  Number(value) !== Number(text) &&
  digitsOf(value) !== digitsOf(text);
const digitsOf = (text: string): string => text.replaceAll(/\D/g, '');

const ON = /^(?:true|on|yes|checked|1)$/i;
const OFF = /^(?:false|off|no|unchecked|0)$/i;

function isOn(line: string, values: readonly string[]): boolean {
  const [value = ''] = values;
  if (ON.test(value)) return true;
  if (OFF.test(value)) return false;
  throw new SpillwayError('invalid_argument', `fields: ${line} takes true or false, not ${quote(value)}.`);
}
