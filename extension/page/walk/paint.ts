import { isCanvas, isImage } from '../dom.ts';
import { CLEAR, blend, parseColour, sample, type Colour } from './colour.ts';

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

/** The colours of one layer of a `background-image` or `mask-image`; null where they are not known. */
function coloursOfLayer(layer: string): readonly Colour[] | null {
  const url = /^\s*url\("(.*)"\)\s*$/.exec(layer)?.[1];
  if (url !== undefined) {
    const picture = new Image();
    // A picture that the page shows is at hand at once.
    picture.src = url;
    return picture.complete && picture.naturalWidth > 0 ? coloursOfPicture(picture) : null;
  }
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
  const isByLight = style.getPropertyValue('mask-mode') === 'luminance';
  const sizes = layersOf(style.maskSize);
  return layersOf(maskImage).every((layer, at) => {
    if (/(?:^|\s)0(?:px|%)?(?=$|\s)/.test(sizes[at % sizes.length] ?? '')) return true;
    const colours = coloursOfLayer(layer);
    return (
      colours !== null &&
      colours.every(({ r, g, b, a }) => (isByLight ? (a * Math.max(r, g, b)) / 255 : a) < 0.05)
    );
  });
}
