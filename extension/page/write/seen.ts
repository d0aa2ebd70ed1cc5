import { isDrawnOtherwise, isShownByLabel } from '../walk/stand-in.ts';
import type { WriterTools } from './writer.ts';

/** A control that a person sees, even if drawn by other means. */
export function isControlVisible(el: Element, tools: WriterTools): boolean {
  return tools.view.isAtomSeen(el) || isShownByLabel(el);
}

/** A control that a person can use, though the page may draw something else in its place. */
export const isControlUsable = (el: Element, tools: WriterTools): boolean =>
  isControlVisible(el, tools) || (el.ownerDocument.defaultView !== null && isDrawnOtherwise(el));
