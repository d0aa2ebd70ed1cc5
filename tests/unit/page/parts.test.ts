import { describe, expect, test } from 'vitest';
import { scrollDelta, type Area } from '../../../extension/page/box-area.ts';
import { layersOf } from '../../../extension/page/walk/paint.ts';
import { clipPathArea } from '../../../extension/page/walk/shape.ts';
import { parseDeclarations } from '../../../extension/page/walk/declarations.ts';

describe('declarations of a style attribute', () => {
  test.each([
    ['color:red;color:blue', { color: 'blue' }],
    ['color:red !important;; x', { color: 'red' }],
    ['/* color:red */ width:1px', { width: '1px' }],
    ['background:url(data:a;b);width:1px', { background: 'url(data:a;b)', width: '1px' }],
    ['content:"a;b:c";width:1px', { content: '"a;b:c"', width: '1px' }],
    ['width:calc((1px + 2px) * 2);height:1px', { width: 'calc((1px + 2px) * 2)', height: '1px' }],
  ])('%s', (css, expected) => {
    expect(Object.fromEntries(parseDeclarations(css))).toEqual(expected);
  });
});

describe('areas', () => {
  const area = (left: number, top: number, right: number, bottom: number): Area => {
    return { left, top, right, bottom };
  };
  const view = area(0, 0, 100, 100);

  test.each([
    ['below', area(0, 150, 50, 200), 0, 100],
    ['half below', area(0, 80, 50, 120), 0, 20],
    ['too large, around the view', area(0, -50, 50, 350), 0, 0],
  ])('scrolls to what is %s', (_title, target, left, top) => {
    expect(scrollDelta(target, view)).toEqual({ left, top });
  });
});

test('parts layers at the commas outside of brackets, also around a picture of any size', () => {
  expect(layersOf('linear-gradient(rgb(1, 2, 3), red), none')).toEqual([
    'linear-gradient(rgb(1, 2, 3), red)',
    ' none',
  ]);
  expect(layersOf(`url("data:image/png;base64,${'A'.repeat(20_000_000)}")`)).toHaveLength(1);
});

test('finds the area of a polygon in its box, and says nothing of one with more points than anybody draws', () => {
  const box = { left: 10, top: 20, right: 110, bottom: 120 };
  // Only references to elements look at the document.
  const areaOf = (points: string) => clipPathArea(`polygon(${points})`, box, {} as Document);
  expect(areaOf('0px 0px, 50% 0px, 50% 25%')).toEqual({ left: 10, top: 20, right: 60, bottom: 45 });
  expect(areaOf(Array.from({ length: 200_000 }, (_, at) => `${at}px 0px`).join(', '))).toBeNull();
});
