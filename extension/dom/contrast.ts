import type { Area } from './box-area.ts';
import { isElement, isMatch, isSvg, treeOf } from './elements.ts';
import { flatChildren, lineageOf } from './trees.ts';
import {
  BLACK,
  CLEAR,
  MIN_ALPHA,
  WHITE,
  blend,
  isVisuallySame,
  parseColour,
  type Colour,
  differInLight,
  backgroundColours,
  layersOf,
} from './paint.ts';
import { blended, filtered, isRecolouring, lengthOf } from './effects.ts';
import { STYLE } from './style-flags.ts';
import { isGeneratedUnseen } from './generated-text.ts';
import { isPageItself, isUnreadable, overlaps, textBox } from './geometry.ts';
import { Level, NOWHERE, boxOf } from './level.ts';

/** Maximum elements searched for paint between a text and its background. */
const MAX_UNDERLAY = 400;
/** Most of them around one ancestor of the text. */
const MAX_AROUND = 40;

const PAINTED = new Set(['img', 'video', 'canvas', 'svg', 'iframe', 'object', 'embed']);

const MAX_GROUNDS = 24;

/** The colours behind the text of a level, or null if unknown. */
function groundsAt(level: Level): readonly Colour[] | null {
  if (level.background === undefined) level.background = findGrounds(level, null);
  return level.background;
}

/** @param area where the text is, to leave out the paint of ancestors whose boxes are elsewhere */
function findGrounds(level: Level, area: Area | null): readonly Colour[] | null {
  const { el, view, outer } = level;
  if (
    el === null ||
    outer === null ||
    (level.closesFrame && isDark(view.document) !== isDark(el.ownerDocument))
  )
    return [isDark(view.document) ? DARK : WHITE];
  // The areas of a frame's content are in its own coordinates.
  const around = level.closesFrame ? null : area;
  const paint = ownColours(level);
  const own = paint !== NO_PAINT && isElsewhere(level, el, around) ? NO_PAINT : paint;
  if (own === null || own.every(({ a }) => a === 1)) return own;
  const under = around === null ? groundsAt(outer) : findGrounds(outer, around);
  if (own === NO_PAINT) return under;
  if (under === null || own.length * under.length > MAX_GROUNDS) return null;
  return own.flatMap((over) => under.map((colour) => blend(over, colour)));
}

/** Whether the box that an element paints is not behind a text in it, or has no area. */
function isElsewhere(level: Level, el: Element, area: Area | null): boolean {
  // Skipped content has no place until it is scrolled to.
  if (isPageItself(el) || (level.style ??= getComputedStyle(el)).contentVisibility === 'auto') return false;
  const box = boxOf(level, el);
  return area === null ? isUnreadable(box) : !overlaps(area, box);
}

/** The colour that an element paints behind its content; null if unknown. */
function ownColours(level: Level): readonly Colour[] | null {
  if (level.el === null) return NO_PAINT;
  const style = (level.style ??= getComputedStyle(level.el));
  if (paintsNothing(style)) return NO_PAINT;
  return style.backgroundClip.includes('text') ? NO_PAINT : backgroundColours(style);
}

const NO_PAINT: readonly Colour[] = [CLEAR];
const DARK: Colour = { ...BLACK, r: 18, g: 18, b: 18 };

/**
 * Whether the browser's canvas is dark, by the page's style or else its head. It is behind a page without a background,
 * and behind a frame whose page has another scheme; other frames are transparent.
 */
function isDark(document: Document): boolean {
  const { colorScheme } = getComputedStyle(document.documentElement);
  const declared = colorScheme === 'normal' ? document.querySelector('meta[name="color-scheme" i]') : null;
  const schemes = (declared?.getAttribute('content') ?? colorScheme).toLowerCase().split(/[\s,]+/);
  if (!schemes.includes('dark')) return false;
  const prefersDark = document.defaultView?.matchMedia('(prefers-color-scheme: dark)').matches ?? false;
  return prefersDark || !schemes.includes('light');
}

/**
 * Whether the text of a level is invisible against its background: fill, stroke, shadows, and a background clipped to
 * the letters all count. For a candidate, images and boxes painted under it that are not its ancestors count too.
 */
export function isCamouflaged(level: Level): boolean {
  const { el } = level;
  if (el === null) return false;
  const inks = inksOf(el, (level.style ??= getComputedStyle(el)));
  if (inks === null) return false;
  if (inks.every(({ a }) => a * level.opacity < MIN_ALPHA)) return true;
  const grounds = groundsAt(level);
  if (isRecoloured(level)) return isLostByEffects(level, inks) && !hasUnderlay(level, grounds?.[0] ?? WHITE);
  if (grounds === null || !areAllSame(inks, grounds)) return false;
  const behind = findGrounds(level, textBox(level, el));
  if (behind === null || !areAllSame(inks, behind)) return false;
  const [ground] = behind;
  return ground !== undefined && !hasUnderlay(level, ground);
}

/** Whether a person can read the placeholder of a field, now or while it is empty. */
export function isPlaceholderSeen(el: Element): boolean {
  const { ownerDocument: document } = el;
  // A document that was only parsed has no style to ask for.
  if (document.defaultView === null) return true;
  const style = getComputedStyle(el, '::placeholder');
  // The browser itself takes it out of a filled field.
  if (style.display === 'none' && isMatch(el, ':placeholder-shown')) return false;
  if (style.visibility !== 'visible' || isGeneratedUnseen(style)) return false;
  let level = levelIn(null, null, document);
  for (const up of lineageOf(el).reverse()) level = levelIn(level, up, document);
  return !isPartCamouflaged(level, style);
}

/** The same for a part of a level with a style and a background of its own: its generated text or placeholder. */
export function isPartCamouflaged(whole: Level, style: CSSStyleDeclaration): boolean {
  const part = levelIn(whole, whole.el, whole.view.document);
  part.style = style;
  part.opacity = whole.opacity * Number(style.opacity);
  return isCamouflaged(part);
}

function levelIn(outer: Level | null, el: Element | null, document: Document): Level {
  const level = new Level({ document, reachable: NOWHERE, viewport: NOWHERE });
  level.outer = outer;
  level.el = el;
  return level;
}

const areAllSame = (inks: readonly Colour[], grounds: readonly Colour[]): boolean =>
  grounds.every((ground) => inks.every((ink) => isVisuallySame(ink, ground)));

/** Whether filters or blend modes give a text the colour of what is behind it. */
function isLostByEffects(level: Level, inks: readonly Colour[]): boolean {
  let pairs: readonly (readonly [ink: Colour, ground: Colour])[] = inks.map((ink) => [ink, CLEAR]);
  for (let at: Level | null = level; at?.el != null && !at.closesFrame; at = at.outer) {
    const own = ownColours(at);
    if (own === null || own.length * pairs.length > MAX_GROUNDS) return false;
    const { filter, mixBlendMode } = (at.style ??= getComputedStyle(at.el));
    const under = mixBlendMode === 'normal' || at.outer === null ? [CLEAR] : (groundsAt(at.outer) ?? [CLEAR]);
    const change = (colour: Colour, behind: Colour): Colour =>
      blended(filter === 'none' ? colour : filtered(colour, filter), behind, mixBlendMode);
    pairs = pairs.flatMap(([ink, ground]) =>
      own.flatMap((colour) =>
        under.map((behind) => [change(ink, behind), change(blend(ground, colour), behind)] as const),
      ),
    );
  }
  const canvas = isDark(level.view.document) ? DARK : WHITE;
  return pairs.every(([ink, ground]) => isVisuallySame(ink, blend(ground, canvas)));
}

/** A filter or blend mode changes the text's colours, or those behind it too. */
function isRecoloured(level: Level): boolean {
  if ((level.flags & STYLE.filter) === 0 && level.kind === null) return false;
  for (let at: Level | null = level; at?.el != null && !at.closesFrame; at = at.outer) {
    const { filter, mixBlendMode } = (at.style ??= getComputedStyle(at.el));
    if (mixBlendMode !== 'normal' || isRecolouring(filter)) return true;
  }
  return false;
}

/** A line through text that covers letters, relative to their size. */
const COVERING = 0.7;

/** Whether a line through the text of a level covers it: lines of the elements around are drawn through it too. */
export function isStruckOver(level: Level): boolean {
  for (let at: Level | null = level; at?.el != null && !at.closesFrame; at = at.outer) {
    if ((at.own & STYLE.strike) === 0) continue;
    const { fontSize, textDecorationColor, textDecorationLine, textDecorationThickness } = (at.style ??=
      getComputedStyle(at.el));
    if (!textDecorationLine.includes('line-through') || (parseColour(textDecorationColor)?.a ?? 0) < 0.95)
      continue;
    const whole = Number.parseFloat(fontSize);
    if (lengthOf(textDecorationThickness, whole) >= COVERING * whole) return true;
  }
  return false;
}

/** The colours that a text is painted with; null if unknown. */
function inksOf(el: Element, style: CSSStyleDeclaration): readonly Colour[] | null {
  const inks = lettersOf(el, style);
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

/** A computed paint of a drawing. One that refers to nothing is its fallback, or none. */
function resolvePaint(paint: string, el: Element): string {
  const [, id, fallback = ''] = /^url\("#([^"]*)"\)\s*(.*)$/.exec(paint) ?? [];
  if (id === undefined || treeOf(el).getElementById(id) !== null) return paint;
  return fallback === '' ? 'none' : fallback;
}

function lettersOf(el: Element, style: CSSStyleDeclaration): (Colour | null)[] {
  const isDrawn = isSvg(el);
  const [fill, stroke, width] = isDrawn
    ? [resolvePaint(style.fill, el), resolvePaint(style.stroke, el), style.strokeWidth]
    : [style.webkitTextFillColor, style.webkitTextStrokeColor, style.webkitTextStrokeWidth];
  const line =
    stroke === 'none' || Number.parseFloat(width) === 0
      ? null
      : fade(parseColour(stroke), isDrawn ? style.strokeOpacity : '1');
  const isWide = Number.parseFloat(width) >= STEM * Number.parseFloat(style.fontSize);
  const inks = line === null ? [] : [line];
  // A wide stroke is painted over the letters.
  if (fill === 'none' || (isWide && line?.a === 1 && !style.paintOrder.startsWith('stroke'))) return inks;
  return [...inks, fade(parseColour(fill), isDrawn ? style.fillOpacity : '1')];
}

/** The stems of common letters are this wide, relative to their size. */
const STEM = 0.12;

export const paintsNothing = ({ backgroundColor, backgroundImage }: CSSStyleDeclaration): boolean =>
  backgroundColor === 'rgba(0, 0, 0, 0)' && backgroundImage === 'none';

const fade = (colour: Colour | null, opacity: string): Colour | null =>
  colour === null ? null : { ...colour, a: colour.a * Number(opacity) };

function hasUnderlay(level: Level, background: Colour): boolean {
  const { el: text } = level;
  if (text === null) return false;
  let owner = text;
  for (let at: Level | null = level; at?.el != null && !at.closesFrame; at = at.outer) {
    owner = at.el;
    if (paintsPseudo(owner, background)) return true;
    const own = parseColour((at.style ?? getComputedStyle(owner)).backgroundColor);
    if (own !== null && own.a === 1) break;
  }
  return overlapsPainted(text, owner, background);
}

/** Whether something else in `owner` is painted behind the text. The nearest comes first: a page may have any size. */
function overlapsPainted(text: Element, owner: Element, background: Colour): boolean {
  const box = text.getBoundingClientRect();
  let [left, here] = [MAX_UNDERLAY, 0];
  const isPainted = (el: Element): boolean => {
    left -= 1;
    here -= 1;
    if (left < 0 || here < 0 || el === text) return false;
    const area = el.getBoundingClientRect();
    const isUnder = overlaps(box, area);
    if (isUnder && (PAINTED.has(el.localName) || paints(el, background))) return true;
    // The content of a box elsewhere is there too.
    return (isUnder || area.width === 0 || area.height === 0) && elementsIn(el).some(isPainted);
  };
  const lineage = lineageOf(text);
  return lineage.slice(0, lineage.indexOf(owner)).some((inner, at) => {
    const around = lineage[at + 1];
    here = MAX_AROUND;
    return around !== undefined && elementsIn(around).some((other) => other !== inner && isPainted(other));
  });
}

const elementsIn = (el: Element): Element[] => [...flatChildren(el, false)].filter(isElement);

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

/** Elements with colours in the browser's own style sheet. */
const OWN_COLOURS = new Set(
  'a mark button input textarea select option optgroup dialog legend meter progress'.split(' '),
);

/** Whether an element may have colours of its own. */
export const hasColours = ({ own, tag, attributed, el }: Level): boolean =>
  (own & (STYLE.colour | STYLE.opacity | STYLE.filter)) !== 0 ||
  OWN_COLOURS.has(tag) ||
  (attributed && el?.hasAttribute('popover') === true);
