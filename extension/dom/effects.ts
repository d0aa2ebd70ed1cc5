import { lookUp } from './elements.ts';
import { hull, intersect, isEmpty, isWithin, type Area } from './box-area.ts';
import { NOWHERE } from './level.ts';
import { layersOf, opaqueCss, paintedOver, parseColour, type Colour, COLOUR, WHITE } from './paint.ts';

/** Masks, filters and blend modes: they change what is painted, and hit tests know nothing of them. */

/** Less is invisible. */
const MIN_LEFT = 0.1;

/** A computed length in pixels; percentages are of `whole`. */
export function lengthOf(css: string, whole: number): number {
  let sum = 0;
  for (const [, sign = '', number = '', unit = ''] of css.matchAll(/([+-]?)\s*([\d.]+(?:e-?\d+)?)(px|%)?/g))
    sum += (sign === '-' ? -1 : 1) * Number(number) * (unit === '%' ? whole / 100 : 1);
  return sum;
}

/** The item of a list that repeats, as for the layers of a mask. */
const itemOf = (list: string, at: number): string => {
  const items = layersOf(list);
  return items[at % items.length]?.trim() ?? '';
};

/** The shares that the stops of a layer of a mask leave; none for a picture, which is unknown. */
function sharesOf(layer: string, isLuminance: boolean, own: Document): readonly number[] {
  const id = /^url\("#(.*)"\)$/.exec(layer)?.[1];
  if (id !== undefined) return letsThrough(own.getElementById(id)) ? [1] : [];
  if (!layer.includes('gradient(')) return [];
  const stops = (layer.match(COLOUR) ?? []).map(parseColour).filter((stop) => stop !== null);
  return stops.map(({ r, g, b, a }) => (isLuminance ? (a * Math.max(r, g, b)) / 255 : a));
}

/** Whether a mask of a drawing leaves something. Of its luminance, a dark shape leaves nothing. */
function letsThrough(mask: Element | null): boolean {
  if (mask === null || mask.querySelector('text,use,image,foreignObject') !== null) return true;
  const isByAlpha = getComputedStyle(mask).getPropertyValue('mask-type') === 'alpha';
  return [...mask.querySelectorAll('path,rect,circle,ellipse,line,polyline,polygon')].some((shape) => {
    const { fill, fillOpacity, stroke } = getComputedStyle(shape);
    const { r, g, b, a } = parseColour(fill) ?? WHITE;
    return (
      stroke !== 'none' || a * Number(fillOpacity) * (isByAlpha ? 1 : Math.max(r, g, b) / 255) >= MIN_LEFT
    );
  });
}

const SIDES: Readonly<Record<string, readonly [isAcross: boolean, isBack: boolean]>> = {
  'to right': [true, false],
  '90deg': [true, false],
  'to left': [true, true],
  '270deg': [true, true],
  'to top': [false, true],
  '0deg': [false, true],
  'to bottom': [false, false],
  '180deg': [false, false],
};

/** The part of a box that a straight gradient leaves; all of it for another one. */
function spanOf(layer: string, shares: readonly number[], { left, top, right, bottom }: Area): Area {
  const box = { left, top, right, bottom };
  const parts = layersOf(/^linear-gradient\((.*)\)$/.exec(layer)?.[1] ?? '').map((part) => part.trim());
  const side = lookUp(SIDES, parts[0] ?? '');
  const stops = side === undefined ? parts : parts.slice(1);
  if (stops.length < 2 || stops.length !== shares.length) return box;
  const [isAcross, isBack] = side ?? [false, false];
  const [start, end] = isAcross ? [left, right] : [top, bottom];
  const places = stops.map((stop, at) => {
    const place = stop.replace(COLOUR, '').trim();
    return place === '' ? ((end - start) * at) / (stops.length - 1) : lengthOf(place, end - start);
  });
  const first = shares.findIndex((share) => share >= MIN_LEFT);
  const last = shares.findLastIndex((share) => share >= MIN_LEFT);
  const from = first === 0 ? 0 : (places[first - 1] ?? 0);
  const to = last === stops.length - 1 ? end - start : (places[last + 1] ?? 0);
  const [low, high] = isBack ? [end - to, end - from] : [start + from, start + to];
  return isAcross ? { ...box, left: low, right: high } : { ...box, top: low, bottom: high };
}

/** Where a layer of a mask is, in coordinates of its box; null for everywhere. */
function clipLayer(style: CSSStyleDeclaration, at: number, box: Area): Area | null {
  const [wide, high] = [box.right - box.left, box.bottom - box.top];
  const [x = 'auto', y = x] = itemOf(style.maskSize, at).split(' ');
  if (lengthOf(x, wide) === 0 && x !== 'auto' && !/cover|contain/.test(x))
    return { left: 0, top: 0, right: 0, bottom: 0 };
  if (itemOf(style.maskRepeat, at) !== 'no-repeat' || /auto|cover|contain/.test(`${x} ${y}`)) return null;
  const [width, height] = [lengthOf(x, wide), lengthOf(y, high)];
  const [fromLeft = '0%', fromTop = '0%'] = itemOf(style.maskPosition, at).split(' ');
  const [left, top] = [lengthOf(fromLeft, wide - width), lengthOf(fromTop, high - height)];
  return {
    left: box.left + left,
    top: box.top + top,
    right: box.left + left + width,
    bottom: box.top + top + height,
  };
}

/**
 * The part of a box that its mask leaves, within the box; null if it does not end there. A mask by a picture leaves
 * nothing, since what the picture leaves is unknown.
 */
export function maskArea(style: CSSStyleDeclaration, box: Area, own: Document): Area | null {
  if (style.maskClip.includes('no-clip')) return null;
  const layers = layersOf(style.maskImage).map((layer, at): Area => {
    const isLuminance = itemOf(style.getPropertyValue('mask-mode'), at) === 'luminance';
    const shares = sharesOf(layer.trim(), isLuminance, own);
    if (!shares.some((share) => share >= MIN_LEFT)) return NOWHERE;
    return clipLayer(style, at, box) ?? spanOf(layer.trim(), shares, box);
  });
  // The last layer is the lowest one.
  return layers
    .slice(0, -1)
    .reduceRight(
      (under, over, at) =>
        lookUp(COMPOSITES, itemOf(style.maskComposite, at))?.(over, under) ?? joined(over, under),
      layers.at(-1) ?? NOWHERE,
    );
}

const joined = (one: Area, other: Area): Area =>
  isEmpty(one) ? other : isEmpty(other) ? one : hull(one, other);

/** The part of a box that two layers of a mask leave together, at most. */
const COMPOSITES: Readonly<Record<string, (over: Area, under: Area) => Area>> = {
  intersect: (over, under) => intersect(over, under),
  subtract: (over, under) => (isWithin(over, under) ? NOWHERE : over),
  exclude: (over, under) => (isWithin(over, under) && isWithin(under, over) ? NOWHERE : joined(over, under)),
};

/** The functions of a filter that change colours only. */
const RECOLOURING = /(?:brightness|contrast|invert|grayscale|hue-rotate|saturate|sepia)\([^()]*\)/g;

/** Whether a computed `filter` changes colours. */
export const isRecolouring = (filter: string): boolean => filter.search(RECOLOURING) !== -1;

/** A colour as a computed `filter` changes it. */
export function filtered(colour: Colour, filter: string): Colour {
  const functions = filter.match(RECOLOURING)?.join(' ');
  if (functions === undefined) return colour;
  return { ...colour, ...paintedOver([[opaqueCss(colour), functions]]), a: colour.a };
}

/** A colour as `mix-blend-mode` paints it over another one. */
export function blended(over: Colour, under: Colour, mode: string): Colour {
  if (mode === 'normal' || over.a === 0) return over;
  const operation = mode === 'plus-lighter' ? 'lighter' : mode;
  const mixed = paintedOver([[opaqueCss(under)], [opaqueCss(over), 'none', operation]]);
  return { ...over, ...mixed, a: over.a };
}

/** Text under a stronger blur, relative to its size, is unreadable. */
const MAX_BLUR = 0.3;

/** Whether a filter blurs a text of a size away. */
export const isBlurred = (filter: string, fontPx: number): boolean =>
  [...filter.matchAll(/blur\(([\d.]+)px\)/g)].some(([, radius]) => Number(radius) > MAX_BLUR * fontPx);

/** Whether a filter of a drawing takes all paint away. */
export function isFilterEmpty(filter: string, own: Document): boolean {
  for (const [, id = ''] of filter.matchAll(/url\("#([^"]*)"\)/g)) {
    const parts = [...(own.getElementById(id)?.children ?? [])];
    // A last part that takes no input draws over everything.
    if (parts.some(takesAll) || /^fe(?:Flood|Image|Turbulence)$/.test(parts.at(-1)?.localName ?? ''))
      return true;
  }
  return false;
}

/** Letters have thin strokes: eroding them by more on each side leaves nothing. */
const MAX_EROSION = 2;

function takesAll(part: Element): boolean {
  const numbers = (part.getAttribute('values') ?? '')
    .trim()
    .split(/[\s,]+/)
    .map(Number);
  switch (part.localName) {
    case 'feColorMatrix':
      return numbers.length === 20 && numbers.slice(15).every((number) => number < MIN_LEFT);
    case 'feComponentTransfer': {
      const alpha = [...part.children].find(({ localName }) => localName === 'feFuncA');
      const given =
        `${alpha?.getAttribute('tableValues') ?? ''} ${alpha?.getAttribute('slope') ?? ''}`.trim();
      return given !== '' && given.split(/[\s,]+/).every((value) => Number(value) < MIN_LEFT);
    }
    case 'feMorphology':
      return part.getAttribute('operator') !== 'dilate' && Number(part.getAttribute('radius')) > MAX_EROSION;
    case 'feOffset':
      return ['dx', 'dy'].some((by) => Math.abs(Number(part.getAttribute(by))) > 500);
    default:
      return false;
  }
}

/** How a filter behind a layer makes everything under it alike. */
const LEVELLING =
  /contrast\(0(?:\.0\d*)?%?\)|brightness\((?:0(?:\.0\d*)?|[4-9](?:\.\d+)?|\d{2,}(?:\.\d+)?)\)|blur\((?:[6-9]|\d{2,})(?:\.\d+)?px\)|opacity\(0\)/;
export const levelsBackdrop = ({ backdropFilter }: CSSStyleDeclaration): boolean =>
  LEVELLING.test(backdropFilter);

/** The place of an element in the space of its parent, by its own transforms. */
export function transformOf({ transform, rotate, scale }: CSSStyleDeclaration): DOMMatrix {
  const matrix = new DOMMatrix();
  if (rotate !== 'none') {
    const parts = rotate.split(' ');
    const angle = Number.parseFloat(parts.at(-1) ?? '');
    const axis =
      { x: [1, 0, 0], y: [0, 1, 0], z: [0, 0, 1] }[parts[0] ?? ''] ?? parts.slice(0, 3).map(Number);
    const [x = 0, y = 0, z = 1] = parts.length === 1 ? [] : axis;
    matrix.rotateAxisAngleSelf(x, y, z, angle);
  }
  if (scale !== 'none') {
    const [x = 1, y = x, z = 1] = scale.split(' ').map(Number);
    matrix.scaleSelf(x, y, z);
  }
  return transform === 'none' ? matrix : matrix.multiplySelf(new DOMMatrix(transform));
}

/** How thin a transform makes what is in it: 1 for not at all, almost 0 for a skew to the edge. */
export function thinnessOf({ a, b, c, d }: DOMMatrix): number {
  const area = Math.abs(a * d - b * c);
  const sum = (a * a + b * b + c * c + d * d) / 2;
  const least = Math.sqrt(Math.max(0, sum - Math.sqrt(Math.max(0, sum * sum - area * area))));
  return area < 1e-6 ? 1 : least;
}
