import { type Area, throughFrame } from '../../dom/box-area.ts';
import { isDocument, isImage, isShadowRoot, isLabel, type FrameElement } from '../../dom/elements.ts';
import { flatParent, lineageOf, shadowRootOf } from '../../dom/trees.ts';
import { cut } from '../../../shared/base/cut.ts';
import { PageError } from '../../dom/doorway.ts';
import { roleOf } from '../../dom/names/role.ts';
import { computeName } from '../../dom/names/name.ts';
import { isShown, mayBeShown } from '../../dom/visible.ts';
import type { Point } from '../../core/ports/page-answers.ts';
import { isActionable } from '../../find/page/find/contexts.ts';
import {
  coverOf,
  FIELDS,
  isDecoration,
  isDrawnIn,
  labelsOther,
  openerOf,
  surroundingsOf,
} from './surroundings.ts';

/** The image that uses an area's map. */
export function imageOf(area: HTMLAreaElement): HTMLImageElement | null {
  const name = area.closest('map')?.name ?? '';
  const root = area.getRootNode();
  if (name === '' || !(isDocument(root) || isShadowRoot(root))) return null;
  const image = root.querySelector(`[usemap="#${CSS.escape(name)}"]`);
  return image !== null && isImage(image) ? image : null;
}

/** The box around an image area, in the viewport of its document; empty if no image shows it. */
export function shapeArea(area: HTMLAreaElement): Area {
  const image = imageOf(area);
  if (image === null) return area.getBoundingClientRect();
  const box = image.getBoundingClientRect();
  const { paddingLeft, paddingTop } = getComputedStyle(image);
  const x = box.left + image.clientLeft + Number.parseFloat(paddingLeft);
  const y = box.top + image.clientTop + Number.parseFloat(paddingTop);
  const [left, top, right, bottom] = extentOf(area) ?? [0, 0, image.width, image.height];
  return { left: x + left, top: y + top, right: x + right, bottom: y + bottom };
}

type Extent = readonly [left: number, top: number, right: number, bottom: number];

/** Null for an area that covers the whole image. */
function extentOf({ shape, coords }: HTMLAreaElement): Extent | null {
  const numbers = (coords.match(/-?\d+(?:\.\d+)?/g) ?? []).map(Number);
  const [a = 0, b = 0, c = 0, d = 0] = numbers;
  const kind = shape.toLowerCase();
  if (kind === 'default') return null;
  if (kind.startsWith('circ')) return [a - c, b - c, a + c, b + c];
  if (!kind.startsWith('poly')) return [Math.min(a, c), Math.min(b, d), Math.max(a, c), Math.max(b, d)];
  const xs = numbers.filter((_, index) => index % 2 === 0);
  const ys = numbers.filter((_, index) => index % 2 === 1);
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}

/** The innermost element at a point of a document's viewport, including shadow trees. */
export function elementAt(document: Document, { x, y }: Point): Element | null {
  let root: Document | ShadowRoot = document;
  let hit: Element | null = null;
  for (;;) {
    const found: Element | null = root.elementFromPoint(x, y);
    if (found === null || found === hit) return hit;
    hit = found;
    const inner = shadowRootOf(found, true);
    if (inner === null) return hit;
    root = inner;
  }
}

/**
 * Whether input that arrives at `hit` is input to `el`: inside it, inside its label, or in the control that `el`
 * labels.
 */
export function reaches(hit: Element | null, el: Element): boolean {
  const own: (Element | null)[] = isLabel(el) ? [el, el.control] : [el];
  let isOther = false;
  for (const up of lineageOf(hit)) {
    if (own.includes(up) || (!isOther && isLabel(up) && up.control === el)) return true;
    isOther ||= up.matches(INTERACTIVE);
  }
  return hit !== null && (isTransparentIn(el, hit) || isUnderOwnField(el, hit));
}

/** A field may also lie over its caption. */
function isUnderOwnField(el: Element, hit: Element): boolean {
  const field = lineageOf(hit).find(isField);
  return field !== undefined && isDecoration(el, field);
}

/**
 * Whether a press on an element in this one is a press on this one, rather than on another control. A custom element
 * draws itself with controls, and a wrapper is pressed at its only one.
 */
export function isPartOf(el: Element): (part: Element) => boolean {
  const isAlone = !el.matches(INTERACTIVE) && el.querySelectorAll(INTERACTIVE).length === 1;
  const draws = (part: Element): boolean => {
    let root = part.getRootNode();
    while (isShadowRoot(root) && root.host !== el) root = root.host.getRootNode();
    return isShadowRoot(root);
  };
  return (part) =>
    !part.matches(INTERACTIVE) || isAlone || draws(part) || (isLabel(el) && el.control === part);
}

/** In a label, these take the press themselves. */
const INTERACTIVE = 'a[href],button,input,select,textarea,summary,iframe';

const TAKES_INPUT = 'a[href],button,label,summary,input,select,textarea,[role],[tabindex],[onclick]';

const BUTTONS = '[type=submit i],[type=reset i],[type=button i],[type=image i]';

const isField = (el: Element): boolean => el.matches(FIELDS) && !el.matches(BUTTONS);

/** A picture in a button lets input through to the button, and what is drawn over a field belongs to it. */
function isTransparentIn(el: Element, hit: Element): boolean {
  const { pointerEvents, zIndex } = getComputedStyle(el);
  if (isField(el)) {
    // A field may also be drawn behind its box, as a point, or not at all.
    const isBehind = !mayBeShown(el) || Number(zIndex) < 0 || openerOf(el) !== el;
    const box = surroundingsOf(el);
    if (isBehind ? isDrawnIn(hit, box) && !isInOther(hit, box, el) : isDecoration(hit, el)) return true;
  }
  if (pointerEvents !== 'none') return false;
  const control = takerOf(el);
  return (
    control !== null && control !== el && lineageOf(flatParent(el)).includes(hit) && isDrawnIn(hit, control)
  );
}

/** The control that an element is a part of. */
function takerOf(el: Element): Element | null {
  const own = el.closest(TAKES_INPUT);
  if (own !== el || isActionable(el)) return own === el && isField(el) ? surroundingsOf(el) : own;
  // A label or a picture with a role may lie in a button.
  return lineageOf(flatParent(el)).find(isActionable) ?? null;
}

function isInOther(hit: Element, box: Element, field: Element): boolean {
  for (let up: Element | null = hit; up !== null && up !== box; up = flatParent(up))
    if (up.matches('button,a[href],[role=button]') || labelsOther(up, field)) return true;
  return false;
}

const NAME_UNITS = 60;
/** Of a name that a person decides by. */
export const WHOLE_UNITS = 2_000;

/** The element's name in messages and receipts: `button Save`. */
export function describeElement(el: Element, maxUnits = NAME_UNITS): string {
  const role = roleOf(el, el.localName);
  const name = isShown(el) ? cut(computeName(el, role), maxUnits) : '';
  const own = role === '' || role === 'generic' || role === 'none' ? tagName(el) : role;
  return `${own}${name === '' ? '' : ` ${name}`}`.toWellFormed();
}

/** @param what follows the name of the element */
export const unsuitable = (el: Element, what: string): PageError =>
  new PageError('target_unsuitable', `${describeElement(el)} ${what}`);

function tagName(el: Element): string {
  const id = el.getAttribute('id') ?? '';
  const mark = el.classList.item(0) ?? '';
  const more = id === '' ? (mark === '' ? '' : `.${mark}`) : `#${id}`;
  return `<${cut(el.localName, NAME_UNITS)}${cut(more, NAME_UNITS)}>`;
}

/** Names the element that covers another: the outermost ancestor of the hit that does not contain it. */
export function describeCover(hit: Element | null, el: Element): string {
  if (hit === null) return 'nothing that takes input';
  const [cover] = coverOf(hit, el);
  const [inner, outer] = [describeElement(hit), describeElement(cover)];
  return inner === outer ? inner : `${inner} in ${outer}`;
}

/** A flat transform takes two rounds, a perspective a few more. */
const ROUNDS = 8;
/** The distance between the two points that give the slope. */
const STEP_PX = 16;
/** Stop at this error, in pixels of the frame's viewport. */
const CLOSE_PX = 0.1;

/**
 * Maps a point of a frame's viewport to the document around it, under any transform and zoom. The browser only maps
 * inward, when it places a pointer event in its target, so Newton's method approximates the inverse.
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
    // A frame seen edge-on takes no input.
    if (det === 0 || !Number.isFinite(det)) break;
    outer = { x: outer.x + (d * dx - b * dy) / det, y: outer.y + (a * dy - c * dx) / det };
  }
  return outer;
}

function intoFrame(frame: FrameElement): (outer: Point) => Point {
  const { paddingLeft, paddingTop } = getComputedStyle(frame);
  const [left, top] = [Number.parseFloat(paddingLeft), Number.parseFloat(paddingTop)];
  // `offsetX` starts at the padding, in document pixels. Browsers without `currentCSSZoom` zoom frames differently.
  const zoom = frame.currentCSSZoom || 1;
  const scale = eventScale(frame.ownerDocument);
  return ({ x, y }) => {
    const at = placeIn(frame, { x: x * scale, y: y * scale });
    return { x: at.x / zoom - left, y: at.y / zoom - top };
  };
}

/** An event type that no page listens to. */
const EVENT = Math.random().toString(36);

/** The position of an event within an element, from its position in the viewport. */
function placeIn(el: Element, { x, y }: Point): Point {
  // A mouse event would round the coordinates.
  const event = new PointerEvent(EVENT, { clientX: x, clientY: y });
  el.dispatchEvent(event);
  return { x: event.offsetX, y: event.offsetY };
}

/** Chromium omits this factor when it places a script's event in a zoomed frame. */
function eventScale({ documentElement: root }: Document): number {
  const slope = (placeIn(root, { x: 100, y: 0 }).x - placeIn(root, { x: 0, y: 0 }).x) / 100;
  return slope > 0 && Number.isFinite(slope) && !isTransformed(root) ? 1 / slope : 1;
}

function isTransformed(el: Element): boolean {
  const { transform, rotate, scale } = getComputedStyle(el);
  return [transform, rotate, scale].some((value) => value !== 'none');
}
