import { flatParent } from '../dom.ts';
import { SCROLL } from '../../../shared/act/scroll.ts';
import { findScrollers, pageScroller } from '../scrollers.ts';
import { whenDrawn } from './drawn.ts';
import { reveal } from './places.ts';
import type { ActAnswers } from './protocol.ts';

/** Of the part that is scrolled, for a step without pixels. */
const PAGE = 0.9;

/**
 * Scrolls an element into view, or the part of the page around it: `down 300`, `by 0,300`, `to bottom`. `on` scrolls the page to its
 * end, and then the parts in it.
 * Resolves when the page has heard of it.
 *
 * @returns whether anything moved, and how far the part is from its top
 */
export async function scrollPart(el: Element | null, how: string): Promise<ActAnswers['scroll']> {
  const part = scrollerOf(el);
  if (part === null) return { moved: false, top: 0 };
  const moved = how === 'on' ? moveOn(part) : how === '' && el !== null ? moveIntoView(el) : move(part, how);
  if (moved) await whenDrawn(document);
  const parts = how === 'on' ? [part, ...innerParts(part)] : [part];
  return { moved, top: parts.reduce((sum, { scrollTop }) => sum + scrollTop, 0) };
}

function moveIntoView(el: Element): boolean {
  const { top, left } = el.getBoundingClientRect();
  reveal(el, 'center');
  const now = el.getBoundingClientRect();
  return now.top !== top || now.left !== left;
}

const innerParts = (page: Element): readonly Element[] =>
  findScrollers(document).filter((part) => part !== page);

/** Lists that draw what is in view alone are scrolled view by view. */
const moveOn = (page: Element): boolean =>
  move(page, 'to bottom') || innerParts(page).some((part) => move(part, 'down'));

function move(part: Element, how: string): boolean {
  const { scrollLeft, scrollTop } = part;
  scrollBy(part, how);
  return part.scrollLeft !== scrollLeft || part.scrollTop !== scrollTop;
}

function scrollBy(part: Element, how: string): void {
  const [, way, pixels, x, y, end] = SCROLL.exec(how) ?? [];
  if (end !== undefined) part.scrollTo({ top: end === 'top' ? 0 : part.scrollHeight, behavior: 'instant' });
  else if (x !== undefined) part.scrollBy({ left: Number(x), top: Number(y), behavior: 'instant' });
  else {
    const isAcross = way === 'left' || way === 'right';
    const size = isAcross ? part.clientWidth : part.clientHeight;
    const distance =
      (way === 'up' || way === 'left' ? -1 : 1) * (pixels === undefined ? size * PAGE : Number(pixels));
    part.scrollBy({ [isAcross ? 'left' : 'top']: distance, behavior: 'instant' });
  }
}

/** The next part around an element that scrolls, else the page; null for a page without elements. */
function scrollerOf(el: Element | null): Element | null {
  const page = pageScroller(el?.ownerDocument ?? document);
  for (let up = el; up !== null && up !== page; up = flatParent(up)) {
    const { overflowX, overflowY } = getComputedStyle(up);
    const scrolls = /auto|scroll/.test(overflowY) && up.scrollHeight > up.clientHeight;
    if (scrolls || (/auto|scroll/.test(overflowX) && up.scrollWidth > up.clientWidth)) return up;
  }
  return page;
}
