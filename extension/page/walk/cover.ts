import { intersect, isEmpty, paddingArea, type Area } from '../box-area.ts';
import { flatParent, innerDocument, isFrameElement, shadowRootOf, addTo } from '../dom.ts';
import { parseColour, isOpaque } from './paint.ts';
import { COVERS, findHosts } from './generated-hosts.ts';
import { lettersOf } from './geometry.ts';
import { clipPathArea } from './hidden-styles.ts';
import { RANK, isPaintedAfter, layersAround, type Layer } from './stacking.ts';

/** Something that paints all of an area. */
interface Cover {
  readonly el: Element;
  readonly area: Area;
  readonly layers: readonly Layer[];
}

/** An element that may be a cover, or have one before or after its content. */
interface Candidate {
  readonly el: Element;
  readonly area: Area;
  readonly generates: boolean;
  covers: readonly Cover[] | null;
}

/** Smaller boxes cover no text. */
const MIN_COVER_PX = 4;
/** Candidates are looked up by bands of the page of this height. */
const BAND_PX = 200;
/** What is taller is looked at for every text. */
const MAX_BANDS = 20;
/** A box over more of the viewport than this is opened over a page, and closed again. */
const MOST_OF_VIEW = 0.5;
/**
 * Pairs of a text and a box near it that are compared in one document, and those that each text adds. Boxes
 * that all lie in one place make the square of their number. What is left counts as seen, and is counted.
 */
const MOST_PAIRS = 200_000;
const PAIRS_A_TEXT = 20;
/** What a look at the common surroundings of a pair costs, in pairs. */
const LOOK_PAIRS = 10;
const REPLACED = new Set(['img', 'canvas', 'video', 'iframe', 'object', 'embed', 'rect', 'image']);
/** They come and go above a page, and what is under them is part of it. */
const PASSING =
  'dialog,[popover],[aria-modal="true"],[role="dialog"],[role="alertdialog"],[role="menu"],[role="listbox"],[role="tooltip"],[role="alert"],[role="status"]';
const ACTIONS = 'a[href],button,input:not([type="hidden"]),select,textarea,summary';

/** The boxes of one document that may cover text, found when the first text is asked about. */
export class Covers {
  readonly #document: Document;
  readonly #layers = new Map<Element, readonly Layer[]>();
  readonly #bands = new Map<number, Candidate[]>();
  readonly #tall: Candidate[] = [];
  readonly #actions = new Map<Element, boolean>();
  #pairsLeft = MOST_PAIRS;
  /** Texts that were not compared with all boxes over them. */
  unchecked = 0;

  constructor(document: Document) {
    this.#document = document;
    const found: Candidate[] = [];
    if (collect(document, found)) for (const candidate of found) this.#place(candidate);
  }

  #place(candidate: Candidate): void {
    const [first, last] = [bandOf(candidate.area.top), bandOf(candidate.area.bottom)];
    if (last - first > MAX_BANDS) this.#tall.push(candidate);
    else for (let band = first; band <= last; band += 1) addTo(this.#bands, band, candidate);
  }

  /**
   * Whether something is painted over all that an element shows of itself.
   * @param areasOf its lines, asked for only when a cover is near
   */
  hides(el: Element, areasOf: () => readonly Area[]): boolean {
    if (this.#bands.size === 0 && this.#tall.length === 0) return false;
    this.#pairsLeft += PAIRS_A_TEXT;
    const near = this.#over(el);
    const areas = near.length === 0 ? [] : areasOf();
    const isHidden = areas.length > 0 && areas.every((area) => this.#hidesArea(el, near, lettersOf(area)));
    if (!isHidden && this.#pairsLeft <= 0) this.unchecked += 1;
    return isHidden;
  }

  /** The candidates with a box that is painted after an element and touches it. */
  #over(el: Element): readonly Candidate[] {
    const over: Candidate[] = [];
    for (const candidate of this.#near(el.getBoundingClientRect())) {
      if ((this.#pairsLeft -= 1) <= 0) break;
      if (this.#isOver(candidate, el)) over.push(candidate);
    }
    return over;
  }

  *#near(box: Area): Generator<Candidate> {
    const first = bandOf(box.top);
    const last = Math.min(bandOf(box.bottom), first + MAX_BANDS);
    for (let band = first; band <= last; band += 1)
      for (const candidate of this.#bands.get(band) ?? [])
        if (band === Math.max(first, bandOf(candidate.area.top)) && touches(candidate.area, box))
          yield candidate;
    for (const candidate of this.#tall) if (touches(candidate.area, box)) yield candidate;
  }

  #hidesArea(el: Element, near: readonly Candidate[], area: Area): boolean {
    let open: readonly Area[] = [area];
    const hits = new HitOrder(el, area);
    for (const { covers } of near)
      for (const cover of covers ?? []) {
        if (!touches(cover.area, area)) continue;
        if ((this.#pairsLeft -= LOOK_PAIRS) <= 0) return false;
        if (!this.#isCover(cover, el, hits)) continue;
        open = open.flatMap((part) => without(part, cover.area));
        if (open.length === 0) return true;
      }
    return false;
  }

  /** Whether any box of a candidate is painted after the text of an element. */
  #isOver(candidate: Candidate, text: Element): boolean {
    let layers = this.#layers.get(text);
    if (layers === undefined) {
      layers = [...layersAround(text), { el: text, rank: RANK.inline }];
      this.#layers.set(text, layers);
    }
    const own = layers;
    candidate.covers ??= coversOf(candidate);
    return candidate.covers.some((cover) => isPaintedAfter(cover.layers, own));
  }

  #isCover({ el, area, layers }: Cover, text: Element, hits: HitOrder): boolean {
    const own = this.#layers.get(text) ?? [];
    if (!isPaintedAfter(layers, own)) return false;
    const { clientWidth, clientHeight } = this.#document.documentElement;
    if (sizeOf(area) > MOST_OF_VIEW * clientWidth * clientHeight) return false;
    const common = commonAncestor(el, text);
    return !scrollsApart(text, common) && !this.#isPassing(el, common) && !hits.isBefore(el);
  }

  /** Stays in place while the page scrolls, or is something that a person opens and closes. */
  #isPassing(el: Element, common: Element | null): boolean {
    let top: Element | null = null;
    for (let at: Element | null = el; at !== null && at !== common; at = flatParent(at)) {
      if (/fixed|sticky/.test(getComputedStyle(at).position)) return true;
      top = at;
    }
    return top !== null && (el.closest(PASSING) !== null || this.#hasActions(top));
  }

  #hasActions(part: Element): boolean {
    let has = this.#actions.get(part);
    if (has === undefined) {
      has = part.querySelector(`${PASSING},${ACTIONS}`) !== null;
      this.#actions.set(part, has);
    }
    return has;
  }
}

const bandOf = (y: number): number => Math.floor(y / BAND_PX);
const sizeOf = ({ left, top, right, bottom }: Area): number => (right - left) * (bottom - top);

/** Finds what paints; returns whether anything can be out of the order of the text. */
function collect(root: Document | ShadowRoot, found: Candidate[]): boolean {
  const hosts = findHosts(root, COVERS);
  let isRaised = hosts.isOnHost;
  for (const el of root.querySelectorAll('*')) {
    const shadow = el.shadowRoot ?? (el.localName.includes('-') ? shadowRootOf(el, true) : null);
    if (shadow !== null && collect(shadow, found)) isRaised = true;
    const generates = hosts.has(el);
    const style = getComputedStyle(el);
    isRaised ||= generates || isOutOfOrder(el, style);
    if (!generates && !mayPaint(el, style)) continue;
    const box = el.getBoundingClientRect();
    const isLarge = box.width >= MIN_COVER_PX && box.height >= MIN_COVER_PX;
    if (generates) found.push({ el, area: around(box), generates, covers: null });
    else if (isLarge) found.push({ el, area: box, generates, covers: null });
  }
  return isRaised;
}

/** Generated boxes may be next to their element. */
const around = ({ left, top, right, bottom }: Area): Area => ({
  left: left - BAND_PX,
  top: top - BAND_PX,
  right: right + BAND_PX,
  bottom: bottom + BAND_PX,
});

const isOutOfOrder = (el: Element, style: CSSStyleDeclaration): boolean =>
  el.localName === 'rect' ||
  style.position !== 'static' ||
  style.transform !== 'none' ||
  style.translate !== 'none' ||
  /grid/.test(style.display) ||
  /^-/.test(style.marginTop) ||
  /^-/.test(style.marginLeft);

const mayPaint = (el: Element, style: CSSStyleDeclaration): boolean =>
  REPLACED.has(el.localName) ||
  style.backgroundImage !== 'none' ||
  (parseColour(style.backgroundColor)?.a ?? 0) > 0.95;

function coversOf({ el, generates }: Candidate): readonly Cover[] {
  const covers: Cover[] = [];
  const view = shownArea(el);
  if (view === null) return covers;
  const style = getComputedStyle(el);
  const layers = layersAround(el);
  const box = intersect(round(el.getBoundingClientRect(), style), view);
  if (style.visibility === 'visible' && paintsAll(el, style) && !isEmpty(box)) {
    const isLine = REPLACED.has(el.localName) || style.display === 'inline';
    const own = layers.at(-1)?.el === el ? [] : [{ el, rank: isLine ? RANK.inline : RANK.block }];
    covers.push({ el, area: box, layers: [...layers, ...own] });
  }
  if (generates)
    for (const pseudo of ['::before', '::after']) {
      const area = generatedArea(el, pseudo, style);
      if (area === null) continue;
      const z = Number.parseInt(getComputedStyle(el, pseudo).zIndex, 10) || RANK.positioned;
      covers.push({ el, area: intersect(area, view), layers: [...layers, { el, rank: z }] });
    }
  return covers;
}

function paintsAll(el: Element, style: CSSStyleDeclaration): boolean {
  if (el.localName === 'rect') return (parseColour(style.fill)?.a ?? 0) * Number(style.fillOpacity) > 0.95;
  if (isOpaque(el, style)) return true;
  const inner = isFrameElement(el) ? innerDocument(el) : null;
  return [inner?.documentElement, inner?.body].some(
    (part) => part != null && isOpaque(part, getComputedStyle(part)),
  );
}

/** The box of a generated element that is placed: browsers give its size and offsets alone. */
function generatedArea(el: Element, pseudo: string, host: CSSStyleDeclaration): Area | null {
  const style = getComputedStyle(el, pseudo);
  if (style.position !== 'absolute' || style.content === 'none' || style.visibility !== 'visible')
    return null;
  if (style.opacity !== '1' || style.transform !== 'none' || style.mixBlendMode !== 'normal') return null;
  if (style.clipPath !== 'none' || style.filter !== 'none' || !isOpaque(document.createElement('i'), style))
    return null;
  let holder: Element | null = el;
  if (host.position === 'static')
    do holder = flatParent(holder);
    while (holder !== null && getComputedStyle(holder).position === 'static');
  const at = paddingArea(holder ?? el.ownerDocument.documentElement);
  const px = (length: string): number => Number.parseFloat(length) || 0;
  const isBorderBox = style.boxSizing === 'border-box';
  const padding = (...sides: string[]): number =>
    isBorderBox ? 0 : sides.reduce((sum, side) => sum + px(side), 0);
  const left = at.left + px(style.left) + px(style.marginLeft);
  const top = at.top + px(style.top) + px(style.marginTop);
  return {
    left,
    top,
    right: left + px(style.width) + padding(style.paddingLeft, style.paddingRight),
    bottom: top + px(style.height) + padding(style.paddingTop, style.paddingBottom),
  };
}

/** Where an element is painted in full; null for nowhere. */
function shownArea(el: Element): Area | null {
  let view: Area = { left: -Infinity, top: -Infinity, right: Infinity, bottom: Infinity };
  for (let at: Element | null = el; at !== null; at = flatParent(at)) {
    const style = getComputedStyle(at);
    if (Number(style.opacity) < 0.95 || style.filter !== 'none' || style.mixBlendMode !== 'normal')
      return null;
    if (style.maskImage !== 'none' || isTurned(style)) return null;
    if (style.clipPath !== 'none') {
      const left = clipPathArea(style.clipPath, at.getBoundingClientRect(), at.ownerDocument);
      if (left === null) return null;
      view = intersect(view, left);
    }
    const isPage = at === at.ownerDocument.body || at === at.ownerDocument.documentElement;
    if (at !== el && !isPage && (style.overflow !== 'visible' || /paint|strict|content/.test(style.contain)))
      view = intersect(view, paddingArea(at));
  }
  return isEmpty(view) ? null : view;
}

/** Its box is not the one around it. */
function isTurned({ transform, rotate }: CSSStyleDeclaration): boolean {
  if (rotate !== 'none') return true;
  if (transform === 'none') return false;
  const { b, c, is2D } = new DOMMatrix(transform);
  return !is2D || Math.abs(b) > 0.001 || Math.abs(c) > 0.001;
}

/** Without what round corners leave out. */
function round(box: Area, style: CSSStyleDeclaration): Area {
  const cut = 0.3 * (Number.parseFloat(style.borderTopLeftRadius) || 0);
  return { left: box.left + cut, top: box.top + cut, right: box.right - cut, bottom: box.bottom - cut };
}

const touches = (a: Area, b: Area): boolean =>
  a.left < b.right && a.right > b.left && a.top < b.bottom && a.bottom > b.top;

/** What one area leaves of another. */
function without(area: Area, cut: Area): Area[] {
  if (!touches(area, cut)) return [area];
  const middle = { ...area, top: Math.max(area.top, cut.top), bottom: Math.min(area.bottom, cut.bottom) };
  return [
    { ...area, bottom: cut.top },
    { ...area, top: cut.bottom },
    { ...middle, right: cut.left },
    { ...middle, left: cut.right },
  ].filter((part) => part.right - part.left > 1 && part.bottom - part.top > 1);
}

function commonAncestor(one: Element, other: Element): Element | null {
  let at: Element | null = one;
  const around = new Set<Element>();
  for (let up: Element | null = other; up !== null; up = flatParent(up)) around.add(up);
  while (at !== null && !around.has(at)) at = flatParent(at);
  return at;
}

/** What is scrolled moves away from what it is under. */
function scrollsApart(text: Element, common: Element | null): boolean {
  for (let at: Element | null = text; at !== null && at !== common; at = flatParent(at)) {
    const style = getComputedStyle(at);
    if (/fixed|sticky/.test(style.position)) return true;
    if (!/auto|scroll/.test(style.overflow)) continue;
    if (at.scrollHeight > at.clientHeight + 1 || at.scrollWidth > at.clientWidth + 1) return true;
  }
  return false;
}

/** The order in which the browser finds a text and what may be over it, in the middle of an area. */
class HitOrder {
  readonly #text: Element;
  readonly #area: Area;
  #hits: readonly Element[] | null = null;

  constructor(text: Element, area: Area) {
    this.#text = text;
    this.#area = area;
  }

  /** Whether the text is found before the box of an element, where both can be found. */
  isBefore(cover: Element): boolean {
    if (cover === this.#text || cover.contains(this.#text)) return false;
    const { left, top, right, bottom } = this.#area;
    this.#hits ??= this.#text.ownerDocument.elementsFromPoint((left + right) / 2, (top + bottom) / 2);
    const at = this.#hits.indexOf(this.#text);
    return at !== -1 && at < this.#hits.indexOf(cover);
  }
}
