import type { Area } from '../box-area.ts';

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
export function clipArea(clip: string, { left, top }: Area): Area | null {
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
