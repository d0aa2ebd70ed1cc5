import { Virtualizer, elementScroll, observeElementOffset, observeElementRect } from '@tanstack/virtual-core';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

type List = Virtualizer<HTMLDivElement, HTMLDivElement>;

/** The rows of a long list that are in sight, all of them as high as each other, and so many before and after them. */
export function useList(
  count: number,
  rowPx: number,
  overscan = 8,
): { readonly list: List; readonly scroller: { current: HTMLDivElement | null } } {
  const scroller = useRef<HTMLDivElement>(null);
  const [, render] = useState({});
  const options = {
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    overscan,
    scrollToFn: elementScroll,
    observeElementRect,
    observeElementOffset,
    onChange: () => render({}),
  };
  const kept = useRef<List | null>(null);
  const list = (kept.current ??= new Virtualizer(options));
  list.setOptions(options);
  useLayoutEffect(() => list._didMount(), [list]);
  useLayoutEffect(() => list._willUpdate());
  return { list, scroller };
}

/** The row that a key leads to; null for another key. */
export function rowAfter(key: string, at: number, count: number): number | null {
  if (count === 0) return null;
  const last = count - 1;
  const clamped = (to: number): number => Math.max(0, Math.min(to, last));
  if (key === 'ArrowDown') return clamped(at + 1);
  if (key === 'ArrowUp') return clamped(at - 1);
  if (key === 'PageDown') return clamped(at + PAGE_ROWS);
  if (key === 'PageUp') return clamped(at - PAGE_ROWS);
  if (key === 'Home') return 0;
  return key === 'End' ? last : null;
}

/** Rows that a page of the keyboard moves by. */
const PAGE_ROWS = 8;
