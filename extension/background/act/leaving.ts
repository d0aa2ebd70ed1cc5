import { toSpillwayError, type SpillwayError } from '../../../shared/errors.ts';
import {
  beginUse,
  focus,
  isNow,
  notTaken,
  quote,
  valueOf,
  type Acting,
  type Settled,
  type Typed,
} from './acting.ts';
import { lettersOf } from '../../page/act/protocol.ts';
import type { ControlKind, FieldState, PageAnswers } from '../../ports/page-answers.ts';
import type { Held } from './act-page.ts';
import { hasMade } from './after-text.ts';
import { insertText, pressKeys, typeKeys } from './keyboard.ts';

/** Types a text in place of a field's content. */
export async function retype(acting: Acting, held: Held, text: string): Promise<FieldState> {
  await focus(acting, held, 'all');
  if (text === '' || acting.attached === null) await insertText(acting, held, text);
  else await typeKeys(acting, held, text, 'inserted');
  return valueOf(acting, held, text);
}

type Left = PageAnswers['leave']['states'][number];

/** Leaves fields of one document, and returns their values afterwards. */
export async function leave(
  acting: Acting,
  fields: readonly Held[],
  refocuses: boolean,
): Promise<readonly Left[]> {
  const [first] = fields;
  if (first === undefined) return [];
  const held = fields.map(({ facts }) => facts.held);
  return (await first.page.change({ do: 'leave', held, refocuses }, acting.signal)).states;
}

const isDropped = ({ value, before }: Left, text: string): boolean =>
  (value === before && !isSame(value, text) && isOtherText(value, text)) || (value === '' && text !== '');

/** Kinds of controls that take typed text. */
const TEXTS: ReadonlySet<ControlKind> = new Set(['text', 'combobox']);

/** A date or time. For other text, Enter might choose a suggestion. */
export const IN_PARTS = /^\d+(?:[-/.: ]+\d+)+$/;

/**
 * Reports a text that its field changed on blur: some fields, such as calendars that stay open, accept text only on
 * Enter.
 * @throws SpillwayError `value_not_taken` with the field's text
 */
export async function kept(acting: Acting, held: Held, text: string, left: Left): Promise<string> {
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
  await page.change({ do: 'stay', held: facts.held }, acting.signal);
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

/** Whether a text is shown, or its number in another notation: `1,000`, `$42.00`. */
const isSame = (value: string, text: string): boolean =>
  value === text || (text.trim() !== '' && Number(value.replaceAll(/[^\d.-]/g, '')) === Number(text));

/** Whether letters or digits differ: other characters are only formatting. */
export const isOtherText = (value: string, text: string): boolean => lettersOf(value) !== lettersOf(text);

export const stateNow = ({ value, isSecret }: FieldState): string => (isSecret ? '= (hidden)' : isNow(value));

export const whileOpen = (value: string): string => `${shows(value)} while its popup is open`;

export const shows = (value: string): string => `shows ${quote(value)}`;

/** A number may be formatted differently: `1,000`, `42.00`. */
const isOtherNumber = (value: string, text: string): boolean =>
  value.trim() !== '' &&
  Number.isFinite(Number(value)) &&
  Number(value) !== Number(text) &&
  digitsOf(value) !== digitsOf(text);
const digitsOf = (text: string): string => text.replaceAll(/\D/g, '');
