import { delay } from '../../../shared/async/wait.ts';
import type { ErrorCode } from '../../../shared/errors.ts';
import { areaOf, type Area } from '../box-area.ts';
import {
  flatParent,
  isArea,
  isFrameElement,
  isHtml,
  isInput,
  isLabel,
  isLabelable,
  isTextarea,
} from '../dom.ts';
import { PageError } from '../requests.ts';
import { nextFrame, type Motion } from './motion.ts';
import { describeCover, describeElement, imageOf } from './hit.ts';
import { ALIGNMENTS, isSameArea, placeOf, reachPoint, reveal, windowsAround, type Reach } from './places.ts';
import type { Point } from '../../../shared/act/page-answers.ts';
import { surroundingsOf } from './surroundings.ts';

/** Between two looks at an element. A timer and not a frame: a hidden page has no frames. */
const TICK_MS = 4;
/** The same in a page that changes: what a script moves frame by frame moves once in this time. */
const FRAME_MS = 20;
/** The same while it is not ready. */
const LOOK_MS = 20;

export interface Seen {
  readonly place: Area;
  readonly at: number;
}

/** Why an element cannot be acted on now. It may be, a moment later. */
interface Obstacle {
  readonly code: ErrorCode;
  readonly message: string;
}

/**
 * Waits until an element is there, visible, enabled, at rest and free of covers, and calls `act` in the same
 * turn of the page in which that was found, with a point where input reaches it.
 *
 * @throws PageError at the end of the time: `stale_ref` for one that the page removed, `target_hidden`,
 * `target_disabled`, `target_moving`, `target_covered` naming what covers it
 */
export async function whenReachable<T>(
  el: Element,
  {
    position,
    waitMs,
    motion,
    seen = null,
    reach: look = () => reachSurface(el, position),
  }: {
    readonly position: Point | null;
    readonly waitMs: number;
    readonly motion: Motion;
    readonly seen?: Seen | null;
    /** Looks for the point where input is sent; one where it reaches the element unless given. */
    readonly reach?: (() => Reach) | undefined;
  },
  act: (point: Point) => T,
): Promise<T> {
  const until = performance.now() + waitMs;
  for (let scrolled = 0; ;) {
    const obstacle =
      stateObstacle(el) ??
      (await restObstacle(el, motion, scrolled === 0 ? seen : null)) ??
      stateObstacle(el);
    if (obstacle === null) {
      if (position !== null) assertWithin(el, position);
      const reach = look();
      if ('point' in reach) return act(reach.point);
      const alignment = ALIGNMENTS[scrolled];
      scrolled += 1;
      if (alignment !== undefined) {
        for (const surface of surfacesOf(el).reverse()) reveal(surface, alignment);
        continue;
      }
      if (performance.now() >= until) throw coverError(el, reach.cover);
      scrolled = 0;
    } else if (performance.now() >= until || obstacle.code === 'stale_ref') throw problem(obstacle);
    await delay(LOOK_MS);
  }
}

/** @throws PageError `target_unsuitable` for a position that is not within the element */
function assertWithin(el: Element, { x, y }: Point): void {
  const { left, top, right, bottom } = areaOf(el);
  const [width, height] = [Math.round(right - left), Math.round(bottom - top)];
  if (x >= 0 && y >= 0 && x <= width && y <= height) return;
  throw new PageError(
    'target_unsuitable',
    `${describeElement(el)} has ${width} × ${height} pixels: ${x},${y} is not within it.`,
  );
}

/**
 * The point of the element that was asked for; else one of it or of its labels; else what covers the element.
 */
function reachSurface(el: Element, position: Point | null): Reach {
  if (position !== null) return reachPoint(el, position);
  const surfaces = surfacesOf(el);
  const reaches = surfaces.map((surface) => reachPoint(surface, null));
  const reach = reaches.find((each) => 'point' in each);
  if (reach !== undefined) return reach;
  // Stars of a rating may come to the front under the pointer alone: a press that goes to another one is kept from the page,
  // and aimed again.
  const near = surfaces.map((surface) => reachPoint(surface, null, (hit) => isOfSameGroup(hit, el)));
  return near.find((each) => 'point' in each) ?? reaches[0] ?? { cover: null };
}

/** Whether a radio button of the same group, or its label, was hit. */
function isOfSameGroup(hit: Element | null, el: Element): boolean {
  if (!isInput(el) || el.type !== 'radio' || el.name === '') return false;
  for (let up = hit; up !== null; up = flatParent(up)) {
    const control = isLabel(up) ? up.control : up;
    if (control !== null && isInput(control) && control.type === 'radio')
      return control.name === el.name && control.form === el.form;
  }
  return false;
}

/**
 * Waits until an element is visible and enabled: for what needs no pointer.
 *
 * @throws PageError as {@link
 * whenReachable}
 */
export async function whenReady(el: Element, waitMs: number): Promise<void> {
  const until = performance.now() + waitMs;
  for (;;) {
    const obstacle = stateObstacle(el);
    if (obstacle === null) return;
    if (performance.now() >= until || obstacle.code === 'stale_ref') throw problem(obstacle);
    await delay(LOOK_MS);
  }
}

/** Whether an element is visible and enabled now. */
export const isReady = (el: Element): boolean => stateObstacle(el) === null;

const problem = ({ code, message }: Obstacle): PageError => new PageError(code, message);

function coverError(el: Element, cover: Element | null): PageError {
  const line = describeElement(el);
  if (cover === null) return new PageError('target_hidden', `${line} cannot be scrolled into view.`);
  // An ancestor never covers an element: the element lets input through, or is cut off.
  if (isWithin(el, cover)) {
    if (getComputedStyle(el).pointerEvents !== 'none')
      return new PageError('target_hidden', `${line} is cut off by ${describeElement(cover)} around it.`);
    return new PageError(
      'target_disabled',
      `${line} takes no input from a pointer: its style has pointer-events: none.`,
    );
  }
  return new PageError('target_covered', `${line} is covered by ${describeCover(cover, el)}.`);
}

function isWithin(el: Element, outer: Element): boolean {
  let up = flatParent(el);
  while (up !== null && up !== outer) up = flatParent(up);
  return up !== null;
}

function stateObstacle(el: Element): Obstacle | null {
  if (!el.isConnected || el.ownerDocument.defaultView === null)
    return { code: 'stale_ref', message: `The page removed ${describeElement(el)}.` };
  if (surfacesOf(el).length === 0)
    return { code: 'target_hidden', message: `${describeElement(el)} is not visible.` };
  if (isDisabled(el)) return { code: 'target_disabled', message: `${describeElement(el)} is disabled.` };
  return null;
}

/**
 * What of an element takes input: itself, and the labels of a control, which are often all that a page shows
 * of its own check boxes.
 */
function surfacesOf(el: Element): Element[] {
  const labels = isLabelable(el) ? [...(el.labels ?? [])] : [];
  const shown = [el, ...labels].filter(isShown);
  return shown.length === 0 && isEditorInput(el) ? surroundings(el) : shown;
}

/** Some editors take input in an element without a size, and draw around it. */
const isEditorInput = (el: Element): boolean =>
  (isTextarea(el) || el.getAttribute('role') === 'textbox') &&
  el.checkVisibility({ visibilityProperty: true });

function surroundings(el: Element): Element[] {
  const around = surroundingsOf(el);
  for (let up = flatParent(el); up !== null; up = flatParent(up)) {
    if (isShown(up)) return [up];
    if (up === around) break;
  }
  return [];
}

/** Whether an element, its label or the editor around it is seen. */
export const isOffered = (el: Element): boolean => surfacesOf(el).length > 0;

/** Rendered, not hidden by style, and with a size. */
export function isShown(el: Element): boolean {
  if (el.localName === 'option') return el.isConnected;
  if (isArea(el)) {
    const image = imageOf(el);
    return image !== null && isShown(image);
  }
  if (getComputedStyle(el).display !== 'contents') {
    const seen = el.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: false });
    if (!seen) return false;
  }
  const { left, top, right, bottom } = placeOf(el);
  return right > left && bottom > top;
}

/** By itself, its field set, an ARIA state or `inert`. */
function isDisabled(el: Element): boolean {
  if (el.matches(':disabled')) return true;
  for (let up: Element | null = el; up !== null; up = flatParent(up)) {
    if (isHtml(up) && up.inert) return true;
    if (up.getAttribute('aria-disabled') === 'true') return true;
  }
  return false;
}

/**
 * Reports an element that moves: its places at least one tick apart differ (one frame apart in a page that changes),
 * or an animation with an end runs on it.
 */
async function restObstacle(el: Element, motion: Motion, seen: Seen | null): Promise<Obstacle | null> {
  const isAtRest = async (): Promise<boolean> => {
    const before = placeOf(el);
    const now = performance.now();
    const lookedAt = seen !== null && isSameArea(seen.place, before) ? seen.at : now;
    if (now - lookedAt < TICK_MS) await delay(TICK_MS - (now - lookedAt));
    if (windowsAround(el).some(({ document }) => motion.isIn(document, lookedAt)))
      await Promise.all([delay(FRAME_MS), nextFrame()]);
    return isSameArea(before, placeOf(el));
  };
  if (!isAnimated(el) && (await isAtRest())) return null;
  return { code: 'target_moving', message: `${describeElement(el)} keeps moving.` };
}

/**
 * Whether an animation that ends runs on the element or around it. One without an end is judged by the place
 * alone.
 */
function isAnimated(el: Element): boolean {
  for (let up: Element | null = el; up !== null; up = flatParent(up)) {
    if (isFrameElement(up)) continue;
    for (const animation of up.getAnimations()) {
      const { endTime } = animation.effect?.getComputedTiming() ?? {};
      if (animation.playState === 'running' && endTime !== Number.POSITIVE_INFINITY) return true;
    }
  }
  return false;
}
