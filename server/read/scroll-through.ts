import { randomUUID } from 'node:crypto';
import type { MethodParams, MethodResult } from '../../shared/core/bridge/methods.ts';
import { deadlineSignal } from '../../shared/base/async.ts';
import { SpillwayError } from '../../shared/base/errors.ts';
import type { CallContext } from '../core/context.ts';
import type { Bridge } from '../core/services.ts';
import { askTab, type TabTarget } from '../core/targets.ts';

/** One step waits in the page; the bridge waits longer. */
const STEP_TIMEOUT_MS = 25_000;
/** Steps of a call without a bound. */
const MAX_SCROLLS = 1_000;
/** One request waits this long while another call scrolls the tab; then it is repeated. */
const TURN_WAIT_MS = 10_000;
/** Merged reads are kept in memory. */
const MAX_UNITS = 32 * 1024 * 1024;

export interface ScrollOptions {
  readonly bridge: Bridge;
  readonly target: TabTarget;
  readonly maxScrolls: number | undefined;
  /** The first content and the number of times that the page may load more: `max_pages` of `paginate`. */
  readonly maxPages?: number;
  /** Reads the window of a page that keeps only the visible rows. Returns the number of new UTF-16 code units. */
  readonly readWindow: () => Promise<number>;
  readonly context: CallContext;
}

type Action = MethodParams<'page.scroll'>['action'];
type Scrolled = MethodResult<'page.scroll'>;

/** Scrolls a tab's page. {@link Scrolling.restore}, or the end of the call, restores its positions. */
export class Scrolling {
  readonly #notes: string[] = [];
  #scrolls = 0;
  #pages = 1;
  #units = 0;
  #isMoved = false;
  #deadlineMs = Infinity;
  readonly #call = randomUUID();

  constructor(private readonly options: ScrollOptions) {}

  /**
   * Scrolls the page to its end, window by window, so that it loads everything. If the page keeps only the
   * visible rows, scrolls through it once more and reads each window.
   * @throws SpillwayError `tab_busy` if another call scrolls the tab until this one's time is over; errors of
   *   the tab or the page, unless windows were read, which are kept
   * @returns `isLossy`: the windows were read, since the page does not keep everything at once
   */
  async run() {
    const { clock, syncWaitMs } = this.options.context;
    this.#deadlineMs = clock.monotonic() + syncWaitMs;
    this.#isMoved = true;
    this.options.context.registerAfterCompletion(() => this.restore());
    this.options.context.keepState(() => ({ scrolls: this.#scrolls }));
    const state = await this.#through(false);
    if (!state.is_lossy) return { isLossy: false, notes: this.#notes };
    this.#scrolls = 0;
    this.#pages = 1;
    this.#notes.length = 0;
    try {
      const { missing_rows: rows } = await this.#through(true);
      if (rows !== null) this.#notes.push(`virtual_list: ${rows.seen} of ${rows.total} rows were seen.`);
    } catch (thrown) {
      if (this.#units === 0 || this.options.context.signal.aborted || !(thrown instanceof SpillwayError))
        throw thrown;
      this.#notes.push(`scroll_stopped: ${thrown.code}: ${thrown.message}`);
    }
    const windows = `${this.#scrolls + 1} windows`;
    this.#notes.push(`scrolled: the page keeps only the rows in view; this combines ${windows}.`);
    return { isLossy: true, notes: this.#notes };
  }

  /** Scrolls back to the page's old position. Never fails. */
  async restore(): Promise<void> {
    if (!this.#isMoved) return;
    this.#isMoved = false;
    const { signal } = new AbortController();
    await this.#move('end', signal).catch(() => undefined);
  }

  /** Goes to the start, as soon as no other call scrolls the tab. */
  async #begin(): Promise<Scrolled> {
    const { clock, signal } = this.options.context;
    for (;;) {
      const leftMs = Math.max(0, Math.floor(this.#deadlineMs - clock.monotonic()));
      try {
        return await this.#move('begin', signal, Math.min(TURN_WAIT_MS, leftMs));
      } catch (thrown) {
        const isBusy = thrown instanceof SpillwayError && thrown.code === 'tab_busy';
        if (!isBusy || clock.monotonic() >= this.#deadlineMs) throw thrown;
      }
    }
  }

  #move(action: Action, signal: AbortSignal, waitMs = 0): Promise<Scrolled> {
    const { bridge, target, context } = this.options;
    const params = { tab_id: target.tabId, action, call: this.#call, wait_ms: waitMs };
    const on = { bridge, target, context: { ...context, signal } };
    return askTab(on, 'page.scroll', params, STEP_TIMEOUT_MS);
  }

  /** From the start to the end, or if nothing is read, to where content is lost. */
  async #through(isRead: boolean): Promise<Scrolled> {
    const { context, readWindow } = this.options;
    let state = await this.#begin();
    if (state.unfocused !== null)
      this.#notes.push(
        `background_tab: focus could not be emulated (${state.unfocused}): a background tab may not load more content.`,
      );
    for (;;) {
      if (isRead) this.#units += await readWindow();
      if (state.is_stuck)
        this.#notes.push('scroll_stopped: a part of the page scrolls itself back; there may be more in it.');
      if (state.is_over || (!isRead && state.is_lossy)) return state;
      const bound = this.#findBound();
      const next = bound === null ? await this.#step() : null;
      if (next === null) {
        const late = `scrolling took longer than ${context.syncWaitMs / 1_000} s (--sync-wait-ms)`;
        this.#notes.push(`scroll_stopped: ${bound ?? late}; there may be more below.`);
        return state;
      }
      this.#scrolls += 1;
      if (next.has_grown) this.#pages += 1;
      context.progress({ done: this.#scrolls, message: `${this.#scrolls} windows scrolled` });
      state = next;
    }
  }

  /** The next window. Null if the time of the call is over first: a window may wait long for its content. */
  async #step(): Promise<Scrolled | null> {
    const { signal, clock } = this.options.context;
    const leftMs = this.#deadlineMs - clock.monotonic();
    if (leftMs <= 0) return null;
    const late = new SpillwayError('timeout', 'The time of the call is over.');
    const deadline = deadlineSignal(leftMs, () => late, signal);
    try {
      return await this.#move('step', deadline.signal);
    } catch (thrown) {
      if (deadline.signal.reason === late) return null;
      throw thrown;
    } finally {
      deadline.release();
    }
  }

  #findBound(): string | null {
    const { maxScrolls = MAX_SCROLLS, maxPages = Infinity } = this.options;
    if (this.#pages > maxPages) return `max_pages is ${maxPages}`;
    if (this.#scrolls >= maxScrolls) return `max_scrolls is ${maxScrolls}`;
    return this.#units > MAX_UNITS ? 'the text is larger than 32 MiB' : null;
  }
}

/** The index of the earlier read's line that equals a line, or -1 for a new line. */
type Matches = number[];

interface Range {
  readonly from: number;
  readonly to: number;
}

/**
 * Finds the lines that two reads of one page have in common, in the same order in both. The page was scrolled
 * down in between, so a list shows the end of the first read at the start of the second.
 * Lines that both begin or end with are static. In the rest, the longest end of `before` that `after` begins
 * with is the overlap of a list. If several parts moved at once, lines that occur once in each read divide
 * them. Lines that many rows share ("Edit", "Delete") therefore never align different rows, as they would in
 * a diff that looks for the longest common sequence.
 */
function alignReads(before: readonly string[], after: readonly string[]): Matches {
  const matches: Matches = after.map(() => -1);
  const ranges: [Range, Range][] = [[whole(before), whole(after)]];
  for (let next = ranges.pop(); next !== undefined; next = ranges.pop()) {
    const [old, now] = trim(before, after, matches, next);
    if (old.from === old.to || now.from === now.to) continue;
    const pairs = pairUnique(before, after, old, now);
    const overlap = countOverlap(before, after, old, now);
    const isSure = pairs.length === 0 || pairs.some(([, place]) => place < now.from + overlap);
    if (overlap > 0 && isSure) {
      for (let at = 0; at < overlap; at += 1) matches[now.from + at] = old.to - overlap + at;
      continue;
    }
    ranges.push(...divide(longestRising(pairs), old, now, matches));
  }
  return matches;
}

const whole = (lines: readonly string[]): Range => ({ from: 0, to: lines.length });

/** Matches common lines at both ends of two ranges, and returns the rest. */
function trim(
  before: readonly string[],
  after: readonly string[],
  matches: Matches,
  [old, now]: readonly [Range, Range],
): [Range, Range] {
  let start = 0;
  const shorter = Math.min(old.to - old.from, now.to - now.from);
  while (start < shorter && before[old.from + start] === after[now.from + start]) {
    matches[now.from + start] = old.from + start;
    start += 1;
  }
  let end = 0;
  while (end < shorter - start && before[old.to - 1 - end] === after[now.to - 1 - end]) {
    end += 1;
    matches[now.to - end] = old.to - end;
  }
  return [
    { from: old.from + start, to: old.to - end },
    { from: now.from + start, to: now.to - end },
  ];
}

/**
 * How many of the last lines of `old` are the first lines of `now`: by the failure function of Knuth, Morris
 * and Pratt.
 */
function countOverlap(before: readonly string[], after: readonly string[], old: Range, now: Range): number {
  const pattern = after.slice(now.from, now.to);
  const fallback = [0];
  const advance = (matched: number, line: string | undefined): number => {
    let length = matched === pattern.length ? (fallback[matched - 1] ?? 0) : matched;
    while (length > 0 && pattern[length] !== line) length = fallback[length - 1] ?? 0;
    return pattern[length] === line ? length + 1 : 0;
  };
  for (let at = 1; at < pattern.length; at += 1) fallback.push(advance(fallback[at - 1] ?? 0, pattern[at]));
  let matched = 0;
  for (let at = old.from; at < old.to; at += 1) matched = advance(matched, before[at]);
  return matched;
}

/** The places in both of the lines that occur once in each range, in the order of `after`. */
function pairUnique(before: readonly string[], after: readonly string[], old: Range, now: Range): Pair[] {
  const places = placesOfUnique(before, old);
  const pairs = [...placesOfUnique(after, now)].flatMap(([line, place]) => {
    const known = places.get(line);
    return known === undefined ? [] : [[known, place] as const];
  });
  return pairs.toSorted(([, a], [, b]) => a - b);
}

function placesOfUnique(lines: readonly string[], { from, to }: Range): Map<string, number> {
  const places = new Map<string, number>();
  const repeated = new Set<string>();
  for (let at = from; at < to; at += 1) {
    const line = lines[at] ?? '';
    if (places.has(line)) repeated.add(line);
    places.set(line, at);
  }
  for (const line of repeated) places.delete(line);
  return places;
}

type Pair = readonly [number, number];

/** The longest subsequence whose first numbers rise, as patience sorting finds it. */
function longestRising(pairs: readonly Pair[]): Pair[] {
  interface Card {
    readonly pair: Pair;
    readonly before: Card | null;
  }
  const tops: Card[] = [];
  for (const pair of pairs) {
    let low = 0;
    let high = tops.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((tops[middle]?.pair[0] ?? Infinity) < pair[0]) low = middle + 1;
      else high = middle;
    }
    tops[low] = { pair, before: tops[low - 1] ?? null };
  }
  const rising: Pair[] = [];
  for (let card = tops.at(-1) ?? null; card !== null; card = card.before) rising.push(card.pair);
  return rising.toReversed();
}

/** Matches the anchors, and returns the ranges between them. */
function divide(anchors: readonly Pair[], old: Range, now: Range, matches: Matches): [Range, Range][] {
  if (anchors.length === 0) return [];
  let [lastOld, lastNow] = [old.from, now.from];
  return [...anchors, [old.to, now.to] as const].map(([known, place]) => {
    if (place < now.to) matches[place] = known;
    const part: [Range, Range] = [
      { from: lastOld, to: known },
      { from: lastNow, to: place },
    ];
    [lastOld, lastNow] = [known + 1, place + 1];
    return part;
  });
}

/**
 * Several reads of one page as one list: new entries go between the entries that both reads have, and nothing
 * is removed. Reads of a list that keeps only the visible rows have to overlap.
 */
export class MergedReads<T> {
  readonly #entries: T[] = [];
  /** The last read, and the place of each of its entries in {@link #entries}. */
  #lastKeys: readonly string[] = [];
  #places: readonly number[] = [];

  /** @param keyOf entries with the same key are the same; it leaves out what differs from read to read */
  constructor(private readonly keyOf: (entry: T) => string) {}

  /** All entries, in order. */
  get entries(): readonly T[] {
    return this.#entries;
  }

  /** Takes the next read. Returns its new entries. */
  add(read: readonly T[]): T[] {
    const keys = read.map(this.keyOf);
    const matches = alignReads(this.#lastKeys, keys);
    const places: number[] = [];
    const added: T[] = [];
    let shift = 0;
    let after = -1;
    for (let at = 0; at < read.length;) {
      const known = matches[at] ?? -1;
      if (known >= 0) {
        after = (this.#places[known] ?? 0) + shift;
        places.push(after);
        at += 1;
        continue;
      }
      let end = at;
      while (end < read.length && (matches[end] ?? -1) < 0) end += 1;
      // Entries that are no longer in view come before the new ones.
      const gone = (end < read.length ? (matches[end] ?? 0) : this.#places.length) - 1;
      if (gone >= 0) after = Math.max(after, (this.#places[gone] ?? 0) + shift);
      const run = read.slice(at, end);
      this.#entries.splice(after + 1, 0, ...run);
      added.push(...run);
      for (let step = 0; step < run.length; step += 1) places.push(after + 1 + step);
      after += run.length;
      shift += run.length;
      at = end;
    }
    this.#lastKeys = keys;
    this.#places = places;
    return added;
  }
}
