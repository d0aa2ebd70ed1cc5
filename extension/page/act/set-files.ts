import { isHtml, isInput, isTextarea } from '../dom/elements.ts';
import { createTransfer, PageError } from '../doorway.ts';
import { announce } from './controls.ts';
import { giveFocus } from './focus.ts';
import { describeElement, unsuitable } from './hit.ts';
import type { PageAnswers } from '../../ports/page-answers.ts';

/** Files that arrive from the worker part by part. */
export class StagedFiles {
  readonly #parts = new Map<string, Uint8Array<ArrayBuffer>[]>();

  /** Without data, drops the file. */
  add(file: string, data: string): void {
    const bytes = Uint8Array.from(atob(data), (char) => char.charCodeAt(0));
    if (data === '') this.#parts.delete(file);
    else this.#parts.set(file, [...(this.#parts.get(file) ?? []), bytes]);
  }

  /** Returns and releases the file. One without parts is empty. */
  take({ file, name, mime }: { readonly file: string; readonly name: string; readonly mime: string }): File {
    const parts = this.#parts.get(file) ?? [];
    this.#parts.delete(file);
    return new File(parts, name, { type: mime });
  }

  clear(): void {
    this.#parts.clear();
  }
}

const PRESSED =
  'button,a[href],summary,label,input:is([type=button i],[type=submit i],[type=image i]),' +
  '[role=button],[role=link],[role=menuitem]';

/** A page that accepts a drop prevents the browser's default action. */
export function filesWayOf(el: Element): PageAnswers['files_way']['way'] {
  if (fileField(el) !== null) return 'field';
  const none = createTransfer();
  none.items.add(new File([], ''));
  const accepts = (bubbles: boolean): boolean => {
    if (!isHtml(el)) return false;
    const send = dragOn(el, none, bubbles);
    send('dragenter');
    const isTaken = !send('dragover');
    send('dragleave');
    return isTaken;
  };
  // Without bubbling: a page may also prevent all drops, so that none replaces it.
  if (accepts(false)) return 'drop';
  const isPressed = el.closest(PRESSED) !== null || getComputedStyle(el).cursor === 'pointer';
  if (!accepts(true)) return 'press';
  return isPressed ? 'press or drop' : 'drop';
}

/** Whether files go to a field that takes a folder: those that a script makes have no path in it. */
export const takesFolder = (el: Element): boolean => fileField(el)?.webkitdirectory === true;

/**
 * Puts files into a file field, as choosing them does, or drops them on any other element. Fields are often hidden
 * behind a button or label.
 * @returns the names of the field's files, or of the dropped ones
 * @throws PageError `target_unsuitable`, `target_disabled`, `value_not_taken`
 */
export function setFiles(el: Element, files: readonly File[]): string[] {
  const field = fileField(el);
  const transfer = createTransfer();
  for (const file of files) transfer.items.add(file);
  if (field === null) return drop(el, transfer);
  if (field.matches(':disabled'))
    throw new PageError('target_disabled', `${describeElement(field)} is disabled.`);
  if (files.length > 1 && !field.multiple) throw unsuitable(field, 'takes one file.');
  field.files = transfer.files;
  const names = namesOf(field.files);
  announce(field);
  if (names.length !== files.length)
    throw new PageError('value_not_taken', `${describeElement(field)} did not take the files.`);
  return names;
}

const namesOf = (files: FileList): string[] => [...files].map(({ name }) => name);

const isFileField = (el: Element | null): el is HTMLInputElement =>
  el !== null && isInput(el) && el.type === 'file';

/** The element itself, its label's field, or the only field in it. */
function fileField(el: Element): HTMLInputElement | null {
  if (isFileField(el)) return el;
  const label = el.closest('label');
  if (label !== null && isFileField(label.control)) return label.control;
  const inside = el.querySelectorAll('input[type="file" i]');
  const [only = null] = inside;
  return inside.length === 1 && isFileField(only) ? only : null;
}

function drop(el: Element, dataTransfer: DataTransfer): string[] {
  const send = dragOn(el, dataTransfer, true);
  send('dragenter');
  if (!isHtml(el) || send('dragover')) {
    send('dragleave');
    throw unsuitable(el, 'takes no files.');
  }
  send('drop');
  return namesOf(dataTransfer.files);
}

/** Sends drag events to the middle of an element; false if one was prevented. */
function dragOn(el: Element, dataTransfer: DataTransfer, bubbles: boolean): (type: string) => boolean {
  const box = el.getBoundingClientRect();
  const at = { clientX: box.left + box.width / 2, clientY: box.top + box.height / 2 };
  return (type) =>
    el.dispatchEvent(new DragEvent(type, { ...at, dataTransfer, bubbles, cancelable: true, composed: true }));
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

/** Replaces the selection in the focused element, as typing would. */
export function insertText(el: Element, text: string): boolean {
  const own = el.ownerDocument;
  if (text === '') return own.execCommand('delete') || (!isInput(el) && !isTextarea(el));
  return own.execCommand('insertText', false, text);
}
