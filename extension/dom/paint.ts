import { cachedIn } from '../../shared/base/maps.ts';
import { isImage } from './elements.ts';

/** Red, green, blue 0–255 and alpha 0–1. */
export interface Colour {
  readonly r: number;
  readonly g: number;
  readonly b: number;
  readonly a: number;
}

export const WHITE: Colour = { r: 255, g: 255, b: 255, a: 1 };
export const BLACK: Colour = { r: 0, g: 0, b: 0, a: 1 };
export const CLEAR: Colour = { r: 0, g: 0, b: 0, a: 0 };

/** Fainter paint is invisible. */
export const MIN_ALPHA = 0.1;

/** People cannot tell two colours with less contrast apart (WCAG contrast ratio). */
const MIN_CONTRAST = 1.1;

const knownColours = new Map<string, Colour | null>();

/** Parses a computed colour of any space; null for anything that is not a colour. */
export function parseColour(css: string): Colour | null {
  return cachedIn(knownColours, css, 2_000, parse);
}

function parse(css: string): Colour | null {
  if (!/^(?:rgb|color\(srgb )/.test(css)) return css === 'transparent' ? CLEAR : painted(css);
  const [r = 0, g = 0, b = 0, a = 1] = css.match(/-?[\d.]+(?:e-?\d+)?/g)?.map(Number) ?? [];
  return css.startsWith('rgb') ? { r, g, b, a } : { r: r * 255, g: g * 255, b: b * 255, a };
}

let pixel: OffscreenCanvasRenderingContext2D | null = null;

/** The colour of a pixel that was painted in one way after another: a style, a filter and a blend mode each. */
export function paintedOver(
  layers: readonly (readonly [fill: string, filter?: string, mode?: string])[],
): Colour | null {
  pixel ??= new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  if (pixel === null) return null;
  pixel.reset();
  for (const [fill, filter = 'none', mode = 'source-over'] of layers) {
    pixel.fillStyle = fill;
    pixel.filter = filter;
    // An unknown mode changes nothing.
    Reflect.set(pixel, 'globalCompositeOperation', mode);
    pixel.fillRect(0, 0, 1, 1);
  }
  const [r = 0, g = 0, b = 0, a = 0] = pixel.getImageData(0, 0, 1, 1).data;
  return { r, g, b, a: a / 255 };
}

/** A colour without its alpha, for a canvas. */
export const opaqueCss = ({ r, g, b }: Colour): string => `rgb(${r} ${g} ${b})`;

/** Colours of something else, which only a style sheet knows. */
const RELATIVE = /^(?:inherit|initial|unset|revert|currentcolor)|var\(/i;

/** A wide-gamut colour as the screen shows it, or one by its name or code. */
function painted(css: string): Colour | null {
  if (typeof OffscreenCanvas === 'undefined' || RELATIVE.test(css) || !CSS.supports('color', css))
    return null;
  return paintedOver([[css]]);
}

/** `over` painted on `under`. */
export function blend(over: Colour, under: Colour): Colour {
  const a = over.a + under.a * (1 - over.a);
  if (a === 0) return CLEAR;
  const mix = (x: number, y: number): number => (x * over.a + y * under.a * (1 - over.a)) / a;
  return { r: mix(over.r, under.r), g: mix(over.g, under.g), b: mix(over.b, under.b), a };
}

const linear = (channel: number): number => {
  const c = channel / 255;
  return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
};

/** Relative luminance of WCAG 2. */
function luminance({ r, g, b }: Colour): number {
  return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
}

/** Whether text of one colour is invisible on the other: similar luminance, and similar in each channel. */
export function isVisuallySame(text: Colour, background: Colour): boolean {
  const seen = text.a < 1 ? blend(text, background) : text;
  const [x, y] = [luminance(seen), luminance(background)];
  if ((Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05) >= MIN_CONTRAST) return false;
  const far = Math.max(
    Math.abs(seen.r - background.r),
    Math.abs(seen.g - background.g),
    Math.abs(seen.b - background.b),
  );
  return far < 48;
}

/** The product of all opacities in a computed `filter`. */
export function filterOpacity(filter: string): number {
  let product = 1;
  for (const [, value = ''] of filter.matchAll(/opacity\(([^)]*)\)/g))
    product *= Number.parseFloat(value) / (value.endsWith('%') ? 100 : 1);
  return product;
}

/** Whether two opaque colours differ clearly in luminance. */
export const differInLight = (one: Colour, other: Colour): boolean =>
  Math.abs(luminance(one) - luminance(other)) > 0.02;

/** More colours are not compared with a text. */
const MAX_COLOURS = 24;
export const COLOUR = /(?:rgba?|color|oklab|oklch|lab|lch|hsla?|hwb)\([^()]*\)|transparent/g;

/** An inline image may have any size, and a regular expression with a repeated group runs out of stack. */
const MAX_LIST_UNITS = 1_000_000;

/** Splits a list at commas outside brackets. A list that is too long stays whole. */
export const layersOf = (list: string): string[] =>
  list.length > MAX_LIST_UNITS
    ? [list]
    : (list.match(/(?:[^,(]|\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))+/g) ?? []);

/** All colours that a box may paint over its background; null if unknown, as with images. */
export function backgroundColours(style: CSSStyleDeclaration): readonly Colour[] | null {
  const own = parseColour(style.backgroundColor);
  if (own === null || style.backgroundImage === 'none') return own === null ? null : [own];
  let colours: Colour[] = [own];
  for (const layer of layersOf(style.backgroundImage).reverse()) {
    const found = layer.includes('gradient(') ? (layer.match(COLOUR) ?? []) : [];
    const stops = found.map(parseColour).filter((stop) => stop !== null);
    if (stops.length === 0) return null;
    const under = colours;
    colours = stops.flatMap((stop) => under.map((colour) => blend(stop, colour)));
    if (colours.length > MAX_COLOURS) return null;
  }
  return colours;
}

/** How opaque the paint is that an element is known to put on every pixel of its box. */
export function opacityOf(el: Element, style: CSSStyleDeclaration): number {
  const colours = style.backgroundClip === 'border-box' ? backgroundColours(style) : null;
  const own = colours === null ? 0 : Math.min(...colours.map(({ a }) => a));
  if (own > 1 - MIN_ALPHA) return own;
  return isAllEdge(el, style) || (isImage(el) && el.complete && isPictureOpaque(el)) ? 1 : own;
}

const SIDES = ['Top', 'Right', 'Bottom', 'Left'] as const;

/** Whether opaque borders, or a shadow inside, leave nothing of a box. */
function isAllEdge({ clientWidth, clientHeight }: Element, style: CSSStyleDeclaration): boolean {
  const isClear = (css: string): boolean => (parseColour(css)?.a ?? 0) <= 1 - MIN_ALPHA;
  const [, colour = '', spread = '0'] =
    /^(.+\)) 0px 0px [\d.]+px ([\d.]+)px inset$/.exec(style.boxShadow) ?? [];
  if (2 * Number(spread) > Math.min(clientWidth, clientHeight) && !isClear(colour)) return true;
  const widths = SIDES.map((side) => Number.parseFloat(style[`border${side}Width`]));
  if (clientWidth * clientHeight > 0 || widths.every((width) => width === 0)) return false;
  return !SIDES.some((side) => isClear(style[`border${side}Color`]));
}

const opaque = new WeakMap<HTMLImageElement, { readonly src: string; readonly is: boolean }>();
/** Pixels of a side that a picture is judged by. */
const SAMPLE_PX = 8;

/** By its pixels; one of another site, which a script may not read, by its name. */
function isPictureOpaque(picture: HTMLImageElement): boolean {
  const src = picture.currentSrc;
  const known = opaque.get(picture);
  if (known?.src === src) return known.is;
  const is = /\.jpe?g(?:$|\?)|^data:image\/jpeg/i.test(src) || hasNoHoles(picture);
  opaque.set(picture, { src, is });
  return is;
}

function hasNoHoles(picture: HTMLImageElement): boolean {
  try {
    const pen = new OffscreenCanvas(SAMPLE_PX, SAMPLE_PX).getContext('2d');
    pen?.drawImage(picture, 0, 0, SAMPLE_PX, SAMPLE_PX);
    const pixels = pen?.getImageData(0, 0, SAMPLE_PX, SAMPLE_PX).data ?? [];
    return pixels.length > 0 && pixels.every((value, at) => at % 4 !== 3 || value > 240);
  } catch {
    return false;
  }
}

const SHAPES = 'path,rect,circle,ellipse,line,polyline,polygon,text,use,image,foreignObject';

/** Whether an element is an SVG that paints nothing. */
export const isEmptyDrawing = (el: Element): boolean =>
  el.localName === 'svg' && el.querySelector(SHAPES) === null;
