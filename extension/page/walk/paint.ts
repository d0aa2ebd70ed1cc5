import { isCanvas, isImage } from '../dom.ts';

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

/** Two colours that differ by less cannot be told apart by a person (WCAG contrast ratio). */
const MIN_CONTRAST = 1.1;

const known = new Map<string, Colour | null>();

/** Parses a computed colour of any space; null for anything that is not a colour. */
export function parseColour(css: string): Colour | null {
  let colour = known.get(css);
  if (colour !== undefined) return colour;
  colour = parse(css);
  if (known.size > 2_000) known.clear();
  known.set(css, colour);
  return colour;
}

function parse(css: string): Colour | null {
  if (!/^(?:rgb|color\(srgb )/.test(css)) return css === 'transparent' ? CLEAR : painted(css);
  const [r = 0, g = 0, b = 0, a = 1] = css.match(/-?[\d.]+(?:e-?\d+)?/g)?.map(Number) ?? [];
  return css.startsWith('rgb') ? { r, g, b, a } : { r: r * 255, g: g * 255, b: b * 255, a };
}

/** A canvas for each size that is asked for. */
const canvases = new Map<number, OffscreenCanvasRenderingContext2D>();

/** The pixels of a small canvas after something was painted on it; null where the page may not read them. */
function sample(
  size: number,
  paint: (context: OffscreenCanvasRenderingContext2D) => void,
): Uint8ClampedArray | null {
  const context =
    canvases.get(size) ?? new OffscreenCanvas(size, size).getContext('2d', { willReadFrequently: true });
  if (context === null) return null;
  canvases.set(size, context);
  context.clearRect(0, 0, size, size);
  try {
    paint(context);
    return context.getImageData(0, 0, size, size).data;
  } catch {
    // A canvas that was painted on with a picture of another site cannot be read again.
    canvases.delete(size);
    return null;
  }
}

/** A wide-gamut colour as the screen shows it. */
function painted(css: string): Colour | null {
  if (typeof OffscreenCanvas === 'undefined' || !CSS.supports('color', css)) return null;
  const [r = 0, g = 0, b = 0, a = 0] =
    sample(1, (context) => {
      context.fillStyle = css;
      context.fillRect(0, 0, 1, 1);
    }) ?? [];
  return { r, g, b, a: a / 255 };
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

/** Whether text of one colour on the other cannot be seen: near in light and near in each channel. */
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

/** Whether two opaque colours are far apart in light. */
export const differInLight = (one: Colour, other: Colour): boolean =>
  Math.abs(luminance(one) - luminance(other)) > 0.02;

/** Pixels to a side that a picture is shrunk to before it is looked at. */
const SAMPLE_PX = 8;
/** More colours than this are not compared with a text. */
const MAX_COLOURS = 12;
const COLOUR = /(?:rgba?|color|oklab|oklch|lab|lch|hsla?|hwb)\([^()]*\)|transparent/g;

/** A picture in the style itself may have any size, and a regular expression that repeats a group runs out of stack. */
const MAX_LIST_UNITS = 1_000_000;

/** The parts of a list that are parted by commas outside of brackets. A list that is too long is one part. */
export const layersOf = (list: string): string[] =>
  list.length > MAX_LIST_UNITS ? [list] : (list.match(/(?:[^,(]|\((?:[^()]|\([^()]*\))*\))+/g) ?? []);

/** The colours of a picture; null where it cannot be looked at. */
export function coloursOfPicture(picture: CanvasImageSource): readonly Colour[] | null {
  const pixels = sample(SAMPLE_PX, (context) => context.drawImage(picture, 0, 0, SAMPLE_PX, SAMPLE_PX));
  if (pixels === null) return null;
  const found = new Map<number, Colour>();
  for (let at = 0; at < pixels.length; at += 4) {
    const [r = 0, g = 0, b = 0, a = 0] = pixels.subarray(at, at + 4);
    found.set(((r * 256 + g) * 256 + b) * 256 + a, { r, g, b, a: a / 255 });
  }
  return found.size > MAX_COLOURS ? null : [...found.values()];
}

/** The colours of pictures that were looked at, by address. */
const pictures = new Map<string, readonly Colour[] | null>();
const MOST_PICTURES = 500;

/** The colours of the picture at an address; null where it is not loaded, or cannot be looked at. */
function coloursAt(url: string): readonly Colour[] | null {
  const found = pictures.get(url);
  if (found !== undefined) return found;
  const picture = new Image();
  // A picture that the page shows is at hand at once.
  picture.src = url;
  if (!picture.complete || picture.naturalWidth === 0) return null;
  const colours = coloursOfPicture(picture);
  if (pictures.size > MOST_PICTURES) pictures.clear();
  pictures.set(url, colours);
  return colours;
}

/** The colours of one layer of a `background-image` or `mask-image`; null where they are not known. */
function coloursOfLayer(layer: string): readonly Colour[] | null {
  const url = /^\s*url\("(.*)"\)\s*$/.exec(layer)?.[1];
  if (url !== undefined) return coloursAt(url);
  if (!layer.includes('gradient(')) return null;
  const stops = (layer.match(COLOUR) ?? []).map(parseColour).filter((colour) => colour !== null);
  return stops.length === 0 ? null : stops;
}

/** All colours that a box may paint over what is behind it; null where they are not known. */
export function backgroundColours(style: CSSStyleDeclaration): readonly Colour[] | null {
  const own = parseColour(style.backgroundColor);
  if (own === null || style.backgroundImage === 'none') return own === null ? null : [own];
  let colours: Colour[] = [own];
  const layers = layersOf(style.backgroundImage).reverse();
  const isWhole = /^repeat$|^repeat repeat$/.test(style.backgroundRepeat);
  for (const layer of layers) {
    const over = coloursOfLayer(layer);
    if (over === null) return null;
    const painted = over.flatMap((colour) => colours.map((under) => blend(colour, under)));
    colours = isWhole || layer.includes('gradient(') ? painted : [...painted, ...colours];
    if (colours.length > MAX_COLOURS * 2) return null;
  }
  return colours;
}

/** Whether an element paints every pixel of its box, as far as can be known. */
export function isOpaque(el: Element, style: CSSStyleDeclaration): boolean {
  const background = style.backgroundClip === 'border-box' ? backgroundColours(style) : [CLEAR];
  if (background?.every(({ a }) => a > 0.95) === true) return true;
  if (isImage(el)) return el.complete && isSolid(el);
  return isCanvas(el) && isSolid(el);
}

function isSolid(picture: HTMLImageElement | HTMLCanvasElement): boolean {
  if ('currentSrc' in picture && /\.jpe?g(?:$|\?)|^data:image\/jpeg/i.test(picture.currentSrc)) return true;
  const pixels = sample(SAMPLE_PX, (context) => context.drawImage(picture, 0, 0, SAMPLE_PX, SAMPLE_PX));
  if (pixels === null) return false;
  for (let at = 3; at < pixels.length; at += 4) if ((pixels[at] ?? 0) < 240) return false;
  return true;
}

/** Whether the mask of an element leaves nothing of it. */
export function isMaskedAway(style: CSSStyleDeclaration): boolean {
  const { maskImage } = style;
  if (maskImage === 'none') return false;
  const sizes = layersOf(style.maskSize);
  return layersOf(maskImage).every((layer, at) => {
    if (/(?:^|\s)0(?:px|%)?(?=$|\s)/.test(sizes[at % sizes.length] ?? '')) return true;
    const colours = coloursOfLayer(layer);
    return colours?.every(({ a }) => a < 0.05) === true;
  });
}
