import { innerDocument, isFrameElement, isTextarea, rootElement, shadowRootOf } from './dom.ts';
import type { RowsInView } from './scroll-pace.ts';

export const ENDED_PX = 4;
/** Smaller parts that scroll are mostly menus and code samples. */
const MIN_AREA_PX = 20_000;

/** The element that scrolls a document as a whole; null for a document without elements. */
export const pageScroller = (document: Document): Element | null =>
  document.scrollingElement ?? rootElement(document);

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

/** What a part that holds only some of its rows shows of them: lists keep rows ready below the window. */
export function rowsInView(el: Element): RowsInView {
  const view = viewOf(el);
  const elements = el.getElementsByTagName('*');
  if (elements.length > MOST_ELEMENTS) return { bottom: view.height, filled: 1, distinct: 1 };
  const boxes = [...elements].flatMap((inner) => {
    const text = inner.childElementCount === 0 ? (inner.textContent?.trim() ?? '') : '';
    return text === '' ? [] : [{ text, box: inner.getBoundingClientRect() }];
  });
  const bottomOfView = view.top + view.height;
  const texts = new Set<string>();
  let [shown, filledPx, filledTo, bottom] = [0, 0, view.top, bottomOfView];
  for (const { text, box } of boxes.toSorted((a, b) => a.box.top - b.box.top)) {
    if (box.bottom > view.top && box.top < bottomOfView) {
      shown += 1;
      texts.add(text);
      const to = Math.min(box.bottom, bottomOfView);
      filledPx += Math.max(0, to - Math.max(box.top, filledTo));
      filledTo = Math.max(filledTo, to);
    }
    if (box.top <= bottom + view.height * GAP) bottom = Math.max(bottom, box.bottom);
  }
  return {
    bottom: bottom - view.top,
    filled: filledPx / Math.max(1, view.height),
    distinct: texts.size / Math.max(1, shown),
  };
}
