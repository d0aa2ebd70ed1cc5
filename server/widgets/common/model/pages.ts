import { z } from 'zod';
import type { JsonValue } from '../../../../shared/json.ts';
import { Json } from '../../../../shared/json-schema.ts';
import type { Row } from '../../../../extension/panel/components/layout.ts';
import type { RunPage } from './answer.ts';

/** Items that a page asks for: what a person takes in at once, in the height of a few messages. */
export const PAGE_ITEMS = 10;

/** One page of items, wherever they come from. */
export interface Page {
  readonly offset: number;
  readonly rows: readonly Row[];
  /** Items there are so far. */
  readonly total: number;
  /** Null where no further item is there yet. */
  readonly nextOffset: number | null;
}

/** A page of items that are all here. */
export function sliceItems(items: readonly JsonValue[], offset: number): Page {
  const rows = items
    .slice(offset, offset + PAGE_ITEMS)
    .map((value, position) => ({ index: offset + position, value }));
  const end = offset + rows.length;
  return { offset, rows, total: items.length, nextOffset: end < items.length ? end : null };
}

/** A page that the server gave. While a run is active its end is not final: more may follow. */
export function pageOf({ offset = 0, content = [], total = 0, oversized }: RunPage): Page {
  const large = sizesByIndex(oversized);
  const rows = content.map((value, position): Row => {
    const index = offset + position;
    const sizeBytes = large.get(index);
    return {
      index,
      value: sizeBytes === undefined ? Json.parse(value) : null,
      ...(sizeBytes === undefined ? {} : { oversizedBytes: sizeBytes }),
    };
  });
  const end = offset + rows.length;
  return { offset, rows, total: Math.max(total, end), nextOffset: end < total ? end : null };
}

const Oversized = z.object({ index: z.number(), size_bytes: z.number() });

function sizesByIndex(oversized: unknown): ReadonlyMap<number, number> {
  const list: readonly unknown[] = Array.isArray(oversized) ? oversized : [];
  return new Map(
    list.flatMap((entry) => {
      const size = Oversized.safeParse(entry).data;
      return size === undefined ? [] : [[size.index, size.size_bytes]];
    }),
  );
}

/** Where the pages that were gone through began; the last is the one that is shown. */
export type PageHistory = readonly number[];

export const START: PageHistory = [0];

export const currentOffset = (trail: PageHistory): number => trail.at(-1) ?? 0;

export const goForward = (trail: PageHistory, nextOffset: number | null): PageHistory =>
  nextOffset === null || nextOffset <= currentOffset(trail) ? trail : [...trail, nextOffset];

export const goBack = (trail: PageHistory): PageHistory => (trail.length > 1 ? trail.slice(0, -1) : trail);

const Kept = z.object({ trail: z.array(z.int()) });

/** A trail as a host stored it; the start if it is invalid. */
export function readPageHistory(kept: unknown): PageHistory {
  const trail = Kept.safeParse(kept).data?.trail;
  if (trail?.[0] !== 0) return START;
  const isTrail = trail.every((offset, at) => at === 0 || offset > (trail[at - 1] ?? 0));
  return isTrail ? trail : START;
}
