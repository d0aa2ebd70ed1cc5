import { expect, it } from 'vitest';
import fc from '../../support/property.ts';
import { planTiles, TILES_MAX } from '../../../extension/pictures/worker/full-page.ts';
import { STRIP_PX } from '../../../extension/pictures/worker/capture.ts';
import { MODEL_EDGE_PX } from '../../../shared/pictures/screenshot.methods.ts';

const page = fc.record({
  x: fc.integer({ min: -5_000, max: 0 }),
  y: fc.constant(0),
  width: fc.oneof(fc.integer({ min: 1, max: 4_000 }), fc.integer({ min: 1, max: 200_000 })),
  height: fc.oneof(fc.integer({ min: 1, max: 4_000 }), fc.integer({ min: 1, max: 2_000_000 })),
});
const pixelRatio = fc.constantFrom(0.25, 0.5, 2 / 3, 1, 1.1, 1.25, 1.5, 2, 3);
const maxPixels = fc.integer({ min: 50 * 750, max: 20_000 * 750 });

it('tiles cover what the plan says without a gap or an overlap, within all bounds, in blocks that can be drawn', () => {
  fc.assert(
    fc.property(page, pixelRatio, maxPixels, (area, ratio, most) => {
      const plan = planTiles(area, ratio, most);
      const tiles = plan.blocks.flatMap((block) => block.tiles);
      expect(tiles).toHaveLength(plan.tiles);
      expect(plan.tiles).toBeLessThanOrEqual(TILES_MAX);
      let next = { left: 0, top: 0 };
      // One expectation for all: a plan has hundreds of tiles.
      const misplaced = tiles.filter(({ left, top, width, height }) => {
        const isWrong = left !== next.left || top !== next.top;
        const isLast = left + width === plan.width;
        next = isLast ? { left: 0, top: top + height } : { left: left + width, top };
        return isWrong;
      });
      expect(misplaced).toEqual([]);
      expect(next).toEqual({ left: 0, top: plan.height });
      const isLarge = ({ width, height }: { width: number; height: number }): boolean =>
        width * height > most || Math.max(width, height) > MODEL_EDGE_PX;
      expect(tiles.filter(isLarge)).toEqual([]);

      // Nothing is missing that the plan does not report as cut.
      const [wide, high] = [area.width, area.height].map((px) => Math.max(1, Math.floor(px * ratio)));
      if (plan.isCut) expect(plan.width < (wide ?? 0) || plan.height < (high ?? 0)).toBe(true);
      else expect([plan.width, plan.height]).toEqual([wide, high]);

      expect(plan.blocks.filter(({ width, height }) => Math.max(width, height) > STRIP_PX)).toEqual([]);
      const outside = plan.blocks.filter((block) =>
        block.tiles.some(
          ({ left, top, width, height }) =>
            left < block.left ||
            top < block.top ||
            left + width > block.left + block.width ||
            top + height > block.top + block.height,
        ),
      );
      expect(outside).toEqual([]);
    }),
  );
});
