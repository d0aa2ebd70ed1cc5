import { type Area, intersect } from '../box-area.ts';
import { lookUp, isSvg } from '../dom.ts';
import { NOWHERE, type Level } from './level.ts';
import { blurOf, filterOpacity, isMaskedAway } from './paint.ts';
import { isUnreadable } from './geometry.ts';
import { STYLE } from './style-flags.ts';

/** Below this, text is a smudge. */
export const MIN_FONT_PX = 3;
export const MIN_OPACITY = 0.05;

/** Clipped to nothing: `inset(50%)` and beyond, circles and polygons without area. */
export const EMPTY_CLIP_PATH =
  /^inset\((?:(?:[5-9]\d|\d{3,})(?:\.\d+)?%\s*)+|^circle\(0(?:px|%)?[\s)]|^polygon\(0(?:px|%)? 0(?:px|%)?(?:, 0(?:px|%)? 0(?:px|%)?)+\)/;
export const NO_OPACITY = /opacity\(0(?:\.0\d*)?%?\)/;
/** `clip` of an element out of the flow. */
const EMPTY_CLIP = /^rect\(([\d.]+)px,? ([\d.]+)px,? ([\d.]+)px,? ([\d.]+)px\)$/;

/** Moved this far, content is out of every window. */
export const FAR_PX = -500;

/** What a computed `clip` leaves of a box; null for all. */
function clipArea(clip: string, { left, top }: Area): Area | null {
  const found = EMPTY_CLIP.exec(clip);
  if (found === null) return null;
  const [above = 0, right = 0, bottom = 0, before = 0] = found.slice(1).map(Number);
  return { left: left + before, top: top + above, right: left + right, bottom: top + bottom };
}

/** Whether a computed `clip` leaves one pixel at most. */
export function isEmptyClip(clip: string): boolean {
  if (clip === 'auto') return false;
  const found = EMPTY_CLIP.exec(clip);
  if (found === null) return false;
  const [top = 0, right = 0, bottom = 0, left = 0] = found.slice(1).map(Number);
  return right - left <= 1 || bottom - top <= 1;
}

/** A thousand points or so. What is said of a longer one would take too long, or more arguments than a call has. */
const MAX_SHAPE_UNITS = 20_000;

/** A computed length in pixels; `whole` is what a percentage is of. */
function lengthOf(css: string, whole: number): number {
  let sum = 0;
  for (const [, sign = '', number = '', unit = ''] of css.matchAll(/([+-]?)\s*([\d.]+(?:e-?\d+)?)(px|%)?/g))
    sum += (sign === '-' ? -1 : 1) * Number(number) * (unit === '%' ? whole / 100 : 1);
  return sum;
}

const partsOf = (css: string): string[] => css.match(/calc\([^)]*\)|[^\s,]+/g) ?? [];

function around(points: readonly (readonly [number, number])[]): Area {
  const xs = points.map(([x]) => x);
  const ys = points.map(([, y]) => y);
  return { left: Math.min(...xs), top: Math.min(...ys), right: Math.max(...xs), bottom: Math.max(...ys) };
}

/** The area around a basic shape, in pixels from the corner of its box; null where it is not known. */
type Shape = (css: string, width: number, height: number) => Area | null;

function inset(css: string, width: number, height: number): Area {
  const [top = '0', right = top, bottom = top, left = right] = partsOf(css.split('round')[0] ?? '');
  return {
    left: lengthOf(left, width),
    top: lengthOf(top, height),
    right: width - lengthOf(right, width),
    bottom: height - lengthOf(bottom, height),
  };
}

/** A circle has one radius, of the mean of both sides. */
function oval(css: string, width: number, height: number, isCircle: boolean): Area | null {
  const [radii = '', place = ''] = css.split(/\s*\bat\s+/);
  const [x = '50%', y = '50%'] = partsOf(place);
  const [first = 'closest-side', second = isCircle ? first : 'closest-side'] = partsOf(radii);
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
      const [x = '0', y = '0'] = partsOf(point.trim());
      return [lengthOf(x, width), lengthOf(y, height)] as const;
    }),
  );
}

/** Of straight lines between given points alone. */
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

/** What a computed `clip-path` leaves of a box, in the coordinates of the box; null where that is not known. */
export function clipPathArea(clipPath: string, box: Area, own: Document): Area | null {
  if (clipPath === 'none' || clipPath.length > MAX_SHAPE_UNITS) return null;
  const reference = /^url\("#(.*)"\)$/.exec(clipPath)?.[1];
  if (reference !== undefined) {
    const path = own.getElementById(reference);
    return path?.localName === 'clipPath' && path.childElementCount === 0 ? NOWHERE : null;
  }
  const [, name = '', shape = ''] = /^([\w-]+)\((.*)\)/.exec(clipPath) ?? [];
  const area = lookUp(SHAPES, name)?.(shape, box.right - box.left, box.bottom - box.top) ?? null;
  return area === null
    ? null
    : {
        left: box.left + area.left,
        top: box.top + area.top,
        right: box.left + area.right,
        bottom: box.top + area.bottom,
      };
}

/* What the style of one element, and of those around it, leaves of it. */

/** Below this, a line of transformed text is less than a pixel. */
const MIN_WARPED_PX = 1;

/** The matrix of an element by itself; null where it is not transformed. */
function ownMatrix(style: CSSStyleDeclaration): DOMMatrix | null {
  const { transform, rotate, scale } = style;
  if (transform === 'none' && rotate === 'none' && scale === 'none') return null;
  const parts: string[] = [];
  if (rotate !== 'none') parts.push(rotationOf(rotate));
  if (scale !== 'none') {
    const [x = '1', y = x, z = '1'] = scale.split(' ');
    parts.push(`scale3d(${x},${y},${z})`);
  }
  if (transform !== 'none') parts.push(transform);
  return new DOMMatrix(parts.join(' '));
}

const AXES: Readonly<Record<string, string>> = { x: '1,0,0', y: '0,1,0', z: '0,0,1' };

function rotationOf(rotate: string): string {
  const parts = rotate.split(' ');
  const angle = parts.pop() ?? '0deg';
  const axis = parts.length === 3 ? parts.join() : (AXES[parts[0] ?? 'z'] ?? AXES['z']);
  return `rotate3d(${axis},${angle})`;
}

/** How an element is transformed, with all around it; null where it is not, and nothing in it is seen in perspective. */
function warpOf(style: CSSStyleDeclaration, around: DOMMatrix | null): DOMMatrix | null {
  const own = ownMatrix(style);
  return own === null ? around : around === null ? own : around.multiply(own);
}

/** What an element's transform is for its children, who are drawn on its plane or in its space. */
function warpWithin(style: CSSStyleDeclaration, warp: DOMMatrix): DOMMatrix {
  if (style.transformStyle === 'preserve-3d') return warp;
  const { m11, m12, m21, m22, m41, m42, m44 } = warp;
  // Distant elements are smaller.
  return new DOMMatrix([m11, m12, m21, m22, m41, m42].map((part) => part / m44));
}

/** How the `perspective` of an element scales its children. */
function perspectiveWithin({ perspective }: CSSStyleDeclaration): DOMMatrix | null {
  return perspective === 'none' ? null : new DOMMatrix(`perspective(${perspective})`);
}

const areaOf = ({ m11, m12, m21, m22 }: DOMMatrix): number => m11 * m22 - m12 * m21;

/** Whether an element is seen from behind, and shows nothing of its back, or is behind the eye. */
function isTurnedAway(style: CSSStyleDeclaration, warp: DOMMatrix): boolean {
  if (warp.m44 <= 0) return true;
  if (style.backfaceVisibility !== 'hidden') return false;
  const { m11, m12, m13, m21, m22, m23, m31, m32, m33 } = warp;
  const volume =
    m11 * (m22 * m33 - m23 * m32) - m12 * (m21 * m33 - m23 * m31) + m13 * (m21 * m32 - m22 * m31);
  return areaOf(warp) * volume < 0;
}

/** How much smaller a transform makes what it makes smallest: 1 for not at all. */
function shrinkOf(warp: DOMMatrix): number {
  const squares = warp.m11 ** 2 + warp.m12 ** 2 + warp.m21 ** 2 + warp.m22 ** 2;
  const area = areaOf(warp);
  // The smaller singular value, in a form that keeps its digits when the other one is large.
  const larger = (squares + Math.sqrt(Math.max(0, squares ** 2 - 4 * area ** 2))) / 2;
  return larger === 0 ? 0 : Math.abs(area) / Math.sqrt(larger) / warp.m44;
}

/** Whether a transform shrinks text of a size to less than can be seen. */
const isShrunkAway = (fontPx: number, warp: DOMMatrix): boolean => fontPx * shrinkOf(warp) < MIN_WARPED_PX;

export const isOutOfFlow = ({ position }: CSSStyleDeclaration): boolean =>
  position === 'absolute' || position === 'fixed';

/** By a clip path that leaves nothing, or the older property, which clips only what is out of the flow. */
export function isClippedAway(style: CSSStyleDeclaration, flags: number): boolean {
  if ((flags & STYLE.clip) !== 0 && EMPTY_CLIP_PATH.test(style.clipPath)) return true;
  return (flags & STYLE.position) !== 0 && isOutOfFlow(style) && isEmptyClip(style.clip);
}

const MOST_OF_BOX = 0.5;

/** By a mask, or by a clip path that leaves nothing; a path that leaves a part bounds what is inside. */
export function isCutAway(el: Element, style: CSSStyleDeclaration, level: Level): boolean {
  if (level.isAdmitted) return false;
  if (isMaskedAway(style)) return true;
  const box = el.getBoundingClientRect();
  const left =
    (isOutOfFlow(style) ? clipArea(style.clip, box) : null) ??
    clipPathArea(style.clipPath, box, el.ownerDocument);
  if (left === null) return false;
  const [width, height] = [left.right - left.left, left.bottom - left.top];
  if (isUnreadable({ width, height })) return true;
  // A path that leaves most of a box is an ornament.
  if (level.warp === null && width * height < box.width * box.height * MOST_OF_BOX)
    level.clip = intersect(level.clip, left);
  return false;
}

/** Turned to its back or its edge, or behind the eye. */
export function isWarpedAway(style: CSSStyleDeclaration, level: Level): boolean {
  const warp = warpOf(style, level.warp);
  const within = warp === null ? null : warpWithin(style, warp);
  const eye = perspectiveWithin(style);
  level.warp = eye === null ? within : (within ?? new DOMMatrix()).multiply(eye);
  return warp !== null && isTurnedAway(style, warp);
}

/** Letters that overlap by so much of their size, or are blurred by so much, cannot be told apart. */
const MOST_OVERLAP = 0.3;
const MOST_BLUR = 0.5;

/**
 * By a font that is too small, by a transform, by letters on top of each other or by a blur; letters of a drawing are as large as its own
 * view makes them.
 */
export function isIllegible(level: Level, el: Element): boolean {
  const { fontSize, letterSpacing } = (level.style ??= getComputedStyle(el));
  if (isSvg(el)) return el.getBoundingClientRect().height < MIN_FONT_PX;
  const fontPx = Number.parseFloat(fontSize);
  if (level.blurPx > fontPx * MOST_BLUR || Number.parseFloat(letterSpacing) < -fontPx * MOST_OVERLAP)
    return true;
  if (level.warp === null) return fontPx < MIN_FONT_PX;
  return isShrunkAway(fontPx, level.warp) || fontPx * Math.max(1, shrinkOf(level.warp)) < MIN_FONT_PX;
}

/** Dots are painted for its letters. */
export function isMasked(level: Level, el: Element): boolean {
  const security = (level.style ??= getComputedStyle(el)).getPropertyValue('-webkit-text-security');
  return security !== '' && security !== 'none';
}

/** By opacities and filters that leave nothing, its own and those around it. */
export function isMadeInvisible(style: CSSStyleDeclaration, level: Level): boolean {
  if ((level.flags & (STYLE.opacity | STYLE.filter)) === 0) return false;
  const { opacity, filter, mixBlendMode } = style;
  if (opacity === '1' && filter === 'none' && mixBlendMode === 'normal') return false;
  level.hasEffects = true;
  level.opacity *= Number(opacity) * filterOpacity(filter);
  level.blurPx += blurOf(filter);
  return level.opacity < MIN_OPACITY;
}
