import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Rows } from '../../feed/segments.ts';
import { useList } from '../use-list.ts';

/** All rows are as high as each other, so that a hundred thousand need no measuring. */
const ROW_PX = 26;
const OVERSCAN = 12;

/**
 * The rows that are in sight. What comes on top moves nothing for a person who has scrolled away from it.
 *
 * @returns the list, the element that scrolls, and whether its top is in sight
 */
export function useRows(rows: Rows): ReturnType<typeof useList> & { readonly isAtTop: boolean } {
  const { list, scroller } = useList(rows.count, ROW_PX, OVERSCAN);
  useAnchor(rows, scroller);
  return { list, scroller, isAtTop: (list.scrollOffset ?? 0) < ROW_PX };
}

/** Keeps the first line that is in sight where it is when lines come above it. */
function useAnchor(rows: Rows, scroller: { readonly current: HTMLDivElement | null }): void {
  const before = useRef(rows);
  useLayoutEffect(() => {
    const old = before.current;
    before.current = rows;
    const element = scroller.current;
    if (element === null || old === rows || element.scrollTop < ROW_PX) return;
    const first = Math.floor(element.scrollTop / ROW_PX);
    for (let index = first; index < first + OVERSCAN; index += 1) {
      const row = old.at(index);
      if (row?.kind !== 'entry') continue;
      const now = rows.indexOf(row.entry.key);
      if (now < 0) continue;
      if (now !== index) element.scrollTop += (now - index) * ROW_PX;
      return;
    }
  }, [rows, scroller]);
}
