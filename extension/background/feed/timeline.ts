import type { z } from 'zod';
import type { FEED_METHODS } from '../../../shared/bridge/feed.ts';
import type { TimelinePage, TimelinePlace } from '../../panel/feed-protocol.ts';

type JournalPage = z.infer<(typeof FEED_METHODS)['journal.page']['result']>;
type Line = TimelinePage['lines'][number] & { readonly position: string };

/** What is left of the page of one home. */
interface Rest {
  readonly home: string;
  readonly lines: Line[];
  readonly next: string | null;
  /** Where the next page of this home begins; undefined while nothing was taken of this one. */
  place: string | null | undefined;
}

/** Newest first; lines of one moment by their ids, so that every reader has them in the same order. */
const isNewer = (a: Line, b: Line): boolean =>
  a.line.ts === b.line.ts ? a.line.id > b.line.id : a.line.ts > b.line.ts;

function newest(rests: readonly Rest[]): Rest | null {
  let best: Rest | null = null;
  for (const rest of rests) {
    const [line] = rest.lines;
    const [bestLine] = best?.lines ?? [];
    if (line !== undefined && (bestLine === undefined || isNewer(line, bestLine))) best = rest;
  }
  return best;
}

/**
 * Merges pages of several journals, each newest first, into one. It ends where a journal has more than its page holds:
 * what comes next there may be newer than what the others have left.
 */
export function mergePages(
  pages: Readonly<Record<string, JournalPage>>,
  { before, limit }: { readonly before: TimelinePlace; readonly limit: number },
): TimelinePage {
  const rests = Object.entries(pages).map(([home, { lines, next }]): Rest => ({
    home,
    lines: lines.map((placed) => ({ ...placed, home })),
    next,
    place: lines.length === 0 ? next : undefined,
  }));
  const merged: TimelinePage['lines'][number][] = [];
  while (merged.length < limit) {
    if (rests.some(({ lines, next }) => lines.length === 0 && next !== null)) break;
    const rest = newest(rests);
    const line = rest?.lines.shift();
    if (rest === null || line === undefined) break;
    merged.push({ home: rest.home, line: line.line });
    rest.place = rest.lines.length === 0 ? rest.next : line.position;
  }
  const places = { ...before };
  for (const { home, place } of rests) if (place !== undefined) places[home] = place;
  const hasMore = rests.some(({ place }) => place !== null);
  return { lines: merged, next: hasMore ? places : null };
}
