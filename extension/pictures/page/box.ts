import { RENDERING, renderingOf } from '../../dom/visible.ts';
import { cut } from '../../../shared/base/cut.ts';
import { PageError } from '../../dom/doorway.ts';
import {
  contentArea,
  intersect,
  isEmpty,
  isWithin,
  paddingArea,
  scaleOf,
  scrollDelta,
  throughFrame,
  type Area,
} from '../../dom/box-area.ts';
import { isFrameElement, type FrameElement } from '../../dom/elements.ts';
import { flatParent } from '../../dom/trees.ts';
import { areaOf } from '../../dom/drawn.ts';
import { markFrame } from '../../dom/frames.ts';
import type { Loans, LentNumbers, Refs } from '../../dom/refs.ts';
import type { Box, Boxed, BoxTarget, FromPage, ToPage } from '../../core/page/protocol.ts';
import { locateRef } from '../../find/page/locate/locate.ts';
import { selectRoots } from '../../dom/select.ts';

interface Clipper {
  readonly el: Element;
  readonly view: () => Area;
  readonly canScroll: boolean;
}

/**
 * Measures elements of one document after scrolling their containers within the page, until each is forgotten. The top
 * document itself is never scrolled: a picture can reach beyond its viewport.
 */
export class ElementBoxes {
  /** Each undoes a scroll for an element. */
  readonly #undos = new Map<number, (() => void)[]>();

  constructor(private readonly refs: Refs) {}

  /**
   * @throws PageError `selector_invalid`, `selector_not_found`, `ref_not_found`, `stale_ref`, and `screenshot_failed` if
   * no part of the element shows
   */
  measure(
    { id, target, isTop }: { id: number; target: BoxTarget; isTop: boolean },
    lent: LentNumbers | null,
  ): Boxed {
    const { el, matches, note } = find(target, this.refs, lent);
    const undos: (() => void)[] = [];
    this.#undos.set(id, undos);
    assertShown(el);
    const isContent = 'frame' in target && isFrameElement(el);
    const measured = isContent ? () => contentArea(el) : () => areaOf(el);
    reveal(stepsOut(el, isTop), measured, undos);
    const whole = measured();
    if (isEmpty(whole))
      throw new PageError(
        'screenshot_failed',
        `${formatElement(el)} has no size: ${whole.right - whole.left} × ${whole.bottom - whole.top} px.`,
      );
    const { area, isClipped } = shownOf(el, whole, isTop);
    const frame = isContent ? { ...markFrame(el, this.refs), ...originOf(el, isTop) } : null;
    return { box: toDocument(area, isTop), isClipped, matches, note, frame };
  }

  /** @throws PageError as {@link measure} does */
  answer(message: Extract<ToPage, { type: 'box' }>, loans: Loans): Extract<FromPage, { type: 'boxed' }> {
    const { id, showing } = message;
    const boxed = this.measure(message, loans.borrow(id, showing));
    return { type: 'boxed', id, boxed, ...loans.settle(id) };
  }

  forget(id: number): void {
    const undos = this.#undos.get(id) ?? [];
    this.#undos.delete(id);
    for (const undo of undos.reverse()) undo();
  }

  forgetAll(): void {
    for (const id of [...this.#undos.keys()].reverse()) this.forget(id);
  }
}

/** Scrolls the element's containers, innermost first. */
function reveal(steps: Iterable<Step>, measured: () => Area, undos: (() => void)[]): void {
  let inner = measured;
  for (const step of steps) {
    if (step.kind === 'frame') {
      const before = inner;
      inner = () => throughFrame(before(), step.el);
      continue;
    }
    const { el: scroller, view, canScroll } = step.clipper;
    if (!canScroll) continue;
    const delta = scrollDelta(inner(), view());
    if (delta.left === 0 && delta.top === 0) continue;
    const { scrollLeft: left, scrollTop: top } = scroller;
    undos.push(() => scroller.scrollTo({ left, top, behavior: 'instant' }));
    scroller.scrollBy({ ...delta, behavior: 'instant' });
  }
}

function find(target: BoxTarget, refs: Refs, lent: LentNumbers | null) {
  if ('selector' in target) {
    const [el, ...more] = selectRoots(document, target.selector);
    return { el, matches: more.length + 1, note: null };
  }
  if ('ref' in target) {
    refs.use(lent);
    return { ...locateRef(target.ref, { refs, viewer: lent?.viewer ?? '' }), matches: 1 };
  }
  const el = refs.frames.find(target.frame);
  if (el !== null) return { el, matches: 1, note: null };
  throw new PageError('stale_ref', `${document.URL} no longer has its frame ${target.frame}.`);
}

function assertShown(el: Element): void {
  const rendering = renderingOf(el);
  if (rendering === RENDERING.whole) return;
  const why =
    rendering === RENDERING.partly
      ? 'is hidden by visibility'
      : getComputedStyle(el).display === 'none'
        ? 'is not displayed'
        : 'is inside an element that is not displayed';
  throw new PageError('screenshot_failed', `${formatElement(el)} ${why}.`);
}

/** A name for messages, made of the element alone. */
function formatElement(el: Element): string {
  const id = el.getAttribute('id') ?? '';
  return `Element <${el.localName}${id === '' ? '' : `#${cut(id, 40)}`}>`;
}

type Step = { kind: 'clip'; clipper: Clipper } | { kind: 'frame'; el: FrameElement };

/** Everything that can hide an element, innermost first, through same-origin frames. */
function* stepsOut(start: Element, isTop: boolean): Generator<Step> {
  let own = start.ownerDocument;
  let { position } = getComputedStyle(start);
  for (let el = start; ;) {
    const up = position === 'fixed' ? null : flatParent(el);
    if (up !== null && up !== own.documentElement) {
      el = up;
      if (up === own.body) continue;
      const style = getComputedStyle(up);
      if (!canClip(style, position)) continue;
      position = style.position;
      const clipper = clipperOf(up, style);
      if (clipper !== null) yield { kind: 'clip', clipper };
      continue;
    }
    const frame = frameAround(own);
    if (own === document && isTop) return;
    yield { kind: 'clip', clipper: viewportOf(own, position === 'fixed') };
    if (frame === null || !isFrameElement(frame)) return;
    yield { kind: 'frame', el: frame };
    el = frame;
    own = frame.ownerDocument;
    ({ position } = getComputedStyle(frame));
  }
}

const canClip = (style: CSSStyleDeclaration, position: string): boolean =>
  position !== 'absolute' || style.position !== 'static' || style.transform !== 'none';

const frameAround = (own: Document): Element | null =>
  own === document ? null : (own.defaultView?.frameElement ?? null);

function clipperOf(el: Element, style: CSSStyleDeclaration): Clipper | null {
  const overflow = `${style.overflowX} ${style.overflowY}`;
  if (!/auto|scroll|hidden|clip/.test(overflow)) return null;
  return { el, view: () => paddingArea(el), canScroll: /auto|scroll|hidden/.test(overflow) };
}

function viewportOf(own: Document, isFixed: boolean): Clipper {
  const root = own.documentElement;
  const scroller = own.scrollingElement ?? root;
  const height = own.defaultView?.innerHeight ?? root.clientHeight;
  const view = {
    left: 0,
    top: 0,
    right: root.clientWidth,
    bottom: Math.min(height, root.clientHeight || height),
  };
  return { el: scroller, view: () => view, canScroll: !isFixed };
}

function shownOf(el: Element, whole: Area, isTop: boolean): { area: Area; isClipped: boolean } {
  let area = whole;
  let isClipped = false;
  for (const step of stepsOut(el, isTop)) {
    if (step.kind === 'frame') {
      area = throughFrame(area, step.el);
      continue;
    }
    const view = step.clipper.view();
    isClipped ||= !isWithin(area, view);
    area = intersect(area, view);
    if (isEmpty(area))
      throw new PageError(
        'screenshot_failed',
        `${formatElement(el)} is clipped by ${formatElement(step.clipper.el)}, which cannot be scrolled to it.`,
      );
  }
  return { area, isClipped };
}

function toDocument({ left, top, right, bottom }: Area, isTop: boolean): Box {
  const [x, y] = isTop ? [scrollX, scrollY] : [0, 0];
  return { x: left + x, y: top + y, width: right - left, height: bottom - top };
}

/** The origin and pixel size of a frame document's viewport. */
function originOf(el: FrameElement, isTop: boolean): { x: number; y: number; scale: number } {
  let area = contentArea(el);
  let scale = scaleOf(el);
  for (const step of stepsOut(el, isTop)) {
    if (step.kind !== 'frame') continue;
    area = throughFrame(area, step.el);
    scale *= scaleOf(step.el);
  }
  const { x, y } = toDocument(area, isTop);
  return { x, y, scale };
}
