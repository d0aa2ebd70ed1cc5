import fc from '../../support/property.ts';
import { expect, it } from 'vitest';
import {
  goBack,
  goForward,
  currentOffset,
  PAGE_ITEMS,
  pageOf,
  sliceItems,
  START,
} from '../../../extension/widgets/common/model/pages.ts';

it('pages of items that are here going forward shows every item once, and going back leads to the start', () => {
  fc.assert(
    fc.property(fc.array(fc.integer(), { maxLength: 60 }), (items) => {
      let trail = START;
      const seen: unknown[] = [];
      for (;;) {
        const page = sliceItems(items, currentOffset(trail));
        expect(page.rows.length).toBeLessThanOrEqual(PAGE_ITEMS);
        seen.push(...page.rows.map(({ value }) => value));
        const next = goForward(trail, page.nextOffset);
        if (next === trail) break;
        trail = next;
      }
      expect(seen).toEqual(items);
      for (let step = trail.length; step > 0; step -= 1) trail = goBack(trail);
      expect(trail).toEqual(START);
    }),
  );
});

it('pageOf knows the items that are too large, and takes a null for a null', () => {
  const { rows } = pageOf({
    offset: 4,
    content: [null, { oversized_bytes: 40_000 }],
    total: 6,
    oversized: [{ index: 5, byte_offset: 9, size_bytes: 40_000 }, 'odd', { index: 'odd' }],
  });
  expect(rows).toEqual([
    { index: 4, value: null },
    { index: 5, value: null, oversizedBytes: 40_000 },
  ]);
});
