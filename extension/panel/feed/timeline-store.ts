import { signal } from '@preact/signals';
import type { FeedEvent, JournalFilter } from '../../../shared/bridge/feed.ts';
import type { Asks, TimelinePage, TimelinePlace } from '../../ports/feed.ts';
import { entryOf, isWanted, runningKey, runningOf, type Entry, type ShownCall } from './lines.ts';
import { Rows, type Segment } from './segments.ts';

/** Lines of one page: the most that a server returns. */
const PAGE_LINES = 200;
/** Pages kept in full. */
const PAGES_KEPT = 20;
/** Live lines kept. Older ones are read as pages. */
const LIVE_MAX = 2_000;
/** Pages read to reconnect with the known lines. */
const CATCH_UP_PAGES = 20;

type CallEvent = Extract<FeedEvent, { type: 'call' }>;

/** Names offered as filters. */
const NAMES_MAX = 100;

interface Names {
  readonly agents: readonly string[];
  readonly tools: readonly string[];
  /** A run's line has only the name. */
  readonly titles: ReadonlyMap<string, string>;
  /** Ids and labels. */
  readonly sessions: readonly (readonly [string, string])[];
}

export type Older = 'more' | 'reading' | 'end' | 'failed';

/** The timeline in a panel: a bounded part of the journals, and live events. */
export class TimelineStore {
  readonly #read: (query: Asks<'timeline'>) => Promise<TimelinePage>;
  readonly rows = signal(new Rows([]));
  readonly older = signal<Older>('more');
  readonly filter = signal<JournalFilter>({});
  /** Lines that have arrived at the top since the store was made: a person who has scrolled away sees the count. */
  readonly fresh = signal(0);
  /** Agents, tools and sessions of the lines read so far. */
  readonly names = signal<Names>({ agents: [], tools: [], titles: new Map(), sessions: [] });
  /** Newest first. */
  #live: Entry[] = [];
  #pages: Segment[] = [];
  #next: TimelinePlace | null = {};
  #uses = 0;
  /** Answers for an earlier filter are dropped. */
  #generation = 0;
  #catchingUp: Promise<void> | null = null;
  readonly #reading = new Set<Segment>();

  constructor(read: (query: Asks<'timeline'>) => Promise<TimelinePage>) {
    this.#read = read;
  }

  /** Shows only lines that pass a filter. */
  setFilter(filter: JournalFilter): void {
    this.filter.value = filter;
    this.reload();
  }

  /** Reads everything again, for another filter or journal. */
  reload(): void {
    const filter = this.filter.value;
    this.#generation += 1;
    this.#live = this.#live.filter((entry) => isRunning(entry) && isWanted(entry, filter));
    this.#pages = [];
    this.#next = {};
    this.older.value = 'more';
    this.#publish();
    void this.readOlder();
  }

  /** Processes a server's events. */
  take(home: string, events: readonly FeedEvent[]): void {
    for (const event of events) {
      if (event.type === 'call') this.#takeCall(home, event);
      else if (event.type === 'gap') void this.catchUp();
      else if ('line' in event) this.#add(entryOf(home, event.line));
    }
    this.#publish();
    if (this.#live.length > LIVE_MAX) void this.catchUp();
  }

  /** Calls shown as running that are not among these ended unseen. */
  keepRunning(isActive: (call: ShownCall) => boolean): void {
    const left = this.#live.filter((entry) => !isRunning(entry) || isActive(entry));
    if (left.length === this.#live.length) return;
    this.#live = left;
    this.#publish();
  }

  /** Reads the next page of older lines. */
  async readOlder(): Promise<void> {
    if (this.#next === null || this.older.value === 'reading') return;
    const generation = this.#generation;
    const before = this.#next;
    this.older.value = 'reading';
    try {
      const { segment, next } = await this.#page(before, null);
      if (generation !== this.#generation) return;
      this.#next = next;
      this.#append(segment);
      this.older.value = next === null ? 'end' : 'more';
    } catch {
      if (generation === this.#generation) this.older.value = 'failed';
    }
  }

  /** Reports the visible rows, so that their pages are read, and distant ones dropped. */
  show(first: number, last: number): void {
    const rows = this.rows.value;
    this.#uses += 1;
    const missing = new Set<Segment>();
    for (let index = first; index <= last; index += 1) {
      const row = rows.at(index);
      if (row?.kind === 'unread') missing.add(row.segment);
    }
    for (const segment of rows.segmentsOf(first, last)) segment.usedAt = this.#uses;
    for (const segment of missing) void this.#readAgain(segment);
  }

  /** Reads the newest pages back to the known ones, after lines were missed or became too many. */
  catchUp(): Promise<void> {
    this.#catchingUp ??= this.#catchUp().finally(() => (this.#catchingUp = null));
    return this.#catchingUp;
  }

  async #catchUp(): Promise<void> {
    const generation = this.#generation;
    const known = this.#pages[0]?.entries?.[0]?.key ?? null;
    const found: Segment[] = [];
    let next: TimelinePlace | null = {};
    let hasMet = false;
    try {
      while (next !== null && !hasMet && found.length < CATCH_UP_PAGES) {
        const page = await this.#page(next, known);
        if (generation !== this.#generation) return;
        found.push(page.segment);
        hasMet = page.segment.until !== null;
        ({ next } = page);
        if (known === null) break;
      }
    } catch {
      // The next event, or a press on the button, tries again.
      return;
    }
    if (hasMet) this.#pages = [...found, ...this.#pages];
    else {
      this.#pages = found;
      this.#next = next;
      this.older.value = next === null ? 'end' : 'more';
    }
    this.#withoutDoubles(found);
    this.#publish();
  }

  async #page(
    before: TimelinePlace,
    until: string | null,
  ): Promise<{ readonly segment: Segment; readonly next: TimelinePlace | null }> {
    const filter = this.filter.value;
    const { lines, next } = await this.#read({ before, limit: PAGE_LINES, filter });
    const all = lines
      .map(({ home, line }) => entryOf(home, line))
      .filter((entry) => entry !== null)
      .filter((entry) => isWanted(entry, filter));
    const end = until === null ? -1 : all.findIndex(({ key }) => key === until);
    const entries = end < 0 ? all : all.slice(0, end);
    const marks = marksOf(entries);
    this.#learn(all);
    return {
      segment: { before, until: end < 0 ? null : until, ...marks, entries, usedAt: this.#uses },
      next,
    };
  }

  #append(segment: Segment): void {
    this.#pages.push(segment);
    this.#withoutDoubles([segment]);
    this.#publish();
    this.#drop();
  }

  async #readAgain(segment: Segment): Promise<void> {
    if (this.#reading.has(segment) || segment.before === null) return;
    this.#reading.add(segment);
    try {
      const { segment: read } = await this.#page(segment.before, segment.until);
      // It may be shorter now: a journal's oldest days are removed.
      this.#pages = this.#pages.map((page) => (page === segment ? read : page));
      this.#publish();
      this.#drop();
    } catch {
      this.older.value = 'failed';
    } finally {
      this.#reading.delete(segment);
    }
  }

  /** The least recently shown pages keep only their times. */
  #drop(): void {
    const full = this.#pages.filter(({ entries }) => entries !== null);
    if (full.length <= PAGES_KEPT) return;
    const oldest = full.toSorted((a, b) => a.usedAt - b.usedAt).slice(0, full.length - PAGES_KEPT);
    // Catching up looks for the first page.
    for (const segment of oldest) if (segment !== this.#pages[0]) segment.entries = null;
  }

  #takeCall(home: string, event: CallEvent): void {
    if (event.phase === 'begun') this.#add(runningOf(event.line));
    else if (event.phase === 'progress') this.#progress(event);
    else {
      const callId = event.line['call_id'];
      if (typeof callId === 'string') this.#remove(runningKey(callId));
      this.#add(entryOf(home, event.line));
    }
  }

  #progress({ call_id: callId, done, total, message }: Extract<CallEvent, { phase: 'progress' }>): void {
    const key = runningKey(callId);
    const progress = { done, total: total ?? null, message: message ?? null };
    this.#live = this.#live.map((entry) =>
      entry.key === key && entry.kind === 'call' ? { ...entry, progress } : entry,
    );
  }

  #add(entry: Entry | null): void {
    if (entry === null || !isWanted(entry, this.filter.value)) return;
    const isKnown = [this.#live, this.#pages[0]?.entries ?? []].some((entries) =>
      entries.some(({ key }) => key === entry.key),
    );
    if (isKnown) return;
    // Active calls are on top.
    const at = this.#live.findIndex(
      (other) => isRunning(entry) || (!isRunning(other) && other.at <= entry.at),
    );
    this.#live.splice(at < 0 ? this.#live.length : at, 0, entry);
    this.#learn([entry]);
    // If the journal cannot be read, the oldest of them disappear.
    this.#live.length = Math.min(this.#live.length, 2 * LIVE_MAX);
    this.fresh.value += 1;
  }

  #learn(entries: readonly Entry[]): void {
    const calls = entries.filter((entry) => entry.kind === 'call');
    const known = this.names.value;
    const more = {
      agents: withNames(known.agents, new Set(calls.map(({ agent }) => agent))),
      tools: withNames(known.tools, new Set(calls.map(({ tool }) => tool))),
      titles: withTitles(known.titles, calls),
      sessions: withSessions(known.sessions, calls),
    };
    const names = ['agents', 'tools', 'titles', 'sessions'] as const;
    if (names.some((name) => more[name] !== known[name])) this.names.value = more;
  }

  #remove(key: string): void {
    const at = this.#live.findIndex((entry) => entry.key === key);
    if (at < 0) return;
    this.#live.splice(at, 1);
    this.fresh.value -= 1;
  }

  #withoutDoubles(pages: readonly Segment[]): void {
    const keys = new Set<string>();
    for (const { entries } of pages)
      for (const entry of entries ?? []) {
        keys.add(entry.key);
        if (entry.kind === 'call' && entry.state !== 'waiting') keys.add(runningKey(entry.callId));
      }
    this.#live = this.#live.filter(({ key }) => !keys.has(key));
  }

  #publish(): void {
    const live: Segment = {
      before: null,
      until: null,
      ...marksOf(this.#live),
      entries: [...this.#live],
      usedAt: 0,
    };
    this.rows.value = new Rows([live, ...this.#pages]);
  }
}

const marksOf = (entries: readonly Entry[]): Pick<Segment, 'times' | 'sessions'> => ({
  times: entries.map(({ at }) => at),
  sessions: entries.map((entry) => (entry.kind === 'call' ? entry.session : '')),
});

const isRunning = (entry: Entry): entry is ShownCall => entry.kind === 'call' && entry.state === 'running';

/** Labels sessions: an agent may have several, so each shows the end of its id. */
function withSessions(known: Names['sessions'], calls: readonly ShownCall[]): Names['sessions'] {
  const found = new Map(calls.map(({ session, agent }) => [session, `${agent} · ${session.slice(-4)}`]));
  const added = [...found].filter(([id]) => id !== '' && !known.some(([one]) => one === id));
  return added.length === 0 ? known : [...added, ...known].slice(0, NAMES_MAX);
}

/** Adds the titles of recipes, and of tools of other servers. */
function withTitles(known: Names['titles'], calls: readonly ShownCall[]): Names['titles'] {
  const added = calls.flatMap(({ tool, title }) =>
    title === null || known.get(tool) === title ? [] : [[tool, title] as const],
  );
  return added.length === 0 ? known : new Map([...known, ...added].slice(-NAMES_MAX));
}

/** Sorted, with the new ones; the same array if there are none. */
function withNames(names: readonly string[], found: ReadonlySet<string>): readonly string[] {
  const added = [...found].filter((name) => name !== '' && !names.includes(name));
  return added.length === 0 ? names : [...names, ...added].slice(0, NAMES_MAX).toSorted();
}
