import { signal } from '@preact/signals';
import type { FeedEvent } from '../../../shared/core/feed.ts';
import type { FaceAnswer } from '../faces/face.ts';
import { BoundedMap } from '../../../shared/base/maps.ts';
import type { FeedAnswer, Asks } from './feed-port.ts';
import { type Ask, Reading } from './home-lists.ts';
import { failureOf, type Failure } from './feed-client.ts';
import type { JsonValue } from '../../../shared/base/json.ts';

/** The value of a key, which becomes the newest. */
function recent<T>(kept: BoundedMap<string, T>, key: string, make: () => T): T {
  const value = kept.get(key) ?? make();
  kept.set(key, value);
  return value;
}

/** Answers kept; each may take half a mebibyte. */
const RESULTS_MAX = 30;

/** A call's answer as it was read last: null if no server keeps it, or it could not be read. */
function readResult(ask: Ask<'call.result'>, of: Asks<'call.result'>) {
  const answer = signal<FaceAnswer | null | 'reading'>('reading');
  /** Why it could not be read; null if it was. */
  const failure = signal<Failure | null>(null);
  let turn = 0;
  const again = async (): Promise<void> => {
    const mine = (turn += 1);
    if (failure.value !== null) answer.value = 'reading';
    try {
      const read = await ask(of);
      // An earlier question may be answered later.
      if (mine !== turn) return;
      failure.value = null;
      answer.value = read.answer;
    } catch (thrown) {
      if (mine !== turn) return;
      failure.value = failureOf(thrown);
      answer.value = null;
    }
  };
  void again();
  return { answer, failure, again };
}

type Result = Readonly<ReturnType<typeof readResult>>;

export class ResultsStore {
  readonly #kept = new BoundedMap<string, Result>(RESULTS_MAX);

  constructor(private readonly ask: Ask<'call.result'>) {}

  /** Reads it unless it is cached. */
  of(home: string, callId: string): Result {
    return recent(this.#kept, `${home}/${callId}`, () => readResult(this.ask, { home, call_id: callId }));
  }

  /** A call that has ended now has an answer. */
  take(home: string, events: readonly FeedEvent[]): void {
    for (const event of events)
      if (event.type === 'call' && event.phase === 'ended')
        void this.#kept.get(`${home}/${String(event.line['call_id'])}`)?.again();
  }

  /** A new server may have answers that the others lack. */
  setHomes(): void {
    for (const { answer, again } of this.#kept.values()) if (answer.value === null) void again();
  }
}

const PAGE_ITEMS = 100;
/** Items of one run in memory; the first ones are dropped. */
const ITEMS_MAX = 500;
/** Runs with items in memory. */
const RUNS_MAX = 4;
/** Calls whose runs are known. */
const CALLS_MAX = 100;

/** Items of runs that a person has opened. */
export class RunItemsStore {
  readonly #runs = new BoundedMap<string, ItemsOfRun>(RUNS_MAX);
  /** The run that a call has begun, by the call's id. */
  readonly #ofCalls = new BoundedMap<string, { readonly home: string; readonly runId: string }>(CALLS_MAX);

  constructor(private readonly ask: Ask<'runs.items'>) {}

  of(home: string, runId: string): ItemsOfRun {
    return recent(this.#runs, `${home}/${runId}`, () => {
      const items = new ItemsOfRun(this.ask, { home, run_id: runId });
      void items.refresh();
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
      if (event.type === 'gap') this.setHomes();
      if (event.type !== 'run') continue;
      const runId = event.phase === 'progress' ? event.run_id : String(event.line['run_id']);
      const callId = event.phase === 'begun' ? event.line['call_id'] : undefined;
      if (typeof callId === 'string') recent(this.#ofCalls, callId, () => ({ home, runId }));
      this.#runs.get(`${home}/${runId}`)?.grown(event.phase === 'progress' ? event.items : Infinity);
    }
  }

  /** A new server may know more of them. */
  setHomes(): void {
    for (const items of this.#runs.values()) items.grown(Infinity);
  }
}

/** A part of the items of one run, growing as it runs. Each read adds the items after the last shown one. */
export class ItemsOfRun extends Reading<'runs.items'> {
  readonly items = signal<readonly JsonValue[]>([]);
  /** Index of the first of them. */
  readonly first = signal(0);
  /** Number of committed items; null until known. */
  readonly total = signal<number | null>(null);
  /** All earlier items are shown, so that new ones are read as they come. */
  #isFollowing = false;

  constructor(
    ask: Ask<'runs.items'>,
    private readonly run: Pick<Asks<'runs.items'>, 'home' | 'run_id'>,
  ) {
    super(ask);
  }

  get #end(): number {
    return this.first.value + this.items.value.length;
  }

  /** Shows the items from a page before the first shown one. */
  earlier(): Promise<void> {
    this.first.value = Math.max(0, this.first.value - PAGE_ITEMS);
    this.items.value = [];
    this.state.value = 'reading';
    this.#isFollowing = false;
    return this.refresh();
  }

  /** Sets the number of committed items. */
  grown(total: number): void {
    const known = this.total.value;
    this.#isFollowing = known === null || this.#end >= known || this.#isFollowing;
    if (Number.isFinite(total)) this.total.value = Math.max(known ?? 0, total);
    if (this.#isFollowing && total > this.#end) void this.refresh();
  }

  protected async read(): Promise<void> {
    const offset = this.#end;
    const { items, total } = await this.ask({ ...this.run, offset, limit: PAGE_ITEMS });
    // Earlier ones are shown instead.
    if (offset !== this.#end) return;
    const all = [...this.items.value, ...items];
    const dropped = Math.max(0, all.length - ITEMS_MAX);
    this.items.value = all.slice(dropped);
    this.first.value += dropped;
    this.total.value = Math.max(total, this.total.value ?? 0);
    // One page may not contain all of them.
    if (this.#isFollowing && items.length > 0 && this.#end < this.total.value) void this.refresh();
  }
}

/** A page of a program's calls. A slow read is shown too, though the program continues meanwhile. */
export class CallsOfProgram extends Reading<'runs.calls'> {
  readonly page = signal<FeedAnswer<'runs.calls'> | null>(null);
  #from: number | undefined;

  constructor(
    ask: Ask<'runs.calls'>,
    private readonly of: Asks<'runs.calls'>,
  ) {
    super(ask);
  }

  /** Shows the page that begins with a call. */
  turn(from: number): Promise<void> {
    this.#from = from;
    return this.refresh();
  }

  protected async read(): Promise<void> {
    const from = this.#from;
    const page = await this.ask({ ...this.of, ...(from === undefined ? {} : { from }) });
    if (from === this.#from) this.page.value = page;
  }
}
