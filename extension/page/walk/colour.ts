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

let canvas: OffscreenCanvasRenderingContext2D | null = null;

/** The pixels of a small canvas after something was painted on it; null where the page may not read them. */
export function sample(
  size: number,
  paint: (context: OffscreenCanvasRenderingContext2D) => void,
): Uint8ClampedArray | null {
  // A canvas that was painted on with a picture of another site cannot be read again.
  if (size > 1) canvas = null;
  canvas ??= new OffscreenCanvas(size, size).getContext('2d', { willReadFrequently: true });
  if (canvas === null) return null;
  canvas.clearRect(0, 0, size, size);
  try {
    paint(canvas);
    return canvas.getImageData(0, 0, size, size).data;
  } catch {
    return null;
  } finally {
    if (size > 1) canvas = null;
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
export function luminance({ r, g, b }: Colour): number {
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
