import { lookUp } from '../dom.ts';
import { blend, luminance, type Colour } from './colour.ts';

const each = (colour: Colour, change: (channel: number) => number): Colour => ({
  r: clamp(change(colour.r)),
  g: clamp(change(colour.g)),
  b: clamp(change(colour.b)),
  a: colour.a,
});
const clamp = (channel: number): number => Math.min(255, Math.max(0, channel));

const FILTERS: Readonly<Record<string, (colour: Colour, amount: number) => Colour>> = {
  brightness: (colour, amount) => each(colour, (c) => c * amount),
  contrast: (colour, amount) => each(colour, (c) => (c - 127.5) * amount + 127.5),
  invert: (colour, amount) => each(colour, (c) => c + (255 - 2 * c) * amount),
  opacity: (colour, amount) => ({ ...colour, a: colour.a * amount }),
  grayscale: (colour, amount) => {
    const grey = 0.2126 * colour.r + 0.7152 * colour.g + 0.0722 * colour.b;
    return each(colour, (c) => c + (grey - c) * Math.min(1, amount));
  },
};

/** A colour after the filters of a computed `filter`; null where a filter is not known. */
export function filtered(colour: Colour, filter: string): Colour | null {
  let result = colour;
  for (const [, name = '', value = ''] of filter.matchAll(/([\w-]+)\(([^)]*)\)/g)) {
    if (/^(?:blur|saturate|sepia|hue-rotate)$/.test(name)) continue;
    const change = lookUp(FILTERS, name);
    if (change === undefined) return null;
    result = change(result, Number.parseFloat(value) / (value.endsWith('%') ? 100 : 1));
  }
  return result;
}

/** The product of all opacities in a computed `filter`. */
export function filterOpacity(filter: string): number {
  let product = 1;
  for (const [, value = ''] of filter.matchAll(/opacity\(([^)]*)\)/g))
    product *= Number.parseFloat(value) / (value.endsWith('%') ? 100 : 1);
  return product;
}

/** The radius of all blurs in a computed `filter`. */
export const blurOf = (filter: string): number =>
  [...filter.matchAll(/blur\(([\d.]+)px\)/g)].reduce((sum, [, radius]) => sum + Number(radius), 0);

/** What two channels, 0–1, give: what is painted, and what is under it. */
const BLENDS: Readonly<Record<string, (over: number, under: number) => number>> = {
  multiply: (s, b) => s * b,
  screen: (s, b) => s + b - s * b,
  darken: Math.min,
  lighten: Math.max,
  'color-dodge': (s, b) => (b === 0 ? 0 : Math.min(1, b / (1 - s))),
  'color-burn': (s, b) => (b === 1 ? 1 : 1 - Math.min(1, (1 - b) / s)),
  'plus-lighter': (s, b) => s + b,
  difference: (s, b) => Math.abs(s - b),
  exclusion: (s, b) => s + b - 2 * s * b,
};

/** A colour painted on an opaque one by a `mix-blend-mode`; null where the mode is not known. */
export function blendedBy(mode: string, over: Colour, under: Colour): Colour | null {
  const mix = lookUp(BLENDS, mode);
  if (mix === undefined) return null;
  const channel = (s: number, b: number): number => clamp(mix(s / 255, b / 255) * 255);
  const mixed = { r: channel(over.r, under.r), g: channel(over.g, under.g), b: channel(over.b, under.b) };
  return blend({ ...mixed, a: over.a }, under);
}

/** Whether two opaque colours are far apart in light. */
export const differInLight = (one: Colour, other: Colour): boolean =>
  Math.abs(luminance(one) - luminance(other)) > 0.02;
