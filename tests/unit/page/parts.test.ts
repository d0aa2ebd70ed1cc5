import { describe, expect, test } from 'vitest';
import { intersect, isEmpty, isWithin, scrollDelta, type Area } from '../../../extension/page/box-area.ts';
import { keepAttribute } from '../../../extension/page/skeleton/attributes.ts';
import { cutAddress } from '../../../extension/page/skeleton/cut-address.ts';
import { withoutNumbers } from '../../../extension/page/skeleton/shape.ts';
import { planSiblings, type Planned } from '../../../extension/page/skeleton/siblings.ts';
import { refreshTarget } from '../../../extension/page/document-summary.ts';
import { parseDeclarations, pixels } from '../../../extension/page/walk/declarations.ts';

describe('declarations of a style attribute', () => {
  test.each([
    ['', {}],
    ['COLOR:red;;width : 2px ;', { color: 'red', width: '2px' }],
    ['color:red;color:blue', { color: 'blue' }],
    ['color:red !important;; x', { color: 'red' }],
    ['color:', {}],
    ['color', {}],
    ['/* color:red */ width:1px', { width: '1px' }],
    ['/* color:red', {}],
    ['background:url(data:a;b);width:1px', { background: 'url(data:a;b)', width: '1px' }],
    ['content:"a;b:c";width:1px', { content: '"a;b:c"', width: '1px' }],
    ["content:'it\"s;';width:1px", { content: "'it\"s;'", width: '1px' }],
    ['width:calc((1px + 2px) * 2);height:1px', { width: 'calc((1px + 2px) * 2)', height: '1px' }],
    ['width:1px;}color:red', { width: '1px', '}color': 'red' }],
  ])('%s', (css, expected) => {
    expect(Object.fromEntries(parseDeclarations(css))).toEqual(expected);
  });

  test.each([
    ['0', 0],
    ['-9999px', -9999],
    ['.5px', 0.5],
    ['3pt', 4],
    ['2em', 32],
    ['12', null],
    ['50%', null],
    ['auto', null],
    [undefined, null],
  ])('%s in pixels', (value, expected) => {
    expect(pixels(value)).toBe(expected);
  });
});

describe('areas', () => {
  const area = (left: number, top: number, right: number, bottom: number): Area => {
    return { left, top, right, bottom };
  };
  const view = area(0, 0, 100, 100);

  test.each([
    ['in view', area(0, 0, 50, 50), 0, 0],
    ['below', area(0, 150, 50, 200), 0, 100],
    ['above', area(0, -50, 50, -20), 0, -50],
    ['to the right', area(150, 0, 200, 50), 100, 0],
    ['half below', area(0, 80, 50, 120), 0, 20],
    ['too large, its beginning below', area(0, 50, 50, 350), 0, 50],
    ['too large, around the view', area(0, -50, 50, 350), 0, 0],
    ['parts of pixels', area(0, 80, 50, 120.4), 0, 21],
  ])('scrolls to what is %s', (_title, target, left, top) => {
    expect(scrollDelta(target, view)).toEqual({ left, top });
  });

  test('intersect', () => {
    expect(intersect(area(0, 0, 50, 50), area(20, 30, 80, 90))).toEqual(area(20, 30, 50, 50));
    expect(isEmpty(intersect(area(0, 0, 10, 10), area(20, 0, 30, 10)))).toBe(true);
    expect(isWithin(area(0, 0, 100.4, 100), view)).toBe(true);
    expect(isWithin(area(0, 0, 101, 100), view)).toBe(false);
  });
});

describe('siblings of a skeleton', () => {
  const plan = (shapes: string): string =>
    planSiblings([...shapes].map(shapeOf))
      .map(describePlan)
      .join(' ');
  const shapeOf = (letter: string) => ({ fine: letter, coarse: letter.toLowerCase() });
  const describePlan = (one: Planned): string =>
    'show' in one ? String(one.show) : `+${one.skipped}${one.isLikeLast ? '' : '*'}`;

  test.each([
    ['', ''],
    ['a', '0'],
    ['aa', '0 1'],
    ['aaa', '0 +2'],
    ['ababab', '0 1 +4*'],
    ['abaaa', '0 1 +3*'],
    ['aaab', '0 +2 3'],
    ['aabb', '0 1 2 3'],
  ])('%s', (shapes, expected) => {
    expect(plan(shapes)).toBe(expected);
  });

  test('those that differ in their names alone are shown up to a dozen', () => {
    const shapes = [...'abcdefghijklmnopqrst'].map((name) => ({ fine: `li#${name}`, coarse: 'li' }));
    expect(planSiblings(shapes)).toHaveLength(13);
    expect(planSiblings(shapes).at(-1)).toEqual({ last: 19, skipped: 8, isLikeLast: false });
  });

  test.each([
    ['item-12', 'item-0'],
    ['row 3f2a9c1e', 'row 0'],
    ['a-550e8400-e29b-41d4-a716-446655440000', 'a-0'],
    ['plain', 'plain'],
  ])('%s without its numbers', (text, expected) => {
    expect(withoutNumbers(text)).toBe(expected);
  });
});

describe('attributes of a skeleton', () => {
  test.each([
    ['id', 'a', 'a'],
    ['class', ' a  b ', 'a b'],
    ['class', ' ', null],
    ['style', 'color:red', null],
    ['onclick', 'x()', null],
    ['href', 'javascript:x()', null],
    ['href', 'data:text/html,a', 'data:…'],
    ['aria-label', 'a', 'a'],
    ['data-testid', 'a'.repeat(60), 'a'.repeat(60)],
    ['data-id', 'a', 'a'],
    ['data-anything', 'a', 'a'],
    ['data-anything', 'a'.repeat(41), null],
    ['data-tracking', 'a', null],
    ['nonce', 'a', null],
    ['value', 'a', null],
  ])('%s=%s', (name, value, expected) => {
    expect(keepAttribute(name, value)).toBe(expected);
  });

  test.each([
    ['/a/b', '/a/b'],
    ['https://x.test/a?b=c', 'https://x.test/a?b=c'],
    ['https://me:pass@x.test/a', 'https://x.test/a'],
    ['//me@x.test/a', '//x.test/a'],
    ['/go?to=https://me:pass@x.test/', '/go?to=https://x.test/'],
    ['https://x.test/a@b', 'https://x.test/a@b'],
    [`/a?token=${'1'.repeat(60)}`, '/a? …'],
    [`https://x.test/a/b/${'1'.repeat(60)}/c`, 'https://x.test/a/b/…'],
  ])('address %s', (address, expected) => {
    expect(cutAddress(address, 60)).toBe(expected);
  });
});

test.each([
  ['5; url=/x', '/x'],
  ['0;URL="/x"', '/x'],
  ["0; url='/x' more", '/x'],
  ['0, /x', '/x'],
  ['.5 url=/x', '/x'],
  ['5', null],
  ['5;', null],
  ['url=/x', null],
])('a refresh of %s', (content, expected) => {
  expect(refreshTarget(content)).toBe(expected);
});
