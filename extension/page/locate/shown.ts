import { VISIBILITY, visibilityOf } from '../aria/hidden.ts';
import { isElement, isOption, isText } from '../dom.ts';
import { parentAcross } from './trees.ts';

/** Whether assistive technology does not see an element: it is not rendered, or somebody around it hides it. */
export function isHiddenAcross(el: Element): boolean {
  for (let up: Element | null = el; up !== null; up = parentAcross(up))
    if (up.getAttribute('aria-hidden')?.toLowerCase() === 'true') return true;
  return !isRendered(el);
}

/** Whether an element is rendered and visible. The options of a list that is folded are. */
export function isRendered(el: Element): boolean {
  const list = isOption(el) ? el.closest('select') : null;
  if (list !== null) return isRendered(list);
  if (visibilityOf(el) !== VISIBILITY.shown) return false;
  if (el.checkVisibility()) return true;
  // Without a box of its own it is where its parent is.
  const parent = parentAcross(el);
  return parent === null || isRendered(parent);
}

/** Whether a person could see an element: it is rendered and has a size, or something in it has. */
export function isShown(el: Element): boolean {
  if (!isRendered(el)) return false;
  const { width, height } = el.getBoundingClientRect();
  if (width > 0 && height > 0) return true;
  return getComputedStyle(el).display === 'contents' && [...el.childNodes].some(isShownPart);
}

const isShownPart = (node: Node): boolean =>
  isElement(node) ? isShown(node) : isText(node) && node.data.trim() !== '';
