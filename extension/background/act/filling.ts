import { SpillwayError, toSpillwayError } from '../../../shared/errors.ts';
import {
  checkPassword,
  admitSecret,
  beginUse,
  focus,
  guards,
  isNow,
  joined,
  notTaken,
  partOf,
  quote,
  setWhole,
  takesPress,
  valueOf,
  type Acting,
  type SecretUse,
  type Settled,
  type Typed,
} from './acting.ts';
import { fieldKey } from '../../../shared/policy/names.ts';
import { lettersOf } from '../../page/act/protocol.ts';
import { isRef } from '../pages/ref-book.ts';
import type { FieldValue } from '../../../shared/act/steps.ts';
import type { ControlKind, FieldState, PageAnswers } from '../../ports/page-answers.ts';
import { opensList, whileFound } from './act-frames.ts';
import { awaitAnswer } from './after-text.ts';
import type { Held } from './act-page.ts';
import { type Chosen, choose, hasMade, NOT_CHOSEN, othersOf, takesOne, TYPED_VALUE } from './choosing.ts';
import { replaceInEditor, typeIntoEditor } from './editing.ts';
import { insert, insertText, pressKeys, typeKeys, typeText } from './keyboard.ts';
import { click } from './pointer.ts';
import { expectWithin, slideTo } from './slider.ts';

/** Longer texts are not typed key by key. */
const KEYS_MAX = 200;

/** A note without the texts of the page: a value that was only typed does not read as if it were taken. */
export function concealed(note: string): string {
  const [start = '= '] = /^(?:typed, not chosen: |chosen, and does not show |shows )/.exec(note) ?? [];
  return `${start}(hidden)`;
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
  if (kind === 'slider' && hasKeys) return slideTo(acting, held, text);
  if (kind === 'editor' && hasKeys) return replaceInEditor(acting, held, text);
  if (kind === 'parts') return fillParts(acting, held, text);
  if (kind === 'file' && text === '') return acting.putFiles(held, []);
  if (kind === 'text' && bounds !== null) return writeNumber(acting, held, text);
  if (kind === 'combobox' || kind === 'listbox')
    return text === '' ? emptyText(acting, held) : chooseOrKeep(acting, held, text);
  return write(acting, held, text, next);
}

/** Chooses an option. A value that is not offered counts if the control keeps it once it is left, or at Enter. */
async function chooseOrKeep(acting: Acting, held: Held, text: string): Promise<string> {
  const note = await choose(acting, held, text, true);
  if (!TYPED_VALUE.test(text) || !note.startsWith(NOT_CHOSEN)) return note;
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

/** Types a text in place of a field's content. */
async function retype(acting: Acting, held: Held, text: string): Promise<FieldState> {
  await focus(acting, held, 'all');
  if (text === '' || acting.attached === null) await insertText(acting, held, text);
  else await typeKeys(acting, held, text, 'inserted');
  return valueOf(acting, held, text);
}

type Left = PageAnswers['leave']['states'][number];

/** Leaves fields of one document, and returns their values afterwards. */
async function leave(acting: Acting, fields: readonly Held[], refocuses: boolean): Promise<readonly Left[]> {
  const [first] = fields;
  if (first === undefined) return [];
  const held = fields.map(({ facts }) => facts.held);
  return (await first.page.ask({ do: 'leave', held, refocuses }, acting.signal)).states;
}

const isDropped = ({ value, before }: Left, text: string): boolean =>
  (value === before && !isSame(value, text) && isOtherText(value, text)) || (value === '' && text !== '');

/** Kinds of controls that take typed text. */
const TEXTS: ReadonlySet<ControlKind> = new Set(['text', 'combobox']);
/** How long a calendar may take to open. */
const CALENDAR_MS = 250;

/** A date or time. For other text, Enter might choose a suggestion. */
const IN_PARTS = /^\d+(?:[-/.: ]+\d+)+$/;

/**
 * Reports a text that its field changed on blur: some fields, such as calendars that stay open, accept text only on
 * Enter.
 * @throws SpillwayError `value_not_taken` with the field's text
 */
async function kept(acting: Acting, held: Held, text: string, left: Left): Promise<string> {
  const { kind, bounds, opens } = held.facts;
  const hasKeys = TEXTS.has(kind) && !left.isSecret && acting.attached !== null;
  let now = left;
  // In a popup that a field declares, Enter chooses the active item.
  const isCalendar = left.isOpen && !opens && IN_PARTS.test(text);
  if (hasKeys && (isDropped(left, text) || isCalendar)) now = await enter(acting, held, text, left);
  if (isDropped(now, text)) throw dropped(held, now);
  if (now.isOpen) return whileOpen(now.value);
  if (bounds === null || !isOtherNumber(now.value, text))
    return now.value === text ? stateNow(now) : shows(now.value);
  await retype(acting, held, left.before);
  await leave(acting, [held], true);
  throw notTaken(held, ` makes ${quote(now.value)} of ${quote(text)}`);
}

/** Types a text again and confirms it with Enter, without submitting a form. */
async function enter(acting: Acting, held: Held, text: string, { before }: Left): Promise<Left> {
  const { page, facts } = held;
  await retype(acting, held, text);
  await page.ask({ do: 'stay', held: facts.held }, acting.signal);
  await pressKeys(acting, page, 'Enter');
  const state = await valueOf(acting, held);
  const [now] = await leave(acting, [held], true);
  const after = { isOpen: false, ...state, ...now, before };
  return after.value === '' && (await hasMade(acting, held, text)) ? { ...after, value: text } : after;
}

const dropped = (held: Held, { isSecret, value }: FieldState): SpillwayError =>
  notTaken(held, `: typed, not taken${isSecret ? '' : `; it shows ${quote(value)}`}`);

/** Leaves the fields that were typed into. Returns those whose displayed text the page has changed since. */
export async function leaveFields(acting: Acting, refocuses: boolean): Promise<readonly Settled[]> {
  const settled: Settled[] = [];
  acting.leaveTyped = null;
  // A choice made since may have loaded another page.
  const typed = acting.typed.splice(0).filter(({ held }) => !held.page.isGone);
  for (const id of new Set(typed.map(({ held }) => held.page.documentId))) {
    const own = typed.filter(({ held }) => held.page.documentId === id);
    const fields = own.map(({ held }) => held);
    const states = await leave(acting, fields, refocuses);
    for (const [index, field] of own.entries()) {
      const state = states[index];
      if (state === undefined || state.isTaken) continue;
      beginUse(acting, field);
      settled.push([field.index, await kept(acting, field.held, field.text, state).catch(toSpillwayError)]);
    }
    if (settled.length === 0) continue;
    // Confirming one field takes the focus from another, which may drop its text then.
    const after = await leave(acting, fields, refocuses);
    for (const [index, { held, text, index: at }] of own.entries()) {
      const state = after[index];
      if (state !== undefined && !state.isTaken && !state.isOpen && isDropped(state, text))
        settled.push([at, dropped(held, state)]);
    }
  }
  return settled.sort(([a], [b]) => a - b);
}

/**
 * Remembers that a text was typed into a field, and how to leave it before the end.
 * @param since the first unit whose fields still count
 */
export function noteTyped(acting: Acting, typed: Typed, since = 0): void {
  acting.typed = [...acting.typed.filter(({ index }) => index >= since), typed];
  acting.leaveTyped = async () => {
    const settled = await leaveFields(acting, false);
    acting.left.push(...settled);
    const dropped = settled.map(([, outcome]) => outcome).find((outcome) => typeof outcome !== 'string');
    if (dropped !== undefined) throw dropped;
  };
}

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
  // Enter at the end is for what the text before it has led to.
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
      return setTo(acting, held, field);
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

/** Whether a text is shown, or its number in another notation: `1,000`, `$42.00`. */
const isSame = (value: string, text: string): boolean =>
  value === text || (text.trim() !== '' && Number(value.replaceAll(/[^\d.-]/g, '')) === Number(text));

/** Whether letters or digits differ: other characters are only formatting. */
const isOtherText = (value: string, text: string): boolean => lettersOf(value) !== lettersOf(text);

const stateNow = ({ value, isSecret }: FieldState): string => (isSecret ? '= (hidden)' : isNow(value));

const whileOpen = (value: string): string => `${shows(value)} while its popup is open`;

const shows = (value: string): string => `shows ${quote(value)}`;

/** A number may be formatted differently: `1,000`, `42.00`. */
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
