import { isShownByLabel } from '../walk/layout-visibility.ts';
import type { WriterTools } from './writer.ts';

/** A control that a person sees, even if drawn by other means. */
export function isControlVisible(el: Element, tools: WriterTools): boolean {
  return tools.view.isAtomSeen(el) || isShownByLabel(el);
}
