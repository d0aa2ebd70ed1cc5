import { delay } from '../../../shared/async/wait.ts';
import { cut } from '../../../shared/cut.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import { checkPassword } from '../../../shared/act/passwords.ts';
import type { FieldValue } from '../../../shared/act/steps.ts';
import type { FieldState } from '../../../shared/act/page-answers.ts';
import { whileFound } from './act-frames.ts';
import type { Held } from './act-page.ts';
import {
  admitSecret,
  beginUse,
  focus,
  guards,
  sparing,
  valueOf,
  type Acting,
  type SecretUse,
} from './acting.ts';
import { choose } from './choosing.ts';
import { appendToEditor, replaceInEditor } from './editing.ts';
import { insertText, typeText } from './keyboard.ts';
import { click } from './pointer.ts';
import { expectWithin, slideTo } from './slider.ts';

const VALUE_UNITS = 80;
/** After the browser has acknowledged text, the page's report is on its way. */
const LATE_MS = 250;

/** A receipt shows this for a field with a secret. */
export const HIDDEN = '= (hidden)';

/** A field to set. */
export interface Field extends SecretUse {
  readonly name: string;
  readonly value: FieldValue;
  /** The name of the one to set after it, if that takes text that is as secret. */
  readonly next: string | null;
}

/** Whether a value may be one to type. */
export const isText = (value: FieldValue): boolean => typeof value === 'string' || typeof value === 'number';

/** Turns an element on or off. @throws SpillwayError `target_unsuitable`, `value_not_taken` */
export async function check(acting: Acting, held: Held, wanted: boolean): Promise<string | null> {
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
  await click(acting, held);
  const { checked: now } = await valueOf(acting, held);
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
export function fill(
  acting: Acting,
  held: Held,
  text: string,
  next: string | null = null,
): Promise<string | null> {
  const { kind, bounds } = held.facts;
  const hasKeys = acting.attached !== null;
  expectWithin(held, text);
  if (kind === 'value') return set(acting, held, [text]);
  if (kind === 'slider' && hasKeys) return slideTo(acting, held, text);
  if (kind === 'editor' && hasKeys) return replaceInEditor(acting, held, text);
  if (kind === 'text' && bounds !== null) return writeNumber(acting, held, text);
  if (kind === 'combobox' && text !== '') return chooseFrom(acting, held, [text], true);
  return write(acting, held, text, next);
}

/** Fields of numbers tell their page when the focus leaves them, and may correct the number then. */
async function writeNumber(acting: Acting, held: Held, text: string): Promise<string | null> {
  const commit = async (expected: string): Promise<FieldState> => {
    await held.page.ask({ do: 'commit', held: held.facts.held }, acting.signal);
    return valueOf(acting, held, expected);
  };
  const { value: before } = await valueOf(acting, held);
  const note = await write(acting, held, text, null);
  if (text === '') return note;
  const state = await commit(text);
  const { value, isTaken } = state;
  if (isTaken || !isOtherNumber(value, text)) return isTaken ? isNow(state) : shows(value);
  await write(acting, { ...held, isFocused: false }, before, null);
  await commit(before);
  throw new SpillwayError('value_not_taken', `${held.facts.line} makes ${quote(value)} of ${quote(text)}.`);
}

async function write(acting: Acting, held: Held, text: string, next: string | null): Promise<string | null> {
  if (!held.isFocused) await focus(acting, held, 'all');
  const state = await insert(acting, held, text, next);
  if (state.isTaken) return isNow(state);
  const { line } = held.facts;
  if (state.isSecret) throw new SpillwayError('value_not_taken', `${line} did not take the text.`);
  if (state.value === '' && text !== '')
    throw new SpillwayError('value_not_taken', `${line} is empty after it was filled.`);
  // Pages format typed text.
  return shows(state.value);
}

/** Replaces the selection, and returns the field's text afterwards. */
async function insert(acting: Acting, held: Held, text: string, next: string | null): Promise<FieldState> {
  const { frames, signal } = acting;
  const inserted = insertText(acting, held, text);
  // A field that is emptied may have been empty: then nothing arrives.
  if (text === '') await inserted;
  const state = valueOf(acting, held, text, text !== '');
  if (next !== null) frames.lookAhead(next, { guards: guards(acting), signal });
  // The browser acknowledges text that the page never sees.
  const late = inserted.then(() => delay(LATE_MS, signal));
  const first = await Promise.race([state, late.then(() => null)]);
  if (first !== null) return first;
  frames.forgetAhead();
  return valueOf(acting, held, text);
}

/** Types key by key after the field's text. */
export async function type(acting: Acting, held: Held, text: string): Promise<string | null> {
  if (held.facts.kind === 'editor' && acting.attached !== null) return appendToEditor(acting, held, text);
  await focus(acting, held, 'end');
  await sparing(acting, (renew) => typeText(acting, held, text, renew));
  const state = await valueOf(acting, held);
  return state.isSecret ? null : shows(state.value);
}

async function set(acting: Acting, { page, facts }: Held, values: readonly string[]): Promise<string | null> {
  const { signal, waitMs } = acting;
  const state = await page.ask({ do: 'set', held: facts.held, values, waitMs }, signal);
  if (state.isTaken) return isNow(state);
  return state.isSecret ? null : shows(state.value);
}

/** Chooses options. @throws SpillwayError `option_not_found` with those that there are */
export const select = (acting: Acting, held: Held, values: readonly string[]): Promise<string | null> =>
  held.facts.kind === 'select' ? set(acting, held, values) : chooseFrom(acting, held, values);

const chooseFrom = (acting: Acting, held: Held, values: readonly string[], isFree = false): Promise<string> =>
  choose(acting, held, values, {
    isFree,
    typeIn: async (text) => {
      await focus(acting, held, 'all');
      return insert(acting, held, text, null);
    },
  });

/**
 * Sets the field with a label, placeholder or name.
 *
 * @throws SpillwayError `field_not_found`, and what each kind of control throws
 */
export async function setField(acting: Acting, field: Field): Promise<string | null> {
  beginUse(acting, field);
  const { name, value, isSecret, next } = field;
  const { frames, traffic, waitMs, signal, mayTypePasswords } = acting;
  const isBusy = (): boolean => traffic.isNavigating || traffic.pending.length > 0;
  const how = { focus: isText(value), guards: guards(acting), waitMs, isBusy, signal };
  const note = await whileFound(
    () => frames.field(name, how),
    waitMs,
    async (held) => {
      checkPassword(held.facts, { isSecret, mayTypePasswords });
      await admitSecret(acting, held);
      return setTo(acting, held, value, next);
    },
  );
  return isSecret && note !== null ? HIDDEN : note;
}

async function setTo(
  acting: Acting,
  held: Held,
  value: FieldValue,
  next: string | null,
): Promise<string | null> {
  const { kind, line } = held.facts;
  if (typeof value === 'boolean') return check(acting, held, value);
  const values = Array.isArray(value) ? value : [String(value)];
  const [first = ''] = values;
  switch (kind) {
    case 'check':
      return check(acting, held, isOn(line, first));
    case 'file':
      return acting.putFiles(held, values);
    case 'combobox':
      return values.length === 1 ? fill(acting, held, first) : select(acting, held, values);
    case 'text':
    case 'value':
    case 'slider':
    case 'editor':
      if (values.length === 1) return fill(acting, held, first, next);
      throw new SpillwayError('target_unsuitable', `${line} takes one value.`);
    // `other` is a group of choices that has exactly the given values.
    default: {
      const note = await select(acting, held, values);
      if (kind !== 'other') return note;
      const { page, facts } = held;
      const { found } = await page.ask({ do: 'others', held: facts.held, texts: values }, acting.signal);
      for (const choice of found) await check(acting, { page, facts: choice }, false);
      return note;
    }
  }
}

const quote = (value: string): string => JSON.stringify(cut(value, VALUE_UNITS).toWellFormed());

const isNow = ({ value, isSecret }: FieldState): string =>
  isSecret ? HIDDEN : `= ${cut(value.replaceAll(/\s+/g, ' '), VALUE_UNITS).toWellFormed() || '""'}`;

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

function isOn(line: string, value: string): boolean {
  if (ON.test(value)) return true;
  if (OFF.test(value)) return false;
  throw new SpillwayError('invalid_argument', `fields: ${line} takes true or false, not ${quote(value)}.`);
}
