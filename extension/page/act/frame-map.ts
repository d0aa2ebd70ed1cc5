import { throughFrame } from '../box-area.ts';
import type { FrameElement } from '../dom.ts';
import type { Point } from './protocol.ts';

/** Most rounds of the approximation: a flat transform takes two, a perspective a few more. */
const ROUNDS = 8;
/** The distance between the two points by which a slope is measured. */
const STEP_PX = 16;
/** When to stop, in pixels of the frame's viewport: a tenth never matters. */
const CLOSE_PX = 0.1;

/**
 * Maps a point of a frame's viewport to that of the document around it, whatever transforms and zooms the
 * frame. The browser only maps the other way, from the outside in: for a pointer event it computes the place
 * in its target. So the point is approximated by Newton's method.
 */
export function outOfFrame(frame: FrameElement, { x, y }: Point): Point {
  const { left, top } = throughFrame({ left: x, top: y, right: x, bottom: y }, frame);
  const inside = intoFrame(frame);
  let outer: Point = { x: left, y: top };
  for (let round = 0; round < ROUNDS; round += 1) {
    const at = inside(outer);
    const [dx, dy] = [x - at.x, y - at.y];
    if (Math.hypot(dx, dy) < CLOSE_PX) return outer;
    const right = inside({ x: outer.x + STEP_PX, y: outer.y });
    const below = inside({ x: outer.x, y: outer.y + STEP_PX });
    const [a, b] = [(right.x - at.x) / STEP_PX, (below.x - at.x) / STEP_PX];
    const [c, d] = [(right.y - at.y) / STEP_PX, (below.y - at.y) / STEP_PX];
    const det = a * d - b * c;
    // A frame that is seen edge-on takes no input.
    if (det === 0 || !Number.isFinite(det)) break;
    outer = { x: outer.x + (d * dx - b * dy) / det, y: outer.y + (a * dy - c * dx) / det };
  }
  return outer;
}

/** Where in a frame's viewport a point of the document around it lies. */
function intoFrame(frame: FrameElement): (outer: Point) => Point {
  const { paddingLeft, paddingTop } = getComputedStyle(frame);
  const [left, top] = [Number.parseFloat(paddingLeft), Number.parseFloat(paddingTop)];
  // `offsetX` begins at the padding, and is in pixels of the document. Browsers without this zoom frames in
  // another way.
  const zoom = frame.currentCSSZoom || 1;
  const scale = eventScale(frame.ownerDocument);
  return ({ x, y }) => {
    const at = placeIn(frame, { x: x * scale, y: y * scale });
    return { x: at.x / zoom - left, y: at.y / zoom - top };
  };
}

/** A type that no page listens to. */
const EVENT = Math.random().toString(36);

/** The place within an element of an event at a place in the viewport. */
function placeIn(el: Element, { x, y }: Point): Point {
  // A mouse event would round what it is given.
  const event = new PointerEvent(EVENT, { clientX: x, clientY: y });
  el.dispatchEvent(event);
  return { x: event.offsetX, y: event.offsetY };
}

/** The factor that Chromium omits when it places an event of a script in a document whose frame is zoomed. */
function eventScale({ documentElement: root }: Document): number {
  const slope = (placeIn(root, { x: 100, y: 0 }).x - placeIn(root, { x: 0, y: 0 }).x) / 100;
  return slope > 0 && Number.isFinite(slope) && !isTransformed(root) ? 1 / slope : 1;
}

function isTransformed(el: Element): boolean {
  const { transform, rotate, scale } = getComputedStyle(el);
  return [transform, rotate, scale].some((value) => value !== 'none');
}
