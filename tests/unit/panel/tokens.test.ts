import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const TOKENS = 'extension/styles/tokens.css';
const tokens = withoutComments(readFileSync(join(root, TOKENS), 'utf8'));

const GROUNDS = ['ground', 'raised', 'theirs', 'warn'] as const;
const TEXTS = ['text', 'quiet', 'accent', 'good', 'bad', 'wait'] as const;
const LEAST_CONTRAST = 4.5;

type Rgb = readonly [number, number, number];

function withoutComments(css: string): string {
  return css.replaceAll(/\/\*[^]*?\*\//g, '');
}

function valueOf(name: string): string {
  const value = new RegExp(`--${name}:\\s*([^;]+);`).exec(tokens)?.[1];
  if (value === undefined) throw new Error(`${TOKENS} has no --${name}.`);
  return value;
}

/** The colour of a token in one theme, without a host's variables. */
function colourOf(name: string, theme: 'light' | 'dark'): Rgb {
  const [, light = '', dark = ''] = /light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)/.exec(valueOf(name)) ?? [];
  const hex = theme === 'light' ? light : dark;
  if (hex === '') throw new Error(`--${name} has no colour of the ${theme} theme.`);
  return [parseInt(hex.slice(1, 3), 16), parseInt(hex.slice(3, 5), 16), parseInt(hex.slice(5, 7), 16)];
}

const mix = (above: Rgb, below: Rgb, share: number): Rgb => [
  above[0] * share + below[0] * (1 - share),
  above[1] * share + below[1] * (1 - share),
  above[2] * share + below[2] * (1 - share),
];

/** WCAG 2.2, relative luminance. */
function lightOf(colour: Rgb): number {
  const [r, g, b] = colour.map((part) => {
    const unit = part / 255;
    return unit <= 0.04045 ? unit / 12.92 : ((unit + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * (r ?? 0) + 0.7152 * (g ?? 0) + 0.0722 * (b ?? 0);
}

function contrast(one: Rgb, other: Rgb): number {
  const [low = 0, high = 0] = [lightOf(one), lightOf(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

describe.each(['light', 'dark'] as const)('in the %s theme', (theme) => {
  const pairs = TEXTS.flatMap((text) => GROUNDS.map((ground) => [text, ground] as const));

  it.each(pairs)('%s can be read on %s, and on a tint of itself there', (text, ground) => {
    const ink = colourOf(text, theme);
    const paper = colourOf(ground, theme);
    expect(contrast(ink, paper)).toBeGreaterThanOrEqual(LEAST_CONTRAST);
    const tint = Number.parseFloat(valueOf('tint')) / 100;
    expect(contrast(ink, mix(ink, paper, tint))).toBeGreaterThanOrEqual(LEAST_CONTRAST);
  });

  it.each(['accent-text', 'ground'])('%s can be read on the accent', (text) => {
    expect(contrast(colourOf(text, theme), colourOf('accent', theme))).toBeGreaterThanOrEqual(LEAST_CONTRAST);
  });
});

it('both themes and high contrast have every colour', () => {
  const [themes = '', forced = ''] = tokens.split('@media (forced-colors: active)');
  const namesIn = (css: string, value: RegExp): string[] =>
    [...css.matchAll(/--([a-z-]+):\s*([^;]+);/g)]
      .filter(([, , given = '']) => value.test(given))
      .map(([, name = '']) => name)
      .sort();
  expect(namesIn(themes, /#/)).toEqual(namesIn(forced, /^[A-Z]/));
  expect(namesIn(themes, /#/).length).toBeGreaterThan(10);
});
