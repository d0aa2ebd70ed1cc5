import { signal } from '@preact/signals';
import type { FeedEvent } from '../../../shared/bridge/feed.ts';
import type { Answer, Asks } from '../../ports/feed.ts';
import { HomeLists } from './home-lists.ts';

export type ListedOutput = Answer<'outputs.list'>['outputs'][number];

/** Outputs per home at first, and with each further page. */
const PAGE_OUTPUTS = 50;
/** Most outputs listed per home. */
const OUTPUTS_MAX = 1_000;

/** A stored output, and its home. */
export interface ShownOutput {
  readonly home: string;
  readonly output: ListedOutput;
}

type Ask<T extends `outputs.${'list' | 'page' | 'search' | 'delete' | 'keep'}`> = (
  query: Asks<T>,
) => Promise<Answer<T>>;

interface OutputsAsk {
  readonly list: Ask<'outputs.list'>;
  readonly page: Ask<'outputs.page'>;
  readonly search: Ask<'outputs.search'>;
  readonly delete: Ask<'outputs.delete'>;
  readonly keep: Ask<'outputs.keep'>;
}

/** Journal events that make the list stale. */
const KEEPING: readonly string[] = ['output_handle_kept', 'output_handle_released'];

const isRead = (event: FeedEvent): boolean =>
  event.type === 'gap' || (event.type === 'journal' && KEEPING.includes(event.line.event));

interface Listed {
  readonly outputs: readonly ListedOutput[];
  readonly hasMore: boolean;
  readonly total: number;
}

/** The stored outputs of all homes, newest first. */
export class OutputsStore extends HomeLists<Listed> {
  readonly outputs = signal<readonly ShownOutput[]>([]);
  /** All outputs, listed or not. */
  readonly total = signal(0);
  /** A page of an output. Rejects with the server's error: `output_handle_not_found` if it is gone. */
  readonly page: Ask<'outputs.page'>;
  /** Matches of a text in an output. A later search ends a pending one with `cancelled`. */
  readonly search: Ask<'outputs.search'>;
  readonly #ask: OutputsAsk;
  #limit = PAGE_OUTPUTS;
  #changes = 0;
  /** Homes where something was stored since their newest outputs were read. */
  readonly #stale = new Set<string>();
  #isFollowing = false;

  constructor(ask: OutputsAsk) {
    super();
    this.#ask = ask;
    this.page = ask.page;
    this.search = ask.search;
  }

  more(): Promise<void> {
    this.#limit = Math.min(this.#limit + PAGE_OUTPUTS, OUTPUTS_MAX);
    return this.refresh();
  }

  /** Only these homes are read again. */
  take(home: string, events: readonly FeedEvent[]): void {
    if (events.some(isRead)) void this.refresh();
    for (const event of events) {
      if (event.type !== 'store') continue;
      this.#changes += 1;
      if (event.phase === 'made') this.#stale.add(home);
      else this.#remove(home, String(event.line['handle']));
    }
    void this.#follow();
  }

  async refresh(): Promise<void> {
    const changes = this.#changes;
    await this.read((home) => this.#listOf(home));
    // Something may have arrived while the list was read.
    if (changes !== this.#changes && this.state.value === 'ready') void this.refresh();
  }

  /** Deletes an output. Accepted only from the side panel. @throws the server's error */
  async delete(query: Asks<'outputs.delete'>): Promise<void> {
    await this.#ask.delete(query);
    this.#remove(query.home, query.handle);
  }

  /** Keeps or releases an output. Accepted only from the side panel. @throws the server's error */
  async keep(query: Asks<'outputs.keep'>): Promise<void> {
    await this.#ask.keep(query);
    await this.refresh();
  }

  protected publish(): void {
    this.outputs.value = [...this.parts]
      .flatMap(([home, { outputs }]) => outputs.map((output) => ({ home, output })))
      .toSorted((a, b) => b.output.created_at_ms - a.output.created_at_ms);
    this.total.value = [...this.parts.values()].reduce((sum, { total }) => sum + total, 0);
  }

  async #listOf(home: string): Promise<Listed> {
    const outputs: ListedOutput[] = [];
    let page: Answer<'outputs.list'> | null = null;
    do {
      const before: string | null = page?.next ?? null;
      page = await this.#ask.list({ home, limit: PAGE_OUTPUTS, ...(before === null ? {} : { before }) });
      outputs.push(...page.outputs);
    } while (page.next !== null && outputs.length < this.#limit);
    return { outputs, total: page.total, hasMore: page.next !== null && outputs.length < OUTPUTS_MAX };
  }

  /** One read at a time: later changes are read afterwards. */
  async #follow(): Promise<void> {
    if (this.#isFollowing) return;
    this.#isFollowing = true;
    for (let [home] = this.#stale; home !== undefined; [home] = this.#stale) {
      this.#stale.delete(home);
      try {
        const { outputs: newest, total } = await this.#ask.list({ home, limit: PAGE_OUTPUTS });
        this.#change(home, ({ outputs, hasMore }) => {
          const known = new Set(outputs.map(({ handle }) => handle));
          const all = [...newest.filter(({ handle }) => !known.has(handle)), ...outputs];
          return { outputs: all.slice(0, OUTPUTS_MAX), total, hasMore: hasMore && all.length < OUTPUTS_MAX };
        });
      } catch {
        // The list stays; the next stored output triggers another read.
      }
    }
    this.#isFollowing = false;
  }

  #remove(home: string, handle: string): void {
    this.#change(home, (listed) => {
      const outputs = listed.outputs.filter((output) => output.handle !== handle);
      if (outputs.length === listed.outputs.length) return listed;
      return { ...listed, outputs, total: Math.max(outputs.length, listed.total - 1) };
    });
  }

  #change(home: string, change: (listed: Listed) => Listed): void {
    const listed = this.parts.get(home);
    if (listed !== undefined) this.replace(new Map([...this.parts, [home, change(listed)]]));
  }
}
