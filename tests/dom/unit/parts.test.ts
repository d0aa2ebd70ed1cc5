import { expect, test } from 'vitest';
import { scrollDelta, type Area } from '../../../extension/dom/box-area.ts';
import { parseDeclarations } from '../../../extension/dom/source-visibility.ts';

test.each([
  ['color:red;color:blue', { color: 'blue' }],
  ['color:red !important;; x', { color: 'red' }],
  ['/* color:red */ width:1px', { width: '1px' }],
  ['background:url(data:a;b);width:1px', { background: 'url(data:a;b)', width: '1px' }],
  ['content:"a;b:c";width:1px', { content: '"a;b:c"', width: '1px' }],
  ['width:calc((1px + 2px) * 2);height:1px', { width: 'calc((1px + 2px) * 2)', height: '1px' }],
])('declarations of a style attribute %s', (css, expected) => {
  expect(Object.fromEntries(parseDeclarations(css))).toEqual(expected);
});

const area = (left = 0, top = 0, right = 0, bottom = 0): Area => ({ left, top, right, bottom });
const view = area(0, 0, 100, 100);

test.each([
  ['below', area(0, 150, 50, 200), 0, 100],
  ['half below', area(0, 80, 50, 120), 0, 20],
  ['too large, around the view', area(0, -50, 50, 350), 0, 0],
])('areas scrolls to what is %s', (_title, target, left, top) => {
  expect(scrollDelta(target, view)).toEqual({ left, top });
});
