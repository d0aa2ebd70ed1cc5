import { expect, it } from 'vitest';
import { clipPathArea } from '../../../extension/page/walk/shape.ts';

const BOX = { left: 10, top: 20, right: 110, bottom: 120 };
// Only references to elements look at the document.
const areaOf = (clipPath: string) => clipPathArea(clipPath, BOX, {} as Document);

it('finds the area of a polygon in its box', () => {
  expect(areaOf('polygon(0px 0px, 50% 0px, 50% 25%)')).toEqual({ left: 10, top: 20, right: 60, bottom: 45 });
});

it('says nothing of a shape with more points than anybody draws', () => {
  expect(
    areaOf(`polygon(${Array.from({ length: 200_000 }, (_, at) => `${at}px 0px`).join(', ')})`),
  ).toBeNull();
});
