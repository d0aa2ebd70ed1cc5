import { intersect, meets } from './box-area.ts';
import { isCell, isElement, isInput, isSlot, isSvg, isText, rootElement, treeOf } from './elements.ts';
import { slottedIn } from './trees.ts';
import { EVERYWHERE, FAR_PX, NOWHERE, TEXT, boxOf, type Clip, type Level, type View } from './level.ts';
import { STYLE } from './style-flags.ts';

/** A smaller area shows no text: the classic 1 × 1 box. */
const UNREADABLE_PX = 1;

/** The scrollable area of a document, and its viewport. */
export function createView(document: Document): View {
  const root = rootElement(document);
  const width = root?.clientWidth ?? 0;
  const height = document.defaultView?.innerHeight ?? root?.clientHeight ?? 0;
  const viewport = { left: 0, top: 0, right: width, bottom: height };
  if (root === null) return { document, viewport, reachable: viewport };
  const scroller = document.scrollingElement ?? root;
  const { overflowX } = getComputedStyle(root);
  const inner = getComputedStyle(document.body ?? root);
  const locked = /hidden|clip/.test(overflowX === 'visible' ? inner.overflowX : overflowX);
  return { document, viewport, reachable: scrollArea(scroller, viewport, locked, pageFlow(document)) };
}

/** Whether content continues to the left or upwards, rather than to the right or downwards. */
interface ScrollFlow {
  readonly isLeft: boolean;
  readonly isUp: boolean;
}

/** By writing mode, direction and, of a flex box, the order of its items. */
function scrollFlow({
  display,
  flexDirection,
  writingMode,
  direction,
}: Pick<CSSStyleDeclaration, 'display' | 'flexDirection' | 'writingMode' | 'direction'>): ScrollFlow {
  const order = /flex$/.test(display) ? flexDirection : '';
  const isLineBack = (direction === 'rtl') !== (order === 'row-reverse');
  const isBlockBack = writingMode.endsWith('-rl') !== (order === 'column-reverse');
  return writingMode.startsWith('horizontal')
    ? { isLeft: isLineBack, isUp: isBlockBack }
    : { isLeft: isBlockBack, isUp: isLineBack };
}

/** The flow of a page: the writing mode and direction of `body` apply to the viewport, the order of its items does not. */
export function pageFlow({ body, documentElement }: Document): ScrollFlow {
  const { writingMode, direction } = getComputedStyle(body ?? documentElement);
  return scrollFlow({ display: 'block', flexDirection: '', writingMode, direction });
}

/** Everything that scrolling an element brings into `view`, in current viewport coordinates. */
function scrollArea(
  { scrollLeft, scrollTop, scrollWidth, scrollHeight }: Element,
  view: Clip,
  lockedX: boolean,
  { isLeft, isUp }: ScrollFlow,
): Clip {
  const moreX = lockedX ? 0 : Math.max(0, scrollWidth - (view.right - view.left));
  const moreY = Math.max(0, scrollHeight - (view.bottom - view.top));
  const [x, y] = [lockedX ? 0 : scrollLeft, scrollTop];
  return {
    left: view.left - x - (isLeft ? moreX : 0),
    top: view.top - y - (isUp ? moreY : 0),
    right: view.right - x + (isLeft ? 0 : moreX),
    bottom: view.bottom - y + (isUp ? 0 : moreY),
  };
}

export const isUnreadable = ({ width, height }: { width: number; height: number }): boolean =>
  width <= UNREADABLE_PX || height <= UNREADABLE_PX;

export function isTooSmall(clip: Clip): boolean {
  return clip.right - clip.left <= UNREADABLE_PX || clip.bottom - clip.top <= UNREADABLE_PX;
}

/** Whether an area overlaps a clip; never if the clip is too small for text. */
export function overlaps(box: Clip, clip: Clip): boolean {
  return !isTooSmall(clip) && meets(box, clip);
}

function contains(clip: Clip, box: Clip): boolean {
  return box.left >= clip.left && box.right <= clip.right && box.top >= clip.top && box.bottom <= clip.bottom;
}

const CONTAINED = /paint|strict|content/;

/** Whether an element clips its content, by `overflow` or paint containment: a part of a line does not. */
export const clips = (el: Element, style: CSSStyleDeclaration): boolean =>
  (style.display !== 'inline' || isSvg(el)) &&
  (style.overflow !== 'visible' || CONTAINED.test(style.contain));

/** The visible area of a clipping element's content. */
export function clipOf(el: Element, style: CSSStyleDeclaration, level: Level): Clip {
  const outer = level.clip;
  const isContained = CONTAINED.test(style.contain);
  const overflowOf = (overflow: string): string =>
    overflow === 'visible' && isContained ? 'clip' : overflow;
  const [overflowX, overflowY] = [overflowOf(style.overflowX), overflowOf(style.overflowY)];
  const box = boxOf(level, el);
  level.clips = true;
  const margin = Number.parseFloat(style.overflowClipMargin.replace(/^[a-z-]+ /, '')) || 0;
  const marginOf = (overflow: string): number => (overflow === 'clip' ? margin : 0);
  const [x, y] = [marginOf(overflowX), marginOf(overflowY)];
  const shown = intersect(
    { left: box.left - x, top: box.top - y, right: box.right + x, bottom: box.bottom + y },
    outer,
  );
  const scrollsX = overflowX === 'auto' || overflowX === 'scroll';
  const scrollsY = overflowY === 'auto' || overflowY === 'scroll';
  if (!scrollsX && !scrollsY)
    return {
      left: overflowX === 'visible' ? outer.left : shown.left,
      top: overflowY === 'visible' ? outer.top : shown.top,
      right: overflowX === 'visible' ? outer.right : shown.right,
      bottom: overflowY === 'visible' ? outer.bottom : shown.bottom,
    };
  if (isTooSmall(shown)) return NOWHERE;
  const area = scrollArea(el, box, false, scrollFlow(style));
  return {
    left: scrollsX ? area.left : shown.left,
    top: scrollsY ? area.top : shown.top,
    right: scrollsX ? area.right : shown.right,
    bottom: scrollsY ? area.bottom : shown.bottom,
  };
}

/**
 * `content-visibility: auto` gives off-screen content no place until it is scrolled to, so its current place proves
 * nothing.
 */
export function clipOfSkipped(el: Element, outer: Clip): Clip {
  const box = el.getBoundingClientRect();
  return box.width === 0 || box.height === 0 || overlaps(box, outer) ? EVERYWHERE : NOWHERE;
}

let range: Range | null = null;

/** The box of an element, or of its content if it has none. */
export function textBox(level: Level, el: Element): Clip {
  const box = boxOf(level, el);
  if (box.right > box.left && box.bottom > box.top) return box;
  if (range === null || range.startContainer.ownerDocument !== el.ownerDocument)
    range = el.ownerDocument.createRange();
  range.selectNodeContents(el);
  return range.getBoundingClientRect();
}

function areasOf(node: Node): DOMRectList {
  const own = (node.ownerDocument ?? document).createRange();
  own.selectNodeContents(node);
  return own.getClientRects();
}

/** Further lines of a text are not measured. */
const MAX_LINES = 40;

/** The lines of text directly inside an element. */
export function listLineBoxes(el: Element): Clip[] {
  const nodes = slottedIn(el) ?? el.childNodes;
  const lines: Clip[] = [];
  for (const node of nodes)
    if (isText(node) && lines.length < MAX_LINES)
      for (const line of areasOf(node)) if (line.width > 0) lines.push(line);
  return lines;
}

/** Letters are lower than their line box. */
function lettersOf({ left, top, right, bottom }: Clip): Clip {
  const cut = (bottom - top) * 0.15;
  return { left, top: top + cut, right, bottom: bottom - cut };
}

/** Longer texts are not cut word by word. */
const MAX_WORDS = 500;

/** The part of a clipped text node that can be scrolled into view: whole words, with a sign for the rest. */
export function visibleText(node: Text, clip: Clip): string {
  const { data } = node;
  const isShown = (line: Clip): boolean => overlaps(lettersOf(line), clip);
  const lines = [...areasOf(node)];
  if (lines.length > 0 && !lines.some(isShown)) return '';
  const isWhole = lines.every(
    (line) => isShown(line) && line.left + line.height >= clip.left && line.right - line.height <= clip.right,
  );
  const words = [...data.matchAll(/\S+/g)];
  if (isWhole || words.length > MAX_WORDS) return data;
  const range = (node.ownerDocument ?? document).createRange();
  const shown = words.filter(({ index, 0: word }) => {
    range.setStart(node, index);
    range.setEnd(node, index + word.length);
    return [...range.getClientRects()].some((line) => isShown(line) && isReadable(line, clip));
  });
  const [first] = shown;
  const last = shown.at(-1);
  if (first === undefined || last === undefined) return '';
  const from = first === words[0] ? 0 : first.index;
  return last === words.at(-1) ? data.slice(from) : `${data.slice(from, last.index + last[0].length)}…`;
}

/** Whether a letter of a word is visible. */
const isReadable = ({ left, right, height }: DOMRect, clip: Clip): boolean =>
  Math.min(right, clip.right) - Math.max(left, clip.left) >= Math.min(right - left, height) / 2;

/** `text-indent` may put text before its element. */
function isIndented(level: Level, el: Element): boolean {
  if ((level.flags & STYLE.indent) === 0) return false;
  return Number.parseFloat((level.style ??= getComputedStyle(el)).textIndent) < 0;
}

/** Whether content overflows an element that clips, or that is inside a clipping one. */
const overflows = (level: Level, el: Element): boolean =>
  (level.clips || level.clip !== level.view.reachable) &&
  (el.scrollWidth > el.clientWidth || el.scrollHeight > el.clientHeight);

/** Whether a cell is in a column that style takes away: the browser gives it no width. */
export function isInCollapsedColumn(el: Element): boolean {
  if (!isCell(el)) return false;
  const first = el.closest('table')?.firstElementChild;
  const hasColumns = [first, first?.nextElementSibling].some((part) => part?.localName === 'colgroup');
  return hasColumns && el.getBoundingClientRect().width === 0;
}

/** Whether a text of a drawing follows a path that is not there. */
function isOffPath(el: Element): boolean {
  const text = el.closest('textPath');
  if (text === null || text.hasAttribute('path')) return false;
  const id = (text.getAttribute('href') ?? text.getAttributeNS(XLINK, 'href') ?? '').replace(/^#/, '');
  return id === '' || treeOf(text).getElementById(id) === null;
}

const XLINK = 'http://www.w3.org/1999/xlink';

/** Whether a drawing does not draw its text, or a field has no room for its own. */
function isUndrawn(level: Level, el: Element): boolean {
  if (isSvg(el)) return el.closest('text,foreignObject') === null || isOffPath(el);
  if (!isInput(el)) return false;
  const { textIndent } = (level.style ??= getComputedStyle(el));
  return isUnreadable(boxOf(level, el)) || Number.parseFloat(textIndent) <= FAR_PX;
}

/** How much of a level's own text can be scrolled into view. */
export function sightOfText(level: Level, el: Element): number {
  if (isUndrawn(level, el)) return TEXT.hidden;
  const box = textBox(level, el);
  const isNowhere = box.right <= box.left || box.bottom <= box.top;
  if (isNowhere ? !isSlot(el) : !overlaps(box, level.clip)) return TEXT.hidden;
  if (!isNowhere && !isIndented(level, el) && contains(level.clip, box) && !overflows(level, el))
    return TEXT.seen;
  // A box that extends out of sight may have its text there.
  const lines = listLineBoxes(el);
  if (lines.length === 0) return isNowhere ? TEXT.hidden : TEXT.seen;
  return lines.some((line) => overlaps(line, level.clip)) ? TEXT.partly : TEXT.hidden;
}

/** The smallest margin that reads as a space, in em. */
const MIN_APART = 0.2;

/** Whether a margin or padding is as wide as a space. */
export function isSetApart({
  marginLeft,
  marginRight,
  paddingLeft,
  paddingRight,
  fontSize,
}: CSSStyleDeclaration): boolean {
  const least = Number.parseFloat(fontSize) * MIN_APART;
  const isApart = (margin: string, padding: string): boolean =>
    Number.parseFloat(margin) + Number.parseFloat(padding) >= least;
  return isApart(marginLeft, paddingLeft) || isApart(marginRight, paddingRight);
}

export const isWarped = (style: CSSStyleDeclaration): boolean =>
  [style.transform, style.translate, style.scale, style.rotate, style.perspective, style.offsetPath].some(
    (value) => value !== 'none',
  );

export function containsOutOfFlow(style: CSSStyleDeclaration, isFixed: boolean): boolean {
  if (!isFixed && style.position !== 'static') return true;
  return (
    isWarped(style) ||
    style.filter !== 'none' ||
    style.backdropFilter !== 'none' ||
    style.contentVisibility !== 'visible' ||
    /paint|layout|strict|content/.test(style.contain) ||
    /transform|translate|scale|rotate|filter|perspective/.test(style.willChange)
  );
}

/** The overflow of `html` and `body` applies to the viewport. */
export function isPageItself(el: Element): boolean {
  const { body, documentElement } = el.ownerDocument;
  return el === body || el === documentElement;
}

/** The content of an element without a box is where its parent's is. */
export function isInViewport(level: Level, el: Element): boolean {
  const box = boxOf(level, el);
  return (box.width === 0 && box.height === 0) || overlaps(box, level.view.viewport);
}

/** Whether text or an element touches it without a space. */
export function isGlued(el: Element): boolean {
  return [el.previousSibling, el.nextSibling].some(
    (node) => node !== null && (isText(node) ? /^\S|\S$/.test(node.data) : isElement(node)),
  );
}
