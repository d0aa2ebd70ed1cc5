import { isImage, isInput, isSelect, isTextarea } from '../../../dom/elements.ts';
import { isDrawnOtherwise, isShownByLabel } from '../../../dom/stand-ins.ts';
import type { WalkView, WriterTools } from './out.ts';

/** A control that a person sees, even if it is drawn by other means. */
export function isControlVisible(el: Element, tools: WriterTools): boolean {
  return tools.view.isAtomSeen(el) || isShownByLabel(el);
}

/** A control that a person can use, even if the page draws a replacement. */
export const isControlUsable = (el: Element, tools: WriterTools): boolean =>
  isControlVisible(el, tools) || (el.ownerDocument.defaultView !== null && isDrawnOtherwise(el));

/** An image of one pixel, covered or faded: its alternative text is not read either. */
export const isPictureOfNothing = (el: Element, { view }: WriterTools): boolean =>
  isImage(el) && !view.isAtomSeen(el);

const UNWRITTEN = /^(?:checkbox|radio|range|color|file|hidden|image)$/;

/** Whether the text in the control just entered is painted; controls without text have none to hide. */
export const isValueSeen = (el: Element, view: WalkView): boolean =>
  view.isTextSeen() || !(isTextarea(el) || isSelect(el) || (isInput(el) && !UNWRITTEN.test(el.type)));
