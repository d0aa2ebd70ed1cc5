import { isInput, isOption } from '../dom.ts';

/** Have no box of their own to be hidden. */
const BOXLESS = new Set('option optgroup area col colgroup map datalist br slot'.split(' '));

/**
 * Neither shown nor a box whose children are: by style alone, wherever it is scrolled to.
 *
 * @param isInHidden its container is hidden; elements without a box follow that
 */
export function isHiddenElement(el: Element, isInHidden: boolean): boolean {
  if (isInput(el) && el.type === 'hidden') return isInHidden;
  if (BOXLESS.has(el.localName))
    return isInHidden || (isOption(el) && getComputedStyle(el).display === 'none');
  if (el.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return false;
  const { display, visibility } = getComputedStyle(el);
  return isInHidden || display !== 'contents' || visibility !== 'visible';
}

/** Whether an element's container (its list, its frame) is hidden without that showing at the element. */
export function isInHidden(el: Element): boolean {
  const box = BOXLESS.has(el.localName) ? el.closest(`:not(${[...BOXLESS].join()})`) : null;
  if (box !== null && isHiddenElement(box, false)) return true;
  const frame = el.ownerDocument.defaultView?.frameElement ?? null;
  return frame !== null && (isHiddenElement(frame, false) || isInHidden(frame));
}

/** Whether an element is seen without what is in it, as a closed `details` is. */
export function isContentHidden(el: Element): boolean {
  if (el.localName === 'details') return !el.hasAttribute('open');
  return getComputedStyle(el).getPropertyValue('content-visibility') === 'hidden';
}

/** Whether a text has a place on the page: the fallback of a slot or of an object has none. */
export function isRendered(text: Text): boolean {
  // The texts of a list are laid out when it opens.
  if (text.parentElement !== null && isOption(text.parentElement)) return true;
  const range = text.ownerDocument.createRange();
  range.selectNodeContents(text);
  return range.getClientRects().length > 0;
}
