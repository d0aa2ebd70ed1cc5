import { signal, type ReadonlySignal } from '@preact/signals';
import type { LedgerPage } from '../answers-protocol.ts';
import type { FeedQuery } from '../feed-protocol.ts';
import { failureOf, type Failure } from './failure.ts';

type LedgerQuery = Extract<FeedQuery, { type: 'ledger' }>;
type Line = LedgerPage['lines'][number];

const PAGE_LINES = 100;
/** Lines of each home that are kept at most: who wants more reads the file. */
const LINES_MAX = 5_000;
/** How soon it is asked again while the check lasts. */
const CHECK_MS = 3_000;

/** A line of the ledger of a home. */
export interface ShownLine {
  readonly home: string;
  readonly line: Line;
}

/** What is read of one home. */
interface Home {
  readonly lines: readonly Line[];
  readonly next: string | null;
  readonly isIntact: boolean | null;
  readonly problems: readonly string[];
  readonly isShorter: boolean;
}

/** Who asked, who decided and what was done: the ledgers of all homes, newest first. Read while it is shown. */
export class LedgerStore {
  readonly #ask: (query: LedgerQuery) => Promise<LedgerPage>;
  readonly #forget: (home: string) => Promise<unknown>;
  readonly #lines = signal<readonly ShownLine[]>([]);
  readonly #state = signal<'reading' | 'ready' | 'failed'>('reading');
  readonly #hasMore = signal(false);
  readonly #isIntact = signal<boolean | null>(null);
  readonly #problems = signal<readonly string[]>([]);
  readonly #isShorter = signal(false);
  readonly #failure = signal<Failure | null>(null);
  #homes: readonly string[] = [];
  #read = new Map<string, Home>();
  #isShown = false;
  /** A read that was begun later wins. */
  #asked = 0;
  #checking: ReturnType<typeof setTimeout> | null = null;

  /** @param forget has the browser forget how long the ledger of a home was */
  constructor(ask: (query: LedgerQuery) => Promise<LedgerPage>, forget: (home: string) => Promise<unknown>) {
    this.#ask = ask;
    this.#forget = forget;
  }

  get lines(): ReadonlySignal<readonly ShownLine[]> {
    return this.#lines;
  }
  get state(): ReadonlySignal<'reading' | 'ready' | 'failed'> {
    return this.#state;
  }
  get hasMore(): ReadonlySignal<boolean> {
    return this.#hasMore;
  }
  /** Whether all of it is as it was written; null while that is being checked. */
  get isIntact(): ReadonlySignal<boolean | null> {
    return this.#isIntact;
  }
  /** What is wrong with it. */
  get problems(): ReadonlySignal<readonly string[]> {
    return this.#problems;
  }
  /** Whether it is shorter than this browser remembers. */
  get isShorter(): ReadonlySignal<boolean> {
    return this.#isShorter;
  }
  /** Why it could not be read; null once it was. */
  get failure(): ReadonlySignal<Failure | null> {
    return this.#failure;
  }

  setHomes(homes: readonly string[]): void {
    if (homes.join() === this.#homes.join()) return;
    this.#homes = homes;
    if (this.#isShown) void this.refresh();
  }

  /** Reads the newest lines, until the function that it returns is called. */
  show(): () => void {
    this.#isShown = true;
    void this.refresh();
    return () => {
      this.#isShown = false;
      this.#stopChecking();
    };
  }

  /** Reads the newest lines again; what was read of older ones is dropped. */
  refresh(): Promise<void> {
    return this.#with(async () => new Map(await Promise.all(this.#homes.map((home) => this.#newest(home)))));
  }

  /** Reads older lines of every home that has some, the newest of them first. */
  more(): Promise<void> {
    return this.#with(async () => {
      const older = [...this.#read].map(async ([home, known]): Promise<[string, Home]> => {
        if (known.next === null || known.lines.length >= LINES_MAX) return [home, known];
        const page = await this.#ask({ type: 'ledger', home, limit: PAGE_LINES, before: known.next });
        return [home, { ...known, lines: [...known.lines, ...page.lines], next: page.next }];
      });
      return new Map(await Promise.all(older));
    });
  }

  /** The person removed what is missing: it is compared with no longer. */
  accept(): Promise<void> {
    const shorter = [...this.#read].flatMap(([home, { isShorter }]) => (isShorter ? [home] : []));
    return this.#with(async () => {
      await Promise.all(shorter.map((home) => this.#forget(home)));
      return new Map(await Promise.all(this.#homes.map((home) => this.#newest(home))));
    });
  }

  async #newest(home: string): Promise<[string, Home]> {
    const {
      lines,
      next,
      is_intact: isIntact,
      is_shorter: isShorter,
      problems,
    } = await this.#ask({
      type: 'ledger',
      home,
      limit: PAGE_LINES,
    });
    return [home, { lines, next, isIntact, isShorter, problems }];
  }

  async #with(read: () => Promise<Map<string, Home>>): Promise<void> {
    const asked = (this.#asked += 1);
    try {
      const homes = await read();
      if (asked !== this.#asked) return;
      this.#read = homes;
      this.#failure.value = null;
      this.#publish();
      this.#state.value = 'ready';
    } catch (thrown) {
      if (asked !== this.#asked) return;
      this.#failure.value = failureOf(thrown);
      this.#state.value = 'failed';
    }
  }

  #publish(): void {
    const homes = [...this.#read];
    this.#lines.value = homes
      .flatMap(([home, { lines }]) => lines.map((line) => ({ home, line })))
      .toSorted((a, b) => (a.line.ts < b.line.ts ? 1 : a.line.ts > b.line.ts ? -1 : 0));
    this.#hasMore.value = homes.some(([, { next, lines }]) => next !== null && lines.length < LINES_MAX);
    this.#problems.value = homes.flatMap(([, { problems }]) => problems);
    this.#isShorter.value = homes.some(([, { isShorter }]) => isShorter);
    const verdicts = homes.map(([, { isIntact }]) => isIntact);
    this.#isIntact.value = verdicts.includes(false) ? false : verdicts.includes(null) ? null : true;
    this.#stopChecking();
    if (this.#isShown && this.#isIntact.value === null)
      this.#checking = setTimeout(() => void this.#check(), CHECK_MS);
  }

  /** Asks how the check has ended, and keeps the lines that are there. */
  #check(): Promise<void> {
    return this.#with(async () => {
      const read = await Promise.all(this.#homes.map((home) => this.#newest(home)));
      return new Map(
        read.map(([home, newest]) => {
          const known = this.#read.get(home) ?? newest;
          const { isIntact, isShorter, problems } = newest;
          return [home, { ...known, isIntact, isShorter, problems }];
        }),
      );
    });
  }

  #stopChecking(): void {
    if (this.#checking !== null) clearTimeout(this.#checking);
    this.#checking = null;
  }
}
