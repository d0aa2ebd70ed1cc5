import { meets, type Area } from './box-area.ts';
import { isDocument, isFrameElement, isHtml, isSvg, treeOf } from './elements.ts';
import { commonAncestor, flatParent, innerDocument, lineageOf } from './trees.ts';
import { generatedArea, isGeneratedBox } from './drawn.ts';
import { blended, levelsBackdrop } from './effects.ts';
import type { TreeStyles } from './level.ts';
import {
  BLACK,
  CLEAR,
  MIN_ALPHA,
  WHITE,
  backgroundColours,
  opacityOf,
  isVisuallySame,
  parseColour,
} from './paint.ts';
import { selectAll } from './tree-styles.ts';

/** A box over more of the viewport is opened over a page, and closed again. */
const MAX_OF_VIEW = 0.5;
const PASSING =
  'dialog,[popover],[aria-modal="true"],[role="dialog"],[role="alertdialog"],[role="menu"],[role="listbox"],[role="tooltip"],[role="alert"],[role="status"]';
const ACTIONS = 'a[href],button,input:not([type="hidden"]),select,textarea,summary';

/** A painted box that hit tests do not find. */
export interface Overlay {
  readonly area: Area;
  isOver(text: Element): boolean;
}

/**
 * Whether something covers everything visible of an element, as hit tests find at points of each area. Content outside
 * the viewport is not found and counts as visible.
 * @param areas its lines, or its box, in the viewport
 * @param overlays what hit tests do not find
 */
export function isCovered(el: Element, areas: readonly Area[], overlays: readonly Overlay[]): boolean {
  const root = treeOf(el);
  const over = overlays.filter(({ area, isOver }) => areas.some((own) => meets(area, own)) && isOver(el));
  const isUnder = (x: number, y: number): boolean => {
    if (over.some(({ area }) => x >= area.left && x <= area.right && y >= area.top && y <= area.bottom))
      return true;
    if (root.elementFromPoint(x, y) === el) return false;
    const hits = root.elementsFromPoint(x, y);
    // An SVG's shapes are its own content.
    const seen = hits
      .slice(0, Math.max(0, hits.indexOf(el)))
      .filter((hit) => !(isSvg(el) && el.contains(hit)))
      .reduce((left, hit) => left * (1 - hiddenBy(hit, el)), 1);
    return seen < MIN_ALPHA;
  };
  return areas.length > 0 && areas.every((area) => pointsOf(area).every(([x, y]) => isUnder(x, y)));
}

function pointsOf({ left, top, right, bottom }: Area): readonly (readonly [x: number, y: number])[] {
  const [y, inset] = [(top + bottom) / 2, Math.min(3, (right - left) / 4)];
  return [left + inset, (left + right) / 2, right - inset].map((x) => [x, y]);
}

/** Whether the shapes around a text leave nothing of its lines in the viewport: no hit test finds it. */
export function isCutOff(el: Element, lines: readonly Area[]): boolean {
  if (getComputedStyle(el).pointerEvents === 'none') return false;
  const root = treeOf(el);
  const hits = lines.flatMap(pointsOf).map(([x, y]) => root.elementsFromPoint(x, y));
  return hits.some((found) => found.length > 0) && !hits.some((found) => found.includes(el));
}

/** Elements of a tree that are looked at for paint that lets input through. */
const MAX_UNTOUCHABLE = 3_000;
const INLINE = '[style*="pointer-events" i],[style*="shadow" i],[style*="outline" i]';

/** The overlays in the viewport whose elements let input through, outlines and shadows. */
export function untouchableIn(root: Document | ShadowRoot, { untouchable }: TreeStyles): Overlay[] {
  const found: Overlay[] = [];
  const { defaultView } = isDocument(root) ? root : root.ownerDocument;
  const view = {
    left: 0,
    top: 0,
    right: defaultView?.innerWidth ?? 0,
    bottom: defaultView?.innerHeight ?? 0,
  };
  const elements = [...selectAll(root, [...untouchable, INLINE])].flatMap((el) => [
    el,
    ...el.querySelectorAll('*'),
  ]);
  for (const el of new Set(elements.slice(0, MAX_UNTOUCHABLE))) {
    const style = getComputedStyle(el);
    const box = el.getBoundingClientRect();
    const areas: readonly (readonly [Area | null, isOutline: boolean])[] = [
      [style.pointerEvents === 'none' && meets(box, view) && isBox(el) && paintsAll(el) ? box : null, false],
      [shadowArea(style.boxShadow, box), false],
      [outlineArea(style, box), true],
    ];
    const isFull = fillsBox(style, box);
    for (const [area, isOutline] of areas)
      if (area !== null && meets(area, view))
        found.push({
          area,
          isOver: (text) =>
            el.contains(text) ? isOutline && isFull : staysOver(el, text) && isInFront(el, text, isOutline),
        });
  }
  return found;
}

/** Whether an element is as large as its bounding box. */
const isBox = (el: Element): boolean => !isSvg(el) || el.localName === 'rect' || el.localName === 'svg';

/** A narrower outline covers no text. */
const MIN_OUTLINE_PX = 8;

/** Where an opaque outline is, with its box. */
function outlineArea(style: CSSStyleDeclaration, box: Area): Area | null {
  const width = style.outlineStyle === 'none' ? 0 : Number.parseFloat(style.outlineWidth);
  if (width < MIN_OUTLINE_PX || (parseColour(style.outlineColor)?.a ?? 0) < 0.95) return null;
  return grow(box, width + Number.parseFloat(style.outlineOffset));
}

/** Whether an outline reaches so far into its box that none of its inside is left. */
const fillsBox = ({ outlineOffset }: CSSStyleDeclaration, { left, top, right, bottom }: Area): boolean =>
  Math.min(right - left, bottom - top) + 2 * Number.parseFloat(outlineOffset) <= 0;

const grow = ({ left, top, right, bottom }: Area, by: number, x = 0, y = 0): Area => ({
  left: left + x - by,
  top: top + y - by,
  right: right + x + by,
  bottom: bottom + y + by,
});

/** Where an opaque shadow is, if it lies outside of its box. */
function shadowArea(shadow: string, box: Area): Area | null {
  const found = /^(.+\)) (-?[\d.]+)px (-?[\d.]+)px [\d.]+px (-?[\d.]+)px$/.exec(shadow);
  if (found === null || (parseColour(found[1] ?? '')?.a ?? 0) < 0.95) return null;
  const [x = 0, y = 0, spread = 0] = found.slice(2).map(Number);
  return grow(box, spread, x, y);
}

/** The boxes that style generates in an element and those around it. */
export function generatedAround(el: Element, paintsBox: (host: Element) => boolean): Overlay[] {
  return lineageOf(el)
    .filter(paintsBox)
    .flatMap((host) =>
      (['::before', '::after'] as const).flatMap((pseudo) => {
        const style = getComputedStyle(host, pseudo);
        if (!isGeneratedBox(style) || !isFilled(style) || style.position === 'fixed') return [];
        const area = generatedArea(host, style);
        if (isLarge(area, host)) return [];
        const layer = { z: zOf(style), isLater: pseudo === '::after' };
        return [{ area, isOver: (text: Element) => isLayerInFront(layer, text, host) }];
      }),
    );
}

const zOf = ({ zIndex }: CSSStyleDeclaration): number => Number.parseInt(zIndex, 10) || 0;

const isStacked = (style: CSSStyleDeclaration): boolean =>
  style.position !== 'static' ||
  style.zIndex !== 'auto' ||
  style.opacity !== '1' ||
  style.mixBlendMode !== 'normal' ||
  style.isolation !== 'auto' ||
  [style.transform, style.filter, style.maskImage, style.clipPath].some((value) => value !== 'none');

/** The style of the outermost element below an ancestor that is painted in a layer. */
function layerBelow(el: Element, top: Element | null): CSSStyleDeclaration | null {
  let found: CSSStyleDeclaration | null = null;
  for (let at: Element | null = el; at !== null && at !== top; at = flatParent(at)) {
    const style = getComputedStyle(at);
    if (isStacked(style)) found = style;
  }
  return found;
}

/** By the painting order of CSS 2, appendix E. */
function isLayerInFront(
  { z, isLater }: { z: number; isLater: boolean },
  text: Element,
  common: Element | null,
): boolean {
  const own = layerBelow(text, common);
  if (own === null) return z >= 0;
  return z > zOf(own) || (z === zOf(own) && isLater);
}

/** @param isOutline it is painted after the texts of its layer */
function isInFront(cover: Element, text: Element, isOutline: boolean): boolean {
  const common = commonAncestor(cover, text);
  const layer = layerBelow(cover, common);
  if (layer === null) return isOutline && isLayerInFront({ z: 0, isLater: false }, text, common);
  return isLayerInFront(
    { z: zOf(layer), isLater: (text.compareDocumentPosition(cover) & 4) !== 0 },
    text,
    common,
  );
}

const isLarge = ({ left, top, right, bottom }: Area, { ownerDocument }: Element): boolean => {
  const { clientWidth, clientHeight } = ownerDocument.documentElement;
  return (right - left) * (bottom - top) > MAX_OF_VIEW * clientWidth * clientHeight;
};

const hiddenBy = (cover: Element, text: Element): number => {
  const share = coverageOf(cover);
  return share > 0 && staysOver(cover, text) ? share : 0;
};

/** Whether a cover stays where it is, relative to the text. */
function staysOver(cover: Element, text: Element): boolean {
  if (isLarge(cover.getBoundingClientRect(), cover)) return false;
  const common = commonAncestor(cover, text);
  return !scrollsApart(text, common) && !isPassing(cover, common);
}

const paintsAll = (el: Element): boolean => coverageOf(el) > 1 - MIN_ALPHA;

/** Shapes that hit tests find only where they are filled. */
const SHAPES = new Set(['rect', 'circle', 'ellipse', 'path', 'polygon']);

/** How much of what is under an element its paint hides: 0 for nothing, 1 for all. */
function coverageOf(el: Element): number {
  const style = getComputedStyle(el);
  if (levelsBackdrop(style)) return 1;
  if (isFaded(el)) return 0;
  if (isSvg(el) && SHAPES.has(el.localName))
    return (parseColour(style.fill)?.a ?? 0) * Number(style.fillOpacity);
  const inner = isFrameElement(el) ? innerDocument(el) : null;
  const parts = [el, inner?.documentElement, inner?.body].filter((part) => part != null);
  return Math.max(...parts.map((part) => opacityOf(part, getComputedStyle(part))));
}

const isFilled = (style: CSSStyleDeclaration): boolean =>
  levelsBackdrop(style) ||
  (backgroundColours(style)?.every(({ a }) => a * Number(style.opacity) > 0.95) ?? false);

/** By its own style, or an ancestor's. */
function isFaded(el: Element): boolean {
  return lineageOf(el).some((at) => {
    const style = getComputedStyle(at);
    const { opacity, filter, mixBlendMode, maskImage } = style;
    if (Number(opacity) < 0.95 || filter !== 'none' || maskImage !== 'none') return true;
    return mixBlendMode !== 'normal' && !levels(style);
  });
}

/** Whether a blend mode gives dark and light the same colour. */
function levels(style: CSSStyleDeclaration): boolean {
  const [own = CLEAR] = backgroundColours(style) ?? [];
  const [dark, light] = [BLACK, WHITE].map((under) => blended(own, under, style.mixBlendMode));
  return dark !== undefined && light !== undefined && isVisuallySame(dark, light);
}

/** Whether an element stays in place while the page scrolls. A transform around a fixed one takes it along. */
function isPinned(el: Element): boolean {
  const { position } = getComputedStyle(el);
  return position === 'sticky' || (position === 'fixed' && !(isHtml(el) && el.offsetParent !== null));
}

/** Stays in place while the page scrolls, or opens and closes. */
function isPassing(el: Element, common: Element | null): boolean {
  let top: Element | null = null;
  for (let at: Element | null = el; at !== null && at !== common; at = flatParent(at)) {
    if (isPinned(at)) return true;
    top = at;
  }
  return (
    top !== null && (el.closest(PASSING) !== null || top.querySelector(`${PASSING},${ACTIONS}`) !== null)
  );
}

function scrollsApart(text: Element, common: Element | null): boolean {
  for (let at: Element | null = text; at !== null && at !== common; at = flatParent(at)) {
    const style = getComputedStyle(at);
    if (isPinned(at)) return true;
    if (!/auto|scroll/.test(style.overflow)) continue;
    if (at.scrollHeight > at.clientHeight + 1 || at.scrollWidth > at.clientWidth + 1) return true;
  }
  return false;
}
