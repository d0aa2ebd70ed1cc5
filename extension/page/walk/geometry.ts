import { intersect } from '../box-area.ts';
import { EVERYWHERE, NOWHERE, type Clip, type Level, type View } from './level.ts';
import { STYLE } from './style-flags.ts';

/** An area of at most this many pixels shows no text: the classic 1 × 1 box. */
const UNREADABLE_PX = 1;

/** What a person can scroll a document to, and its viewport. */
export function createView(document: Document): View {
  const root = document.documentElement;
  const width = root.clientWidth;
  const height = document.defaultView?.innerHeight ?? root.clientHeight;
  const scroller = document.scrollingElement ?? root;
  const style = getComputedStyle(root);
  const locked = /hidden|clip/.test(
    style.overflowX === 'visible' && document.body !== null
      ? getComputedStyle(document.body).overflowX
      : style.overflowX,
  );
  const viewport = { left: 0, top: 0, right: width, bottom: height };
  return { document, viewport, reachable: scrollArea(scroller, viewport, locked) };
}

/** All that scrolling an element brings into `view`, in viewport coordinates as they are now. */
function scrollArea(scroller: Element, view: Clip, lockedX: boolean): Clip {
  const isRtl = getComputedStyle(scroller).direction === 'rtl';
  const left = isRtl
    ? view.right - scroller.scrollLeft - Math.max(scroller.scrollWidth, view.right - view.left)
    : view.left - scroller.scrollLeft;
  const top = view.top - scroller.scrollTop;
  const width = lockedX ? view.right - view.left : Math.max(scroller.scrollWidth, view.right - view.left);
  return {
    left: lockedX ? view.left : left,
    top,
    right: (lockedX ? view.left : left) + width,
    bottom: top + Math.max(scroller.scrollHeight, view.bottom - view.top),
  };
}

/** Nothing readable shows through it. */
function isEmpty(clip: Clip): boolean {
  return clip.right - clip.left <= UNREADABLE_PX || clip.bottom - clip.top <= UNREADABLE_PX;
}

/** Whether an area overlaps a clip; never where the clip is too small to show text. */
export function overlaps(box: Clip, clip: Clip): boolean {
  return (
    !isEmpty(clip) &&
    box.right > clip.left &&
    box.left < clip.right &&
    box.bottom > clip.top &&
    box.top < clip.bottom
  );
}

function contains(clip: Clip, box: Clip): boolean {
  return box.left >= clip.left && box.right <= clip.right && box.top >= clip.top && box.bottom <= clip.bottom;
}

/** `overflow` of an element that clips: what its content can be seen in. */
export function clipOf(el: Element, style: CSSStyleDeclaration, level: Level): Clip {
  const outer = level.clip;
  const { overflowX, overflowY } = style;
  const box = el.getBoundingClientRect();
  level.box = box;
  const shown = intersect(box, outer);
  const scrollsX = overflowX === 'auto' || overflowX === 'scroll';
  const scrollsY = overflowY === 'auto' || overflowY === 'scroll';
  if (!scrollsX && !scrollsY) {
    return {
      left: overflowX === 'visible' ? outer.left : shown.left,
      top: overflowY === 'visible' ? outer.top : shown.top,
      right: overflowX === 'visible' ? outer.right : shown.right,
      bottom: overflowY === 'visible' ? outer.bottom : shown.bottom,
    };
  }
  if (isEmpty(shown)) return NOWHERE;
  const area = scrollArea(el, box, false);
  return {
    left: scrollsX ? area.left : shown.left,
    top: scrollsY ? area.top : shown.top,
    right: scrollsX ? area.right : shown.right,
    bottom: scrollsY ? area.bottom : shown.bottom,
  };
}

/**
 * `content-visibility: auto` leaves what is off screen without a place until it is scrolled to:
 * where such content would be is not to be judged by where it is now.
 */
export function clipOfSkipped(el: Element, outer: Clip): Clip {
  const box = el.getBoundingClientRect();
  return box.width === 0 || box.height === 0 || overlaps(box, outer) ? EVERYWHERE : NOWHERE;
}

let range: Range | null = null;

/** The box of an element, or of what it holds where it has none itself. */
function textBox(el: Element, known: Clip | null): Clip {
  const box = known ?? el.getBoundingClientRect();
  if (box.right > box.left && box.bottom > box.top) return box;
  if (range === null || range.startContainer.ownerDocument !== el.ownerDocument)
    range = el.ownerDocument.createRange();
  range.selectNodeContents(el);
  const inner = range.getBoundingClientRect();
  return inner;
}

/** The box of the text nodes straight inside an element: for text that `text-indent` moved away. */
function ownTextBox(el: Element): Clip | null {
  const own = el.ownerDocument.createRange();
  let box: Clip | null = null;
  for (let node = el.firstChild; node !== null; node = node.nextSibling) {
    if (node.nodeType !== 3) continue;
    own.selectNodeContents(node);
    const next = own.getBoundingClientRect();
    if (next.width === 0) continue;
    box =
      box === null
        ? next
        : {
            left: Math.min(box.left, next.left),
            top: Math.min(box.top, next.top),
            right: Math.max(box.right, next.right),
            bottom: Math.max(box.bottom, next.bottom),
          };
  }
  return box;
}

/** Text before the element (`text-indent`). */
function isIndented(level: Level, el: Element): boolean {
  if ((level.flags & STYLE.indent) === 0) return false;
  level.style ??= getComputedStyle(el);
  return Number.parseFloat(level.style.textIndent) < 0;
}

/** Whether any of a level's own text can be scrolled into view. */
export function isTextVisible(level: Level, el: Element): boolean {
  const box = textBox(el, level.box);
  if (box.right <= box.left || box.bottom <= box.top || !overlaps(box, level.clip)) return false;
  if (!isIndented(level, el) && contains(level.clip, box)) return true;
  // A box that reaches out of sight may have its text there.
  const own = ownTextBox(el);
  return own === null || overlaps(own, level.clip);
}
