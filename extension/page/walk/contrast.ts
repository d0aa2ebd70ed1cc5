import { BLACK, WHITE, blend, isVisuallySame, luminance, parseColour, type Colour } from './colour.ts';
import { overlaps } from './geometry.ts';
import type { Level } from './level.ts';
import { STYLE } from './style-flags.ts';

/** Elements looked at, at most, when something may be painted between text and its background. */
const MAX_UNDERLAY = 400;

const PAINTED = new Set(['img', 'video', 'canvas', 'svg', 'picture', 'iframe', 'object', 'embed']);

/** The colour behind the text of the deepest level, or null where a picture or gradient is behind it. */
function backgroundAt(levels: readonly Level[], depth: number): Colour | null {
  const level = levels[depth];
  if (level === undefined) return WHITE;
  if (level.background !== undefined) return level.background;
  level.background = computeBackground(level, levels, depth);
  return level.background;
}

function computeBackground(level: Level, levels: readonly Level[], depth: number): Colour | null {
  if (level.el === null || level.closesFrame) return canvasColour(level.view.document);
  const style = level.style ?? getComputedStyle(level.el);
  level.style = style;
  const own = parseColour(style.backgroundColor);
  if (own === null || ((level.flags & STYLE.image) !== 0 && style.backgroundImage !== 'none')) return null;
  if (own.a === 1) return own;
  const under = backgroundAt(levels, depth - 1);
  if (own.a === 0 || under === null) return under;
  return blend(own, under);
}

/** Without any background a page is painted on the browser's canvas, dark in a dark colour scheme. */
function canvasColour(document: Document): Colour {
  const scheme = getComputedStyle(document.documentElement).colorScheme;
  const prefersDark = document.defaultView?.matchMedia('(prefers-color-scheme: dark)').matches ?? false;
  return scheme === 'dark' || (scheme.includes('dark') && prefersDark)
    ? { ...BLACK, r: 18, g: 18, b: 18 }
    : WHITE;
}

/**
 * Whether the text of the deepest level has the colour of what is behind it. A candidate is looked
 * at more closely: pictures and boxes that are painted under it without being its ancestors count.
 */
export function isCamouflaged(levels: readonly Level[], depth: number): boolean {
  const level = levels[depth];
  if (level?.el == null) return false;
  const style = level.style ?? getComputedStyle(level.el);
  level.style = style;
  const text = parseColour(style.color);
  if (text === null) return false;
  if (text.a < 0.1) return !isPaintedOtherwise(style);
  const background = backgroundAt(levels, depth);
  if (background === null || !isVisuallySame(text, background)) return false;
  return !isPaintedOtherwise(style) && !hasUnderlay(levels, depth, background);
}

/** Text clipped out of a gradient, outlined or shadowed is seen in any colour. */
function isPaintedOtherwise(style: CSSStyleDeclaration): boolean {
  if (style.webkitTextFillColor !== style.color) {
    const fill = parseColour(style.webkitTextFillColor);
    if (fill !== null && fill.a > 0.1) return true;
  }
  return (
    style.backgroundClip.includes('text') ||
    style.textShadow !== 'none' ||
    Number.parseFloat(style.webkitTextStrokeWidth) > 0
  );
}

/** Something between the text and the element whose background it takes paints another colour. */
function hasUnderlay(levels: readonly Level[], depth: number, background: Colour): boolean {
  const text = levels[depth]?.el;
  if (text == null) return false;
  let owner = text;
  for (let i = depth; i > 0; i -= 1) {
    const level = levels[i];
    if (level?.el == null) break;
    owner = level.el;
    if (paintsPseudo(owner, background)) return true;
    const own = parseColour((level.style ?? getComputedStyle(owner)).backgroundColor);
    if (own !== null && own.a === 1) break;
  }
  return overlapsPainted(text, owner, background);
}

/** Something else inside `owner` is painted where the text is. */
function overlapsPainted(text: Element, owner: Element, background: Colour): boolean {
  const box = text.getBoundingClientRect();
  const others = owner.getElementsByTagName('*');
  for (let i = 0; i < others.length && i < MAX_UNDERLAY; i += 1) {
    const other = others.item(i);
    if (other === null || other === text || other.contains(text) || text.contains(other)) continue;
    if (!overlaps(box, other.getBoundingClientRect())) continue;
    if (PAINTED.has(other.localName) || paints(getComputedStyle(other), background)) return true;
  }
  return false;
}

function paintsPseudo(el: Element, background: Colour): boolean {
  for (const pseudo of ['::before', '::after']) {
    const style = getComputedStyle(el, pseudo);
    if (style.content !== 'none' && style.content !== 'normal' && paints(style, background)) return true;
  }
  return false;
}

function paints(style: CSSStyleDeclaration, background: Colour): boolean {
  if (style.visibility !== 'visible' || style.opacity === '0') return false;
  if (style.backgroundImage !== 'none') return true;
  const own = parseColour(style.backgroundColor);
  return own === null || (own.a > 0.2 && Math.abs(luminance(own) - luminance(background)) > 0.02);
}
