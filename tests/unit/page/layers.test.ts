import { expect, it } from 'vitest';
import { layersOf } from '../../../extension/page/walk/paint.ts';

it('parts a list at the commas outside of brackets', () => {
  expect(layersOf('linear-gradient(rgb(1, 2, 3), red), none')).toEqual([
    'linear-gradient(rgb(1, 2, 3), red)',
    ' none',
  ]);
});

it('takes a picture of any size in the style itself', () => {
  const layer = `url("data:image/png;base64,${'A'.repeat(20_000_000)}")`;
  expect(layersOf(layer)).toHaveLength(1);
});
