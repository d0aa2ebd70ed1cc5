import { expect, test } from 'vitest';
import fc from '../../support/property.ts';
import { SpanResolver, type SpanCell } from '../../../extension/extract/page/table-model.ts';

const cell = (name: string, colSpan = 1, rowSpan = 1): SpanCell<string> => ({ cell: name, colSpan, rowSpan });

test('row and column spans a rectangle of rectangles comes out as it was tiled', () => {
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
        const expected = widths.flatMap((width, at) => Array.from({ length: width }, () => `${band}.${at}`));
        expect(grid.row(widths.map((width, at) => cell(`${band}.${at}`, width, height)))).toEqual(expected);
        for (let row = 1; row < height; row += 1) expect(grid.row([])).toEqual(expected);
      });
    }),
  );
});
