/** Red, green, blue 0–255 and alpha 0–1. */
export interface Colour {
  readonly r: number;
  readonly g: number;
  readonly b: number;
  readonly a: number;
}

export const WHITE: Colour = { r: 255, g: 255, b: 255, a: 1 };
export const BLACK: Colour = { r: 0, g: 0, b: 0, a: 1 };

/** Two colours that differ by less cannot be told apart by a person (WCAG contrast ratio). */
const MIN_CONTRAST = 1.1;

const known = new Map<string, Colour | null>();

/** Parses what computed style answers: `rgb()`, `rgba()`, `color(srgb …)`; null for other spaces. */
export function parseColour(css: string): Colour | null {
  let colour = known.get(css);
  if (colour !== undefined) return colour;
  colour = parse(css);
  if (known.size > 2_000) known.clear();
  known.set(css, colour);
  return colour;
}

function parse(css: string): Colour | null {
  const numbers = css.match(/-?[\d.]+(?:e-?\d+)?/g)?.map(Number) ?? [];
  const [r = 0, g = 0, b = 0, a = 1] = numbers;
  if (css.startsWith('rgb')) return { r, g, b, a };
  if (css.startsWith('color(srgb ')) return { r: r * 255, g: g * 255, b: b * 255, a };
  return css === 'transparent' ? { r: 0, g: 0, b: 0, a: 0 } : null;
}

/** `over` painted on the opaque `under`. */
export function blend(over: Colour, under: Colour): Colour {
  const mix = (x: number, y: number): number => x * over.a + y * (1 - over.a);
  return { r: mix(over.r, under.r), g: mix(over.g, under.g), b: mix(over.b, under.b), a: 1 };
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
