import { intersect } from '../box-area.ts';
import { isSvg } from '../dom.ts';
import { EMPTY_CLIP_PATH, MIN_FONT_PX, MIN_OPACITY, clipArea, isEmptyClip } from './clip.ts';
import { blurOf, filterOpacity } from './effects.ts';
import { isUnreadable } from './geometry.ts';
import type { Level } from './level.ts';
import { isMaskedAway } from './paint.ts';
import { clipPathArea } from './shape.ts';
import { STYLE } from './style-flags.ts';
import { isShrunkAway, isTurnedAway, perspectiveWithin, shrinkOf, warpOf, warpWithin } from './warp.ts';

/* What the style of one element, and of those around it, leaves of it. */

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
