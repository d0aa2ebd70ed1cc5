import { signal, type ReadonlySignal } from '@preact/signals';
import type { FeedEvent, ListedRun } from '../../../shared/bridge/feed.ts';
import type { RunList } from '../answers-protocol.ts';
import type { FeedQuery } from '../feed-protocol.ts';

type RunsQuery = Extract<FeedQuery, { type: 'runs' }>;
type RunEvent = Extract<FeedEvent, { type: 'run' }>;

/** Runs that are listed of each home at first, and with each further page. */
const PAGE_RUNS = 50;
/** A run that has ended is listed as running until its output is stored: then it is asked for again. */
const STORED_MS = 500;

/** A run, and the home that it is kept in. */
export interface ShownRun {
  readonly home: string;
  readonly run: ListedRun;
}

/** The runs of all homes, newest first, as they are now. */
export class RunsStore {
  readonly #read: (query: RunsQuery) => Promise<RunList>;
  readonly #runs = signal<readonly ShownRun[]>([]);
  readonly #state = signal<'reading' | 'ready' | 'failed'>('reading');
  readonly #hasMore = signal(false);
  #limit = PAGE_RUNS;
  #homes: readonly string[] = [];
  /** A list that was asked for later wins. */
  #asked = 0;
  /** Runs that have ended, as far as the list does not say so. */
  readonly #ended = new Set<unknown>();

  constructor(read: (query: RunsQuery) => Promise<RunList>) {
    this.#read = read;
  }

  get runs(): ReadonlySignal<readonly ShownRun[]> {
    return this.#runs;
  }
  get state(): ReadonlySignal<'reading' | 'ready' | 'failed'> {
    return this.#state;
  }
  get hasMore(): ReadonlySignal<boolean> {
    return this.#hasMore;
  }

  /** Reads the runs of these homes. */
  setHomes(homes: readonly string[]): void {
    if (homes.join() === this.#homes.join()) return;
    this.#homes = homes;
    void this.refresh();
  }

  more(): Promise<void> {
    this.#limit += PAGE_RUNS;
    return this.refresh();
  }

  /** A step of a run changes its row; a run that begins or ends has the list read again. */
  take(events: readonly FeedEvent[]): void {
    const runs = events.filter((event) => event.type === 'run');
    for (const event of runs) {
      if (event.phase === 'progress') this.#step(event);
      else if (event.phase === 'ended') this.#ended.add(event.line['run_id']);
      else this.#ended.delete(event.line['run_id']);
    }
    if (runs.some(({ phase }) => phase !== 'progress') || events.some(({ type }) => type === 'gap'))
      void this.refresh();
  }

  async refresh(): Promise<void> {
    const asked = (this.#asked += 1);
    try {
      const lists = await Promise.all(this.#homes.map((home) => this.#listOf(home)));
      if (asked !== this.#asked) return;
      this.#runs.value = lists
        .flatMap(({ shown }) => shown)
        .toSorted((a, b) => b.run.started_at_ms - a.run.started_at_ms);
      this.#hasMore.value = lists.some(({ hasMore }) => hasMore);
      this.#state.value = 'ready';
      this.#askAgain();
    } catch {
      if (asked === this.#asked) this.#state.value = 'failed';
    }
  }

  #askAgain(): void {
    for (const { run } of this.#runs.value) if (run.status !== 'running') this.#ended.delete(run.run_id);
    if (this.#runs.value.some(({ run }) => this.#ended.has(run.run_id)))
      setTimeout(() => void this.refresh(), STORED_MS);
  }

  async #listOf(home: string): Promise<{ readonly shown: readonly ShownRun[]; readonly hasMore: boolean }> {
    const shown: ShownRun[] = [];
    let offset: number | null = 0;
    while (offset !== null && shown.length < this.#limit) {
      const page: RunList = await this.#read({ type: 'runs', home, offset, limit: PAGE_RUNS });
      shown.push(...page.runs.map((run) => ({ home, run })));
      offset = page.next_offset;
    }
    return { shown, hasMore: offset !== null };
  }

  #step({ run_id: id, progress, items }: Extract<RunEvent, { phase: 'progress' }>): void {
    this.#runs.value = this.#runs.value.map((shown) =>
      shown.run.run_id === id
        ? { ...shown, run: { ...shown.run, status: 'running', progress, items } }
        : shown,
    );
  }
}
