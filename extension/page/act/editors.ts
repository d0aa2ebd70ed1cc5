import { isHtml, isTextarea } from '../dom.ts';

/** Offers a text to an editor as a paste. False where no script of the page takes it. */
export function paste(el: Element, text: string): boolean {
  const data = new DataTransfer();
  data.setData('text/plain', text);
  return !el.dispatchEvent(clipboardEvent('paste', data));
}

/**
 * What an editor shows. One that draws its text itself gives a copy of what is selected in it, which does not reach the
 * person's clipboard.
 */
export function editorText(el: Element): { readonly text: string | null; readonly isCopied: boolean } {
  if (isHtml(el) && el.isContentEditable) return { text: el.innerText, isCopied: false };
  const data = new DataTransfer();
  const isTaken = !el.dispatchEvent(clipboardEvent('copy', data));
  if (isTaken) return { text: data.getData('text/plain'), isCopied: true };
  return { text: isTextarea(el) ? el.value : null, isCopied: false };
}

const clipboardEvent = (type: string, clipboardData: DataTransfer): ClipboardEvent =>
  new ClipboardEvent(type, { clipboardData, bubbles: true, cancelable: true, composed: true });
