import type { RecordedAct } from '../recorded-port.ts';

/* The controls that a person acts on, and the values that a step can repeat. */

type Field = 'text' | 'choice' | 'check' | 'file' | null;

const BUTTONS = /^(?:button|submit|reset|image|hidden)$/;
const NATIVE = /^(?:a|area|button|input|select|textarea|summary)$/;
/** Keys that move within a widget of the page's own. */
export const MOVES = /^(?:Arrow(?:Up|Down|Left|Right)|Home|End|PageUp|PageDown)$/;
export const keysOfWidget = (el: Element): RegExp =>
  fieldOf(el) === null
    ? /^(?:Arrow(?:Up|Down|Left|Right)|Home|End|PageUp|PageDown|Enter| )$/
    : /^(?:Arrow(?:Up|Down)|PageUp|PageDown|Enter)$/;

export function fieldOf(el: Element): Field {
  if (el instanceof HTMLTextAreaElement) return 'text';
  if (el instanceof HTMLSelectElement) return 'choice';
  if (el instanceof HTMLInputElement) {
    if (el.type === 'checkbox' || el.type === 'radio') return 'check';
    if (el.type === 'file') return 'file';
    return BUTTONS.test(el.type) ? null : 'text';
  }
  return el instanceof HTMLElement && el.isContentEditable ? 'text' : null;
}

/** A text field that offers choices, or takes none of its text by keys, is clicked to open them. */
const opens = (el: Element): boolean =>
  el.matches('[readonly],[role=combobox],[aria-haspopup]:not([aria-haspopup=false])');

/** Its page offers choices for what is typed. A fill would choose one of them. */
export const isSearch = (el: Element): boolean =>
  fieldOf(el) === 'text' &&
  !el.matches('[aria-haspopup=dialog],[aria-haspopup=grid]') &&
  (opens(el) || el.matches('[list],[aria-autocomplete],[aria-expanded],[role=combobox] *'));

/** An editor that draws its text, and takes the keys in another element. */
export const isDrawnText = (el: Element): boolean =>
  fieldOf(el) === null
    ? el.matches('[role=textbox]')
    : el instanceof HTMLTextAreaElement && getComputedStyle(el).opacity === '0';

/** A part of a date: its page writes its text. */
export const isSegment = (el: Element): boolean =>
  el.matches('[role=spinbutton]') && !(el instanceof HTMLInputElement);

/** A part of a page that its script moves through by keys. */
export const isWidget = (el: Element): boolean =>
  el.matches('[role=combobox],[aria-activedescendant]') ||
  (el.hasAttribute('role') && !NATIVE.test(el.localName) && fieldOf(el) === null && !isDrawnText(el));

/** A control that opens choices, within the parts that draw it. */
export const OPENS = '[role=combobox],input[readonly],input[aria-haspopup]:not([aria-haspopup=false])';
const SLIDES = '[role=slider],input[type=range]';
const CONTROLS =
  'a[href],button,input:not([type=hidden]),select,textarea,summary,[contenteditable],[role=button],[role=link],[role=tab],[role=menuitem],[role=option],[role=checkbox],[role=switch],[role=combobox],[role=slider],[role=spinbutton]';
/** Icons within a control have acts of their own. */
const ENDS = 'svg,[aria-label],[title],body,main,section,article,form,ul,ol,table';
const PARTS_MAX = 4;

export const isControl = (el: Element): boolean =>
  fieldOf(el) !== null || NATIVE.test(el.localName) || el.hasAttribute('role');

/** Else it is only for screen readers: no press reaches it. */
function hasArea(el: Element): boolean {
  const { width, height } = el.getBoundingClientRect();
  return width > 1 && height > 1;
}

/** A button next to a field that opens its choices too. */
const isOpener = (el: Element): boolean => el.matches('[aria-haspopup],[tabindex="-1"]');

const showsHand = (el: Element | null): boolean => el !== null && getComputedStyle(el).cursor === 'pointer';
const isHand = (el: Element): boolean => showsHand(el) && !showsHand(el.parentElement);

/** A part of a control that alone shows a hand is pressed itself, such as the cross of a chip. */
export function pressedOf(part: Element, control: Element): Element {
  if (!control.contains(part)) return control;
  for (let up: Element | null = part; up !== null && up !== control; up = up.parentElement)
    if (isHand(up)) return up;
  return isControl(control) ? control : part;
}

/** The control that a composite draws, if it has no other. */
export function controlAround(part: Element, selector: string): Element | null {
  let up: Element | null = part;
  for (let climbed = 0; up !== null && climbed < PARTS_MAX; climbed += 1) {
    if (up.matches(ENDS)) return null;
    const [found = null, ...more] = up.querySelectorAll(CONTROLS);
    if (found !== null)
      return more.every(isOpener) && found.matches(selector) && hasArea(found) ? found : null;
    if (isHand(up)) return null;
    up = up.parentElement;
  }
  return null;
}

/** The slider that a press may move. */
export function sliderOf(target: Element, part: Element): Element | null {
  if (target.matches(SLIDES)) return target;
  return isControl(target) ? null : controlAround(part, SLIDES);
}

/** Into one step: `RecordedAct` allows no more. */
export function fits(value: RecordedAct['value']): boolean {
  if (value === null) return true;
  if (typeof value === 'string') return value.length <= 20_000;
  return value.length > 0 && value.length <= 100 && value.every(({ length }) => length <= 2_000);
}

export const slidTo = (el: Element): string | null =>
  el instanceof HTMLInputElement ? el.value : el.getAttribute('aria-valuenow');

/** The editor that a part of its content belongs to. */
export function hostOf(part: Element): Element {
  const up = part.parentElement;
  return up !== null && fieldOf(part) === 'text' && up.isContentEditable ? hostOf(up) : part;
}

/** Masks and editors may take a key for themselves. */
export function isTyping({ key, ctrlKey, metaKey }: KeyboardEvent, el: Element): boolean {
  if (el.matches('input[type=range]')) return MOVES.test(key);
  if (isSegment(el) && MOVES.test(key)) return true;
  return (
    (fieldOf(el) === 'text' || isDrawnText(el)) &&
    !ctrlKey &&
    !metaKey &&
    /^(?:.|Backspace|Delete)$/u.test(key)
  );
}

/** Its clicks are acts. Those of other fields are not: their changes are. */
export function isPressed(el: Element): boolean {
  const field = fieldOf(el);
  return field === null || (field === 'text' && opens(el));
}

const squash = (text: string): string => text.replace(/\s+/g, ' ').trim();

export function readPersonValue(el: Element): RecordedAct['value'] {
  if (el instanceof HTMLSelectElement) {
    const chosen = [...el.selectedOptions].map(({ label }) => squash(label));
    return el.multiple ? chosen : (chosen[0] ?? null);
  }
  if (el instanceof HTMLInputElement && el.type === 'file') {
    const names = [...(el.files ?? [])].map(({ name }) => name);
    return names.length > 1 ? names : (names[0] ?? '');
  }
  if (el instanceof HTMLInputElement || el instanceof HTMLTextAreaElement) return el.value;
  if (isSegment(el)) return slidTo(el);
  return el instanceof HTMLElement ? readEditorLines(el) : null;
}

/** A blank line between paragraphs is their margin. */
function readEditorLines(editor: HTMLElement): string {
  const blocks = [...editor.children].filter((child) => child instanceof HTMLElement);
  const isText = [...editor.childNodes].some((node) => node instanceof Text && squash(node.data) !== '');
  const isParagraphs = !isText && blocks.every((block) => getComputedStyle(block).display === 'block');
  const texts = isParagraphs ? blocks.map(({ innerText }) => innerText) : [editor.innerText];
  return texts.map((text) => text.replace(/\n$/, '')).join('\n');
}
