import { isImage, isSvg } from '../dom.ts';
import {
  BLACK,
  CLEAR,
  WHITE,
  blend,
  isVisuallySame,
  parseColour,
  type Colour,
  blendedBy,
  differInLight,
  filtered,
  backgroundColours,
  coloursOfPicture,
  layersOf,
} from './paint.ts';
import { overlaps } from './geometry.ts';
import type { Level } from './level.ts';

/** Elements looked at, at most, when something may be painted between text and its background. */
const MAX_UNDERLAY = 400;

const PAINTED = new Set(['img', 'video', 'canvas', 'svg', 'iframe', 'object', 'embed']);

/** Colours behind one text that are compared, at most. */
const MAX_GROUNDS = 24;

/** The colours behind the text of the deepest level, or null where they are not known. */
function groundsAt(levels: readonly Level[], depth: number): readonly Colour[] | null {
  const level = levels[depth];
  if (level === undefined) return [WHITE];
  if (level.background !== undefined) return level.background;
  level.background = findGrounds(level, levels, depth);
  return level.background;
}

function findGrounds(level: Level, levels: readonly Level[], depth: number): readonly Colour[] | null {
  if (level.el === null || level.closesFrame) return [canvasColour(level.view.document)];
  const own = ownColours(level);
  if (own === null || own.every(({ a }) => a === 1)) return own;
  const under = groundsAt(levels, depth - 1);
  if (under === null || own.length * under.length > MAX_GROUNDS) return null;
  return own.flatMap((over) => under.map((colour) => blend(over, colour)));
}

/** What the element of a level paints behind its content; null where that is not known. */
function ownColours(level: Level): readonly Colour[] | null {
  if (level.el === null) return [CLEAR];
  const style = (level.style ??= getComputedStyle(level.el));
  return style.backgroundClip.includes('text') ? [CLEAR] : backgroundColours(style);
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
 * Whether nothing that paints the text of the deepest level differs from what is behind it: fill, stroke,
 * shadows, and a background that shows through the letters. A candidate is looked at more closely:
 * pictures and boxes that are painted under it without being its ancestors count.
 */
export function isCamouflaged(levels: readonly Level[], depth: number): boolean {
  const level = levels[depth];
  if (level?.el == null) return false;
  const inks = inksOf(level.el, (level.style ??= getComputedStyle(level.el)));
  if (inks === null) return false;
  if (inks.every(({ a }) => a * level.opacity < MIN_ALPHA)) return true;
  if (level.hasEffects) return isLostInEffects(levels, depth, inks);
  const grounds = groundsAt(levels, depth);
  if (grounds === null) return false;
  const isLost = grounds.every((ground) => inks.every((ink) => isVisuallySame(ink, ground)));
  const [ground] = grounds;
  return isLost && ground !== undefined && !hasUnderlay(levels, depth, ground, inks);
}

/** Below this, paint is not seen. */
const MIN_ALPHA = 0.1;

/** The colours that text is painted with; null where they are not known. */
function inksOf(el: Element, style: CSSStyleDeclaration): readonly Colour[] | null {
  const isDrawn = isSvg(el);
  const fill = isDrawn ? style.fill : style.webkitTextFillColor;
  const inks: (Colour | null)[] =
    fill === 'none' ? [] : [fade(parseColour(fill), isDrawn ? style.fillOpacity : '1')];
  const stroke = isDrawn ? style.stroke : style.webkitTextStrokeColor;
  const width = isDrawn ? style.strokeWidth : style.webkitTextStrokeWidth;
  if (stroke !== 'none' && Number.parseFloat(width) > 0)
    inks.push(fade(parseColour(stroke), isDrawn ? style.strokeOpacity : '1'));
  if (style.textShadow !== 'none')
    for (const shadow of layersOf(style.textShadow))
      inks.push(parseColour(shadow.replace(/\)[^)]*$/, ')').trim()));
  if (style.backgroundClip.includes('text')) {
    const shown = backgroundColours(style);
    if (shown === null) return null;
    inks.push(...shown);
  }
  const known = inks.filter((ink) => ink !== null);
  return known.length < inks.length ? null : known.filter(({ a }) => a >= MIN_ALPHA);
}

const fade = (colour: Colour | null, opacity: string): Colour | null =>
  colour === null ? null : { ...colour, a: colour.a * Number(opacity) };

/**
 * The same where filters, opacities or blend modes change what is painted: a pixel of the text and one
 * near it are painted from the text outwards, and compared where they come out.
 */
function isLostInEffects(levels: readonly Level[], depth: number, inks: readonly Colour[]): boolean {
  for (const ink of inks) {
    let pixels: readonly Colour[] = [ink, CLEAR];
    for (let at = depth; at > 0; at -= 1) {
      const next = paintOut(levels, at, pixels);
      if (next === null) return false;
      pixels = next;
    }
    const canvas = canvasColour(levels[depth]?.view.document ?? document);
    const [text, near] = pixels.map((pixel) => blend(pixel, canvas));
    if (text === undefined || near === undefined || !isVisuallySame(text, near)) return false;
  }
  const [ground] = groundsAt(levels, depth) ?? [];
  return ground !== undefined && !hasUnderlay(levels, depth, ground, inks);
}

/** Pixels as the element of a level leaves them; null where that is not known. */
function paintOut(levels: readonly Level[], at: number, pixels: readonly Colour[]): readonly Colour[] | null {
  const level = levels[at];
  if (level?.el == null || level.closesFrame) return pixels;
  const [own, ...more] = ownColours(level) ?? [];
  if (own === undefined || more.some((colour) => !isVisuallySame({ ...colour, a: 1 }, { ...own, a: 1 })))
    return null;
  const { filter, opacity, mixBlendMode } = (level.style ??= getComputedStyle(level.el));
  const painted: Colour[] = [];
  for (const pixel of pixels) {
    const changed = filtered(blend(pixel, own), filter);
    if (changed === null) return null;
    const faded = { ...changed, a: changed.a * Number(opacity) };
    const ground = mixBlendMode === 'normal' ? null : backdropOf(levels, at - 1);
    const blended = ground === null ? faded : blendedBy(mixBlendMode, faded, ground);
    if (blended === null) return null;
    painted.push(blended);
  }
  return painted;
}

/** The one colour that elements around paint behind what is blended; the canvas of the page takes no part. */
function backdropOf(levels: readonly Level[], depth: number): Colour | null {
  for (let at = depth; at > 0; at -= 1) {
    const level = levels[at];
    if (level === undefined || level.closesFrame) return null;
    const own = ownColours(level);
    if (own?.every(({ a }) => a === 1) === true) return groundsAt(levels, depth)?.[0] ?? null;
  }
  return null;
}

/** Something between the text and the element whose background it takes paints another colour. */
function hasUnderlay(
  levels: readonly Level[],
  depth: number,
  background: Colour,
  inks: readonly Colour[],
): boolean {
  const text = levels[depth]?.el;
  if (text == null) return false;
  let owner = text;
  for (let i = depth; i > 0; i -= 1) {
    const level = levels[i];
    if (level?.el == null || level.closesFrame) break;
    owner = level.el;
    if (paintsPseudo(owner, background)) return true;
    const own = parseColour((level.style ?? getComputedStyle(owner)).backgroundColor);
    if (own !== null && own.a === 1) break;
  }
  return overlapsPainted(text, owner, background, inks);
}

/** Something else inside `owner` is painted where the text is. */
function overlapsPainted(
  text: Element,
  owner: Element,
  background: Colour,
  inks: readonly Colour[],
): boolean {
  const box = text.getBoundingClientRect();
  const others = owner.getElementsByTagName('*');
  for (let i = 0; i < others.length && i < MAX_UNDERLAY; i += 1) {
    const other = others.item(i);
    if (other === null || other === text || other.contains(text) || text.contains(other)) continue;
    if (!overlaps(box, other.getBoundingClientRect())) continue;
    if (isPicture(other) ? !isLostOnPicture(other, inks) : paints(other, background)) return true;
  }
  return false;
}

/** Inside a drawing it is its shapes that paint, by their fill. */
const isPicture = (el: Element): boolean => PAINTED.has(el.localName);

/** A picture without a pixel that differs from the text. */
function isLostOnPicture(el: Element, inks: readonly Colour[]): boolean {
  if (!isImage(el) || !el.complete || el.naturalWidth === 0) return false;
  const colours = coloursOfPicture(el);
  return (
    colours?.every((ground) => ground.a < MIN_ALPHA || inks.every((ink) => isVisuallySame(ink, ground))) ===
    true
  );
}

function paintsPseudo(el: Element, background: Colour): boolean {
  for (const pseudo of ['::before', '::after']) {
    const style = getComputedStyle(el, pseudo);
    if (style.content !== 'none' && style.content !== 'normal' && paintsBox(style, background)) return true;
  }
  return false;
}

function paints(el: Element, background: Colour): boolean {
  const style = getComputedStyle(el);
  if (!isSvg(el) || el.localName === 'text' || el.localName === 'tspan') return paintsBox(style, background);
  if (style.visibility !== 'visible' || style.fill === 'none') return false;
  const fill = parseColour(style.fill);
  return fill === null || (fill.a > 0.2 && differInLight(fill, background));
}

function paintsBox(style: CSSStyleDeclaration, background: Colour): boolean {
  if (style.visibility !== 'visible' || style.opacity === '0') return false;
  return backgroundColours(style)?.every((own) => own.a <= 0.2 || !differInLight(own, background)) !== true;
}
