import type { TimelinePlace } from '../../ports/feed.ts';
import type { Entry, ShownCall } from './lines.ts';

/**
 * A part of the timeline, newest first: live lines, or a page of the journals. A page far from the visible part keeps
 * only times and sessions; it can be read again.
 */
export interface Segment {
  /** Where its page begins; null for live lines. */
  readonly before: TimelinePlace | null;
  /** If the page overlaps with the one after it, the first line that is not its own. */
  readonly until: string | null;
  /** Milliseconds since the epoch, per line. */
  readonly times: readonly number[];
  /** The session of each line; empty for none. */
  readonly sessions: readonly string[];
  entries: readonly Entry[] | null;
  /** When it was last shown, as a count. */
  usedAt: number;
}

/** A row of the timeline. `unread`: a line of a page that is being read. */
export type Row =
  | { readonly kind: 'day'; readonly at: number }
  | { readonly kind: 'session'; readonly session: string }
  | { readonly kind: 'entry'; readonly entry: Entry }
  | { readonly kind: 'unread'; readonly segment: Segment };

/** A row above the first line of a day, or of a session's consecutive calls. */
interface Head {
  /** Number of the line in the segment. */
  readonly line: number;
  readonly kind: 'day' | 'session';
}

interface Placed {
  readonly segment: Segment;
  /** Row of its first line, or of the head above it. */
  readonly start: number;
  readonly heads: readonly Head[];
}

/** No day is shorter, even when clocks change. */
const DAY_MIN_MS = 22 * 3_600_000;

/** Start of a moment's day, in the person's time zone. */
const startOfDay = (at: number): number => new Date(at).setHours(0, 0, 0, 0);

/** The day and session of the lines above; null at the top. */
interface Above {
  readonly day: number | null;
  readonly session: string | null;
}

interface Heads {
  readonly above: Above;
  readonly heads: readonly Head[];
  readonly last: Above;
}

/** A segment's times never change, and there may be hundreds of segments. */
const known = new WeakMap<Segment, Heads>();

function headsOf(segment: Segment, above: Above): Heads {
  const before = known.get(segment);
  if (before?.above.day === above.day && before.above.session === above.session) return before;
  const heads: Head[] = [];
  let { day, session } = above;
  for (const [line, time] of segment.times.entries()) {
    if (day === null || time < day || time >= day + DAY_MIN_MS) {
      const next = startOfDay(time);
      if (next !== day) heads.push({ line, kind: 'day' });
      day = next;
    }
    const of = segment.sessions[line] ?? '';
    if (of === '' || of === session) continue;
    heads.push({ line, kind: 'session' });
    session = of;
  }
  const found = { above, heads, last: { day, session } };
  known.set(segment, found);
  return found;
}

/** Maps rows to lines: each day has a row above its newest line, and so has each session's run of consecutive calls. */
export class Rows {
  readonly count: number;
  readonly #placed: readonly Placed[];

  constructor(segments: readonly Segment[]) {
    let start = 0;
    let above: Above = { day: null, session: null };
    this.#placed = segments.map((segment) => {
      const { heads, last } = headsOf(segment, above);
      above = last;
      const placed = { segment, start, heads };
      start += segment.times.length + heads.length;
      return placed;
    });
    this.count = start;
  }

  /** @returns null past the end */
  at(index: number): Row | null {
    const placed = this.#find(index);
    if (placed === undefined) return null;
    const { segment, start, heads } = placed;
    let line = index - start;
    for (const head of heads) {
      if (line < head.line) break;
      if (line === head.line)
        return head.kind === 'day'
          ? { kind: 'day', at: segment.times[line] ?? 0 }
          : { kind: 'session', session: segment.sessions[line] ?? '' };
      line -= 1;
    }
    const entry = segment.entries?.[line];
    return entry === undefined ? { kind: 'unread', segment } : { kind: 'entry', entry };
  }

  /** The segments of these rows. */
  segmentsOf(first: number, last: number): readonly Segment[] {
    return this.#placed
      .filter(
        ({ segment, start, heads }) => start <= last && first < start + segment.times.length + heads.length,
      )
      .map(({ segment }) => segment);
  }

  /** Row of a line, or -1 if the line has not been read. */
  indexOf(key: string): number {
    for (const { segment, start, heads } of this.#placed) {
      const line = segment.entries?.findIndex((entry) => entry.key === key) ?? -1;
      if (line >= 0) return start + line + heads.filter((head) => head.line <= line).length;
    }
    return -1;
  }

  /** All kept calls, by id. */
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
