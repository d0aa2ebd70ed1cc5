import { hull, throughFrame, type Area } from '../../dom/box-area.ts';
import { areaOf } from '../../dom/drawn.ts';
import { isFrameElement, isLabel, labelIdsOf } from '../../dom/elements.ts';
import { innerDocument, elementsIn } from '../../dom/trees.ts';
import { isSecret } from '../../dom/controls.ts';
import type { Box, PageAnswers } from '../../core/ports/page-answers.ts';
import { elementAt, reaches } from './hit.ts';
import { viewPoint } from './places.ts';

/** By what a person sees of the tab. Never scrolls: their view must not move for a picture. */
export const outlineOf = (el: Element): PageAnswers['outline'] => ({
  box: boxOf(el),
  around: aroundOf(el),
  secrets: elementsIn(document, 'input,textarea,select').filter(isSecret).map(boxOf),
  pixelRatio: devicePixelRatio * (visualViewport?.scale ?? 1),
  isInTab: isInTab(),
  isInView: isInView(boxOf(el)),
});

/** The parts of a form that show where its left edge is. */
const PARTS = 'label,legend,input,select,textarea,button,h1,h2,h3';
const FORMS = 'form,fieldset,dialog,[role=form],[role=dialog]';

function aroundOf(el: Element): Box {
  const labels = elementsIn(document, 'label').filter((label) => isLabel(label) && label.control === el);
  const named = (labelIdsOf(el) ?? '')
    .split(/\s+/)
    .map((id) => (id === '' ? null : el.ownerDocument.getElementById(id)));
  const own = [el, ...labels, ...named]
    .flatMap((part) => (part === null ? [] : [areaInTab(part)]))
    .filter((area) => isInView(toBox(area)));
  const parts = [...(el.closest(FORMS)?.querySelectorAll(PARTS) ?? [])].map(boxOf).filter(isInView);
  const [first = areaInTab(el), ...more] = own;
  const area = more.reduce(hull, first);
  return toBox({ ...area, left: Math.min(area.left, ...parts.map(({ x }) => x)) });
}

/** A recording paints over them. */
export const concealedOf = (): PageAnswers['concealed'] => ({
  secrets: elementsIn(document, 'input,textarea,select').filter(isSecret).map(boxOf).filter(isInView),
  frames: elementsIn(document, 'iframe,frame,object,embed,fencedframe')
    .filter((el) => !isFrameElement(el) || innerDocument(el) === null)
    .map(boxOf)
    .filter(isInView),
  view: { width: innerWidth, height: innerHeight, scale: visualViewport?.scale ?? 1 },
  isInTab: isInTab(),
});

/** Whether the script of the tab's top document reaches this one. */
function isInTab(): boolean {
  for (let at: Window = window; at !== at.parent; at = at.parent) if (at.frameElement === null) return false;
  return true;
}

const isInView = ({ x, y, width, height }: Box): boolean =>
  width > 0 && height > 0 && x < innerWidth && y < innerHeight && x + width > 0 && y + height > 0;

const boxOf = (el: Element): Box => toBox(areaInTab(el));

/** In what a person sees of the tab, through the frames around the element. */
function areaInTab(el: Element): Area {
  let area: Area = areaOf(el);
  for (let frame = frameOf(el); frame !== null; frame = frameOf(frame))
    if (isFrameElement(frame)) area = throughFrame(area, frame);
  const { left, top, right, bottom } = area;
  const { x, y } = viewPoint();
  return { left: left - x, top: top - y, right: right - x, bottom: bottom - y };
}

/** In pixels of this document. */
export function placeInDocument(el: Element): Box {
  const { x, y } = viewPoint();
  const { x: left, y: top, ...size } = boxOf(el);
  return { x: left + x + scrollX, y: top + y + scrollY, ...size };
}

/** Whether a picture of an area of this document, or of the part in view, shows an element that a press there reaches. */
export function isPressableIn(el: Element, within: Box | null): boolean {
  const { x, y, width, height } = placeInDocument(el);
  const seen = within ?? { x: scrollX, y: scrollY, width: innerWidth, height: innerHeight };
  const isIn =
    x < seen.x + seen.width && y < seen.y + seen.height && x + width > seen.x && y + height > seen.y;
  if (!isIn || width <= 1 || height <= 1) return false;
  // The box of a link over two lines has a middle that is not the link's.
  const [{ left, top, right, bottom } = el.getBoundingClientRect()] = el.getClientRects();
  const hit = elementAt(el.ownerDocument, { x: (left + right) / 2, y: (top + bottom) / 2 });
  // Nothing is hit outside the part in view.
  return reaches(hit, el) || (hit === null && within !== null);
}

const toBox = ({ left, top, right, bottom }: Area): Box => ({
  x: left,
  y: top,
  width: right - left,
  height: bottom - top,
});

const frameOf = (el: Element): Element | null => el.ownerDocument.defaultView?.frameElement ?? null;
