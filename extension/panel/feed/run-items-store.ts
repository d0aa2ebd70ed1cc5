import { signal } from '@preact/signals';
import type { FeedEvent } from '../../../shared/bridge/feed.ts';
import type { JsonValue } from '../../../shared/json.ts';
import type { Answer, Asks } from '../../ports/feed.ts';
import { failureOf, type Failure } from './feed-client.ts';
import { recent } from './results-store.ts';

type ItemsQuery = Asks<'runs.items'>;
type Ask = (query: ItemsQuery) => Promise<Answer<'runs.items'>>;

const PAGE_ITEMS = 100;
/** Items of one run in memory; the first ones are dropped. */
const ITEMS_MAX = 500;
/** Runs with items in memory. */
const RUNS_MAX = 4;
/** Calls whose runs are known. */
const CALLS_MAX = 100;

/** Items of runs that a person has opened. */
export class RunItemsStore {
  readonly #ask: Ask;
  readonly #runs = new Map<string, ItemsOfRun>();
  /** The run that a call has begun, by the call's id. */
  readonly #ofCalls = new Map<string, { readonly home: string; readonly runId: string }>();

  constructor(ask: Ask) {
    this.#ask = ask;
  }

  of(home: string, runId: string): ItemsOfRun {
    return recent(this.#runs, RUNS_MAX, `${home}/${runId}`, () => {
      const items = new ItemsOfRun(this.#ask, { home, run_id: runId });
      void items.more();
      return items;
    });
  }

  /** Items of the run that a call has begun; null if it has begun none, or nobody has looked yet. */
  ofCall(callId: string): ItemsOfRun | null {
    const run = this.#ofCalls.get(callId);
    return run === undefined ? null : this.of(run.home, run.runId);
  }

  /** Newly committed items are read if the run's last items are shown. */
  take(home: string, events: readonly FeedEvent[]): void {
    for (const event of events) {
      if (event.type === 'gap') for (const items of this.#runs.values()) items.grown(Infinity);
      if (event.type !== 'run') continue;
      const id = event.phase === 'progress' ? event.run_id : String(event.line['run_id']);
      if (event.phase === 'begun') this.#begun(home, id, event.line['call_id']);
      this.#runs.get(`${home}/${id}`)?.grown(event.phase === 'progress' ? event.items : Infinity);
    }
  }

  #begun(home: string, runId: string, callId: unknown): void {
    if (typeof callId === 'string') recent(this.#ofCalls, CALLS_MAX, callId, () => ({ home, runId }));
  }

  /** A new server may know more of them. */
  setHomes(): void {
    for (const items of this.#runs.values()) items.grown(Infinity);
  }
}

/** A part of the items of one run, growing as it runs. */
export class ItemsOfRun {
  readonly #ask: Ask;
  readonly #run: Pick<ItemsQuery, 'home' | 'run_id'>;
  readonly items = signal<readonly JsonValue[]>([]);
  /** Index of the first of them. */
  readonly first = signal(0);
  /** Number of committed items; null until known. */
  readonly total = signal<number | null>(null);
  readonly state = signal<'reading' | 'ready' | 'failed'>('reading');
  readonly failure = signal<Failure | null>(null);
  #reading: Promise<void> | null = null;
  /** More has been committed than was read. */
  #isStale = false;

  constructor(ask: Ask, run: Pick<ItemsQuery, 'home' | 'run_id'>) {
    this.#ask = ask;
    this.#run = run;
  }

  get #end(): number {
    return this.first.value + this.items.value.length;
  }

  /** Reads the items after the last shown one. */
  more(): Promise<void> {
    return this.#once(() => this.#page(this.#end, PAGE_ITEMS));
  }

  /** Reads the items before the first shown one. */
  earlier(): Promise<void> {
    const from = Math.max(0, this.first.value - PAGE_ITEMS);
    if (from === this.first.value) return Promise.resolve();
    return this.#once(async () => {
      const limit = this.first.value - from;
      const { items, total } = await this.#ask({ ...this.#run, offset: from, limit });
      // A page that was cut short would leave a gap.
      const isWhole = items.length === limit;
      this.items.value = (isWhole ? [...items, ...this.items.value] : items).slice(0, ITEMS_MAX);
      this.first.value = from;
      this.total.value = total;
    });
  }

  /** Sets the number of committed items. They are read automatically if all earlier ones are shown. */
  grown(total: number): void {
    const known = this.total.value;
    const isAtEnd = known === null || this.#end >= known;
    if (Number.isFinite(total)) this.total.value = Math.max(known ?? 0, total);
    if (!isAtEnd || total <= this.#end) return;
    this.#isStale = true;
    if (this.#reading === null) void this.#follow();
  }

  async #follow(): Promise<void> {
    while (this.#isStale) {
      this.#isStale = false;
      const before = this.#end;
      await this.more();
      // One page may not contain all of them.
      this.#isStale ||= this.#end > before && this.#end < (this.total.value ?? 0);
    }
  }

  async #page(offset: number, limit: number): Promise<void> {
    const { items, total } = await this.#ask({ ...this.#run, offset, limit });
    const all = [...this.items.value, ...items];
    const dropped = Math.max(0, all.length - ITEMS_MAX);
    this.items.value = all.slice(dropped);
    this.first.value += dropped;
    this.total.value = Math.max(total, this.total.value ?? 0);
  }

  #once(read: () => Promise<void>): Promise<void> {
    return (this.#reading ??= this.#attempt(read).finally(() => {
      this.#reading = null;
      if (this.#isStale) void this.#follow();
    }));
  }

  async #attempt(read: () => Promise<void>): Promise<void> {
    try {
      await read();
      this.failure.value = null;
      this.state.value = 'ready';
    } catch (thrown) {
      this.failure.value = failureOf(thrown);
      this.state.value = 'failed';
    }
  }
}
