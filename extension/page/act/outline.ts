import { areaOf, throughFrame, type Area } from '../box-area.ts';
import { isFrameElement } from '../dom.ts';
import { elementsIn } from '../locate/trees.ts';
import { isSecret } from '../write/controls.ts';
import type { ActAnswers, Box } from './protocol.ts';

/** Where an element is in the viewport of the tab, and where what must not be seen is. Nothing is scrolled. */
export const outlineOf = (el: Element): ActAnswers['outline'] => ({
  box: boxOf(el),
  secrets: elementsIn(document, 'input,textarea,select').filter(isSecret).map(boxOf),
  pixelRatio: devicePixelRatio,
});

function boxOf(el: Element): Box {
  let area: Area = areaOf(el);
  for (let frame = frameOf(el); frame !== null; frame = frameOf(frame))
    if (isFrameElement(frame)) area = throughFrame(area, frame);
  const { left: x, top: y, right, bottom } = area;
  return { x, y, width: right - x, height: bottom - y };
}

const frameOf = (el: Element): Element | null => el.ownerDocument.defaultView?.frameElement ?? null;
