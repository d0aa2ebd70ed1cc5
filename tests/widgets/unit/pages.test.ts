import fc from '../../support/property.ts';
import { expect, it } from 'vitest';
import {
  goBack,
  goForward,
  currentOffset,
  PAGE_ITEMS,
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
        expect(page.items.length).toBeLessThanOrEqual(PAGE_ITEMS);
        seen.push(...page.items);
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
