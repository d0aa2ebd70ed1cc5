import { isInput } from '../dom.ts';
import type { WriterTools } from './writer.ts';

/** A hidden check box behind a drawn one is still what its visible label switches. */
export function isControlSeen(el: Element, tools: WriterTools): boolean {
  if (tools.view.isAtomSeen(el)) return true;
  if (!isInput(el) || !/^(?:checkbox|radio|file)$/.test(el.type)) return false;
  return [...(el.labels ?? [])].some((label) => tools.view.isSeen(label));
}
