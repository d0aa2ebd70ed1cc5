import { z } from 'zod';
import type { JsonValue } from '../../../shared/json.ts';
import { parseStored } from '../../toolkit/stored.ts';

const counts = z.record(z.string(), z.int());

/** Counts of a crawl, kept in the run's state and changed in the commit of what they count. */
const Tally = z.object({
  /** The starts are in the frontier. */
  seeded: z.boolean(),
  /** Last place in breadth-first order that was given to a page. */
  rank: z.int(),
  items: z.int(),
  /** Pages that were asked for: what `max_pages` bounds. */
  pages: z.int(),
  failed: z.int(),
  /** Pages with the text of `find`, and pages without it, which are not items. */
  matched: z.int().default(0),
  unmatched: z.int().default(0),
  queued: z.int(),
  duplicates: z.int(),
  deepest: z.int(),
  /** Addresses that robots.txt forbids; beyond `max_pages` of them they are not items. */
  disallowed: z.int(),
  nofollow: z.int(),
  /** Links that the scope or a glob leaves out, each page's counted by itself. */
  outside: z.int().default(0),
  /** Whether links were left because of `max_depth`. */
  beyondDepth: z.boolean(),
  traps: counts,
  /** One address of each kind of trap. */
  trapExamples: z.record(z.string(), z.string()),
  /** Spaces that are no longer read, by their templates. */
  closed: z
    .record(z.string(), z.object({ kind: z.string(), pages: z.int(), unread: z.int(), next: z.string() }))
    .default({}),
  errors: counts,
  notes: z.array(z.string()),
});
export type Tally = z.infer<typeof Tally>;

export const TALLY_KEY = ['m'] as const;

const EMPTY_TALLY: Tally = {
  seeded: false,
  rank: 0,
  items: 0,
  pages: 0,
  failed: 0,
  matched: 0,
  unmatched: 0,
  queued: 0,
  duplicates: 0,
  deepest: 0,
  disallowed: 0,
  nofollow: 0,
  outside: 0,
  beyondDepth: false,
  traps: {},
  trapExamples: {},
  closed: {},
  errors: {},
  notes: [],
};

export function parseTally(value: JsonValue | undefined): Tally {
  return (
    parseStored(Tally, structuredClone(value), 'The counts of the crawl') ?? structuredClone(EMPTY_TALLY)
  );
}

export function count(counts: Record<string, number>, name: string, more = 1): void {
  counts[name] = (counts[name] ?? 0) + more;
}

/** Counts an address that is not read because it looks like a trap. */
export function countTrap(tally: Tally, kind: string, example: string): void {
  count(tally.traps, kind);
  tally.trapExamples[kind] ??= example;
}

/** Templates that are listed. */
const MOST_CLOSED = 20;

/** Counts an address of a closed space that is not read; the first one is where to go on. */
export function countClosed(
  tally: Tally,
  space: { readonly kind: string; readonly template: string; readonly pages: number },
  href: string,
): void {
  const { kind, template, pages } = space;
  const known = tally.closed[template];
  if (known === undefined && Object.keys(tally.closed).length >= MOST_CLOSED) return;
  tally.closed[template] = { kind, pages, unread: (known?.unread ?? 0) + 1, next: known?.next ?? href };
}
