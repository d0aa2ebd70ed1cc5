import { isImage, isInput, isSelect, isTextarea } from '../dom.ts';
import { isDrawnOtherwise, isShownByLabel } from '../walk/stand-ins.ts';
import { shownValue } from './controls.ts';
import type { WalkView, WriterTools } from './out.ts';

/** A control that a person sees, even if drawn by other means. */
export function isControlVisible(el: Element, tools: WriterTools): boolean {
  return tools.view.isAtomSeen(el) || isShownByLabel(el);
}

/** A control that a person can use, though the page may draw something else in its place. */
export const isControlUsable = (el: Element, tools: WriterTools): boolean =>
  isControlVisible(el, tools) || (el.ownerDocument.defaultView !== null && isDrawnOtherwise(el));

/** A picture of a pixel, covered or faded: what is said in its place is not read either. */
export const isPictureOfNothing = (el: Element, { view }: WriterTools): boolean =>
  isImage(el) && !view.isAtomSeen(el);

const UNWRITTEN = /^(?:checkbox|radio|range|color|file|hidden|image)$/;

/** Whether the text in a control that was just entered is painted; what shows no text has none to hide. */
export const isValueSeen = (el: Element, view: WalkView): boolean =>
  view.isTextSeen() || !(isTextarea(el) || isSelect(el) || (isInput(el) && !UNWRITTEN.test(el.type)));

/** The value that a person sees in the control that was just entered. */
export const seenValue = (el: Element, view: WalkView): string =>
  isValueSeen(el, view) ? shownValue(el) : '';
