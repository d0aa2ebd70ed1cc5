import { delay } from '../../../shared/async/wait.ts';
import { cut } from '../../../shared/cut.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import { checkPassword } from '../../../shared/act/passwords.ts';
import type { FieldValue } from '../../../shared/act/steps.ts';
import type { Held } from './act-page.ts';
import { whileFound } from './found-again.ts';
import type { Hands } from './hands.ts';

const VALUE_UNITS = 80;
/** How long the options of a list box take to appear. */
const OPTIONS_MS = 2_000;
const OPTIONS_LOOK_MS = 30;

/** Sets the values of fields, whatever kind of control they are, and reads them back. */
export class Filling {
  readonly #hands: Hands;

  constructor(hands: Hands) {
    this.#hands = hands;
  }

  /** Turns it on or off. @throws SpillwayError `target_unsuitable`, `value_not_taken` */
  async check(held: Held, wanted: boolean): Promise<string | null> {
    const { checked, line, kind } = held.facts;
    if (checked === null)
      throw new SpillwayError('target_unsuitable', `${line} is neither on nor off. Use click.`);
    if (checked === wanted) return `was ${wanted ? 'on' : 'off'} already`;
    if (!wanted && kind === 'radio')
      throw new SpillwayError(
        'target_unsuitable',
        `${line} cannot be turned off. Check another one of its group.`,
      );
    await this.#hands.click(held);
    const { checked: now } = await this.#hands.value(held, null);
    if (now === wanted) return null;
    throw new SpillwayError(
      'value_not_taken',
      `${line} is still ${wanted ? 'off' : 'on'} after it was clicked.`,
    );
  }

  /** Replaces the text of a field. @throws SpillwayError `value_not_taken` for a field that stays empty */
  async fill(held: Held, text: string): Promise<string | null> {
    if (held.facts.kind === 'value') return this.#set(held, [text]);
    await this.#hands.focus(held, 'all');
    await this.#hands.input.insert(held, text);
    const state = await this.#hands.value(held, text);
    if (state.isTaken) return null;
    const { line } = held.facts;
    if (state.isSecret) throw new SpillwayError('value_not_taken', `${line} did not take the text.`);
    if (state.value === '' && text !== '')
      throw new SpillwayError('value_not_taken', `${line} is empty after it was filled.`);
    // Pages format what is typed.
    return shows(state.value);
  }

  /** Types key by key behind what the field holds. */
  async type(held: Held, text: string): Promise<string | null> {
    await this.#hands.focus(held, 'end');
    await this.#hands.sparing(() => this.#hands.input.type(held, text));
    const state = await this.#hands.value(held, null);
    return state.isSecret ? null : shows(state.value);
  }

  async #set({ page, facts }: Held, values: readonly string[]): Promise<string | null> {
    const { signal, waitMs } = this.#hands.options;
    const state = await page.ask({ do: 'set', held: facts.held, values, waitMs }, signal);
    return state.isTaken || state.isSecret ? null : shows(state.value);
  }

  /** Chooses options. @throws SpillwayError `option_not_found` with those that there are */
  async select(held: Held, values: readonly string[]): Promise<string | null> {
    if (held.facts.kind === 'select') return this.#set(held, values);
    for (const value of values) await this.#choose(held, value);
    return null;
  }

  /** Chooses from a group of choices, or opens a list box and chooses from it. */
  async #choose(held: Held, value: string): Promise<void> {
    const { signal } = this.#hands.options;
    const ask = { do: 'option', held: held.facts.held, text: value } as const;
    const ready = await held.page.ask(ask, signal);
    if (ready !== null) return this.#pick({ page: held.page, facts: ready });
    if (held.facts.kind === 'text') await this.fill(held, value);
    else await this.#hands.click(held);
    const until = performance.now() + OPTIONS_MS;
    for (;;) {
      const found = await held.page.ask(ask, signal);
      if (found !== null) return this.#pick({ page: held.page, facts: found });
      if (performance.now() >= until)
        throw new SpillwayError(
          'option_not_found',
          `${held.facts.line} has no option ${quote(value)} that is shown.`,
        );
      await delay(OPTIONS_LOOK_MS, signal);
    }
  }

  async #pick(choice: Held): Promise<void> {
    if (choice.facts.checked !== true) await this.#hands.click(choice);
  }

  /**
   * Sets the field with a label, placeholder or name.
   *
   * @throws SpillwayError `field_not_found`, and what each kind of control throws
   */
  async setField(name: string, value: FieldValue, isSecret: boolean): Promise<string | null> {
    const { frames, waitMs, signal, mayTypePasswords } = this.#hands.options;
    return whileFound(
      () => frames.field(name, waitMs, signal),
      waitMs,
      (held) => {
        checkPassword(held.facts, { isSecret, mayTypePasswords });
        return this.#setTo(held, value);
      },
    );
  }

  async #setTo(held: Held, value: FieldValue): Promise<string | null> {
    const { kind, line } = held.facts;
    if (typeof value === 'boolean') return this.check(held, value);
    const values = Array.isArray(value) ? value : [String(value)];
    switch (kind) {
      case 'check':
        return this.check(held, isOn(line, values));
      case 'file':
        return this.#hands.options.giveFiles(held, values);
      case 'text':
      case 'value':
        if (values.length === 1) return this.fill(held, values[0] ?? '');
        throw new SpillwayError('target_unsuitable', `${line} takes one value.`);
      // What is left is chosen from: `other` is a group of choices.
      default:
        return this.select(held, values);
    }
  }
}

const quote = (value: string): string => JSON.stringify(cut(value, VALUE_UNITS).toWellFormed());

const shows = (value: string): string => `shows ${quote(value)}`;

const ON = /^(?:true|on|yes|checked|1)$/i;
const OFF = /^(?:false|off|no|unchecked|0)$/i;

function isOn(line: string, values: readonly string[]): boolean {
  const [value = ''] = values;
  if (ON.test(value)) return true;
  if (OFF.test(value)) return false;
  throw new SpillwayError('invalid_argument', `fields: ${line} takes true or false, not ${quote(value)}.`);
}
