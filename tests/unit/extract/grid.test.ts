import fc from '../../support/property.ts';
import { describe, expect, test } from 'vitest';
import { SpanResolver, type SpanCell } from '../../../extension/page/extract/grid.ts';
import { groupAlike, similarity } from '../../../extension/page/extract/similarity.ts';

const cell = (name: string, colSpan = 1, rowSpan = 1): SpanCell<string> => ({ cell: name, colSpan, rowSpan });

describe('row and column spans', () => {
  test('a cell is in every place that it spans', () => {
    const grid = new SpanResolver<string>();
    expect(grid.row([cell('a', 1, 2), cell('b', 2), cell('c', 1, 3)])).toEqual(['a', 'b', 'b', 'c']);
    expect(grid.row([cell('d'), cell('e')])).toEqual(['a', 'd', 'e', 'c']);
    expect(grid.row([cell('f', 3)])).toEqual(['f', 'f', 'f', 'c']);
    expect(grid.row([])).toEqual([]);
  });

  test('a span of 0 rows ends with its section', () => {
    const grid = new SpanResolver<string>();
    grid.row([cell('a', 1, 0), cell('b')]);
    expect(grid.row([cell('c')])).toEqual(['a', 'c']);
    grid.endSection();
    expect(grid.row([cell('d')])).toEqual(['d']);
  });

  test('a rectangle of rectangles comes out as it was tiled', () => {
    // Each row of tiles has its height; each tile in it its width.
    const tiles = fc.array(
      fc.record({
        height: fc.integer({ min: 1, max: 4 }),
        widths: fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 6 }),
      }),
      { minLength: 1, maxLength: 8 },
    );
    fc.assert(
      fc.property(tiles, (bands) => {
        const grid = new SpanResolver<string>();
        bands.forEach(({ height, widths }, band) => {
          const expected = widths.flatMap((width, at) =>
            Array.from({ length: width }, () => `${band}.${at}`),
          );
          expect(grid.row(widths.map((width, at) => cell(`${band}.${at}`, width, height)))).toEqual(expected);
          for (let row = 1; row < height; row += 1) expect(grid.row([])).toEqual(expected);
        });
      }),
    );
  });

  test('absurd spans take no absurd memory', () => {
    const grid = new SpanResolver<string>();
    expect(grid.row([cell('a', 1e9, 1e9), cell('b')])).toHaveLength(1_000);
  });
});

describe('likeness of subtrees', () => {
  const shapes = fc
    .dictionary(fc.constantFrom('a', 'b', 'c', 'd', 'e'), fc.integer({ min: 1, max: 5 }))
    .map((kinds) => new Map(Object.entries(kinds)));

  test('is symmetric, between 0 and 1, and 1 for equals', () => {
    fc.assert(
      fc.property(shapes, shapes, (a, b) => {
        expect(similarity(a, b)).toBe(similarity(b, a));
        expect(similarity(a, b)).toBeGreaterThanOrEqual(0);
        expect(similarity(a, b)).toBeLessThanOrEqual(1);
        expect(similarity(a, new Map(a))).toBe(1);
      }),
    );
  });

  test('content in between does not split a group', () => {
    const card = new Map([
      ['h3', 1],
      ['p', 2],
      ['img', 1],
    ]);
    const other = new Map([
      ['iframe', 1],
      ['a', 1],
    ]);
    const smaller = new Map([
      ['h3', 1],
      ['p', 2],
    ]);
    expect(groupAlike([card, other, smaller, card], (shape) => shape)).toEqual([
      [card, smaller, card],
      [other],
    ]);
  });
});
