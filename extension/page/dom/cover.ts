import type { Area } from './box-area.ts';
import {
  flatParent,
  innerDocument,
  isDocument,
  isFrameElement,
  isShadowRoot,
  isSvg,
  lineageOf,
} from '../dom.ts';
import { isOpaque, parseColour } from './paint.ts';

/** A box over more of the viewport is opened over a page, and closed again. */
const MAX_OF_VIEW = 0.5;
const PASSING =
  'dialog,[popover],[aria-modal="true"],[role="dialog"],[role="alertdialog"],[role="menu"],[role="listbox"],[role="tooltip"],[role="alert"],[role="status"]';
const ACTIONS = 'a[href],button,input:not([type="hidden"]),select,textarea,summary';

/**
 * Whether something covers everything visible of an element, as hit tests find at points of each area. Content outside
 * the viewport, or without pointer events, is not found and counts as visible.
 * @param areas its lines, or its box, in the viewport
 */
export function isCovered(el: Element, areas: readonly Area[]): boolean {
  const root = el.getRootNode();
  if (!isDocument(root) && !isShadowRoot(root)) return false;
  const isUnder = (x: number, y: number): boolean => {
    if (root.elementFromPoint(x, y) === el) return false;
    const hits = root.elementsFromPoint(x, y);
    // An SVG's shapes are its own content.
    const over = hits
      .slice(0, Math.max(0, hits.indexOf(el)))
      .filter((hit) => !isSvg(el) || !el.contains(hit));
    return over.some((cover) => hides(cover, el));
  };
  return (
    areas.length > 0 &&
    areas.every(({ left, top, right, bottom }) => {
      const [x, y, inset] = [(left + right) / 2, (top + bottom) / 2, Math.min(3, (right - left) / 4)];
      return isUnder(x, y) && isUnder(left + inset, y) && isUnder(right - inset, y);
    })
  );
}

function hides(cover: Element, text: Element): boolean {
  const { clientWidth, clientHeight } = cover.ownerDocument.documentElement;
  const { width, height } = cover.getBoundingClientRect();
  if (width * height > MAX_OF_VIEW * clientWidth * clientHeight) return false;
  const common = commonAncestor(cover, text);
  return paintsAll(cover) && !scrollsApart(text, common) && !isPassing(cover, common);
}

function paintsAll(el: Element): boolean {
  const style = getComputedStyle(el);
  const inner = isFrameElement(el) ? innerDocument(el) : null;
  const isFilled =
    el.localName === 'rect'
      ? (parseColour(style.fill)?.a ?? 0) * Number(style.fillOpacity) > 0.95
      : isOpaque(el, style) ||
        [inner?.documentElement, inner?.body].some(
          (part) => part != null && isOpaque(part, getComputedStyle(part)),
        );
  return isFilled && !isFaded(el);
}

/** By its own style, or an ancestor's. */
function isFaded(el: Element): boolean {
  return lineageOf(el).some((at) => {
    const { opacity, filter, mixBlendMode, maskImage } = getComputedStyle(at);
    return Number(opacity) < 0.95 || filter !== 'none' || mixBlendMode !== 'normal' || maskImage !== 'none';
  });
}

/** Stays in place while the page scrolls, or opens and closes. */
function isPassing(el: Element, common: Element | null): boolean {
  let top: Element | null = null;
  for (let at: Element | null = el; at !== null && at !== common; at = flatParent(at)) {
    if (/fixed|sticky/.test(getComputedStyle(at).position)) return true;
    top = at;
  }
  return (
    top !== null && (el.closest(PASSING) !== null || top.querySelector(`${PASSING},${ACTIONS}`) !== null)
  );
}

function commonAncestor(one: Element, other: Element): Element | null {
  const around = new Set(lineageOf(other));
  return lineageOf(one).find((at) => around.has(at)) ?? null;
}

function scrollsApart(text: Element, common: Element | null): boolean {
  for (let at: Element | null = text; at !== null && at !== common; at = flatParent(at)) {
    const style = getComputedStyle(at);
    if (/fixed|sticky/.test(style.position)) return true;
    if (!/auto|scroll/.test(style.overflow)) continue;
    if (at.scrollHeight > at.clientHeight + 1 || at.scrollWidth > at.clientWidth + 1) return true;
  }
  return false;
}
