import { type Area, hull, intersect } from './box-area.ts';
import { TAG, isHtml, isSvg, lookUp } from './elements.ts';
import { NOWHERE, boxOf, type Level } from './level.ts';
import { isBlurred, isFilterEmpty, lengthOf, maskArea, thinnessOf, transformOf } from './effects.ts';
import { MIN_ALPHA, filterOpacity } from './paint.ts';
import { isTooSmall } from './geometry.ts';
import { isRevealedByScrolling } from './settled.ts';
import { STYLE } from './style-flags.ts';

/** Smaller text is unreadable. */
export const MIN_FONT_PX = 3;

/** Clipped to nothing: `inset(50%)` and beyond, circles and polygons without area. */
export const EMPTY_CLIP_PATH =
  /^inset\((?:(?:[5-9]\d|\d{3,})(?:\.\d+)?%\s*)+|^circle\(0(?:px|%)?[\s)]|^polygon\(0(?:px|%)? 0(?:px|%)?(?:, 0(?:px|%)? 0(?:px|%)?)+\)/;
export const NO_OPACITY = /opacity\(0(?:\.0\d*)?%?\)/;
/** `clip` of an element out of the flow. */
const EMPTY_CLIP = /^rect\(([\d.]+)px,? ([\d.]+)px,? ([\d.]+)px,? ([\d.]+)px\)$/;

/** The part of a box that a computed `clip` leaves; null for all. */
function clipArea(clip: string, { left, top }: Area): Area | null {
  const found = EMPTY_CLIP.exec(clip);
  if (found === null) return null;
  const [above = 0, right = 0, bottom = 0, before = 0] = found.slice(1).map(Number);
  return { left: left + before, top: top + above, right: left + right, bottom: top + bottom };
}

/** Whether a computed `clip` leaves at most one pixel. */
export function isEmptyClip(clip: string): boolean {
  const left = clipArea(clip, NOWHERE);
  return left !== null && isTooSmall(left);
}

/** About a thousand points. A longer shape would take too long, or more arguments than a call may have. */
const MAX_SHAPE_UNITS = 20_000;

const splitCss = (css: string): string[] => css.match(/calc\([^)]*\)|[^\s,]+/g) ?? [];

function around(points: readonly (readonly [number, number])[]): Area {
  const xs = points.map(([x]) => x);
  const ys = points.map(([, y]) => y);
  return { left: Math.min(...xs), top: Math.min(...ys), right: Math.max(...xs), bottom: Math.max(...ys) };
}

/** The bounding box of a basic shape, in pixels from its box's corner; null if unknown. */
type Shape = (css: string, width: number, height: number) => Area | null;

function inset(css: string, width: number, height: number): Area {
  const [top = '0', right = top, bottom = top, left = right] = splitCss(css.split('round')[0] ?? '');
  return {
    left: lengthOf(left, width),
    top: lengthOf(top, height),
    right: width - lengthOf(right, width),
    bottom: height - lengthOf(bottom, height),
  };
}

/** A circle has one radius, based on the mean of both sides. */
function oval(css: string, width: number, height: number, isCircle: boolean): Area | null {
  const [radii = '', place = ''] = css.split(/\s*\bat\s+/);
  const [x = '50%', y = '50%'] = splitCss(place);
  const [first = 'closest-side', second = isCircle ? first : 'closest-side'] = splitCss(radii);
  if (/side/.test(`${first} ${second}`)) return null;
  const mean = Math.hypot(width, height) / Math.SQRT2;
  const [rx, ry] = [lengthOf(first, isCircle ? mean : width), lengthOf(second, isCircle ? mean : height)];
  const [centreX, centreY] = [lengthOf(x, width), lengthOf(y, height)];
  if (rx <= 0 || ry <= 0) return NOWHERE;
  return { left: centreX - rx, top: centreY - ry, right: centreX + rx, bottom: centreY + ry };
}

function polygon(css: string, width: number, height: number): Area {
  const points = css.replace(/^(?:evenodd|nonzero)\s*,/, '').split(/,(?![^(]*\))/);
  return around(
    points.map((point) => {
      const [x = '0', y = '0'] = splitCss(point.trim());
      return [lengthOf(x, width), lengthOf(y, height)] as const;
    }),
  );
}

function path(css: string): Area | null {
  if (/[a-zHVCSQTA]/.test(css.replace(/^\w+,\s*/, '').replace(/z\s*"$/, '"'))) return null;
  const numbers = (css.match(/-?[\d.]+/g) ?? []).map(Number);
  return around(numbers.flatMap((x, at) => (at % 2 === 0 ? [[x, numbers[at + 1] ?? 0] as const] : [])));
}

const SHAPES: Readonly<Record<string, Shape>> = {
  inset,
  circle: (css, width, height) => oval(css, width, height, true),
  ellipse: (css, width, height) => oval(css, width, height, false),
  polygon,
  path,
};

/** The part of a box that a computed `clip-path` leaves, in coordinates of the box; null if unknown. */
function clipPathArea(clipPath: string, box: Area, own: Document): Area | null {
  if (clipPath === 'none' || clipPath.length > MAX_SHAPE_UNITS) return null;
  const reference = /^url\("#(.*)"\)$/.exec(clipPath)?.[1];
  if (reference !== undefined) {
    const path = own.getElementById(reference);
    return path?.localName === 'clipPath' && path.childElementCount === 0 ? NOWHERE : null;
  }
  const [, name = '', shape = ''] = /^([\w-]+)\((.*)\)/.exec(clipPath) ?? [];
  const area = lookUp(SHAPES, name)?.(shape, box.right - box.left, box.bottom - box.top) ?? null;
  if (area === null) return null;
  const { left, top, right, bottom } = area;
  return { left: box.left + left, top: box.top + top, right: box.left + right, bottom: box.top + bottom };
}

/** The effective computed `clip` and `clip-path` of an element. */
interface Shapes {
  readonly clip: string;
  readonly clipPath: string;
}

export const shapeOf = (style: CSSStyleDeclaration, own: number, isOutOfFlow: boolean): Shapes => ({
  clip: isOutOfFlow ? style.clip : 'auto',
  clipPath: (own & STYLE.clip) === 0 ? 'none' : style.clipPath,
});

export const isEmptyShape = ({ clip, clipPath }: Shapes): boolean =>
  EMPTY_CLIP_PATH.test(clipPath) || isEmptyClip(clip);

/** A box within a line: transforms, containment and the like do not apply to it. */
const isInLine = (el: Element, { display }: CSSStyleDeclaration, { bits }: Level): boolean =>
  display === 'inline' && (bits & TAG.atom) === 0 && !isSvg(el);

/** Whether an element is behind the viewer, or turns a back to them that it does not have. */
function isTurnedAway(level: Level, el: Element, style: CSSStyleDeclaration): boolean {
  if ((level.own & STYLE.warp) === 0 || isInLine(el, style, level)) return false;
  const own = transformOf(style);
  const whole = level.outer?.turn?.multiply(own) ?? own;
  level.thinness *= thinnessOf(own);
  level.turn = style.transformStyle === 'preserve-3d' ? whole : null;
  const distance = Number.parseFloat(level.outer?.style?.perspective ?? '');
  if (whole.m44 <= 0 || whole.m43 >= distance) return true;
  return style.backfaceVisibility === 'hidden' && whole.m33 < 0;
}

const MAX_OF_BOX = 0.5;

/** Whether a shape or mask leaves nothing of an element. What it leaves becomes the clip of all content. */
export function isCutAway(
  level: Level,
  el: Element,
  { clip, clipPath }: Shapes,
  style: CSSStyleDeclaration,
): boolean {
  const box = boxOf(level, el);
  const masked = style.maskImage === 'none' ? null : maskArea(style, box, el.ownerDocument);
  const left = clipArea(clip, box) ?? clipPathArea(clipPath, box, el.ownerDocument);
  // Of an outline that crosses itself only hit tests know what it leaves.
  const isKnown = left !== null && !/^(?:polygon|path)\(/.test(clipPath);
  if (clipPath !== 'none' && (!isKnown || isInLine(el, style, level))) level.isShaped = true;
  const isCut = (area: Area | null, isExact: boolean): boolean =>
    area !== null && (isTooSmall(area) || narrow(level, el, area, isExact));
  return isCut(masked, true) || isCut(left, clipPath.startsWith('inset('));
}

function narrow(level: Level, el: Element, left: Area, isExact: boolean): false {
  const box = boxOf(level, el);
  if (Math.abs(scaleOf(level, el) - 1) >= 0.01) return false;
  // A path that leaves most of a box is decorative: within the box, it hides nothing.
  const isSmall = (left.right - left.left) * (left.bottom - left.top) < box.width * box.height * MAX_OF_BOX;
  const shape = isExact || isSmall ? left : hull(left, box);
  level.clip = intersect(level.clip, shape);
  level.shape = intersect(level.shape, shape);
  return false;
}

/** With more negative letter spacing, relative to their size, letters are unreadable. */
const COLLAPSED = -0.4;
/** A line of transformed text below this is less than a pixel. */
const MIN_WARPED_PX = 1;

/** The scale of an element under its own and its ancestors' transforms. */
function scaleOf(level: Level, el: Element): number {
  const layout = isHtml(el) ? el.offsetWidth * el.offsetHeight : 0;
  const { width, height } = boxOf(level, el);
  return layout === 0 ? 1 : Math.sqrt((width * height) / layout);
}

/** Whether text is too small, by its font or a transform. An SVG scales its text by its own view box. */
export function isIllegible(level: Level, el: Element): boolean {
  if (isSvg(el)) return boxOf(level, el).height < MIN_FONT_PX;
  const { fontSize, fontSizeAdjust, letterSpacing } = (level.style ??= getComputedStyle(el));
  if (/(?:^| )0$/.test(fontSizeAdjust)) return true;
  const fontPx = Number.parseFloat(fontSize);
  if (Number.parseFloat(letterSpacing) < COLLAPSED * fontPx) return true;
  if (level.blur !== '' && isBlurred(level.blur, fontPx)) return true;
  const scale = (level.flags & STYLE.warp) === 0 ? 1 : scaleOf(level, el);
  if (fontPx * Math.min(scale, level.thinness) < MIN_WARPED_PX) return true;
  return fontPx * Math.max(1, scale) < MIN_FONT_PX;
}

/** `-webkit-text-security` shows dots for letters. */
export const isMasking = (style: CSSStyleDeclaration): boolean =>
  !['', 'none'].includes(style.getPropertyValue('-webkit-text-security'));

export const isMasked = (level: Level, el: Element): boolean =>
  isMasking((level.style ??= getComputedStyle(el)));

/** Whether opacity, filters and transforms of an element and its ancestors leave nothing to see. */
export function isMadeInvisible(el: Element, style: CSSStyleDeclaration, level: Level): boolean {
  if (isTurnedAway(level, el, style)) return true;
  if ((level.own & (STYLE.opacity | STYLE.filter)) === 0) return false;
  const { filter } = style;
  const opacity = Number(style.opacity);
  if (opacity === 1 && filter === 'none') return false;
  const shown = opacity < MIN_ALPHA && isRevealedByScrolling(el) ? 1 : opacity;
  level.opacity *= shown * filterOpacity(filter);
  if (filter.includes('blur(')) level.blur += filter;
  return level.opacity < MIN_ALPHA || isFilterEmpty(filter, el.ownerDocument);
}

/** The `content-visibility` of an element. */
export function skippedOf(el: Element, style: CSSStyleDeclaration, level: Level): string {
  const isStyled = (level.own & STYLE.skip) !== 0 || (level.attributed && el.hasAttribute('hidden'));
  return isStyled && !isInLine(el, style, level) ? style.contentVisibility : 'visible';
}
