import { isElement, isShadowRoot, treeOf } from '../../dom/elements.ts';
import { flatParent, shadowRootOf } from '../../dom/trees.ts';
import { describeElement, elementAt, reaches } from './hit.ts';
import { defer } from '../../../shared/base/async.ts';
import type { Gesture, Pointing } from './protocol.ts';
import { isDrawnIn } from './surroundings.ts';
import type { Point, Stage } from '../../core/ports/page-answers.ts';
import type { Area } from '../../dom/box-area.ts';
import { areaOf } from '../../dom/drawn.ts';
import { measureArea, reachPoint, reveal, shownAreas, spotsOf, type Reach } from './places.ts';

/** A gesture's events, including those that tell whether it arrived. */
const WATCHED: Readonly<Record<Gesture, readonly string[]>> = {
  press:
    'pointerdown touchstart mousedown pointerup touchend mouseup click auxclick dblclick contextmenu'.split(
      ' ',
    ),
  grab: ['pointerdown', 'touchstart', 'mousedown'],
  hover: ['pointermove', 'mousemove'],
  drop: ['pointerup', 'touchend', 'mouseup', 'drop'],
};

/** The element that a gesture would have hit by mistake, or a note on its arrival. */
export type Delivered = { readonly hit: string } | { readonly note: string | null };

const STAGES: Readonly<Record<string, Stage>> = {
  pointermove: 'moved',
  mousemove: 'moved',
  pointerdown: 'pressed',
  touchstart: 'pressed',
  mousedown: 'pressed',
  pointerup: 'released',
  touchend: 'released',
  mouseup: 'released',
  click: 'clicked',
  auxclick: 'clicked',
  dblclick: 'clicked',
  contextmenu: 'clicked',
  drop: 'dropped',
};

/**
 * Watches the trusted events of one gesture before the page sees them. If the page has moved so that a press would
 * arrive at another element, the press and everything after it are kept from the page.
 */
export class Witness {
  readonly #over = new AbortController();
  readonly #ended = defer<void>();
  #isBlocked = false;
  #isPressed = false;
  #left: number;
  #ends: Stage;
  /** How far the gesture has come. */
  last: Stage | null = null;
  /** Its outcome, once it is known. */
  delivered: Delivered | null = null;

  constructor(
    private readonly gesture: Pick<Pointing, 'gesture' | 'ends' | 'count'>,
    private readonly watched: {
      readonly el: Element;
      /** The element's own, and those around it that this script can reach. */
      readonly windows: readonly Window[];
      /** Hears how far the gesture has come, or null for one that is kept from the page. */
      readonly arrived: (stage: Stage | null) => void;
      /** Whether the element now does something else than when it was found. */
      readonly isRedirected: (hit: Element | null) => boolean;
      /** Whether an event's target is the element or represents it. */
      readonly takes: (hit: Element | null) => boolean;
    },
  ) {
    const { signal } = this.#over;
    this.#ends = gesture.ends;
    this.#left = gesture.count ?? 1;
    for (const type of WATCHED[gesture.gesture])
      for (const window of watched.windows)
        window.addEventListener(type, this.#take, { capture: true, passive: false, signal });
  }

  /** Resolves with the outcome. */
  get end(): Promise<void> {
    return this.#ended.promise;
  }

  /** The gesture also ends at this stage, at which it may be. */
  endAt(stage: Stage): void {
    this.#ends = stage;
    if (this.last === stage) this.#end({ note: null });
  }

  stop(): void {
    this.#over.abort();
  }

  #end(delivered: Delivered): void {
    this.delivered ??= delivered;
    // The page's own handlers have run by the next task.
    setTimeout(this.#ended.resolve, 0);
  }

  readonly #take = (event: Event): void => {
    if (!event.isTrusted && !isOwnDrop(event)) return;
    const stage = STAGES[event.type];
    if (stage === undefined) return;
    const hit = this.#hitOf(event);
    // Once pressed, the rest belongs to the gesture wherever it arrives: the page may replace the pressed element.
    const arrives = this.#isPressed || this.watched.takes(hit) || this.#isRemovedBy(event);
    if (this.#isBlocked || !arrives || this.watched.isRedirected(hit)) return this.#refuse(event, stage, hit);
    if (stage === 'pressed') this.#isPressed = true;
    if (stage === this.last) return;
    this.last = stage;
    this.watched.arrived(stage);
    if (stage === this.#ends) this.#left -= 1;
    if (this.#left === 0 || stage === 'dropped') this.#end({ note: null });
  };

  /** Listeners that the page added before may have removed the element that an event is for. */
  #isRemovedBy(event: Event): boolean {
    const { el } = this.watched;
    return !el.isConnected && event.composedPath().includes(el);
  }

  /** The dragged element may have captured the pointer: find the element below it by coordinates. */
  #hitOf(event: Event): Element | null {
    const hit = hitOf(event);
    const at = pointOf(event);
    if (this.gesture.gesture !== 'drop' || hit === null || at === null || this.watched.takes(hit)) return hit;
    return elementAt(hit.ownerDocument, at) ?? hit;
  }

  #refuse(event: Event, stage: Stage, hit: Element | null): void {
    // The pointer passes over other elements on its way.
    if (stage === 'moved') return;
    // The browser releases a drag wherever the pointer is.
    if (this.gesture.gesture === 'drop' && stage === 'released') {
      if (event.type !== 'pointerup') this.#end({ hit: describeHit(hit) });
      return;
    }
    event.stopImmediatePropagation();
    event.preventDefault();
    if (this.#isBlocked) return;
    this.#isBlocked = true;
    this.watched.arrived(null);
    this.#end({ hit: describeHit(hit) });
  }
}

/** Where the browser drops nothing, a script of ours in this world does. */
const isOwnDrop = (event: Event): boolean => Reflect.get(globalThis, Symbol.for('spillway.drop')) === event;

const describeHit = (hit: Element | null): string => (hit === null ? 'the document' : describeElement(hit));

/** The innermost target of an event. A closed shadow tree hides it; coordinates find it. */
export function hitOf(event: Event): Element | null {
  const [first] = event.composedPath();
  if (first === undefined || !isNode(first) || !isElement(first)) return null;
  const at = pointOf(event);
  if (at === null || shadowRootOf(first, true) === null) return first;
  return elementAt(first.ownerDocument, at) ?? first;
}

/** Checked by member: a node of another frame is not an instance of this one's classes. */
const isNode = (target: EventTarget): target is Node => 'nodeType' in target;
const isMouse = (event: Event): event is MouseEvent => 'clientX' in event;
const isTouch = (event: Event): event is TouchEvent => 'changedTouches' in event;

function pointOf(event: Event): Point | null {
  const at = isMouse(event) ? event : isTouch(event) ? event.changedTouches[0] : undefined;
  return at === undefined ? null : { x: at.clientX, y: at.clientY };
}

/** How far a target may move to make room, relative to its own size or that of the dragged element: lists have gaps. */
const ROOM = 1.5;

/**
 * The end of a drag, with the elements there before it began. A page that drags something draws it under the pointer,
 * covers itself with a layer, or disables pointer events on its elements: a release there still counts for the target.
 */
export class Landing {
  readonly #size: { readonly width: number; readonly height: number };
  readonly #tookPointer: boolean;
  /** The elements at a reachable point of the target, itself included; null if no point was reachable. */
  #below: ReadonlySet<Element> | null = null;
  #aimed: { readonly place: Area; readonly origin: Point } | null = null;

  constructor(
    private readonly el: Element,
    private readonly dragged: Element | null,
  ) {
    const areas = [el, dragged ?? el].map(areaOf);
    this.#size = {
      width: Math.max(...areas.map(({ left, right }) => right - left)),
      height: Math.max(...areas.map(({ top, bottom }) => bottom - top)),
    };
    this.#tookPointer = takesPointer(el);
    if (!isWellShown(el)) reveal(el, 'center');
    for (const spot of spotsOf(el, null)) {
      if (!reaches(elementAt(el.ownerDocument, spot), el)) continue;
      this.#below = new Set(treeOf(el).elementsFromPoint(spot.x, spot.y));
      return;
    }
  }

  readonly takes = (hit: Element | null): boolean => {
    if (hit === null) return false;
    if (reaches(hit, this.el) || (this.dragged !== null && isDrawnIn(hit, this.dragged))) return true;
    if (this.#below === null) return false;
    if (this.#tookPointer && !takesPointer(this.el)) return true;
    return !this.#below.has(within(treeOf(this.el), hit));
  };

  /** The same at a point of the window, which may be where the target was before it made room. */
  takesAt(hit: Element | null, point: Point): boolean {
    if (contains(measureArea(this.el), point)) return this.takes(hit);
    return this.#makesRoomAt(point) && (this.takes(hit) || (hit !== null && isDrawnIn(this.el, hit)));
  }

  /** The drag's current position, if it is still right; else a point of the target. */
  reach(position: Point | null, at: Point | null): Reach {
    const own = this.el.ownerDocument === document;
    if (own && at !== null && this.takesAt(elementAt(document, at), at)) return { point: at };
    const reach = reachPoint(this.el, position, this.takes);
    const place = measureArea(this.el);
    this.#aimed ??= { place, origin: originAround(this.el) };
    // In a same-origin frame, that frame's window witnesses the release.
    return !own && at !== null && 'point' in reach && contains(place, at) ? { point: at } : reach;
  }

  #makesRoomAt(point: Point): boolean {
    if (this.#aimed === null) return false;
    const { place: was, origin } = this.#aimed;
    const from = originAround(this.el);
    const [x, y] = [from.x - origin.x, from.y - origin.y];
    if (!contains(was, { x: point.x - x, y: point.y - y })) return false;
    const now = measureArea(this.el);
    const [byX, byY] = [Math.abs(now.left - was.left - x), Math.abs(now.top - was.top - y)];
    const { width, height } = this.#size;
    return byX <= width * ROOM && byY <= height * ROOM;
  }
}

/** Where what is around an element begins, which pages scroll during a drag. */
function originAround(el: Element): Point {
  const around = flatParent(el) ?? el;
  const { left, top } = measureArea(around);
  return { x: left - around.scrollLeft, y: top - around.scrollTop };
}

const EDGE_PX = 40;

function isWellShown(el: Element): boolean {
  const view = el.ownerDocument.defaultView;
  const [area] = shownAreas(el);
  if (view === null || area === undefined) return false;
  return area.top >= EDGE_PX && area.bottom <= view.innerHeight - EDGE_PX;
}

const takesPointer = (el: Element): boolean => getComputedStyle(el).pointerEvents !== 'none';

const contains = ({ left, top, right, bottom }: Area, { x, y }: Point): boolean =>
  x >= left && x < right && y >= top && y < bottom;

/** Replaces an element in a nested shadow tree by its host in this tree. */
function within(tree: Document | ShadowRoot, el: Element): Element {
  let seen = el;
  for (let root = seen.getRootNode(); root !== tree && isShadowRoot(root); root = seen.getRootNode())
    seen = root.host;
  return seen;
}
