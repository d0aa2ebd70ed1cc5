import { innerDocument, isFrameElement, isTextarea, shadowRootOf } from './dom.ts';

export const ENDED_PX = 4;
/** Smaller parts that scroll are mostly menus and code samples. */
const MIN_AREA_PX = 20_000;

/** The element that scrolls a document as a whole. */
export const pageScroller = (document: Document): Element =>
  document.scrollingElement ?? document.documentElement;

/** The parts of a page that scroll down, the largest first; those of shadow trees and readable frames too. */
export function findScrollers(document: Document): Element[] {
  return [...elementsOf(document)].filter(isScroller).toSorted((a, b) => areaOf(b) - areaOf(a));
}

function* elementsOf(root: Document | ShadowRoot): Generator<Element> {
  for (const el of root.querySelectorAll('*')) {
    yield el;
    const shadow = shadowRootOf(el, false);
    if (shadow !== null) yield* elementsOf(shadow);
    const inner = isFrameElement(el) && el.checkVisibility() ? innerDocument(el) : null;
    if (inner !== null) yield* elementsOf(inner);
  }
}

const areaOf = (el: Element): number => el.clientWidth * el.clientHeight;

function isScroller(el: Element): boolean {
  if (el.scrollHeight <= el.clientHeight + ENDED_PX || areaOf(el) < MIN_AREA_PX || isTextarea(el))
    return false;
  const { ownerDocument: document } = el;
  if (el === document.scrollingElement) return true;
  const style = getComputedStyle(el);
  if (!/auto|scroll|overlay/.test(style.overflowY) || !el.checkVisibility()) return false;
  // The body's overflow is the window's where the root has none.
  return el !== document.body || getComputedStyle(document.documentElement).overflowY !== 'visible';
}

export interface View {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Where a part shows its content, in its own document. A document's own scroller shows in the whole window. */
export function viewOf(el: Element): View {
  const { clientWidth: width, clientHeight: height } = el;
  if (el === el.ownerDocument.scrollingElement) return { left: 0, top: 0, width, height };
  const { left, top } = el.getBoundingClientRect();
  return { left: left + el.clientLeft, top: top + el.clientTop, width, height };
}

const MOST_ELEMENTS = 2_000;
/** Of a window's height: rows may be so far apart. */
const GAP = 0.1;

/**
 * How far below the top of its window a part that holds only some of its rows has them without a gap, in
 * pixels: lists keep rows ready below the window.
 */
export function heightOfRows(el: Element): number {
  const view = viewOf(el);
  const elements = el.getElementsByTagName('*');
  if (elements.length > MOST_ELEMENTS) return view.height;
  const boxes = [...elements]
    .filter((inner) => inner.childElementCount === 0 && inner.textContent?.trim() !== '')
    .map((inner) => inner.getBoundingClientRect())
    .toSorted((a, b) => a.top - b.top);
  let bottom = view.top + view.height;
  for (const box of boxes) {
    if (box.top > bottom + view.height * GAP) break;
    bottom = Math.max(bottom, box.bottom);
  }
  return bottom - view.top;
}
