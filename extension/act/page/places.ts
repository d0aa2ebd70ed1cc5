import { delay } from '../../../shared/base/async.ts';
import { isFrameElement, isArea, type FrameElement } from '../../dom/elements.ts';
import { flatParent, lineageOf, elementsIn } from '../../dom/trees.ts';
import { PageError } from '../../dom/doorway.ts';
import { describeCover, outOfFrame, elementAt, reaches, imageOf, isPartOf, shapeArea } from './hit.ts';
import type { AskOf } from './protocol.ts';
import type { Point } from '../../core/ports/page-answers.ts';
import { intersect, isEmpty, throughFrame, type Area } from '../../dom/box-area.ts';
import { areaOf, innerBoxes } from '../../dom/drawn.ts';
import { pageScroller, viewOf as viewIn } from '../../dom/scrollers.ts';

/** Interval between two looks while something covers the frame. */
const LOOK_MS = 20;

/**
 * Waits until input at a point of a frame's viewport would reach the frame, and returns the point in this viewport.
 * @throws PageError `page_changed` if the frame is gone; `target_covered` naming the cover at the end of the time
 */
export async function whenFrameReachable({
  index,
  point,
  name,
  waitMs,
}: AskOf<'frame_point'>): Promise<Point> {
  const until = performance.now() + waitMs;
  for (let scrolled = 0; ; scrolled += 1) {
    const frame = elementsIn(document, 'iframe,frame,object').find(
      (el) => isFrameElement(el) && el.contentWindow !== null && el.contentWindow === window[index],
    );
    if (frame === undefined || !isFrameElement(frame))
      throw new PageError('page_changed', `The frame of ${name} is gone.`);
    const outer = outOfFrame(frame, point);
    const inside = frame.getBoundingClientRect();
    const position = { x: outer.x - inside.left, y: outer.y - inside.top };
    const reach: Reach = reachPoint(frame, position);
    if ('point' in reach) return reach.point;
    const alignment = ALIGNMENTS[scrolled];
    if (alignment !== undefined) reveal(frame, alignment, position);
    else if (performance.now() >= until) {
      const cover = reach.cover === null ? 'what is around its frame' : describeCover(reach.cover, frame);
      throw new PageError('target_covered', `${name} is covered by ${cover}.`);
    } else await delay(LOOK_MS);
  }
}

/** Same-origin frames around an element, innermost first, up to this script's own window. */
function framesAround(el: Element): FrameElement[] {
  const frames: FrameElement[] = [];
  for (let own: Document = el.ownerDocument; own !== document;) {
    const frame = own.defaultView?.frameElement ?? null;
    if (frame === null || !isFrameElement(frame)) break;
    frames.push(frame);
    own = frame.ownerDocument;
  }
  return frames;
}

/** The windows that input at an element can pass through, as far as this script can listen to them. */
export function windowsAround(el: Element): Window[] {
  const documents = [el.ownerDocument, ...framesAround(el).map((frame) => frame.ownerDocument)];
  return documents.map((own) => own.defaultView).filter((own) => own !== null);
}

/** Whether the element's document is this script's own, not in a frame or plugin that it reaches into. */
export function isOwn(el: Element): boolean {
  if (el.ownerDocument !== document) return false;
  return !lineageOf(el).some(({ localName }) => localName === 'object' || localName === 'embed');
}

function viewOf({ defaultView }: Document): Area {
  const {
    offsetLeft: left = 0,
    offsetTop: top = 0,
    width = 0,
    height = 0,
  } = defaultView?.visualViewport ?? {};
  return { left, top, right: left + width, bottom: top + height };
}

/** Where what a person sees of this window begins: within it, after a pinch. */
export function viewPoint(): Point {
  const { left: x, top: y } = viewOf(document);
  return { x, y };
}

/** Of an element's boxes, and of those in it. */
const AREAS_TRIED = 3;

/** The visible parts of an element's boxes, largest first, then of what else it draws. */
export function* shownAreas(el: Element): Generator<Area> {
  const view = viewOf(el.ownerDocument);
  const size = (area: Area): number => (area.right - area.left) * (area.bottom - area.top);
  const inView = (boxes: Iterable<Area>): Area[] =>
    [...boxes]
      .map((box) => intersect(box, view))
      .filter((area) => !isEmpty(area))
      .sort((a, b) => size(b) - size(a))
      .slice(0, AREAS_TRIED);
  yield* inView(isArea(el) ? [shapeArea(el)] : el.getClientRects());
  yield* inView(innerBoxes(el, isPartOf(el)));
}

/** Fractions of the width and height: the middle first, then spots that a cover may leave free. */
const SPOTS: readonly (readonly [number, number])[] = [
  [0.5, 0.5],
  [0.25, 0.5],
  [0.75, 0.5],
  [0.5, 0.25],
  [0.5, 0.75],
  [0.1, 0.1],
  [0.9, 0.9],
  [0.1, 0.9],
  [0.9, 0.1],
];

export function* spotsOf(el: Element, position: Point | null): Generator<Point> {
  if (position !== null) {
    const { left, top } = areaOf(el);
    yield { x: left + position.x, y: top + position.y };
    return;
  }
  for (const area of shownAreas(el))
    for (const [x, y] of SPOTS)
      yield { x: area.left + (area.right - area.left) * x, y: area.top + (area.bottom - area.top) * y };
}

/** A point where input reaches an element, or the element that intercepts it. */
export type Reach =
  | { readonly point: Point }
  /** Null if no part of the element is in view. */
  | { readonly cover: Element | null };

/**
 * Finds a point of an element where input reaches it, through the same-origin frames around it.
 * @param takes whether input to the hit element is input to this one
 */
export function reachPoint(
  el: Element,
  position: Point | null,
  takes = (hit: Element | null): boolean => reaches(hit, el),
): Reach {
  let cover: Element | null = null;
  for (const spot of spotsOf(el, position)) {
    const hit = elementAt(el.ownerDocument, spot);
    if (!takes(hit)) {
      cover ??= hit;
      continue;
    }
    const outer = throughFrames(el, spot);
    if ('point' in outer) return outer;
    cover ??= outer.cover;
  }
  return { cover };
}

/** Maps a point out of the frames around an element. */
function throughFrames(el: Element, spot: Point): Reach {
  let point = spot;
  for (const frame of framesAround(el)) {
    point = outOfFrame(frame, point);
    const hit = elementAt(frame.ownerDocument, point);
    if (hit !== frame) return { cover: hit };
  }
  return { point };
}

/** The element's position in this script's window, to detect movement. */
export function measureArea(el: Element): Area {
  let area: Area = isArea(el) ? shapeArea(el) : areaOf(el);
  for (const frame of framesAround(el)) area = throughFrame(area, frame);
  return area;
}

export const isSameArea = (a: Area, b: Area): boolean =>
  a.left === b.left && a.top === b.top && a.right === b.right && a.bottom === b.bottom;

/** Tried in order until an element is uncovered. */
export const ALIGNMENTS = ['center', 'start', 'end', 'nearest', 'upper', 'lower'] as const;
type Alignment = (typeof ALIGNMENTS)[number];

/** Where to put the middle of an element between sticky headers and footers, as a share of the view's height. */
const MIDDLES: Partial<Readonly<Record<Alignment, number>>> = { center: 1 / 2, upper: 1 / 3, lower: 2 / 3 };

/**
 * Scrolls an element into view, including the frames around it.
 * @param position the point of it that has to come into view, since the element may be larger
 */
export function reveal(el: Element, alignment: Alignment, position: Point | null = null): void {
  const own = isArea(el) ? (imageOf(el) ?? el) : el;
  const middle = MIDDLES[alignment];
  const block = alignment === 'upper' || alignment === 'lower' ? 'center' : alignment;
  // The element last: a frame around it may be larger than the view.
  for (const part of [own, ...framesAround(el)].reverse())
    part.scrollIntoView({ block, inline: block, behavior: 'instant' });
  // Browsers scroll to an element's own box.
  const isScrolledTo = position === null && !isEmpty(own.getBoundingClientRect());
  if (middle === undefined || (isScrolledTo && alignment === 'center')) return;
  const parts = isScrolledTo ? [pageScroller(own.ownerDocument)] : lineageOf(flatParent(own));
  for (const part of parts) if (part !== null) scrollPartTo(own, position, part, middle);
}

/** Scrolls a part of the page until a point of an element, its middle unless given, is at this share of the height. */
function scrollPartTo(el: Element, position: Point | null, part: Element, share: number): void {
  const { left, top, right, bottom } = areaOf(el);
  const { x, y } = position ?? { x: (right - left) / 2, y: (bottom - top) / 2 };
  const view = viewIn(part);
  part.scrollBy({
    left: left + x - view.left - view.width / 2,
    top: top + y - view.top - view.height * share,
    behavior: 'instant',
  });
}
