import { describe, expect, test } from 'vitest';
import { BLACK, WHITE, blend, isVisuallySame, parseColour } from '../../../extension/page/walk/colour.ts';
import { ALL_STYLE, STYLE, flagsOfCss } from '../../../extension/page/walk/style-flags.ts';

describe('flagsOfCss', () => {
  test.each([
    ['p { margin: 4px }', STYLE.margin],
    ['p { color: #333 }', STYLE.colour],
    ['p { opacity: 0 }', STYLE.box | STYLE.opacity],
    ['p { position: absolute; left: -9999px }', STYLE.box | STYLE.position | STYLE.cover],
    ['p { visibility: hidden }', STYLE.box | STYLE.visibility],
    ['p { filter: blur(1px) }', STYLE.box | STYLE.filter | STYLE.colour],
    ['p { content-visibility: auto }', STYLE.box | STYLE.skip | STYLE.visibility],
    ['p { clip-path: circle(0) }', STYLE.box | STYLE.clip],
    ['p { font-size: 1px }', STYLE.box | STYLE.font],
    ['p { font: bold 16px / 1.5 Arial }', 0],
    ['p { font-size: 1.2rem }', 0],
    ['p { display: none }', STYLE.display],
    ['p { all: unset }', ALL_STYLE],
    ['@keyframes x { from { color: red; opacity: 0 } }', STYLE.colour | STYLE.box | STYLE.opacity],
    ['@import url("x.css")', ALL_STYLE],
  ])('%s', (css, flags) => {
    expect(flagsOfCss(css)).toBe(flags);
  });
});

describe('colours', () => {
  test.each([
    ['rgba(1, 2, 3, 0.5)', { r: 1, g: 2, b: 3, a: 0.5 }],
    ['color(srgb 1 0 0 / 0.5)', { r: 255, g: 0, b: 0, a: 0.5 }],
    ['oklch(0.5 0.1 20)', null],
  ])('%s', (css, colour) => {
    expect(parseColour(css)).toEqual(colour);
  });

  test('text that cannot be distinguished from its background', () => {
    expect(isVisuallySame(WHITE, WHITE)).toBe(true);
    expect(isVisuallySame({ r: 250, g: 250, b: 252, a: 1 }, WHITE)).toBe(true);
    expect(isVisuallySame(BLACK, WHITE)).toBe(false);
    expect(isVisuallySame({ r: 190, g: 190, b: 190, a: 1 }, WHITE)).toBe(false);
    expect(isVisuallySame({ ...BLACK, a: 0.02 }, WHITE)).toBe(true);
    expect(blend({ ...BLACK, a: 0.5 }, WHITE)).toEqual({ r: 127.5, g: 127.5, b: 127.5, a: 1 });
  });
});
