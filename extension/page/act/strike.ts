import { isHtml, isInput, isTextarea } from '../dom/elements.ts';
import { isRendered } from '../dom/visible.ts';
import { focusWithin } from './key-guard.ts';
import type { Struck } from './protocol.ts';
import { insertText } from './set-files.ts';

/** Elements that a click by Space activates. */
const BY_SPACE =
  'button,summary,input:is([type=checkbox],[type=radio],[type=button],[type=submit],[type=reset])';
/** The same for Enter, which also sends the form of other fields. */
const BY_ENTER = 'a[href],button,summary,input:is([type=button],[type=submit],[type=reset])';
const TABBABLE = 'a[href],button,input,select,textarea,summary,[tabindex],[contenteditable]';
const DELETES = { Backspace: 'delete', Delete: 'forwardDelete' } as const;

/**
 * Sends a key's events to the focused element from a script, and does what browsers do with the key unless the page
 * prevents it: text, Enter, Space, Tab, Backspace and Delete.
 * @param spare throws for a field that text is kept out of
 */
export function strike(struck: Struck, spare: (el: Element) => void): void {
  const { activeElement: active } = document;
  const el = focusWithin(active ?? document.documentElement);
  const { key, code, number: keyCode, modifiers, text } = struck;
  const has = (name: string): boolean => modifiers.includes(name);
  const [ctrlKey, altKey, metaKey] = [has('Control'), has('Alt'), has('Meta')] as const;
  const how = {
    ...{ key, code, keyCode, ctrlKey, altKey, metaKey, shiftKey: has('Shift') },
    ...{ bubbles: true, cancelable: true, composed: true, view: window },
  };
  const isPlain = !ctrlKey && !altKey && !metaKey;
  const isLeft = el.dispatchEvent(new KeyboardEvent('keydown', how));
  if (isLeft && isPlain) {
    if (text !== '') spare(el);
    const takes = text === '' || el.dispatchEvent(new KeyboardEvent('keypress', how));
    if (takes) press(el, struck);
  }
  focusWithin(document.activeElement ?? el).dispatchEvent(new KeyboardEvent('keyup', how));
}

function press(el: Element, { key, text, modifiers }: Struck): void {
  if (key === 'Tab') return moveFocus(el, modifiers.includes('Shift') ? -1 : 1);
  if (key === 'Backspace' || key === 'Delete') return void document.execCommand(DELETES[key]);
  if (isHtml(el) && isActivated(el, key)) return el.click();
  if (key === 'Enter' && isInput(el)) return el.form?.requestSubmit();
  if (text !== '' && takesText(el)) insertText(el, key === 'Enter' ? '\n' : text);
}

const isActivated = (el: Element, key: string): boolean =>
  (key === 'Enter' && el.matches(BY_ENTER)) || (key === ' ' && el.matches(BY_SPACE));

const takesText = (el: Element): boolean =>
  isInput(el) || isTextarea(el) || (isHtml(el) && el.isContentEditable);

function moveFocus(from: Element, by: 1 | -1): void {
  const all = [...document.querySelectorAll<HTMLElement>(TABBABLE)].filter(
    (el) => el === from || (el.tabIndex >= 0 && !el.matches(':disabled') && isRendered(el)),
  );
  const at = all.findIndex((el) => el === from);
  const next = all[at === -1 && by === -1 ? all.length - 1 : at + by];
  if (next === undefined) (document.activeElement as Partial<HTMLElement> | null)?.blur?.();
  else next.focus();
}
