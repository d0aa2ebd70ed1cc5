import { isHtml, isInput, isTextarea } from '../dom.ts';
import { PageError } from '../page-error.ts';
import { describeElement } from './hit.ts';

const BUTTONS = { click: 0, double_click: 0, right_click: 2, hover: 0 } as const;

/**
 * Sends the events of a gesture from a script. Pages can tell them from a person's, and some ignore them:
 * this is for tabs to which the debugger cannot attach.
 */
export function synthesize(el: Element, kind: keyof typeof BUTTONS): void {
  if (!isHtml(el) && !('dispatchEvent' in el))
    throw new PageError('target_unsuitable', `${describeElement(el)} takes no input.`);
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
  for (const [over, name] of [
    [pointer, 'pointerover'],
    [mouse, 'mouseover'],
    [pointer, 'pointermove'],
    [mouse, 'mousemove'],
  ] as const)
    over(name);
  if (kind === 'hover') return;
  for (let count = 1; count <= (kind === 'double_click' ? 2 : 1); count += 1) {
    pointer('pointerdown');
    if (mouse('mousedown', count) && isHtml(el)) el.focus();
    pointer('pointerup');
    mouse('mouseup', count);
    if (kind === 'right_click') mouse('contextmenu');
    else if (isHtml(el)) el.click();
    else mouse('click', count);
  }
  if (kind === 'double_click') mouse('dblclick', 2);
}

/** Puts text in place of what is selected in the element that has the focus, as typing would. */
export function insertText(el: Element, text: string): boolean {
  const own = el.ownerDocument;
  if (text === '') return own.execCommand('delete') || (!isInput(el) && !isTextarea(el));
  return own.execCommand('insertText', false, text);
}
