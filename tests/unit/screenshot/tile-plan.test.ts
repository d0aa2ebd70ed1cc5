import fc from '../../support/property.ts';
import { describe, expect, it } from 'vitest';
import { planTiles, TILES_MAX } from '../../../extension/tools/screenshot/tile-plan.ts';
import { STRIP_PX } from '../../../extension/tools/screenshot/picture-size.ts';
import { MODEL_EDGE_PX } from '../../../shared/tools/screenshot/methods.ts';

const USUAL_PX = 1_500 * 750;

const page = fc.record({
  x: fc.integer({ min: -5_000, max: 0 }),
  y: fc.constant(0),
  width: fc.oneof(fc.integer({ min: 1, max: 4_000 }), fc.integer({ min: 1, max: 200_000 })),
  height: fc.oneof(fc.integer({ min: 1, max: 4_000 }), fc.integer({ min: 1, max: 2_000_000 })),
});
const pixelRatio = fc.constantFrom(0.25, 0.5, 2 / 3, 1, 1.1, 1.25, 1.5, 2, 3);
const maxPixels = fc.integer({ min: 50 * 750, max: 20_000 * 750 });

describe('tiles', () => {
  it('follow each other row by row, without a gap or an overlap, and cover what the plan says', () => {
    fc.assert(
      fc.property(page, pixelRatio, maxPixels, (area, ratio, most) => {
        const plan = planTiles(area, ratio, most);
        const tiles = plan.blocks.flatMap((block) => block.tiles);
        expect(tiles).toHaveLength(plan.tiles);
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
      }),
    );
  });

  it('stay within what was asked, the edge that models see, and the most there may be', () => {
    fc.assert(
      fc.property(page, pixelRatio, maxPixels, (area, ratio, most) => {
        const plan = planTiles(area, ratio, most);
        expect(plan.tiles).toBeLessThanOrEqual(TILES_MAX);
        const large = plan.blocks
          .flatMap((block) => block.tiles)
          .filter(({ width, height }) => width * height > most || Math.max(width, height) > MODEL_EDGE_PX);
        expect(large).toEqual([]);
      }),
    );
  });

  it('leave nothing out that the plan does not call cut', () => {
    fc.assert(
      fc.property(page, pixelRatio, maxPixels, (area, ratio, most) => {
        const { width, height, isCut } = planTiles(area, ratio, most);
        const [wide, high] = [
          Math.max(1, Math.floor(area.width * ratio)),
          Math.max(1, Math.floor(area.height * ratio)),
        ];
        if (isCut) expect(width < wide || height < high).toBe(true);
        else expect([width, height]).toEqual([wide, high]);
      }),
    );
  });

  it('are drawn in blocks that hold their tiles and that the browser can draw at once', () => {
    fc.assert(
      fc.property(page, pixelRatio, maxPixels, (area, ratio, most) => {
        const { blocks } = planTiles(area, ratio, most);
        expect(blocks.filter(({ width, height }) => Math.max(width, height) > STRIP_PX)).toEqual([]);
        const outside = blocks.filter((block) =>
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

  it.each([
    [1_280, 40_000, 1, 48, 840],
    [600, 100_000, 1, 65, 1_560],
    [1_280, 5_000, 2, 28, 720],
    [100_000, 500, 1, 65, 500],
  ])('%d × %d at %d are %d, %d pixels high', (width, height, ratio, count, high) => {
    const plan = planTiles({ x: 0, y: 0, width, height }, ratio, USUAL_PX);
    expect(plan.tiles).toBe(count);
    expect(plan.blocks[0]?.tiles[0]?.height).toBe(high);
    expect(plan.isCut).toBe(false);
  });

  it.each([
    [1_280, 40_000, 1, 6],
    [1_280, 10_000, 2, 4],
    [100_000, 500, 1, 13],
  ])('of %d × %d at %d are drawn in %d blocks', (width, height, ratio, count) => {
    expect(planTiles({ x: 0, y: 0, width, height }, ratio, USUAL_PX).blocks).toHaveLength(count);
  });
});
