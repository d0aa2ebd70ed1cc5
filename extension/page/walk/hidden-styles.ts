import { intersect } from '../box-area.ts';
import { isSvg } from '../dom.ts';
import { EMPTY_CLIP_PATH, MIN_FONT_PX, MIN_OPACITY, clipArea, isEmptyClip } from './clip.ts';
import { blurOf, filterOpacity } from './effects.ts';
import { isUnreadable } from './geometry.ts';
import type { Level } from './level.ts';
import { isMaskedAway } from './paint.ts';
import { clipPathArea } from './shape.ts';
import { STYLE } from './style-flags.ts';

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
