import { hull, isEmpty, paddingArea, type Area } from './box-area.ts';
import { holds, isElement, isHtml } from './elements.ts';
import { flatChildren, flatParent } from './trees.ts';
import { clips, listLineBoxes } from './geometry.ts';

/** A quick test that everything shown passes: rendered, and not faded to nothing. */
export const mayBeShown = (el: Element): boolean =>
  el.checkVisibility({ visibilityProperty: true, opacityProperty: true });

/** Where an element is: its own box, or the boxes in it if it has none, as with `display: contents`. */
export function areaOf(el: Element): Area {
  const own = el.getBoundingClientRect();
  if (!isEmpty(own)) return own;
  const [first, ...more] = innerBoxes(el);
  return first === undefined ? own : more.reduce(hull, first);
}

const sized = (boxes: Iterable<Area>): Area[] => [...boxes].filter((box) => !isEmpty(box));

/**
 * The outermost boxes that an element draws besides its own: floating, positioned and overflowing content, across
 * shadow trees, and positioned pseudo-elements. Nothing that is transparent, or cut off by a box without a size.
 * @param belongs decides about the elements in it
 */
export function* innerBoxes(
  el: Element,
  belongs: (part: Element) => boolean = () => true,
  around: readonly Element[] = [],
): Generator<Area> {
  const isCut = isEmpty(el.getBoundingClientRect()) && clips(el, getComputedStyle(el));
  const cutting = isCut ? [...around, el] : around;
  const isDrawn = (part: Element): boolean => isSeen(part) && cutting.every((clip) => isOutOf(part, clip));
  if (isDrawn(el)) yield* sized([...pseudoBoxes(el), ...listLineBoxes(el)]);
  for (const child of flatChildren(el, true)) {
    if (!isElement(child) || !belongs(child)) continue;
    const own = isDrawn(child) ? sized(child.getClientRects()) : [];
    if (own.length > 0) yield* own;
    else if (child.checkVisibility() || isContents(child)) yield* innerBoxes(child, belongs, cutting);
  }
}

const isContents = (el: Element): boolean => getComputedStyle(el).display === 'contents';

const isSeen = (el: Element): boolean =>
  isContents(el) ? getComputedStyle(el).visibility === 'visible' : mayBeShown(el);

/** Whether an element in a clipping one is positioned relative to something around that one. */
function isOutOf(el: Element, clip: Element): boolean {
  for (let up: Element | null = el; up !== null && up !== clip; up = flatParent(up))
    if (isHtml(up) && isPositioned(getComputedStyle(up)) && !holds(clip, up.offsetParent)) return true;
  return false;
}

const isPositioned = ({ position }: CSSStyleDeclaration): boolean => /^(?:absolute|fixed)$/.test(position);

/** Whether a pseudo-element is a positioned box that may be painted. */
export const isGeneratedBox = (style: CSSStyleDeclaration): boolean =>
  style.content !== 'none' && style.visibility === 'visible' && style.opacity !== '0' && isPositioned(style);

function* pseudoBoxes(el: Element): Generator<Area> {
  for (const name of ['::before', '::after']) {
    const style = getComputedStyle(el, name);
    if (isGeneratedBox(style)) yield generatedArea(el, style);
  }
}

/** Pseudo-elements can be measured only by their style. */
export function generatedArea(el: Element, style: CSSStyleDeclaration): Area {
  const around = originOf(el, style.position);
  const px = (length: string): number => Number.parseFloat(length) || 0;
  const [left, top] = [around.left + px(style.left), around.top + px(style.top)];
  return { left, top, right: left + px(style.width), bottom: top + px(style.height) };
}

/** The corner that the position of a pseudo-element is relative to. */
function originOf(el: Element, position: string): Pick<Area, 'left' | 'top'> {
  if (position === 'fixed') return { left: 0, top: 0 };
  const isStatic = isHtml(el) && getComputedStyle(el).position === 'static';
  return paddingArea((isStatic ? el.offsetParent : el) ?? el.ownerDocument.documentElement);
}
