import { PageError } from '../../dom/doorway.ts';
import { takesPassword } from '../../dom/controls.ts';
import { whenFocused } from './aim.ts';
import { boundsOf, checkedOf, hasDatalist, resolveControlKind, setValues } from './controls.ts';
import { choose } from './choose.ts';
import { Editor } from './edit.ts';
import { describeElement, unsuitable } from './hit.ts';
import { awaitAnswer, kept } from './leave.ts';
import { isOtherText, trimToPart, quote, shows, stateNow, whileOpen } from './notes.ts';
import { othersIn } from './offers.ts';
import { matchParts } from './parts.ts';
import {
  IN_PARTS,
  NOT_CHOSEN,
  TYPED_VALUE,
  type Choosing,
  type Filling,
  type TypingStep,
} from './protocol.ts';
import { slideTo } from './slide.ts';
import { press } from './point.ts';
import { upload } from './upload.ts';
import { codeOf, focus, insert, notTaken, retype, type StepParts, type Text } from './step.ts';

/** Longer texts are not typed key by key. */
const KEYS_MAX = 200;
/** How long a calendar may take to open. */
const CALENDAR_MS = 250;

/**
 * Fills a field, and those after it that are text fields too, each once the page has handled the text of the one
 * before.
 * @throws PageError as {@link fill}
 */
export async function fillInTurn(el: Element, step: Filling, parts: StepParts): Promise<string | null> {
  const { later = [] } = step;
  const note = await fill(el, step, 0, parts);
  for (let [at, done, last] = [0, el, note]; ; at += 1) {
    parts.did(done, last);
    const next = later[at];
    const [field, second] = next === undefined ? [] : parts.typing.named(next.name);
    if (next === undefined || field === undefined || second !== undefined) return note;
    if (resolveControlKind(field) !== 'text' || (takesPassword(field) && !parts.how.mayTypePasswords))
      return note;
    last = await fill(field, { ...step, text: next.text }, at + 1, parts);
    done = field;
  }
}

/**
 * Replaces the text of a field, or sets another control to it.
 * @throws PageError `value_not_taken` for a field that stays empty
 */
async function fill(el: Element, step: Filling, index: number, parts: StepParts): Promise<string | null> {
  const kind = resolveControlKind(el);
  const note = await fillAs(el, { text: step.text, index }, parts);
  // An open calendar or list decides later what a field that keeps the focus accepts.
  if (!step.keepsFocus || kind !== 'text' || note?.startsWith('= ') !== true) return note;
  const { hands, typing } = parts;
  const isOpen = (): Promise<boolean> => typing.hasLayer(el);
  const isCalendar = IN_PARTS.test(step.text);
  return (await hands.until(isOpen, isCalendar ? CALENDAR_MS : 0)) ? whileOpen(step.text) : note;
}

function fillAs(el: Element, value: Text, parts: StepParts): Promise<string | null> {
  const kind = resolveControlKind(el);
  const { text } = value;
  if (kind === 'file' && text === '') return upload(el, [], parts);
  expectWithin(el, text);
  if (kind === 'value') return set(el, [text], parts);
  if (kind === 'slider') return slideTo(el, text, parts);
  if (kind === 'editor') return new Editor(el, parts).replace(value);
  if (kind === 'parts') return fillParts(el, text, parts);
  if (kind === 'combobox' || kind === 'listbox')
    return text === '' ? emptyText(el, parts) : chooseOrKeep(el, text, parts);
  return kind === 'text' && boundsOf(el) !== null && text !== ''
    ? writeNumber(el, value, parts)
    : write(el, value, parts);
}

/** @throws PageError `value_not_taken` for a number outside a field's bounds, before anything has moved */
function expectWithin(el: Element, text: string): void {
  const bounds = boundsOf(el);
  const value = Number(text);
  if (bounds === null || text.trim() === '' || Number.isNaN(value)) return;
  const { least, most } = bounds;
  if ((least === null || value >= least) && (most === null || value <= most)) return;
  const range = `${least ?? 'any number'} to ${most ?? 'any number'}`;
  throw notTaken(el, ` takes ${range}, not ${text}. Nothing was changed`);
}

/** Chooses an option. A value that is not offered counts if the control keeps it once it is left, or at Enter. */
async function chooseOrKeep(el: Element, text: string, parts: StepParts): Promise<string | null> {
  const note = await choose(el, { kind: 'choose', chosen: text, isFree: true }, parts);
  if (!TYPED_VALUE.test(text) || !note.startsWith(NOT_CHOSEN)) return note;
  const [state] = await parts.typing.leave([el], false);
  if (state === undefined) return note;
  if (state.isTaken) return stateNow(state);
  const taken = await kept(el, { text, index: 0 }, state, parts);
  await parts.typing.leave([el], false);
  return taken;
}

/** A list may draw its choice outside of its text: that one stays. */
async function emptyText(el: Element, parts: StepParts): Promise<string | null> {
  const { value, isSecret } = parts.typing.state(el, null);
  const note = await write(el, { text: '', index: 0 }, parts);
  return value === '' && !isSecret ? 'its text was empty already' : note;
}

/** Number fields notify their page on blur, and may correct the number then. */
async function writeNumber(el: Element, value: Text, parts: StepParts): Promise<string | null> {
  const note = await write(el, value, parts);
  const [state] = await parts.typing.leave([el], true);
  return state === undefined || state.isTaken ? note : kept(el, value, state, parts);
}

async function write(el: Element, value: Text, parts: StepParts): Promise<string> {
  const { how } = parts;
  const { text } = value;
  await focus(el, 'all', parts);
  const state = await insert(el, value, parts);
  if (state.isTaken) return stateNow(state);
  const isLong = text.length > KEYS_MAX;
  if (!state.isSecret && (isLong || !isOtherText(state.value, text))) return shows(state.value);
  // Some fields accept only keys. Between keys the focus may move, and a person's secret is for one field.
  const typesKeys = !isLong && !takesPassword(el) && !how.isSecret;
  const typed = typesKeys ? await retype(el, value, parts) : state;
  if (typed.isTaken) return stateNow(typed);
  if (typed.isSecret) throw notTaken(el, ' did not take the text');
  if (typed.value === '' && text !== '') throw notTaken(el, ' is empty after it was filled');
  // Pages format what is typed.
  return shows(typed.value);
}

/** Types each part of a date or time, and reads them back. */
async function fillParts(el: Element, text: string, parts: StepParts): Promise<string> {
  const { hands, hold, typing } = parts;
  const all = matchParts(el, text);
  if (all === null) {
    const what = 'takes values such as 2026-03-14 and 17:30, two of them for a range';
    throw notTaken(el, ` ${what}, not ${quote(text)}. Nothing was changed`);
  }
  for (const { el: part, keys } of all) {
    await focus(part, 'none', parts);
    await hands.give({ part: keys, at: hold(part) });
  }
  const last = all.at(-1)?.el;
  if (last !== undefined) await typing.leave([last], false);
  if (matchParts(el, text)?.every(({ isSet }) => isSet) === true) return `= ${text}`;
  throw notTaken(el, `: typed, not taken; it shows ${quote(typing.state(el, null).value)}`);
}

/** Types key by key after the field's text, or at the caret. */
export async function type(
  el: Element,
  { body, end, isAtCaret }: TypingStep,
  parts: StepParts,
): Promise<string | null> {
  const { hands, typing } = parts;
  if (resolveControlKind(el) === 'editor') return new Editor(el, parts).type([body, end], isAtCaret);
  await focus(el, isAtCaret ? 'none' : 'end', parts);
  if (body !== '') await hands.text(el, 0, 'pressed');
  // A final Enter acts on the result of the text before it.
  if (body !== '' && end !== '') await awaitAnswer(el, true, parts);
  if (end !== '') await hands.text(el, 1, 'pressed');
  typing.guard.check();
  const { value, isSecret } = typing.state(el, null);
  return isSecret ? null : shows(trimToPart(value, body + end));
}

/** Options may be on their way, or be enabled by a choice made before. */
const COMING: ReadonlySet<string> = new Set(['option_not_found', 'target_disabled']);

/** Sets a control's value as a whole. @throws PageError of `setValues`, at the end of the time */
async function set(
  el: Element,
  values: readonly string[],
  { hands, typing, motion, waitMs }: StepParts,
): Promise<string | null> {
  let missing: unknown = null;
  let isReady = false;
  const isSet = await hands.until(async () => {
    await hands.give({ changes: true });
    try {
      await whenFocused(el, { waitMs, motion });
      isReady = true;
      setValues(el, values);
      return true;
    } catch (thrown) {
      if (!isReady || !COMING.has(codeOf(thrown))) throw thrown;
      missing = thrown;
      await hands.give({ changes: false });
      return false;
    }
  });
  if (!isSet) throw missing;
  const state = typing.state(el, values.join(', '));
  if (state.isTaken) return stateNow(state);
  return state.isSecret ? null : shows(state.value);
}

/** Chooses options. @throws PageError `option_not_found` with the available ones */
export async function select(el: Element, step: Choosing, parts: StepParts): Promise<string | null> {
  const kind = resolveControlKind(el);
  const values = [step.chosen].flat();
  // The browser itself draws the options of these: nothing in the page can be pressed.
  if (kind === 'select' || kind === 'value' || hasDatalist(el)) return set(el, values, parts);
  const note = await choose(el, step, parts);
  if (kind !== 'other' || step.isOnly !== true) return note;
  for (const { press } of othersIn(el, values, parts.popup))
    if (press !== null) await check(press, false, parts);
  return note;
}

const ON = /^(?:true|on|yes|checked|1)$/i;
const OFF = /^(?:false|off|no|unchecked|0)$/i;

/** @throws PageError `invalid_argument` */
function isOn(el: Element, value: string): boolean {
  if (ON.test(value)) return true;
  if (OFF.test(value)) return false;
  const line = describeElement(el);
  throw new PageError('invalid_argument', `fields: ${line} takes true or false, not ${quote(value)}.`);
}

/** Turns an element on or off. @throws PageError `target_unsuitable`, `value_not_taken` */
export async function check(el: Element, value: boolean | string, parts: StepParts): Promise<string> {
  const { hands, typing } = parts;
  const wanted = typeof value === 'string' ? isOn(el, value) : value;
  const kind = resolveControlKind(el);
  const checked = checkedOf(el);
  // A box that is partly on has neither state.
  const isMixed = checked === null && kind === 'check';
  if (checked === null && !isMixed) throw unsuitable(el, 'is neither on nor off. Use click.');
  const state = wanted ? 'on' : 'off';
  if (checked === wanted) return `was ${state} already`;
  if (!wanted && kind === 'radio')
    throw unsuitable(el, 'cannot be turned off. Check another one of its group.');
  for (let presses = isMixed ? 2 : 1; presses > 0; presses -= 1) {
    await press(el, parts);
    if (await hands.until(() => typing.state(el, null).checked === wanted)) return `= ${state}`;
    if (!el.isConnected) return 'pressed, and the page has replaced it';
  }
  throw notTaken(el, ` is still ${wanted ? 'off' : 'on'} after it was clicked`);
}
