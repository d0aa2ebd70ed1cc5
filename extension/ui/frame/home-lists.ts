import { computed, signal } from '@preact/signals';
import type { FeedEvent, ListedRun } from '../../../shared/core/feed.ts';
import type { FeedAnswer, Asks, QueryType, ServerMeter } from './feed-port.ts';
import { failureOf, type Failure } from './feed-client.ts';

export type Ask<T extends QueryType> = (query: Asks<T>) => Promise<FeedAnswer<T>>;

/** One read at a time: what changes meanwhile is read afterwards. */
export abstract class Reading<T extends QueryType> {
  readonly state = signal<'reading' | 'ready' | 'failed'>('reading');
  /** Null after a success. */
  readonly failure = signal<Failure | null>(null);
  /** Changes are read only while somebody looks. */
  protected isShown = false;
  #isStale = false;
  #reading: Promise<void> | null = null;

  constructor(protected readonly ask: Ask<T>) {}

  refresh(): Promise<void> {
    this.#isStale = true;
    this.#reading ??= this.#follow().finally(() => (this.#reading = null));
    return this.#reading;
  }

  /** Reads now and on changes, until the returned function is called. */
  show(): () => void {
    this.isShown = true;
    void this.refresh();
    return () => {
      this.isShown = false;
    };
  }

  take(events: readonly FeedEvent[]): void {
    this.readAfter(events.some((event) => this.isChange(event)));
  }

  protected abstract read(): Promise<void>;

  /** Whether it has to be read again after an event. */
  protected isChange(_event: FeedEvent): boolean {
    return false;
  }

  protected readAfter(isChanged: boolean): void {
    if (this.isShown && isChanged) void this.refresh();
  }

  async #follow(): Promise<void> {
    while (this.#isStale) {
      this.#isStale = false;
      try {
        await this.read();
        this.failure.value = null;
        this.state.value = 'ready';
      } catch (thrown) {
        this.failure.value = failureOf(thrown);
        this.state.value = 'failed';
      }
    }
  }
}

export class MeterStore extends Reading<'meter'> {
  readonly meters = signal<readonly ServerMeter[]>([]);

  protected override isChange({ type }: FeedEvent): boolean {
    return type === 'meter';
  }

  protected async read(): Promise<void> {
    this.meters.value = (await this.ask({})).meters;
  }
}

interface ListPage<Row, Place, T extends QueryType> {
  readonly rows: readonly Row[];
  readonly next: Place | null;
  readonly answer: FeedAnswer<T>;
}

type Listed = { readonly home: string; readonly at: number };

/** Lists of all homes, shown as one, newest first: of each home as many pages as a person asked for. */
abstract class HomeLists<Row extends Listed, Place, T extends QueryType> extends Reading<T> {
  readonly rows = signal<readonly Row[]>([]);
  readonly hasMore = signal(false);
  /** The newest page of each home. */
  protected heads: ReadonlyMap<string, FeedAnswer<T>> = new Map();
  #homes: readonly string[] = [];
  #pages = 1;

  setHomes(homes: readonly string[]): void {
    this.#homes = homes;
    this.readAfter(true);
  }

  more(): Promise<void> {
    this.#pages += 1;
    return this.refresh();
  }

  protected abstract readPage(home: string, from: Place | undefined): Promise<ListPage<Row, Place, T>>;

  protected async read(): Promise<void> {
    const lists = await Promise.all(this.#homes.map((home) => this.#list(home)));
    this.heads = new Map(lists.map(({ home, answer }) => [home, answer]));
    this.hasMore.value = lists.some(({ next }) => next !== null);
    this.rows.value = lists.flatMap(({ rows }) => rows).toSorted((a, b) => b.at - a.at);
  }

  async #list(home: string) {
    const first = await this.readPage(home, undefined);
    let { rows, next } = first;
    for (let pages = 1; next !== null && pages < this.#pages; pages += 1) {
      const page = await this.readPage(home, next);
      rows = [...rows, ...page.rows];
      ({ next } = page);
    }
    return { home, rows, next, answer: first.answer };
  }
}

const PAGE_ROWS = 50;
/** A run that has ended is listed as running until its output is stored: then it is requested again. */
const STORED_MS = 500;

export type ShownRun = Listed & { readonly run: ListedRun };

export class RunsStore extends HomeLists<ShownRun, number, 'runs.list'> {
  protected override isShown = true;
  /** Programs that wait for a person's answer. */
  readonly asking = computed(() => this.rows.value.filter(({ run }) => run.asks === true).length);
  /** Runs that have ended though the list does not say so yet. */
  readonly #ended = new Set<unknown>();

  /** A run's progress changes its row; a run that begins or ends reloads the list. */
  override take(events: readonly FeedEvent[]): void {
    for (const event of events) {
      if (event.type !== 'run') continue;
      if (event.phase === 'progress') this.#step(event);
      else if (event.phase === 'ended') this.#ended.add(event.line['run_id']);
      else this.#ended.delete(event.line['run_id']);
    }
    super.take(events);
  }

  protected override isChange(event: FeedEvent): boolean {
    return event.type === 'gap' || (event.type === 'run' && event.phase !== 'progress');
  }

  protected async readPage(home: string, offset = 0) {
    const answer = await this.ask({ home, offset, limit: PAGE_ROWS });
    const rows = answer.runs.map((run): ShownRun => ({ home, at: run.started_at_ms, run }));
    return { rows, next: answer.next_offset, answer };
  }

  protected override async read(): Promise<void> {
    await super.read();
    for (const { run } of this.rows.value) if (run.status !== 'running') this.#ended.delete(run.run_id);
    if (this.rows.value.some(({ run }) => this.#ended.has(run.run_id)))
      setTimeout(() => void this.refresh(), STORED_MS);
  }

  #step({ run_id: id, progress, items }: Extract<FeedEvent, { type: 'run'; phase: 'progress' }>): void {
    this.rows.value = this.rows.value.map((shown) =>
      shown.run.run_id === id
        ? { ...shown, run: { ...shown.run, status: 'running', progress, items } }
        : shown,
    );
  }
}

const PAGE_LINES = 100;
const CHECK_MS = 3_000;

export type ShownLine = Listed & { readonly line: FeedAnswer<'ledger.page'>['lines'][number] };

/** Who asked, who decided and what was done. Read while it is shown. */
export class LedgerStore extends HomeLists<ShownLine, string, 'ledger.page'> {
  /** Whether the ledger is unmodified; null if it was not read: no agent is connected, or reading failed. */
  readonly verdict = signal<'checking' | 'intact' | 'broken' | null>(null);
  readonly problems = signal<readonly string[]>([]);
  /** Whether it is shorter than this browser remembers. */
  readonly isShorter = signal(false);
  #checking: ReturnType<typeof setTimeout> | undefined;

  /** @param forget makes the browser forget a home's ledger length */
  constructor(
    ask: Ask<'ledger.page'>,
    private readonly forget: (home: string) => Promise<unknown>,
  ) {
    super(ask);
  }

  /** The person removed the missing lines: they are no longer compared with. */
  async accept(): Promise<void> {
    for (const [home, { is_shorter: isShorter }] of this.heads) if (isShorter) await this.forget(home);
    await this.refresh();
  }

  protected override isChange(event: FeedEvent): boolean {
    if (event.type === 'gap' || event.type === 'journal') return true;
    return 'phase' in event && event.phase === 'ended';
  }

  protected async readPage(home: string, before?: string) {
    const answer = await this.ask({ home, limit: PAGE_LINES, before });
    const rows = answer.lines.map((line): ShownLine => ({ home, at: Date.parse(line.ts), line }));
    return { rows, next: answer.next, answer };
  }

  protected override async read(): Promise<void> {
    await super.read().catch((thrown: unknown) => {
      this.verdict.value = null;
      throw thrown;
    });
    const heads = [...this.heads.values()];
    this.problems.value = heads.flatMap(({ problems }) => problems);
    this.isShorter.value = heads.some((head) => head.is_shorter);
    this.verdict.value = verdictOn(heads.map((head) => head.is_intact));
    clearTimeout(this.#checking);
    if (this.verdict.value === 'checking') this.#checking = setTimeout(() => this.readAfter(true), CHECK_MS);
  }
}

function verdictOn(areIntact: readonly (boolean | null)[]): LedgerStore['verdict']['value'] {
  if (areIntact.length === 0) return null;
  return areIntact.includes(false) ? 'broken' : areIntact.includes(null) ? 'checking' : 'intact';
}

export type ListedOutput = FeedAnswer<'outputs.list'>['outputs'][number];

export type ShownOutput = Listed & { readonly output: ListedOutput };

/** Journal events that change the list. */
const KEEPING: readonly string[] = ['output_handle_kept', 'output_handle_released'];

export class OutputsStore extends HomeLists<ShownOutput, string, 'outputs.list'> {
  protected override isShown = true;
  /** All outputs, listed or not. */
  readonly total = signal(0);

  protected override isChange(event: FeedEvent): boolean {
    if (event.type === 'gap' || event.type === 'store') return true;
    return event.type === 'journal' && KEEPING.includes(event.line.event);
  }

  protected async readPage(home: string, before?: string) {
    const answer = await this.ask({ home, limit: PAGE_ROWS, before });
    const rows = answer.outputs.map((output): ShownOutput => ({ home, at: output.created_at_ms, output }));
    return { rows, next: answer.next, answer };
  }

  protected override async read(): Promise<void> {
    await super.read();
    this.total.value = [...this.heads.values()].reduce((sum, { total }) => sum + total, 0);
  }
}
