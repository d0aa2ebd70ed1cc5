import { comparable } from '../../../shared/base/comparable.ts';
import { roleOf } from '../../dom/names/role.ts';
import {
  isCheckable,
  isDocument,
  isHtml,
  isInput,
  isOption,
  isSelect,
  isShadowRoot,
  isSvg,
  isTextarea,
  lookUp,
  selectIn,
  squash,
} from '../../dom/elements.ts';
import { flatParent } from '../../dom/trees.ts';
import { PageError } from '../../dom/doorway.ts';
import { isSecret, optionsOf, takesPassword } from '../../dom/controls.ts';
import { giveFocus, hasFocus, tellFocus } from './focus.ts';
import { describeElement, unsuitable } from './hit.ts';
import { hasParts } from './parts.ts';
import { lettersOf } from './protocol.ts';
import type { FieldState } from './notes.ts';
import { LIST_OPENERS } from './surroundings.ts';
import type { ControlKind } from '../../core/ports/page-answers.ts';
import type { Refs } from '../../dom/refs.ts';

/** Inputs whose value is set as a whole: typing would go through the browser's own date or colour parts. */
const WHOLE = new Set(['date', 'time', 'datetime-local', 'month', 'week', 'color', 'range']);
const BUTTONS = new Set(['button', 'submit', 'reset', 'image', 'hidden']);
const CHECK_ROLES = new Set(['checkbox', 'switch', 'menuitemcheckbox']);
const KIND_OF_ROLE: Readonly<Record<string, ControlKind>> = {
  radio: 'radio',
  menuitemradio: 'radio',
  slider: 'slider',
  spinbutton: 'text',
  textbox: 'editor',
  searchbox: 'editor',
  combobox: 'listbox',
  listbox: 'listbox',
};
/** Text in fewer pixels is not readable. */
const PROXY_PX = 8;

const ONE_LINE = '[contenteditable]:not([contenteditable=false i])[aria-multiline=false]';

export function resolveControlKind(el: Element): ControlKind {
  if (isInput(el)) return inputKind(el);
  if (isTextarea(el)) return isProxy(el) ? 'editor' : textKind(el);
  if (isSelect(el)) return 'select';
  if (closedListOf(el) !== null) return 'option';
  const role = roleOf(el, el.localName);
  if (CHECK_ROLES.has(role) || el.getAttribute('aria-pressed') !== null) return 'check';
  if (hasParts(el)) return 'parts';
  // Tags, for example.
  if (el.matches(ONE_LINE) && opensChoices(el)) return 'combobox';
  const kind = lookUp(KIND_OF_ROLE, role);
  if (kind !== undefined) return kind;
  if (isHtml(el) && el.isContentEditable) return 'editor';
  return el.matches(LIST_OPENERS) ? 'listbox' : 'other';
}

/** The list around an option without a box: browsers draw such lists outside of the page, and only while they are open. */
export function closedListOf(el: Element): HTMLSelectElement | null {
  return isOption(el) && el.getClientRects().length === 0 ? el.closest('select') : null;
}

/** Some editors draw their own text and take keys in a text area too small to read, or cut off. */
const isProxy = (el: HTMLTextAreaElement): boolean =>
  isSmall(el.clientWidth, el.clientHeight) || isCutOff(el);

const isSmall = (width: number, height: number): boolean => width < PROXY_PX || height < PROXY_PX;

/** Whether the box around an element shows nothing of it. */
export function isCutOff(el: Element): boolean {
  const box = flatParent(el);
  if (box === null || getComputedStyle(box).overflow === 'visible') return false;
  const { width, height } = box.getBoundingClientRect();
  return isSmall(width, height);
}

/** The button around an element: the element may be its text. */
export const pressedOf = (el: Element): Element => el.closest('button,summary,[role=button]') ?? el;

export function opensPopup(el: Element): boolean {
  const pressed = pressedOf(el);
  const opens = (pressed.getAttribute('aria-haspopup') ?? 'false') !== 'false';
  return opens || pressed.getAttribute('aria-expanded') === 'false' || el.closest('[role=combobox]') !== null;
}

/** Popups that offer no values: a calendar, for example. */
const OTHER_POPUPS = new Set(['dialog', 'grid']);

const textKind = (el: Element): ControlKind => (opensChoices(el) ? 'combobox' : 'text');

function opensChoices(el: Element): boolean {
  const popup = el.getAttribute('aria-haspopup');
  if (popup !== null && OTHER_POPUPS.has(popup)) return false;
  return (
    popup === 'listbox' ||
    /^(?:list|both)$/.test(el.getAttribute('aria-autocomplete') ?? '') ||
    el.closest('[role=combobox]') !== null
  );
}

function inputKind(el: HTMLInputElement): ControlKind {
  const { type } = el;
  if (type === 'checkbox') return 'check';
  if (type === 'radio' || type === 'file') return type;
  if (WHOLE.has(type)) return 'value';
  if (BUTTONS.has(type)) return 'other';
  if (opensChoices(el)) return isReadOnly(el) ? 'listbox' : 'combobox';
  return el.getAttribute('role') === 'slider' ? 'slider' : 'text';
}

/** Null for anything that is neither on nor off, such as a box that is partly on. */
export function checkedOf(el: Element): boolean | null {
  if (isCheckable(el)) return el.indeterminate ? null : el.checked;
  const state = el.getAttribute('aria-checked') ?? el.getAttribute('aria-pressed');
  if (state !== null) return state === 'mixed' ? null : state === 'true';
  const kind = resolveControlKind(el);
  return kind === 'check' || kind === 'radio' ? false : null;
}

const isNumeric = (el: Element): boolean => isInput(el) && /^(?:numeric|decimal)$/.test(el.inputMode);

/** Null where the page sets no bound. */
interface Bounds {
  readonly least: number | null;
  readonly most: number | null;
}

/** The range of a number field, slider or spin button; null for controls that take no number. */
export function boundsOf(el: Element): Bounds | null {
  const isNumber = isInput(el) && (el.type === 'number' || el.type === 'range');
  if (!isNumber && !/^(?:slider|spinbutton)$/.test(roleOf(el, el.localName)))
    return isNumeric(el) ? { least: null, most: null } : null;
  const limit = (aria: string, native: string): number | null => {
    const text = (isNumber ? el.getAttribute(native) : null) ?? el.getAttribute(aria);
    return text === null || text.trim() === '' || Number.isNaN(Number(text)) ? null : Number(text);
  };
  return { least: limit('aria-valuemin', 'min'), most: limit('aria-valuemax', 'max') };
}

export function sliderState(el: Element): { readonly now: number | null; readonly text: string | null } {
  const now = isInput(el) && el.type === 'range' ? el.value : el.getAttribute('aria-valuenow');
  const isKnown = now !== null && now.trim() !== '' && !Number.isNaN(Number(now));
  return { now: isKnown ? Number(now) : null, text: el.getAttribute('aria-valuetext') };
}

export function readValue(el: Element): string {
  if (isInput(el)) return el.type === 'file' ? fileNames(el) : el.value;
  if (isTextarea(el)) return el.value;
  if (isSelect(el)) return [...el.selectedOptions].map((option) => squash(option.label)).join(', ');
  if (!isHtml(el)) return '';
  const text = el.getAttribute('aria-valuetext') ?? el.getAttribute('aria-valuenow');
  return text ?? (el.isContentEditable ? el.innerText : squash(el.innerText));
}

const fileNames = ({ files }: HTMLInputElement): string =>
  [...(files ?? [])].map(({ name }) => name).join(', ');

export const hasDatalist = (el: Element): boolean => isInput(el) && el.list !== null;

/** Omits values that must not leave the page. */
export function readFieldState(el: Element, expected: string | null): FieldState {
  const value = readValue(el);
  const hides = isSecret(el);
  const divided = expected === null ? null : dividedText(el, expected);
  const isTaken =
    expected === null ||
    divided !== null ||
    isSameText(value, expected) ||
    (isSelect(el) && el.value === expected) ||
    (hides && !takesPassword(el) && isFormatted(value, expected));
  return { value: hides ? '' : (divided ?? value), checked: checkedOf(el), isSecret: hides, isTaken };
}

/** A text that a page has divided among fields, this one first: boxes of a code, groups of a card number. */
function dividedText(el: Element, text: string): string | null {
  const root = el.getRootNode();
  if (!isInput(el) || el.value === text || !(isDocument(root) || isShadowRoot(root))) return null;
  const fields = [...root.querySelectorAll('input')].filter((each) => inputKind(each) === 'text');
  const at = fields.indexOf(el);
  let left = text;
  for (const { value } of at === -1 ? [] : fields.slice(at)) {
    if (value === '' || !left.startsWith(value)) return null;
    left = left.slice(value.length);
    if (left === '') return text;
    left = left.replace(/^[\s-]+/, '');
  }
  return null;
}

/** Pages group the digits of cards and codes. */
const isFormatted = (value: string, expected: string): boolean =>
  lettersOf(expected) !== '' && lettersOf(value) === lettersOf(expected);

/** Editors write their own spaces and line breaks. */
const isSameText = (a: string, b: string): boolean => a === b || squash(a) === squash(b);

/**
 * Sets controls that are not typed into: options by label or value, dates, colours, ranges.
 * @throws PageError `option_not_found` with the options, `value_not_taken` with the accepted form, `target_unsuitable`
 */
export function setValues(el: Element, values: readonly string[]): void {
  if (isSelect(el)) return selectOptions(el, values);
  if (isInput(el) && el.list !== null && !WHOLE.has(el.type)) return takeListed(el, el.list, values);
  if (!isInput(el) || !WHOLE.has(el.type)) throw unsuitable(el, 'has no value that can be set.');
  // The attribute does not apply to the others.
  if (!/^(?:color|range)$/.test(el.type) && isReadOnly(el)) assertEditable(el);
  const [value = ''] = values;
  const before = el.value;
  setInputValue(el, value);
  if (!hasTaken(el, value)) {
    const example = EXAMPLES[el.type];
    setInputValue(el, before);
    const takes = example === undefined ? '' : ` It takes values such as ${example}.`;
    throw new PageError(
      'value_not_taken',
      `${describeElement(el)} does not take ${JSON.stringify(value)}.${takes}`,
    );
  }
  announce(el);
  takeStops(el, Number(value));
}

/** Sliders with stops of their own go to the next one, whatever the value: those that come nearer are set again. */
function takeStops(el: HTMLInputElement, value: number): void {
  const distance = (): number => Math.abs(Number(el.value) - value);
  for (let last = Infinity; distance() > 0 && distance() < last;) {
    last = distance();
    setInputValue(el, String(value));
    announce(el);
  }
}

const EXAMPLES: Readonly<Record<string, string>> = {
  date: '2026-11-22',
  time: '13:45',
  'datetime-local': '2026-11-22T13:45',
  month: '2026-11',
  week: '2026-W47',
  color: '#336699',
};

/** Browsers write dates and times in one form: without seconds that are zero, for example. */
function hasTaken({ type, value: now }: HTMLInputElement, value: string): boolean {
  if (type === 'range') return Number(now) === Number(value);
  return type === 'color' ? now === value.toLowerCase() : now !== '' || value === '';
}

/** Bypasses the setter that a framework puts on the element: the framework listens for the event and then compares. */
function setInputValue(el: HTMLInputElement, value: string): void {
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(el, value);
}

export function announce(el: Element): void {
  el.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
  el.dispatchEvent(new Event('change', { bubbles: true }));
}

const OPTIONS_SHOWN = 20;

function selectOptions(el: HTMLSelectElement, values: readonly string[]): void {
  if (values.length > 1 && !el.multiple) throw takesOne(el);
  chooseOptions(el, new Set(values.map((value) => optionOf(el, optionsOf(el), el.options, value))));
}

const takesOne = (el: Element): PageError => unsuitable(el, 'takes one option.');

/** Takes a value of a field's `<datalist>`, which browsers draw outside of the page. */
function takeListed(
  el: HTMLInputElement,
  list: HTMLDataListElement,
  [value = '', ...others]: readonly string[],
): void {
  if (isReadOnly(el)) assertEditable(el);
  if (others.length > 0) throw takesOne(el);
  setInputValue(el, optionOf(el, [], list.options, value).value);
  announce(el);
}

export function chooseOptions(el: HTMLSelectElement, chosen: ReadonlySet<HTMLOptionElement>): void {
  const options = [...el.options];
  if (options.every((option) => option.selected === chosen.has(option))) return;
  for (const option of options)
    if (option.selected !== chosen.has(option)) option.selected = chosen.has(option);
  announce(el);
}

function optionOf(
  el: HTMLSelectElement | HTMLInputElement,
  offered: readonly HTMLOptionElement[],
  all: Iterable<HTMLOptionElement>,
  value: string,
): HTMLOptionElement {
  // A hidden option may have the text of one that people can choose.
  const options = [...offered, ...all];
  const wanted = comparable(value);
  const label = (option: HTMLOptionElement): string =>
    squash(option.label || (isSelect(el) ? '' : option.value));
  const found =
    options.find((option) => label(option) === squash(value)) ??
    options.find((option) => option.value === value) ??
    options.find((option) => comparable(label(option)) === wanted);
  if (found === undefined) {
    const listed = offered.length === 0 ? options : offered;
    const shown = listed.slice(0, OPTIONS_SHOWN).map((option) => JSON.stringify(label(option)));
    const more = listed.length > shown.length ? ` and ${listed.length - shown.length} more` : '';
    throw new PageError(
      'option_not_found',
      `${describeElement(el)} has no option ${JSON.stringify(value)}; it has ${shown.join(', ')}${more}.`,
    );
  }
  if (found.matches(':disabled'))
    throw new PageError('target_disabled', `Option ${JSON.stringify(value)} is disabled.`);
  return found;
}

/**
 * Focuses an element and selects its text, so that typed text replaces it.
 * @throws PageError `target_unsuitable` for an element that cannot have the focus
 */
export function focusOn(el: Element, select: 'all' | 'end' | 'none'): void {
  if (isHtml(el) || isFocusableSvg(el)) giveFocus(el);
  if (!hasFocus(el))
    throw unsuitable(
      el,
      `cannot have the focus.${el.localName === 'form' ? ' Name one of its fields.' : ''}`,
    );
  if (select !== 'none') selectIn(el, select);
}

/** Blurs an element, so that the page's handlers for leaving a field run. */
export function leave(el: Element): void {
  // Boxes that close on blur stay open.
  const around = flatParent(el)?.closest('[tabindex="-1"]') ?? null;
  if (around !== null && isHtml(around)) giveFocus(around, { preventScroll: true });
  if (isHtml(el) && hasFocus(el)) el.blur();
  tellFocus(el.ownerDocument);
}

const isReadOnly = (el: Element): boolean =>
  (isInput(el) || isTextarea(el)) && (el.readOnly || el.getAttribute('aria-readonly') === 'true');

/** Whether the element can be typed into now. */
export const isEditable = (el: Element): boolean => resolveControlKind(el) === 'text' && !isReadOnly(el);

export const TAKES_TEXT: ReadonlySet<ControlKind> = new Set(['text', 'listbox', 'combobox', 'editor']);
const CELLS = 'td,th,[role=gridcell],[role=cell]';

/** @throws PageError `target_unsuitable`, `target_disabled` for an element that cannot be typed into now */
export function assertEditable(el: Element): void {
  const kind = resolveControlKind(el);
  if (isReadOnly(el))
    throw new PageError(
      'target_disabled',
      `${describeElement(el)} is read-only. If it opens a calendar or a list, click it, then click a choice.`,
    );
  if (TAKES_TEXT.has(kind)) return;
  const fitting: Partial<Record<ControlKind, string>> = {
    check: 'check or uncheck',
    radio: 'check',
    select: 'select',
    file: 'upload',
    value: 'fill',
    parts: 'fill',
  };
  const step = fitting[kind];
  const opens = el.matches(CELLS) ? ' If a double_click opens its editor, fill that.' : '';
  const hint = step === undefined ? opens : ` Use ${step}.`;
  throw unsuitable(el, `takes no text.${hint}`);
}

const isFocusableSvg = (el: Element): el is SVGElement => isSvg(el) && 'focus' in el;

const contentOf = (el: Element): string => `${checkedOf(el)} ${readValue(el)}`;

/** Fields that an act has set as asked. Reporting them again would fill the receipt of a long form. */
export class FilledFields {
  readonly #contents = new Map<Element, string>();

  add(el: Element): void {
    this.#contents.set(el, contentOf(el));
  }

  /** Returns and forgets the refs of fields that still have the values they were set to. */
  take(refs: Refs): ReadonlySet<string> {
    const same = [...this.#contents].filter(([el, content]) => el.isConnected && contentOf(el) === content);
    this.#contents.clear();
    return new Set(same.map(([el]) => refs.of(el)));
  }
}
