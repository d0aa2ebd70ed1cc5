import { failureOf, type PageError } from '../../dom/doorway.ts';
import { choose } from './choose.ts';
import { boundsOf, resolveControlKind, opensPopup } from './controls.ts';
import { isOtherText, quote, shows, stateNow, whileOpen, type FieldState } from './notes.ts';
import { IN_PARTS, lettersOf, type Outcome } from './protocol.ts';
import { notTaken, retype, type StepParts, type Text } from './step.ts';
import { filters as filtersOf, type Left } from './typing.ts';

/** How long the list that a field filters may take to change. Most pages wait 100 to 300 ms for the next key. */
const ANSWER_MS = 500;
/** A page handles an answer of its server within this time. */
const HANDLED_MS = 50;

/** A field that was typed into. */
export interface Typed extends Text {
  readonly el: Element;
  readonly isSecret: boolean;
}

const isDropped = ({ value, before }: Left, text: string): boolean =>
  (value === before && !isSameInput(value, text) && isOtherText(value, text)) ||
  (value === '' && text !== '');

/**
 * Reports a text that its field changed on blur: some fields, such as calendars that stay open, accept text only on
 * Enter.
 * @throws PageError `value_not_taken` with the field's text
 */
export async function kept(el: Element, value: Text, left: Left, parts: StepParts): Promise<string> {
  const { text } = value;
  const kind = resolveControlKind(el);
  const takesKeys = (kind === 'text' || kind === 'combobox') && !left.isSecret;
  let now = left;
  // In a popup that a field declares, Enter chooses the active item.
  const isCalendar = (left.isOpen || left.isOffered) && !opensPopup(el) && IN_PARTS.test(text);
  if (takesKeys && (isDropped(left, text) || isCalendar)) now = await enter(el, value, left, parts);
  if (isDropped(now, text)) throw dropped(el, now);
  if (now.isOpen) return whileOpen(now.value);
  if (boundsOf(el) === null || !isOtherNumber(now.value, text))
    return now.value === text ? stateNow(now) : shows(now.value);
  await retype(el, { text: left.before, index: null }, parts);
  await parts.typing.leave([el], true);
  throw notTaken(el, ` makes ${quote(now.value)} of ${quote(text)}`);
}

/** Types a text again and confirms it with Enter, without submitting a form. */
async function enter(el: Element, value: Text, { before }: Left, parts: StepParts): Promise<Left> {
  const { hands, typing } = parts;
  await retype(el, value, parts);
  typing.stay(el);
  await hands.key('Enter');
  const [now] = await typing.leave([el], true);
  const after = { isOpen: false, isOffered: false, ...typing.state(el, null), ...now, before };
  // Enter may have made a choice of it, apart from the field.
  return after.value === '' && parts.popup.has(el, value.text) ? { ...after, value: value.text } : after;
}

const dropped = (el: Element, { isSecret, value }: FieldState): PageError =>
  notTaken(el, `: typed, not taken${isSecret ? '' : `; it shows ${quote(value)}`}`);

async function settle(field: Typed, left: Left, parts: StepParts): Promise<string> {
  const { el, text, index, isSecret } = field;
  const own = { ...parts, how: { ...parts.how, isSecret } };
  if (!left.isOffered || IN_PARTS.test(text)) return kept(el, field, left, own);
  // The page may count only what is chosen.
  own.popup.watch(el, own.typing.layersFor(el));
  try {
    return await choose(el, { kind: 'choose', chosen: text, from: index ?? 0, isFree: true }, own);
  } catch (thrown) {
    // The page may show a choice where no text of the field's is looked for.
    const { code, message } = failureOf(thrown);
    if (code !== 'value_not_taken') throw thrown;
    return `chosen from its list; its effect is unknown: ${message}`;
  }
}

/** Leaves fields. Returns a note or a failure for those whose displayed text the page has changed since. */
export async function leaveFields(
  fields: readonly Typed[],
  refocuses: boolean,
  parts: StepParts,
): Promise<readonly Outcome[]> {
  const els = fields.map(({ el }) => el);
  const states = await parts.typing.leave(els, refocuses);
  const outcomes: Outcome[] = fields.map(() => null);
  for (const [index, field] of fields.entries()) {
    const state = states[index];
    if (state === undefined || (state.isTaken && !state.isOffered)) continue;
    outcomes[index] = await settle(field, state, parts).catch(failureOf);
  }
  if (outcomes.every((outcome) => outcome === null)) return outcomes;
  // Confirming one field takes the focus from another, which may drop its text then.
  const after = await parts.typing.leave(els, refocuses);
  for (const [index, { el, text }] of fields.entries()) {
    const state = after[index];
    const isUnchanged = state === undefined || state.isTaken || state.isOpen || !isDropped(state, text);
    // A page may empty the field and show the choice next to it.
    const isChosen = states[index]?.isOffered === true && typeof outcomes[index] === 'string';
    if (!isUnchanged && !isChosen && !parts.popup.has(el, text))
      outcomes[index] = failureOf(dropped(el, state));
  }
  return outcomes;
}

/** @throws PageError `value_not_taken` for a field that the page has emptied since it was left */
export function expectKept(fields: readonly Typed[], parts: StepParts): void {
  for (const { el, text } of fields) {
    const { value, isSecret } = parts.typing.state(el, null);
    const isEmptied = !isSecret && lettersOf(value) === '' && lettersOf(text) !== '';
    if (isEmptied && !parts.popup.has(el, text))
      throw notTaken(el, `: typed, not taken; it shows ${quote(value)}`);
  }
}

/**
 * Waits for the list that a field filters: the next key may choose from it.
 * @returns a note if its change is unknown
 */
export async function awaitAnswer(
  el: Element,
  isForKeys: boolean,
  { hands, typing }: StepParts,
): Promise<string | null> {
  const filters = filtersOf(el);
  // A page that asks its server shows that it is loading before it shows the list.
  const isAnswered = (): boolean => typing.hasAnswered() && hands.restedMs >= HANDLED_MS;
  if (isAnswered() || filters === 'no' || (filters === 'perhaps' && !isForKeys)) return null;
  if ((await hands.until(isAnswered, ANSWER_MS)) || filters === 'perhaps') return null;
  return `no visible change of a list within ${ANSWER_MS} ms`;
}

/** Whether a text is shown, or its number in another notation: `1,000`, `$42.00`. */
const isSameInput = (value: string, text: string): boolean =>
  value === text || (text.trim() !== '' && Number(value.replaceAll(/[^\d.-]/g, '')) === Number(text));

/** A number may be formatted differently: `1,000`, `42.00`. */
const isOtherNumber = (value: string, text: string): boolean =>
  value.trim() !== '' &&
  Number.isFinite(Number(value)) &&
  Number(value) !== Number(text) &&
  digitsOf(value) !== digitsOf(text);
const digitsOf = (text: string): string => text.replaceAll(/\D/g, '');
