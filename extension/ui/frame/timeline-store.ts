import { signal } from '@preact/signals';
import type { FeedEvent, JournalFilter } from '../../../shared/core/feed.ts';
import type { TimelinePlace } from './feed-port.ts';
import { sessionName } from '../text.ts';
import type { Ask } from './home-lists.ts';
import { entryOf, isWanted, runningKey, runningOf, type Entry, type ShownCall } from './lines.ts';

/** Lines of one page: the most that a server returns. */
const PAGE_LINES = 200;
/** Live lines kept. Older ones are read as pages. */
const LIVE_MAX = 2_000;
/** Pages read to reconnect with the known lines. */
const CATCH_UP_PAGES = 20;
/** With more lines than these, catching up begins again at the top. */
const PAST_MAX = 100_000;
/** No day is shorter, even when clocks change. */
const DAY_MIN_MS = 22 * 3_600_000;

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

export type TimelineRow =
  | { readonly kind: 'day'; readonly at: number }
  | { readonly kind: 'session'; readonly session: string }
  | Entry;

type TimelinePage = { readonly entries: readonly Entry[]; readonly next: TimelinePlace | null };

/** Each day has a row above its newest line, and so has each session's run of consecutive calls. */
function rowsOf(entries: readonly Entry[]): readonly TimelineRow[] {
  const rows: TimelineRow[] = [];
  let day = Infinity;
  let session = '';
  for (const entry of entries) {
    if (entry.at < day || entry.at >= day + DAY_MIN_MS) {
      const start = new Date(entry.at).setHours(0, 0, 0, 0);
      if (start !== day) rows.push({ kind: 'day', at: entry.at });
      day = start;
    }
    if (entry.kind === 'call' && entry.session !== '' && entry.session !== session) {
      ({ session } = entry);
      rows.push({ kind: 'session', session });
    }
    rows.push(entry);
  }
  return rows;
}

/** Whether a row is a line, not the heading of those below it. */
export const isEntry = (row: TimelineRow): row is Entry => row.kind === 'call' || row.kind === 'event';

/** The row of a line, or -1 if the line has not been read. */
export const indexOf = (rows: readonly TimelineRow[], key: string): number =>
  rows.findIndex((row) => isEntry(row) && row.key === key);

export const callsIn = (rows: readonly TimelineRow[]): readonly ShownCall[] =>
  rows.filter((row) => row.kind === 'call');

/** The timeline in a panel: the newest part of the journals, and live events. */
export class TimelineStore {
  readonly rows = signal<readonly TimelineRow[]>([]);
  readonly older = signal<'more' | 'reading' | 'end' | 'failed'>('more');
  readonly filter = signal<JournalFilter>({});
  /** Lines that have arrived at the top since the store was made: a person who has scrolled away sees the count. */
  readonly fresh = signal(0);
  /** Agents, tools and sessions of the lines read so far. */
  readonly names = signal<Names>({ agents: [], tools: [], titles: new Map(), sessions: [] });
  /** Newest first. */
  #live: Entry[] = [];
  /** Lines of the journals, newest first, without a gap. */
  #past: readonly Entry[] = [];
  #next: TimelinePlace | null = {};
  /** Answers for an earlier filter are dropped. */
  #generation = 0;
  #isBehind = false;
  #catchingUp: Promise<void> | null = null;

  constructor(private readonly read: Ask<'timeline'>) {}

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
    this.#past = [];
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
    if ((this.#isBehind || this.#live.length > LIVE_MAX) && this.#catchingUp === null) void this.catchUp();
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
    const before = this.#next;
    this.older.value = 'reading';
    try {
      const { entries, next } = await this.#page(before);
      // For an earlier filter, or for lines that catching up has replaced.
      if (before !== this.#next) return;
      this.#next = next;
      this.#past = [...this.#past, ...entries];
      this.#withoutDoubles(entries);
      this.#publish();
      this.older.value = next === null ? 'end' : 'more';
    } catch {
      if (before === this.#next) this.older.value = 'failed';
    }
  }

  /** Reads the newest pages back to the known ones, after lines were missed or became too many. */
  catchUp(): Promise<void> {
    this.#isBehind = true;
    this.#catchingUp ??= this.#followUp().finally(() => (this.#catchingUp = null));
    return this.#catchingUp;
  }

  /** Lines that are missed during a read may be newer than its answer: they are read afterwards. */
  async #followUp(): Promise<void> {
    while (this.#isBehind) {
      this.#isBehind = false;
      try {
        await this.#catchUp();
      } catch {
        // The next event tries again.
        this.#isBehind = true;
        return;
      }
    }
  }

  async #catchUp(): Promise<void> {
    const generation = this.#generation;
    const known = this.#past[0]?.key;
    const found: Entry[] = [];
    let next: TimelinePlace | null = {};
    let met = -1;
    for (let pages = 0; next !== null && met < 0 && pages < CATCH_UP_PAGES; pages += 1) {
      const page: TimelinePage = await this.#page(next);
      if (generation !== this.#generation) return;
      ({ next } = page);
      met = page.entries.findIndex(({ key }) => key === known);
      found.push(...(met < 0 ? page.entries : page.entries.slice(0, met)));
      if (known === undefined) break;
    }
    if (met >= 0 && this.#past.length < PAST_MAX) this.#past = [...found, ...this.#past];
    else {
      this.#past = found;
      this.#next = next;
      this.older.value = next === null ? 'end' : 'more';
    }
    this.#withoutDoubles(found);
    this.#publish();
  }

  async #page(before: TimelinePlace): Promise<TimelinePage> {
    const filter = this.filter.value;
    const { lines, next } = await this.read({ before, limit: PAGE_LINES, filter });
    const entries = lines
      .map(({ home, line }) => entryOf(home, line))
      .filter((entry) => entry !== null)
      .filter((entry) => isWanted(entry, filter));
    this.#learn(entries);
    return { entries, next };
  }

  #takeCall(home: string, event: CallEvent): void {
    if (event.phase === 'begun') this.#add(runningOf(event.line));
    else if (event.phase === 'progress') this.#progress(event);
    else {
      const key = runningKey(String(event.line['call_id']));
      const at = this.#live.findIndex((entry) => entry.key === key);
      if (at >= 0) {
        this.#live.splice(at, 1);
        this.fresh.value -= 1;
      }
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
    const newest = [...this.#live, ...this.#past.slice(0, PAGE_LINES)];
    if (newest.some(({ key }) => key === entry.key)) return;
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

  #withoutDoubles(past: readonly Entry[]): void {
    const keys = new Set<string>();
    for (const entry of past) {
      keys.add(entry.key);
      if (entry.kind === 'call' && entry.state !== 'waiting') keys.add(runningKey(entry.callId));
    }
    this.#live = this.#live.filter(({ key }) => !keys.has(key));
  }

  #publish(): void {
    this.rows.value = rowsOf([...this.#live, ...this.#past]);
  }
}

const isRunning = (entry: Entry): entry is ShownCall => entry.kind === 'call' && entry.state === 'running';

/** Labels sessions: an agent may have several, so each shows the end of its id. */
function withSessions(known: Names['sessions'], calls: readonly ShownCall[]): Names['sessions'] {
  const found = new Map(calls.map(({ session, agent }) => [session, sessionName(agent, session)]));
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
