import { isCaretAtEnd, isHtml, isTextarea, squash } from '../../dom/elements.ts';
import { isCutOff } from './controls.ts';
import { hasFocus } from './focus.ts';

/** False if no page script takes the paste. Some take it a moment later, at an element that they add for it. */
export function paste(el: Element, text: string): boolean {
  const { length } = el.querySelectorAll('*');
  return !el.dispatchEvent(clipboardEvent('paste', text)) || el.querySelectorAll('*').length !== length;
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
  const copy = clipboardEvent('copy', '');
  const isTaken = !el.dispatchEvent(copy);
  if (isTaken)
    return {
      text: copy.clipboardData?.getData('text/plain') ?? '',
      isCopied: true,
      isFocused,
      isAtEnd: false,
    };
  const text = isTextarea(el) ? el.value : null;
  return { text, isCopied: isTextarea(el) && isCutOff(el), isFocused, isAtEnd: false };
}

/** Whether an editor shows only its placeholder, or other parts that a screen reader does not read. */
function isPlaceholder(el: HTMLElement): boolean {
  const parts = [...el.querySelectorAll('[aria-hidden=true][contenteditable=false]')].filter(isHtml);
  return parts.length > 0 && squash(parts.map((part) => part.innerText).join('')) === squash(el.innerText);
}

function clipboardEvent(type: 'copy' | 'paste', data: string): ClipboardEvent {
  const clipboardData = new DataTransfer();
  if (data !== '') clipboardData.setData('text/plain', data);
  // Firefox makes its own of text and type.
  const given = { clipboardData, ...(data !== '' && { data, dataType: 'text/plain' }) };
  return new ClipboardEvent(type, { ...given, bubbles: true, cancelable: true, composed: true });
}
