import type { TimelinePlace } from '../feed-protocol.ts';
import type { Entry, ShownCall } from './lines.ts';

/**
 * A part of the timeline, newest first: what came while the panel was open, or a page of the journals. Of a page that is
 * far from what is shown only the times are kept; it can be read again.
 */
export interface Segment {
  /** Where its page begins; null for what came live. */
  readonly before: TimelinePlace | null;
  /** Of a page that overlaps with the one after it: the first line that is not its own. */
  readonly until: string | null;
  /** Milliseconds since the epoch, of each line. */
  readonly times: readonly number[];
  entries: readonly Entry[] | null;
  /** When it was last shown, as a count. */
  usedAt: number;
}

/** A row of the timeline. `unread`: a line of a page that is being read. */
export type Row =
  | { readonly kind: 'day'; readonly at: number }
  | { readonly kind: 'entry'; readonly entry: Entry }
  | { readonly kind: 'unread'; readonly segment: Segment };

interface Placed {
  readonly segment: Segment;
  /** Row of its first line, or of the day before it. */
  readonly start: number;
  /** Lines that begin a day, by their number in the segment. */
  readonly days: readonly number[];
}

/** No day is shorter, also where clocks are put forward. */
const DAY_MIN_MS = 22 * 3_600_000;

/** When the day of a moment began, where the person is. */
const startOfDay = (at: number): number => new Date(at).setHours(0, 0, 0, 0);

interface Days {
  /** The day of the line before the segment; null at the top. */
  readonly after: number | null;
  /** Lines that begin a day, by their number in the segment. */
  readonly days: readonly number[];
  readonly last: number | null;
}

/** A segment never changes its times, and there may be hundreds of them. */
const known = new WeakMap<Segment, Days>();

function daysOf(segment: Segment, after: number | null): Days {
  const before = known.get(segment);
  if (before?.after === after) return before;
  const days: number[] = [];
  let last = after;
  for (const [at, time] of segment.times.entries()) {
    if (last !== null && time >= last && time < last + DAY_MIN_MS) continue;
    const day = startOfDay(time);
    if (day !== last) days.push(at);
    last = day;
  }
  const found = { after, days, last };
  known.set(segment, found);
  return found;
}

/** Which row shows what: each day has a row above its newest line. */
export class Rows {
  readonly count: number;
  readonly #placed: readonly Placed[];

  constructor(segments: readonly Segment[]) {
    let start = 0;
    let day: number | null = null;
    this.#placed = segments.map((segment) => {
      const { days, last } = daysOf(segment, day);
      day = last;
      const placed = { segment, start, days };
      start += segment.times.length + days.length;
      return placed;
    });
    this.count = start;
  }

  /** @returns null past the end */
  at(index: number): Row | null {
    const placed = this.#find(index);
    if (placed === undefined) return null;
    const { segment, start, days } = placed;
    let line = index - start;
    for (const day of days) {
      if (line < day) break;
      if (line === day) return { kind: 'day', at: segment.times[day] ?? 0 };
      line -= 1;
    }
    const entry = segment.entries?.[line];
    return entry === undefined ? { kind: 'unread', segment } : { kind: 'entry', entry };
  }

  /** The segments that these rows are of. */
  segmentsOf(first: number, last: number): readonly Segment[] {
    return this.#placed
      .filter(
        ({ segment, start, days }) => start <= last && first < start + segment.times.length + days.length,
      )
      .map(({ segment }) => segment);
  }

  /** Row of a line, or -1 if the line has not been read. */
  indexOf(key: string): number {
    for (const { segment, start, days } of this.#placed) {
      const line = segment.entries?.findIndex((entry) => entry.key === key) ?? -1;
      if (line >= 0) return start + line + days.filter((day) => day <= line).length;
    }
    return -1;
  }

  /** All calls that are kept, by their ids. */
  calls(): ReadonlyMap<string, ShownCall> {
    const entries = this.#placed.flatMap(({ segment }) => segment.entries ?? []);
    return new Map(
      entries.flatMap((entry) => (entry.kind === 'call' ? [[entry.callId, entry] as const] : [])),
    );
  }

  /** The line of a call, or null if it has not been read. */
  ofCall(callId: string): ShownCall | null {
    for (const { segment } of this.#placed)
      for (const entry of segment.entries ?? [])
        if (entry.kind === 'call' && entry.callId === callId) return entry;
    return null;
  }

  #find(index: number): Placed | undefined {
    let low = 0;
    let high = this.#placed.length;
    while (low + 1 < high) {
      const middle = (low + high) >> 1;
      if ((this.#placed[middle]?.start ?? 0) <= index) low = middle;
      else high = middle;
    }
    return index < 0 || index >= this.count ? undefined : this.#placed[low];
  }
}
