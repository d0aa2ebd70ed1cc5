import { isFrameElement, isHtml, isInput, isTextarea } from '../../dom/elements.ts';
import { innerDocument } from '../../dom/trees.ts';
import { isRendered } from '../../dom/visible.ts';
import { PageError } from '../../dom/doorway.ts';
import { focusWithin, giveFocus, tellFocus } from './focus.ts';
import { describeElement } from './hit.ts';
import type { Struck } from './protocol.ts';

type Key = Extract<Struck, { readonly phase: unknown }>;

/** The key by which an input method ends its text: older pages hear only keys. */
const INPUT_METHOD: Key = { phase: 'up', key: 'Unidentified', code: '', number: 229, modifiers: 0 };

/** Elements that a click by Space activates. */
const BY_SPACE =
  'button,summary,input:is([type=checkbox],[type=radio],[type=button],[type=submit],[type=reset])';
/** The same for Enter, which also sends the form of other fields. */
const BY_ENTER = 'a[href],button,summary,input:is([type=button],[type=submit],[type=reset])';
const TABBABLE = 'a[href],button,input,select,textarea,summary,[tabindex],[contenteditable]';
/** Where a key moves the caret, and how far in an element that is edited as a whole. */
const MOVES: Readonly<Record<string, readonly ['backward' | 'forward', string]>> = {
  ArrowLeft: ['backward', 'character'],
  ArrowRight: ['forward', 'character'],
  ArrowUp: ['backward', 'line'],
  ArrowDown: ['forward', 'line'],
  Home: ['backward', 'lineboundary'],
  End: ['forward', 'lineboundary'],
};

/** Which of the bits of modifiers are set. */
function modifiersOf({ modifiers }: Pick<Key, 'modifiers'>) {
  const has = (bit: number): boolean => (modifiers & bit) !== 0;
  return { altKey: has(1), ctrlKey: has(2), metaKey: has(4), shiftKey: has(8) };
}

/** The focused element, also in a frame that this script reaches. */
function focused(): Element {
  let own = document;
  for (;;) {
    const el = focusWithin(own.activeElement ?? own.documentElement);
    const inner = isFrameElement(el) ? innerDocument(el) : null;
    if (inner === null) return el;
    own = inner;
  }
}

/**
 * Sends a key's events to the focused element from a script, and does what browsers do with the key unless the page
 * prevents it: text, Enter, Space, Tab, deletions, and moves of the caret. Or puts a text without a key in place of the
 * selection.
 * @param spare throws for a field that text is kept out of
 * @throws PageError `not_delivered` for a text that the element did not take
 */
export function strike(struck: Struck, spare: (el: Element) => void): void {
  const el = focused();
  if ('insert' in struck) {
    spare(el);
    const isEmpty = struck.insert === '';
    if (!edit(el, isEmpty ? DELETION : insertion(struck.insert)) && !isEmpty)
      throw new PageError('not_delivered', `${describeElement(el)} took no text from a script.`);
    send(el, 'keyup', INPUT_METHOD);
  } else if (send(el, `key${struck.phase}`, struck) && struck.phase === 'down') {
    const isText = struck.text !== undefined;
    if (isText) spare(el);
    if (!isText || send(el, 'keypress', struck)) press(el, struck);
  }
  tellFocus(el.ownerDocument);
}

function send(el: Element, type: string, struck: Key): boolean {
  const { key, code, number, text = '', isRepeat: repeat = false } = struck;
  const charCode = type === 'keypress' ? text.charCodeAt(0) : 0;
  const how = {
    ...modifiersOf(struck),
    key,
    code,
    keyCode: charCode || number,
    charCode,
    repeat,
    view: window,
  };
  return el.dispatchEvent(
    new KeyboardEvent(type, { ...how, bubbles: true, cancelable: true, composed: true }),
  );
}

function press(el: Element, struck: Key): void {
  const { key, text } = struck;
  const { altKey, ctrlKey, metaKey, shiftKey } = modifiersOf(struck);
  if (altKey) return;
  if (ctrlKey || metaKey) {
    if (key === 'a') selectAll(el);
    else moveCaret(el, key, shiftKey, true);
  } else if (key === 'Tab') moveFocus(el, shiftKey ? -1 : 1);
  else if (isHtml(el) && isActivated(el, key)) el.click();
  else if (key === 'Enter' && isInput(el)) el.form?.requestSubmit();
  else if (text === undefined && !(key in DELETES)) moveCaret(el, key, shiftKey, false);
  else if (takesText(el)) edit(el, editOf(el, struck));
}

/** The name of an edit in `InputEvent`, its command, and the text that it inserts. */
type Edit = readonly [inputType: string, command: string, text?: string];

const DELETION: Edit = ['deleteContentBackward', 'delete'];
const DELETES: Readonly<Record<string, Edit>> = {
  Backspace: DELETION,
  Delete: ['deleteContentForward', 'forwardDelete'],
};

function editOf(el: Element, { key, text = '', ...struck }: Key): Edit {
  if (key !== 'Enter') return DELETES[key] ?? insertion(text);
  if (isTextarea(el)) return ['insertLineBreak', 'insertText', '\n'];
  const inputType = modifiersOf(struck).shiftKey ? 'insertLineBreak' : 'insertParagraph';
  return [inputType, inputType];
}

const insertion = (text: string): Edit => ['insertText', 'insertText', text];

/** Edits the focused element, unless its page does so itself: browsers send no event before a script's command. */
function edit(el: Element, [inputType, command, text]: Edit): boolean {
  const data = inputType === 'insertText' ? (text ?? null) : null;
  const how = { inputType, data, bubbles: true, cancelable: true, composed: true, view: window };
  return (
    !el.dispatchEvent(new InputEvent('beforeinput', how)) ||
    el.ownerDocument.execCommand(command, false, text)
  );
}

const isActivated = (el: Element, key: string): boolean =>
  (key === 'Enter' && el.matches(BY_ENTER)) || (key === ' ' && el.matches(BY_SPACE));

const takesText = (el: Element): boolean =>
  isInput(el) || isTextarea(el) || (isHtml(el) && el.isContentEditable);

function selectAll(el: Element): void {
  if (isInput(el) || isTextarea(el)) el.select();
  else el.ownerDocument.execCommand('selectAll');
}

/** @param isWhole over the whole text, as Control makes it */
function moveCaret(el: Element, key: string, extendsSelection: boolean, isWhole: boolean): void {
  const [direction, step = ''] = MOVES[key] ?? [];
  if (direction === undefined) return;
  const isBack = direction === 'backward';
  if (isInput(el) || isTextarea(el)) return moveIn(el, isBack, isWhole ? 'text' : step, extendsSelection);
  const selection = el.ownerDocument.getSelection();
  if (!isHtml(el) || !el.isContentEditable || selection === null) return;
  if (!isWhole) return selection.modify(extendsSelection ? 'extend' : 'move', direction, step);
  const at = isBack ? 0 : el.childNodes.length;
  if (extendsSelection) selection.extend(el, at);
  else selection.collapse(el, at);
}

/** Fields have a selection of their own. Lines that are wrapped have no ends. */
function moveIn(
  el: HTMLInputElement | HTMLTextAreaElement,
  isBack: boolean,
  step: string,
  extendsSelection: boolean,
): void {
  const { value, selectionStart: start, selectionEnd: end } = el;
  if (start === null || end === null || step === 'line') return;
  const edges = step === 'text' ? [0, value.length] : [lineStart(value, start), lineEnd(value, end)];
  const by = extendsSelection || start === end ? 1 : 0;
  const [first = 0, last = 0] =
    step === 'character' ? [Math.max(0, start - by), Math.min(value.length, end + by)] : edges;
  if (isBack) el.setSelectionRange(first, extendsSelection ? end : first);
  else el.setSelectionRange(extendsSelection ? start : last, last);
}

const lineStart = (value: string, at: number): number => (at === 0 ? 0 : value.lastIndexOf('\n', at - 1) + 1);

function lineEnd(value: string, at: number): number {
  const found = value.indexOf('\n', at);
  return found === -1 ? value.length : found;
}

function moveFocus(from: Element, by: 1 | -1): void {
  const own = from.ownerDocument;
  const all = [...own.querySelectorAll<HTMLElement>(TABBABLE)].filter(
    (el) => el === from || (el.tabIndex >= 0 && !el.matches(':disabled') && isRendered(el)),
  );
  const at = all.findIndex((el) => el === from);
  const next = all[at === -1 && by === -1 ? all.length - 1 : at + by];
  if (next === undefined) (own.activeElement as Partial<HTMLElement> | null)?.blur?.();
  else giveFocus(next);
}

const BUTTONS = { click: 0, double_click: 0, right_click: 2, hover: 0 } as const;

/**
 * Sends a gesture's events from a script, for tabs where the debugger cannot attach. Pages can tell them from a
 * person's, and some ignore them.
 */
export function synthesize(el: Element, kind: keyof typeof BUTTONS): void {
  const box = el.getBoundingClientRect();
  const button = BUTTONS[kind];
  const at = {
    clientX: box.left + box.width / 2,
    clientY: box.top + box.height / 2,
    button,
    bubbles: true,
    cancelable: true,
    composed: true,
    view: el.ownerDocument.defaultView,
  };
  const mouse = (type: string, detail = 1): boolean =>
    el.dispatchEvent(new MouseEvent(type, { ...at, detail }));
  const pointer = (type: string): boolean =>
    el.dispatchEvent(new PointerEvent(type, { ...at, pointerType: 'mouse', isPrimary: true }));
  pointer('pointerover');
  mouse('mouseover');
  pointer('pointermove');
  mouse('mousemove');
  if (kind === 'hover') return;
  for (let count = 1; count <= (kind === 'double_click' ? 2 : 1); count += 1) {
    pointer('pointerdown');
    if (mouse('mousedown', count) && isHtml(el)) giveFocus(el);
    pointer('pointerup');
    mouse('mouseup', count);
    if (kind === 'right_click') mouse('contextmenu');
    else if (isHtml(el)) el.click();
    else mouse('click', count);
  }
  if (kind === 'double_click') mouse('dblclick', 2);
}
