import fc from '../../support/property.ts';
import { describe, expect, it } from 'vitest';
import {
  cutStrips,
  fitPicture,
  PICTURE_EDGE_PX,
  PICTURE_PX,
  STRIP_AREA_PX,
  STRIP_PX,
} from '../../../extension/pictures/worker/capture.ts';
import { MODEL_EDGE_PX } from '../../../shared/pictures/screenshot.methods.ts';

const area = fc.record({
  x: fc.integer({ min: -5_000, max: 5_000 }),
  y: fc.integer({ min: 0, max: 100_000 }),
  width: fc.integer({ min: 1, max: 20_000 }),
  height: fc.integer({ min: 1, max: 500_000 }),
});
const pixelRatio = fc.constantFrom(0.5, 0.67, 1, 1.1, 1.25, 1.5, 2, 3, 3.5);
const maxPixels = fc.option(fc.integer({ min: 50 * 750, max: 20_000 * 750 }));

describe('the size of a picture', () => {
  it('stays within what was asked, what models see and what browsers draw, and shows all that it does not call cut', () => {
    fc.assert(
      fc.property(area, pixelRatio, maxPixels, (wanted, ratio, most) => {
        const { width, height, scale, shown, isCut } = fitPicture(wanted, ratio, most);
        expect(width * height).toBeLessThanOrEqual(Math.min(PICTURE_PX, most ?? PICTURE_PX));
        expect(Math.max(width, height)).toBeLessThanOrEqual(most === null ? PICTURE_EDGE_PX : MODEL_EDGE_PX);
        // A picture one pixel wide may have to enlarge a thinner area.
        if (width > 1) expect(scale).toBeLessThanOrEqual(ratio);
        expect(Math.round(shown.width * scale)).toBe(width);
        if (height > 1) expect(Math.round(shown.height * scale)).toBe(height);
        expect([shown.x, shown.y]).toEqual([wanted.x, wanted.y]);
        if (isCut) return;
        expect(shown.width).toBe(wanted.width);
        expect(wanted.height - shown.height).toBeLessThanOrEqual(1 / scale + 1e-6);
      }),
    );
  });

  it.each([
    [1_280, 800, 2, null, 2_560, 1_600],
    [1_280, 800, 2, 1_500 * 750, 1_341, 838],
    [20_000, 800, 1, 1_500 * 750, 1_568, 62],
    [20_000, 3_000, 1, null, 14_956, 2_243],
  ])('%d × %d at %d with %s pixels is %d × %d', (width, height, ratio, most, wide, high) => {
    expect(fitPicture({ x: 0, y: 0, width, height }, ratio, most)).toMatchObject({
      width: wide,
      height: high,
      isCut: false,
    });
  });
});

it('strips follow each other without a gap, and each can be drawn', () => {
  fc.assert(
    fc.property(area, pixelRatio, maxPixels, (wanted, ratio, most) => {
      const size = fitPicture(wanted, ratio, most);
      const strips = cutStrips(size, ratio);
      let top = 0;
      for (const strip of strips) {
        expect(strip.top).toBe(top);
        expect(strip.area.y).toBeCloseTo(size.shown.y + top / size.scale, 5);
        expect(strip.rows).toBeGreaterThan(0);
        if (strips.length > 1 && strip.rows > 1) {
          expect(strip.area.height * ratio).toBeLessThanOrEqual(STRIP_PX + 1e-6);
          expect(strip.rows * size.width).toBeLessThanOrEqual(STRIP_AREA_PX);
        } else expect(strip.rows * size.width).toBeLessThanOrEqual(2 * STRIP_AREA_PX);
        top += strip.rows;
      }
      expect(top).toBe(size.height);
    }),
  );
});
