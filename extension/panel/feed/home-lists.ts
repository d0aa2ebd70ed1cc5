import { signal } from '@preact/signals';
import type { FeedEvent, ListedRun } from '../../../shared/bridge/feed.ts';
import type { Answer, Asks } from '../../ports/feed.ts';
import { failureOf, type Failure } from './feed-client.ts';

interface Part {
  /** There is more than was read. */
  readonly hasMore: boolean;
}

/** Lists of all homes, shown as one. */
export abstract class HomeLists<P extends Part> {
  readonly state = signal<'reading' | 'ready' | 'failed'>('reading');
  /** Why they could not be read; null after a success. */
  readonly failure = signal<Failure | null>(null);
  readonly hasMore = signal(false);
  protected homes: readonly string[] = [];
  protected parts: ReadonlyMap<string, P> = new Map();
  /** A later read wins. */
  #asked = 0;

  /** Reads the lists of these homes. */
  setHomes(homes: readonly string[]): void {
    this.homes = homes;
    void this.refresh();
  }

  /** Reads the newest again. */
  abstract refresh(): Promise<void>;

  /** Shows what was read. */
  protected abstract publish(): void;

  /** Reads a part of every home, and shows them once all have arrived. */
  protected async read(part: (home: string, known: P | undefined) => Promise<P>): Promise<void> {
    const asked = (this.#asked += 1);
    try {
      const parts = await Promise.all(
        this.homes.map(async (home) => [home, await part(home, this.parts.get(home))] as const),
      );
      if (asked !== this.#asked) return;
      this.replace(new Map(parts));
      this.failure.value = null;
      this.state.value = 'ready';
    } catch (thrown) {
      if (asked !== this.#asked) return;
      this.failure.value = failureOf(thrown);
      this.state.value = 'failed';
    }
  }

  protected replace(parts: ReadonlyMap<string, P>): void {
    this.parts = parts;
    this.hasMore.value = [...parts.values()].some(({ hasMore }) => hasMore);
    this.publish();
  }
}

/** Runs per home at first, and with each further page. */
const PAGE_RUNS = 50;
/** A run that has ended is listed as running until its output is stored: then it is requested again. */
const STORED_MS = 500;

/** A run, and its home. */
export interface ShownRun {
  readonly home: string;
  readonly run: ListedRun;
}

interface RunsPart extends Part {
  readonly runs: readonly ShownRun[];
}

type RunEvent = Extract<FeedEvent, { type: 'run' }>;

/** The runs of all homes, newest first. */
export class RunsStore extends HomeLists<RunsPart> {
  readonly runs = signal<readonly ShownRun[]>([]);
  readonly #ask: (query: Asks<'runs.list'>) => Promise<Answer<'runs.list'>>;
  #limit = PAGE_RUNS;
  /** Runs that have ended though the list does not say so yet. */
  readonly #ended = new Set<unknown>();

  constructor(ask: (query: Asks<'runs.list'>) => Promise<Answer<'runs.list'>>) {
    super();
    this.#ask = ask;
  }

  more(): Promise<void> {
    this.#limit += PAGE_RUNS;
    return this.refresh();
  }

  /** A run's progress changes its row; a run that begins or ends reloads the list. */
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

  refresh(): Promise<void> {
    return this.read(async (home) => {
      const runs: ShownRun[] = [];
      let offset: number | null = 0;
      while (offset !== null && runs.length < this.#limit) {
        const page: Answer<'runs.list'> = await this.#ask({ home, offset, limit: PAGE_RUNS });
        runs.push(...page.runs.map((run) => ({ home, run })));
        offset = page.next_offset;
      }
      return { runs, hasMore: offset !== null };
    });
  }

  protected publish(): void {
    this.runs.value = [...this.parts.values()]
      .flatMap(({ runs }) => runs)
      .toSorted((a, b) => b.run.started_at_ms - a.run.started_at_ms);
    for (const { run } of this.runs.value) if (run.status !== 'running') this.#ended.delete(run.run_id);
    if (this.runs.value.some(({ run }) => this.#ended.has(run.run_id)))
      setTimeout(() => void this.refresh(), STORED_MS);
  }

  #step({ run_id: id, progress, items }: Extract<RunEvent, { phase: 'progress' }>): void {
    this.runs.value = this.runs.value.map((shown) =>
      shown.run.run_id === id
        ? { ...shown, run: { ...shown.run, status: 'running', progress, items } }
        : shown,
    );
  }
}

const PAGE_LINES = 100;
/** Most lines kept per home: the file has the rest. */
const LINES_MAX = 5_000;
const CHECK_MS = 3_000;

/** A line of a home's ledger. */
export interface ShownLine {
  readonly home: string;
  readonly line: Answer<'ledger.page'>['lines'][number];
}

type LedgerPart = Part & Answer<'ledger.page'>;
type AskLedger = (query: Asks<'ledger.page'>) => Promise<Answer<'ledger.page'>>;

/** Who asked, who decided and what was done: the ledgers of all homes, newest first. Read while it is shown. */
export class LedgerStore extends HomeLists<LedgerPart> {
  readonly lines = signal<readonly ShownLine[]>([]);
  /** Whether the ledger is unmodified; null while that is being checked. */
  readonly isIntact = signal<boolean | null>(null);
  readonly problems = signal<readonly string[]>([]);
  /** Whether it is shorter than this browser remembers. */
  readonly isShorter = signal(false);
  readonly #ask: AskLedger;
  readonly #forget: (home: string) => Promise<unknown>;
  #isOpen = false;
  #checking: ReturnType<typeof setTimeout> | undefined;

  /** @param forget makes the browser forget a home's ledger length */
  constructor(ask: AskLedger, forget: (home: string) => Promise<unknown>) {
    super();
    this.#ask = ask;
    this.#forget = forget;
  }

  /** Reads the newest lines until the returned function is called. */
  show(): () => void {
    this.#isOpen = true;
    void this.refresh();
    return () => {
      this.#isOpen = false;
      clearTimeout(this.#checking);
    };
  }

  /** Reads the newest lines again while it is shown; older ones are dropped. */
  async refresh(): Promise<void> {
    if (this.#isOpen) await this.read((home) => this.#page(home));
  }

  /** Reads older lines of every home that has some, the newest of them first. */
  more(): Promise<void> {
    return this.read(async (home, known) => {
      if (known === undefined) return this.#page(home);
      if (!known.hasMore || known.next === null) return known;
      const { lines, next, hasMore } = await this.#page(home, known.next);
      const all = [...known.lines, ...lines];
      return { ...known, lines: all, next, hasMore: hasMore && all.length < LINES_MAX };
    });
  }

  /** The person removed the missing lines: they are no longer compared with. */
  accept(): Promise<void> {
    return this.read(async (home, known) => {
      if (known?.is_shorter === true) await this.#forget(home);
      return this.#page(home);
    });
  }

  protected publish(): void {
    const parts = [...this.parts.values()];
    this.lines.value = [...this.parts]
      .flatMap(([home, { lines }]) => lines.map((line) => ({ home, line })))
      .toSorted((a, b) => (a.line.ts < b.line.ts ? 1 : a.line.ts > b.line.ts ? -1 : 0));
    this.problems.value = parts.flatMap(({ problems }) => problems);
    this.isShorter.value = parts.some((part) => part.is_shorter);
    const verdicts = parts.map((part) => part.is_intact);
    this.isIntact.value = verdicts.includes(false) ? false : verdicts.includes(null) ? null : true;
    clearTimeout(this.#checking);
    if (this.#isOpen && this.isIntact.value === null)
      this.#checking = setTimeout(() => void this.#check(), CHECK_MS);
  }

  /** Asks for the result of the check, and keeps the present lines. */
  #check(): Promise<void> {
    return this.read(async (home, known) => {
      const { is_intact, is_shorter, problems, ...page } = await this.#page(home);
      return { ...(known ?? page), is_intact, is_shorter, problems };
    });
  }

  async #page(home: string, before?: string): Promise<LedgerPart> {
    const page = await this.#ask({ home, limit: PAGE_LINES, ...(before === undefined ? {} : { before }) });
    return { ...page, hasMore: page.next !== null };
  }
}
