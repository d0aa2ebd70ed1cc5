import { signal, type ReadonlySignal } from '@preact/signals';
import type { FeedEvent } from '../../../shared/bridge/feed.ts';
import type { OutputList, OutputMatches, OutputPage } from '../answers-protocol.ts';
import type { FeedQuery } from '../feed-protocol.ts';
import { failureOf, type Failure } from './failure.ts';

type Listed = OutputList['outputs'][number];
type QueryOf<T extends FeedQuery['type']> = Omit<Extract<FeedQuery, { type: T }>, 'type'>;

/** Outputs that are listed of each home at first, and with each further page. */
const PAGE_OUTPUTS = 50;
/** Outputs that are listed of each home at most. */
const OUTPUTS_MAX = 1_000;

/** A stored output, and the home that it is in. */
export interface ShownOutput {
  readonly home: string;
  readonly output: Listed;
}

/** What the store asks the worker. */
export interface OutputsAsk {
  readonly list: (query: QueryOf<'outputs'>) => Promise<OutputList>;
  readonly page: (query: QueryOf<'output_page'>) => Promise<OutputPage>;
  readonly search: (query: QueryOf<'output_search'>) => Promise<OutputMatches>;
  readonly delete: (query: QueryOf<'output_delete'>) => Promise<object>;
  readonly keep: (query: QueryOf<'output_keep'>) => Promise<object>;
}

/** Lines of the journal after which what is listed is no longer as it was. */
const KEEPING: readonly string[] = ['output_handle_kept', 'output_handle_released'];

const isRead = (event: FeedEvent): boolean =>
  event.type === 'gap' || (event.type === 'journal' && KEEPING.includes(event.line.event));

/** What is listed of one home. */
interface Home {
  readonly outputs: Listed[];
  /** For the next page; null at the end. */
  next: string | null;
  total: number;
}

/** The stored outputs of all homes, newest first, as they are now. */
export class OutputsStore {
  readonly #ask: OutputsAsk;
  readonly #outputs = signal<readonly ShownOutput[]>([]);
  readonly #state = signal<'reading' | 'ready' | 'failed'>('reading');
  readonly #hasMore = signal(false);
  readonly #total = signal(0);
  readonly #failure = signal<Failure | null>(null);
  #homes = new Map<string, Home>();
  #limit = PAGE_OUTPUTS;
  /** A list that was asked for later wins. */
  #asked = 0;
  /** How often outputs have come or gone. */
  #changes = 0;
  /** Homes in which something was stored since their newest outputs were read. */
  readonly #stale = new Set<string>();
  #isFollowing = false;

  constructor(ask: OutputsAsk) {
    this.#ask = ask;
  }

  get outputs(): ReadonlySignal<readonly ShownOutput[]> {
    return this.#outputs;
  }
  get state(): ReadonlySignal<'reading' | 'ready' | 'failed'> {
    return this.#state;
  }
  get hasMore(): ReadonlySignal<boolean> {
    return this.#hasMore;
  }
  /** All that there are, listed or not. */
  get total(): ReadonlySignal<number> {
    return this.#total;
  }
  /** Why the list could not be read; null once it was. */
  get failure(): ReadonlySignal<Failure | null> {
    return this.#failure;
  }

  /** Reads the outputs of these homes. */
  setHomes(homes: readonly string[]): void {
    if (homes.join() === [...this.#homes.keys()].join()) return;
    this.#homes = new Map(homes.map((home) => [home, { outputs: [], next: null, total: 0 }]));
    void this.refresh();
  }

  more(): Promise<void> {
    this.#limit = Math.min(this.#limit + PAGE_OUTPUTS, OUTPUTS_MAX);
    return this.refresh();
  }

  /** What is new is read by itself, and what has gone leaves the list; nothing else is read again. */
  take(home: string, events: readonly FeedEvent[]): void {
    if (events.some(({ type }) => type === 'store')) this.#changes += 1;
    if (events.some(isRead)) void this.refresh();
    const listed = this.#homes.get(home);
    if (listed === undefined) return;
    for (const event of events) {
      if (event.type !== 'store') continue;
      if (event.phase === 'made') this.#stale.add(home);
      else this.#remove(listed, String(event.line['handle']));
    }
    this.#publish();
    void this.#follow();
  }

  async refresh(): Promise<void> {
    const asked = (this.#asked += 1);
    const changes = this.#changes;
    try {
      const read = await Promise.all([...this.#homes.keys()].map((home) => this.#listOf(home)));
      if (asked !== this.#asked) return;
      this.#homes = new Map(read);
      this.#failure.value = null;
      this.#publish();
      this.#state.value = 'ready';
      // The list may be older than what has come meanwhile.
      if (changes !== this.#changes) void this.refresh();
    } catch (thrown) {
      if (asked !== this.#asked) return;
      this.#failure.value = failureOf(thrown);
      this.#state.value = 'failed';
    }
  }

  /** A page of an output. @throws what was answered: `output_handle_not_found` where it has gone */
  page(query: QueryOf<'output_page'>): Promise<OutputPage> {
    return this.#ask.page(query);
  }

  /** Where a text is in an output. A later search ends one that has not been answered, with `cancelled`. */
  search(query: QueryOf<'output_search'>): Promise<OutputMatches> {
    return this.#ask.search(query);
  }

  /** Deletes an output. Taken from the side panel alone. @throws what was answered */
  async delete(query: QueryOf<'output_delete'>): Promise<void> {
    await this.#ask.delete(query);
    const listed = this.#homes.get(query.home);
    if (listed === undefined) return;
    this.#remove(listed, query.handle);
    this.#publish();
  }

  /** Has an output kept, or no longer. Taken from the side panel alone. @throws what was answered */
  async keep(query: QueryOf<'output_keep'>): Promise<void> {
    await this.#ask.keep(query);
    await this.refresh();
  }

  async #listOf(home: string): Promise<[string, Home]> {
    const outputs: Listed[] = [];
    let page: OutputList | null = null;
    do {
      const before: string | null = page?.next ?? null;
      page = await this.#ask.list({ home, limit: PAGE_OUTPUTS, ...(before === null ? {} : { before }) });
      outputs.push(...page.outputs);
    } while (page.next !== null && outputs.length < this.#limit);
    return [home, { outputs, next: page.next, total: page.total }];
  }

  /** One read at a time: what is stored meanwhile is read afterwards. */
  async #follow(): Promise<void> {
    if (this.#isFollowing) return;
    this.#isFollowing = true;
    for (let [home] = this.#stale; home !== undefined; [home] = this.#stale) {
      this.#stale.delete(home);
      try {
        const { outputs, total } = await this.#ask.list({ home, limit: PAGE_OUTPUTS });
        const listed = this.#homes.get(home);
        if (listed === undefined) continue;
        this.#merge(listed, outputs);
        listed.total = total;
        this.#publish();
      } catch {
        // What is listed stays; the next one that is stored has it read again.
      }
    }
    this.#isFollowing = false;
  }

  #merge(listed: Home, newest: readonly Listed[]): void {
    const known = new Set(listed.outputs.map(({ handle }) => handle));
    listed.outputs.unshift(...newest.filter(({ handle }) => !known.has(handle)));
    if (listed.outputs.length <= OUTPUTS_MAX) return;
    listed.outputs.length = OUTPUTS_MAX;
    listed.next = listed.outputs.at(-1)?.handle ?? null;
  }

  #remove(listed: Home, handle: string): void {
    const at = listed.outputs.findIndex((output) => output.handle === handle);
    if (at < 0) return;
    listed.outputs.splice(at, 1);
    listed.total = Math.max(listed.outputs.length, listed.total - 1);
  }

  #publish(): void {
    const homes = [...this.#homes];
    this.#outputs.value = homes
      .flatMap(([home, { outputs }]) => outputs.map((output) => ({ home, output })))
      .toSorted((a, b) => b.output.created_at_ms - a.output.created_at_ms);
    this.#hasMore.value = homes.some(
      ([, { next, outputs }]) => next !== null && outputs.length < OUTPUTS_MAX,
    );
    this.#total.value = homes.reduce((sum, [, { total }]) => sum + total, 0);
  }
}
