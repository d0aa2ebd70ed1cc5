import { isCaretAtEnd, isHtml, isTextarea, squash } from '../dom/elements.ts';
import { hasFocus, isCutOff } from './controls.ts';

/** False if no page script takes the paste. Some take it a moment later, at an element that they add for it. */
export function paste(el: Element, text: string): boolean {
  const data = new DataTransfer();
  data.setData('text/plain', text);
  const { length } = el.querySelectorAll('*');
  return !el.dispatchEvent(clipboardEvent('paste', data)) || el.querySelectorAll('*').length !== length;
}

/**
 * Editors that draw their own text answer a copy of their selection, which never reaches the person's clipboard, or keep
 * it in a text area that is cut off. The text is null without a copy; `isAtEnd`: the caret follows the last character.
 */
export function editorText(el: Element, copies = false) {
  const isFocused = hasFocus(el);
  if (!copies && isHtml(el) && el.isContentEditable)
    return {
      text: isPlaceholder(el) ? '' : el.innerText,
      isCopied: false,
      isFocused,
      isAtEnd: isCaretAtEnd(el),
    };
  const data = new DataTransfer();
  const isTaken = !el.dispatchEvent(clipboardEvent('copy', data));
  if (isTaken) return { text: data.getData('text/plain'), isCopied: true, isFocused, isAtEnd: false };
  const text = isTextarea(el) ? el.value : null;
  return { text, isCopied: isTextarea(el) && isCutOff(el), isFocused, isAtEnd: false };
}

/** Whether an editor shows only its placeholder, or other parts that a screen reader does not read. */
function isPlaceholder(el: HTMLElement): boolean {
  const parts = [...el.querySelectorAll('[aria-hidden=true][contenteditable=false]')].filter(isHtml);
  return parts.length > 0 && squash(parts.map((part) => part.innerText).join('')) === squash(el.innerText);
}

const clipboardEvent = (type: string, clipboardData: DataTransfer): ClipboardEvent =>
  new ClipboardEvent(type, { clipboardData, bubbles: true, cancelable: true, composed: true });
