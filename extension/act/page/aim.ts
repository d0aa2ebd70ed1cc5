import { delay } from '../../../shared/base/async.ts';
import type { Area } from '../../dom/box-area.ts';
import { areaOf } from '../../dom/drawn.ts';
import { isReachable, isRendered } from '../../dom/visible.ts';
import {
  isArea,
  isFrameElement,
  isHtml,
  isInput,
  isLabel,
  isOption,
  labelsOf,
  isTextarea,
} from '../../dom/elements.ts';
import { flatParent, lineageOf } from '../../dom/trees.ts';
import { PageError } from '../../dom/doorway.ts';
import { giveFocus } from './focus.ts';
import { nextFrame, RESTED_MS, type Motion } from './motion.ts';
import { isEnding } from './quiet.ts';
import { describeCover, describeElement, imageOf, isPartOf, reaches, unsuitable } from './hit.ts';
import {
  ALIGNMENTS,
  isSameArea,
  measureArea,
  reachPoint,
  reveal,
  windowsAround,
  type Reach,
} from './places.ts';
import type { Point } from '../../core/ports/page-answers.ts';
import { isDrawnIn, surroundingsOf } from './surroundings.ts';

/** Interval between two looks at an element. A timer, not a frame: a hidden page has no frames. */
const TICK_MS = 4;
/** The same in a page that changes: anything a script moves frame by frame moves within this time. */
const FRAME_MS = 20;
/** The same while the element is not ready. */
const LOOK_MS = 20;

export interface WaitOptions {
  readonly waitMs: number;
  readonly motion: Motion;
  /** The tab loads something, which may remove an obstacle. */
  readonly isBusy?: () => boolean;
}

/** Obstacles that only a page that does something removes: in one at rest they are not waited for. */
const FIXED: ReadonlySet<PageError['code']> = new Set(['target_hidden', 'target_disabled', 'target_covered']);

/** Makes a function that throws an obstacle once waiting for its end is over. */
function createLimit(el: Element, { waitMs, motion, isBusy }: WaitOptions): (obstacle: PageError) => void {
  const startedAt = performance.now();
  return (obstacle) => {
    const waitedMs = performance.now() - startedAt;
    const documents = windowsAround(el).map(({ document }) => document);
    const isFixed = FIXED.has(obstacle.code) && isBusy?.() !== true;
    const isIdle = waitedMs >= RESTED_MS && isFixed && motion.haveRested(documents);
    if (waitedMs >= waitMs || isIdle || obstacle.code === 'stale_ref') throw obstacle;
  };
}

export interface Seen {
  readonly place: Area;
  readonly at: number;
}

/**
 * Waits until an element is present, visible, enabled, at rest and uncovered, then calls `act` in the same task, with a
 * point where input reaches it.
 * @throws PageError at the end of the time, or in a page at rest earlier: `stale_ref` if the page removed it, `target_hidden`, `target_disabled`,
 * `target_moving`, `target_covered` naming the cover
 */
export async function whenReachable<T>(
  el: Element,
  {
    position,
    seen = null,
    mayMove,
    isPointing,
    reach: look = () => reachSurface(el, position),
    ...waiting
  }: WaitOptions & {
    readonly position: Point | null;
    readonly seen?: Seen | null;
    /** It need not be at rest: a drag looks for its place again. */
    readonly mayMove: boolean;
    /** Only points at it: what is disabled may say why. */
    readonly isPointing: boolean;
    /** Finds the point for the input; by default one where it reaches the element. */
    readonly reach?: (() => Reach) | undefined;
  },
  act: (point: Point) => T,
): Promise<T> {
  const checkLimit = createLimit(el, waiting);
  for (let scrolled = 0; ;) {
    const obstacle =
      stateObstacle(el, isPointing) ??
      (mayMove ? null : await restObstacle(el, waiting.motion, scrolled === 0 ? seen : null)) ??
      stateObstacle(el, isPointing);
    if (obstacle === null) {
      if (position !== null) assertWithin(el, position);
      const reach = look();
      if ('point' in reach) return act(reach.point);
      const alignment = ALIGNMENTS[scrolled];
      scrolled += 1;
      if (alignment !== undefined) {
        for (const surface of surfacesOf(el).reverse()) reveal(surface, alignment, position);
        continue;
      }
      checkLimit(coverError(el, reach.cover));
      scrolled = 0;
    } else checkLimit(obstacle);
    await delay(LOOK_MS);
  }
}

/** @throws PageError `target_unsuitable` for a position outside the element */
function assertWithin(el: Element, { x, y }: Point): void {
  const { left, top, right, bottom } = areaOf(el);
  const [width, height] = [Math.round(right - left), Math.round(bottom - top)];
  if (x >= 0 && y >= 0 && x <= width && y <= height) return;
  throw unsuitable(el, `has ${width} × ${height} pixels: ${x},${y} is not within it.`);
}

/** A reachable point: the given one, else one of the element or its labels. If none is, the element that covers it. */
function reachSurface(el: Element, position: Point | null): Reach {
  if (position !== null) return reachPoint(el, position);
  const surfaces = surfacesOf(el);
  const looks = surfaces.map((surface) => reachPoint(surface, null, (hit) => reaches(hit, el)));
  const reach = looks.find((each) => 'point' in each);
  if (reach !== undefined) return reach;
  // Stars of a rating may come to the front only under the pointer: a press that would hit another star is kept from
  // the page and aimed again.
  const near = surfaces.map((surface) => reachPoint(surface, null, (hit) => isOfSameGroup(hit, el)));
  return near.find((each) => 'point' in each) ?? looks[0] ?? { cover: null };
}

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
 * As {@link whenReachable}, for acts that need no pointer.
 * @throws PageError as {@link whenReachable}
 */
export async function whenReady(el: Element, waiting: WaitOptions): Promise<void> {
  const checkLimit = createLimit(el, waiting);
  for (;;) {
    const obstacle = stateObstacle(el);
    if (obstacle === null) return;
    checkLimit(obstacle);
    await delay(LOOK_MS);
  }
}

/** Focuses a control that is set as a whole: pages take some only as they are left. One of their handlers may replace it. */
export async function whenFocused(el: Element, waiting: WaitOptions): Promise<void> {
  await whenReady(el, waiting);
  if (isHtml(el)) giveFocus(el);
  await whenReady(el, waiting);
}

function coverError(el: Element, cover: Element | null): PageError {
  const line = describeElement(el);
  if (cover === null) return new PageError('target_hidden', `${line} cannot be scrolled into view.`);
  // An ancestor never covers an element: the element lets input through, or is cut off.
  if (isDrawnIn(el, cover)) {
    if (getComputedStyle(el).pointerEvents !== 'none')
      return new PageError('target_hidden', `${line} is cut off by ${describeElement(cover)} around it.`);
    return new PageError(
      'target_disabled',
      `${line} takes no input from a pointer: its style has pointer-events: none.`,
    );
  }
  return new PageError('target_covered', `${line} is covered by ${describeCover(cover, el)}.`);
}

/** Why an element cannot be acted on yet. */
function stateObstacle(el: Element, isPointing = false): PageError | null {
  if (!el.isConnected || el.ownerDocument.defaultView === null)
    return new PageError('stale_ref', `The page removed ${describeElement(el)}.`);
  if (surfacesOf(el).length === 0)
    return new PageError('target_hidden', `${describeElement(el)} is not visible.`);
  if (isInert(el) || (!isPointing && isDisabled(el)))
    return new PageError('target_disabled', `${describeElement(el)} is disabled.`);
  return null;
}

/**
 * The elements that take input for this one: itself, and its labels, which are often all that a page shows of a check
 * box.
 */
function surfacesOf(el: Element): Element[] {
  // A page takes keys whatever the size of its body.
  const shown = [el, ...labelsOf(el)].filter((each) => isWithinReach(each) || each.matches(':root,body'));
  return shown.length === 0 && isEditorInput(el) ? surroundings(el) : shown;
}

/** Some editors take input in an element without a size and draw around it. */
const isEditorInput = (el: Element): boolean =>
  (isTextarea(el) || el.getAttribute('role') === 'textbox') && isRendered(el);

function surroundings(el: Element): Element[] {
  const around = surroundingsOf(el);
  for (let up = flatParent(el); up !== null; up = flatParent(up)) {
    if (isWithinReach(up)) return [up];
    if (up === around) break;
  }
  return [];
}

export const isOffered = (el: Element): boolean => surfacesOf(el).length > 0;

/** Whether input reaches an element: the list of an option, the picture of an area. */
export function isWithinReach(el: Element): boolean {
  if (isOption(el)) {
    const list = el.closest('select');
    return list !== null && isWithinReach(list);
  }
  if (isArea(el)) {
    const image = imageOf(el);
    return image !== null && isWithinReach(image);
  }
  return isReachable(el, isPartOf(el));
}

const isInert = (el: Element): boolean => lineageOf(el).some((up) => isHtml(up) && up.inert);

const isDisabled = (el: Element): boolean =>
  el.matches(':disabled') || lineageOf(el).some((up) => up.getAttribute('aria-disabled') === 'true');

/**
 * Reports a moving element: its positions one tick apart differ (one frame apart in a changing page), or a finite
 * animation runs on it.
 */
async function restObstacle(el: Element, motion: Motion, seen: Seen | null): Promise<PageError | null> {
  const [surface = el] = surfacesOf(el);
  const isAtRest = async (): Promise<boolean> => {
    const before = measureArea(surface);
    const now = performance.now();
    const lookedAt = seen !== null && isSameArea(seen.place, before) ? seen.at : now;
    // A page can move nothing within the task that has found the element.
    await delay(Math.max(TICK_MS - (now - lookedAt), 0));
    if (windowsAround(el).some(({ document }) => motion.isIn(document, lookedAt)))
      await Promise.all([delay(FRAME_MS), nextFrame()]);
    return isSameArea(before, measureArea(surface));
  };
  if (!isAnimated(surface) && (await isAtRest())) return null;
  return new PageError('target_moving', `${describeElement(el)} keeps moving.`);
}

/** Counts finite animations on the element or around it. An endless one is judged by the position alone. */
const isAnimated = (el: Element): boolean =>
  lineageOf(el).some((up) => !isFrameElement(up) && up.getAnimations().some(isEnding));
