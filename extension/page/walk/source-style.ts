import { isDetails, isHtml, isInput } from '../dom.ts';
import { EMPTY_CLIP_PATH, FAR_PX, MIN_FONT_PX, MIN_OPACITY, NO_OPACITY, isEmptyClip } from './clip.ts';
import { parseDeclarations, pixels, type Declarations } from './declarations.ts';

/** What a level's own text inherits. */
export const UNSEEN = { invisible: 1, small: 2, transparent: 4, indented: 8 } as const;
/** Without a box in the browser's own style. */
export const UNSHOWN = new Set(['area', 'rp']);
export const NOTHING: Declarations = new Map();

/** Whether the source of a document hides an element, its ancestors not counted. */
export function isHiddenBySource(el: Element): boolean {
  const style = declarationsOf(el);
  return isHiddenBy(el, el.localName, style) || (textFlags(0, style) & UNSEEN.invisible) !== 0;
}

/** Hidden neither itself nor by an ancestor. */
export function isShownBySource(el: Element): boolean {
  for (let up: Element | null = el; up !== null; up = up.parentElement)
    if (isHiddenBySource(up) || (isDetails(up) && !up.open && up !== el)) return false;
  return true;
}

export function declarationsOf(el: Element): Declarations {
  const css = el.getAttribute('style');
  return css === null ? NOTHING : parseDeclarations(css);
}

export function isHiddenBy(el: Element, tag: string, style: Declarations): boolean {
  if (isHtml(el)) {
    if (el.hasAttribute('hidden') || el.hasAttribute('popover') || UNSHOWN.has(tag)) return true;
    if (tag === 'dialog' && !el.hasAttribute('open')) return true;
    if (tag === 'audio' && !el.hasAttribute('controls')) return true;
    if (isInput(el) && el.type === 'hidden') return true;
  }
  return style !== NOTHING && isBoxHidden(style);
}

function isBoxHidden(style: Declarations): boolean {
  const get = (name: string): string => style.get(name) ?? '';
  if (get('display') === 'none' || get('content-visibility') === 'hidden') return true;
  const opacity = get('opacity');
  if (opacity !== '' && share(opacity) < MIN_OPACITY) return true;
  if (NO_OPACITY.test(get('filter'))) return true;
  if (/scale(?:x|y|3d)?\(\s*0(?:\.0+)?\s*[,)]/.test(get('transform'))) return true;
  return isClippedBy(style);
}

/** Out of sight in one of the ways that leave text to screen readers. */
export function isClippedBy(style: Declarations): boolean {
  const get = (name: string): string => style.get(name) ?? '';
  if (EMPTY_CLIP_PATH.test(get('clip-path'))) return true;
  if (/absolute|fixed/.test(get('position')) && (isEmptyClip(plainClip(get('clip'))) || isFar(style)))
    return true;
  return /hidden|clip/.test(get('overflow')) && hasNoRoom(style);
}

/** A number or percentage between 0 and 1. */
const share = (value: string): number => Number.parseFloat(value) / (value.endsWith('%') ? 100 : 1);

/** `rect(0 0 0 0)` as browsers write it: every length with its unit. */
const plainClip = (clip: string): string => clip.replace(/(?<![\d.])0(?![\d.p])/g, '0px') || 'auto';

function isFar(style: Declarations): boolean {
  return ['left', 'top', 'margin-left', 'margin-top'].some(
    (side) => (pixels(style.get(side)) ?? 0) <= FAR_PX,
  );
}

function hasNoRoom(style: Declarations): boolean {
  return ['width', 'height', 'max-width', 'max-height'].some((side) => (pixels(style.get(side)) ?? 2) <= 1);
}

/** What becomes of a level's text by inline style; the rest is inherited. */
export function textFlags(inherited: number, style: Declarations): number {
  let flags = inherited;
  const set = (bit: number, isOn: boolean | null): void => {
    if (isOn !== null) flags = isOn ? flags | bit : flags & ~bit;
  };
  const visibility = style.get('visibility');
  set(UNSEEN.invisible, visibility === undefined ? null : visibility !== 'visible');
  const size = pixels(style.get('font-size'));
  set(UNSEEN.small, size === null ? null : size < MIN_FONT_PX);
  const colour = style.get('color');
  const ground = style.get('background-color') ?? style.get('background');
  set(UNSEEN.transparent, colour === undefined ? null : colour === 'transparent' || colour === ground);
  const indent = pixels(style.get('text-indent'));
  set(UNSEEN.indented, indent === null ? null : indent <= FAR_PX);
  return flags;
}
