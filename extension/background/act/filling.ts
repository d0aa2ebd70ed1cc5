import { SpillwayError } from '../../../shared/errors.ts';
import {
  checkPassword,
  admitSecret,
  beginUse,
  focus,
  guards,
  joined,
  notTaken,
  partOf,
  quote,
  setWhole,
  takesPress,
  valueOf,
  type Acting,
  type SecretUse,
} from './acting.ts';
import { fieldKey } from '../../../shared/policy/names.ts';
import { isRef } from '../pages/ref-book.ts';
import type { FieldValue } from '../../../shared/act/steps.ts';
import type { ControlKind } from '../../ports/page-answers.ts';
import { opensList, whileFound } from './act-frames.ts';
import { NOT_CHOSEN, TYPED_VALUE } from '../../page/act/protocol.ts';
import { awaitAnswer, othersOf } from './after-text.ts';
import type { Held } from './act-page.ts';
import { replaceInEditor, typeIntoEditor } from './editing.ts';
import { insert, typeKeys, typeText } from './keyboard.ts';
import {
  IN_PARTS,
  isOtherText,
  kept,
  leave,
  noteTyped,
  retype,
  shows,
  stateNow,
  whileOpen,
} from './leaving.ts';
import { click } from './pointer.ts';
import { stepIn } from './step-in-page.ts';

/** One value, or all that a control is to have. */
type Chosen = string | readonly string[];

/** Longer texts are not typed key by key. */
const KEYS_MAX = 200;

/** A note without the texts of the page: a value that was only typed does not read as if it were taken. */
export function concealed(note: string): string {
  const [start = '= '] = /^(?:typed, not chosen: |chosen, and does not show |shows )/.exec(note) ?? [];
  return `${start}(hidden)`;
}

/** @throws SpillwayError `value_not_taken` for a number outside a field's bounds, before anything has moved */
function expectWithin(held: Held, text: string): void {
  const { bounds } = held.facts;
  const value = Number(text);
  if (bounds === null || text.trim() === '' || Number.isNaN(value)) return;
  const { least, most } = bounds;
  if ((least === null || value >= least) && (most === null || value <= most)) return;
  throw notTaken(
    held,
    ` takes ${least ?? 'any number'} to ${most ?? 'any number'}, not ${text}. Nothing was changed`,
  );
}

export interface Field extends SecretUse {
  /** Its index among the act's fields. */
  readonly index: number;
  readonly name: string;
  readonly value: FieldValue;
  /** The name of the next field, if it takes text that is equally secret. */
  readonly next: string | undefined;
}

/** Whether a value may be typed. */
export const isText = (value: FieldValue): boolean => typeof value === 'string' || typeof value === 'number';

/** Turns an element on or off. @throws SpillwayError `target_unsuitable`, `value_not_taken` */
export async function check(acting: Acting, held: Held, wanted: boolean): Promise<string | null> {
  const { checked, line, kind } = held.facts;
  // A box that is partly on has neither state.
  const isMixed = checked === null && kind === 'check';
  if (checked === null && !isMixed)
    throw new SpillwayError('target_unsuitable', `${line} is neither on nor off. Use click.`);
  const state = wanted ? 'on' : 'off';
  if (checked === wanted) return `was ${state} already`;
  if (!wanted && kind === 'radio')
    throw new SpillwayError(
      'target_unsuitable',
      `${line} cannot be turned off. Check another one of its group.`,
    );
  for (let presses = isMixed ? 2 : 1; presses > 0; presses -= 1) {
    await click(acting, held);
    const hasTaken = async (): Promise<boolean> => (await valueOf(acting, held)).checked === wanted;
    if (await takesPress(acting, hasTaken)) return `= ${state}`;
    const { isPresent } = await held.page.ask({ do: 'present', held: held.facts.held }, acting.signal);
    if (!isPresent) return 'pressed, and the page has replaced it';
  }
  throw notTaken(held, ` is still ${wanted ? 'off' : 'on'} after it was clicked`);
}

/**
 * Replaces the text of a field.
 *
 * @param next the field to fill after it
 * @throws SpillwayError `value_not_taken` for a field that stays empty
 */
export function fill(acting: Acting, held: Held, text: string, next?: string): Promise<string | null> {
  const { kind, bounds } = held.facts;
  const hasKeys = acting.attached !== null;
  expectWithin(held, text);
  if (kind === 'value') return set(acting, held, [text]);
  if (kind === 'slider' && hasKeys) return stepIn(acting, held, { kind: 'slide', text });
  if (kind === 'editor' && hasKeys) return replaceInEditor(acting, held, text);
  if (kind === 'parts') return fillParts(acting, held, text);
  if (kind === 'file' && text === '') return acting.putFiles(held, []);
  if (kind === 'text' && bounds !== null) return writeNumber(acting, held, text);
  if (kind === 'combobox' || kind === 'listbox')
    return text === '' ? emptyText(acting, held) : chooseOrKeep(acting, held, text);
  return write(acting, held, text, next);
}

/** Chooses an option. A value that is not offered counts if the control keeps it once it is left, or at Enter. */
async function chooseOrKeep(acting: Acting, held: Held, text: string): Promise<string | null> {
  const note = await choose(acting, held, text, true);
  if (!TYPED_VALUE.test(text) || note?.startsWith(NOT_CHOSEN) !== true) return note;
  const [state] = await leave(acting, [held], false);
  if (state === undefined) return note;
  if (state.isTaken) return stateNow(state);
  const taken = await kept(acting, held, text, state);
  await leave(acting, [held], false);
  return taken;
}

/** A list may draw its choice outside of its text: that one stays. */
async function emptyText(acting: Acting, held: Held): Promise<string | null> {
  const { value, isSecret } = await valueOf(acting, held);
  const note = await write(acting, held, '');
  return value === '' && !isSecret ? 'its text was empty already' : note;
}

/** Number fields notify their page on blur, and may correct the number then. */
async function writeNumber(acting: Acting, held: Held, text: string): Promise<string | null> {
  const note = await write(acting, held, text);
  if (text === '') return note;
  const [state] = await leave(acting, [held], true);
  return state === undefined || state.isTaken ? note : kept(acting, held, text, state);
}

async function write(acting: Acting, held: Held, text: string, next?: string): Promise<string | null> {
  if (!held.isFocused) await focus(acting, held, 'all');
  const state = await insert(acting, held, text, next);
  if (state.isTaken) return stateNow(state);
  const isLong = text.length > KEYS_MAX;
  if (!state.isSecret && (isLong || !isOtherText(state.value, text))) return shows(state.value);
  acting.frames.forgetAhead();
  // Some fields accept only keys. Between keys the focus may move, and a person's secret is for one field.
  const hasKeys = !isLong && !held.facts.isPassword && !acting.use.isSecret;
  const typed = hasKeys ? await retype(acting, held, text) : state;
  if (typed.isTaken) return stateNow(typed);
  if (typed.isSecret) throw notTaken(held, ' did not take the text');
  if (typed.value === '' && text !== '') throw notTaken(held, ' is empty after it was filled');
  // Pages format what is typed.
  return shows(typed.value);
}

/** How long a calendar may take to open. */
const CALENDAR_MS = 250;

/**
 * Like {@link fill}, for a field that keeps the focus: an open calendar or list decides later what the field accepts.
 */
export async function fillOn(acting: Acting, held: Held, text: string): Promise<string | null> {
  const { page, facts } = held;
  const note = await fill(acting, held, text);
  if (facts.kind !== 'text' || note?.startsWith('= ') !== true) return note;
  const isOpen = async (): Promise<boolean> =>
    (await page.ask({ do: 'layer', held: facts.held }, acting.signal)).isOpen;
  return (await takesPress(acting, isOpen, IN_PARTS.test(text) ? CALENDAR_MS : 0)) ? whileOpen(text) : note;
}

/** Types each part of a date or time, and reads them back. */
async function fillParts(acting: Acting, held: Held, text: string): Promise<string> {
  const { page, facts } = held;
  const ask = { do: 'parts', held: facts.held, text } as const;
  const first = await page.ask(ask, acting.signal);
  if (first === null)
    throw notTaken(
      held,
      ` takes values such as 2026-03-14 and 17:30, two of them for a range, not ${quote(text)}. Nothing was changed`,
    );
  for (const { facts: part, keys } of first.parts) {
    const each = { page, facts: part };
    await focus(acting, each);
    await typeText(acting, each, keys, { breaks: 'inserted' });
  }
  const [last] = first.parts.slice(-1);
  if (last !== undefined) await leave(acting, [{ page, facts: last.facts }], false);
  const now = await page.ask(ask, acting.signal);
  if (now?.parts.every(({ isSet }) => isSet) === true) return `= ${text}`;
  const { value } = await valueOf(acting, held);
  throw notTaken(held, `: typed, not taken; it shows ${quote(value)}`);
}

/** Types key by key after the field's text, or at the caret. */
export async function type(
  acting: Acting,
  held: Held,
  text: string,
  isAtCaret: boolean,
): Promise<string | null> {
  if (held.facts.kind === 'editor' && acting.attached !== null)
    return typeIntoEditor(acting, held, text, isAtCaret);
  await focus(acting, held, isAtCaret ? 'none' : 'end');
  // A final Enter acts on the result of the text before it.
  const [, body = '', end = ''] = /^(.*?)(\n*)$/s.exec(text) ?? [];
  if (body !== '') await typeKeys(acting, held, body, 'pressed');
  if (body !== '' && end !== '') await awaitAnswer(acting, held, true);
  if (end !== '') await typeKeys(acting, held, end, 'pressed');
  const state = await valueOf(acting, held);
  return joined(state.isSecret ? null : shows(partOf(state.value, text)), acting.wentTo);
}

async function set(acting: Acting, held: Held, values: readonly string[]): Promise<string | null> {
  await acting.shower.show(held);
  const state = await setWhole(acting, held, values);
  if (state.isTaken) return stateNow(state);
  return state.isSecret ? null : shows(state.value);
}

const choose = (acting: Acting, held: Held, chosen: Chosen, isFree: boolean): Promise<string | null> => {
  const how = { isSecret: acting.use.isSecret, guards: guards(acting), hasKeys: acting.attached !== null };
  return stepIn(acting, held, { kind: 'choose', chosen, isFree, ...how });
};

const takesOne = ({ facts }: Held): SpillwayError =>
  new SpillwayError('target_unsuitable', `${facts.line} takes one value.`);

/** Chooses options. @throws SpillwayError `option_not_found` with the available ones */
export const select = (acting: Acting, held: Held, value: Chosen, isFree = false): Promise<string | null> =>
  isSetAsWhole(held) ? set(acting, held, [value].flat()) : choose(acting, held, value, isFree);

/** Controls that offer nothing in the page: what they offer is drawn by the browser. */
const isSetAsWhole = ({ facts: { kind, hasDatalist } }: Held): boolean =>
  kind === 'select' || kind === 'value' || hasDatalist;

/**
 * Sets the field with a label, placeholder or name.
 * @throws SpillwayError `field_not_found`, and the errors of each kind of control
 */
export async function setField(acting: Acting, field: Field): Promise<string | null> {
  beginUse(acting, field);
  const { name, value, isSecret } = field;
  const { frames, waitMs, signal, mayTypePasswords } = acting;
  const how = { focus: isText(value), guards: guards(acting), waitMs, signal };
  const note = await whileFound(
    () => frames.field(name, how),
    waitMs,
    async (held) => {
      acting.hides = held.facts.hides;
      checkPassword(held.facts, { isSecret, mayTypePasswords });
      await admitSecret(acting, isRef(name) ? name : fieldKey(name), held);
      await acting.shower.show(held, null, typeof value === 'boolean' ? 'set' : 'fill');
      return setTo(acting, held, await acting.reveal(field));
    },
  );
  return isSecret && note !== null ? concealed(note) : note;
}

const TYPED: ReadonlySet<ControlKind> = new Set(['text', 'editor']);
/** Kinds of controls that take one value. */
const ONE: ReadonlySet<ControlKind> = new Set(['text', 'value', 'slider', 'parts', 'editor']);
const isFilled = (kind: ControlKind, value: Chosen): boolean =>
  ONE.has(kind) || (kind === 'combobox' && typeof value === 'string');

async function fillField(acting: Acting, held: Held, field: Field, text: string): Promise<string | null> {
  const { kind, bounds } = held.facts;
  const note = await fill(acting, held, text, field.next);
  if (kind === 'value' || (kind === 'text' && bounds === null)) noteTyped(acting, { ...field, held, text });
  return note;
}

async function setTo(acting: Acting, held: Held, field: Field): Promise<string | null> {
  const { value } = field;
  const { kind, line } = held.facts;
  // Pages show, hide and load other fields depending on a choice.
  acting.hasEffect ||= !TYPED.has(kind);
  // By then, its list has opened and closed.
  if (opensList(held)) acting.frames.lastOpens = false;
  if (typeof value === 'boolean') return check(acting, held, value);
  const chosen = Array.isArray(value) ? value : String(value);
  const values = [chosen].flat();
  const [first = ''] = values;
  if (kind === 'check') return check(acting, held, isOn(line, first));
  if (kind === 'file') return acting.putFiles(held, values.filter(Boolean));
  if (values.length === 1 && isFilled(kind, chosen)) return fillField(acting, held, field, first);
  if (ONE.has(kind) && kind !== 'text') throw takesOne(held);
  // The rest are choices: `other` is a group that takes the given values and drops the others.
  const note = await select(acting, held, chosen, kind === 'combobox');
  if (kind !== 'other') return note;
  const { found } = await othersOf(acting, held, values);
  for (const facts of found) await check(acting, { page: held.page, facts }, false);
  return note;
}

const ON = /^(?:true|on|yes|checked|1)$/i;
const OFF = /^(?:false|off|no|unchecked|0)$/i;

function isOn(line: string, value: string): boolean {
  if (ON.test(value)) return true;
  if (OFF.test(value)) return false;
  throw new SpillwayError('invalid_argument', `fields: ${line} takes true or false, not ${quote(value)}.`);
}
