import { signal } from '@preact/signals';
import { failureOf, type Failure, type FeedClient } from '../../ui/frame/feed-client.ts';
import type { FeedAnswer } from '../../ui/frame/feed-port.ts';

/** The server chooses the size of byte pages. */
const PAGE_ITEMS = 20;
/** Longest character in bytes: a page may have to begin a little later. */
const CHARACTER_BYTES = 4;

type Match = FeedAnswer<'outputs.search'>['matches'][number];

export interface TextSearch {
  readonly text: string;
  readonly matches: readonly Match[];
  /** Index of the current one, or -1. */
  readonly at: number;
  /** Where to continue; null once everything was searched. */
  readonly next: number | null;
  readonly isSearching: boolean;
  readonly failure: Failure | null;
}

/** An opened output: its pages, and its search. */
export class OpenedOutput {
  readonly page = signal<FeedAnswer<'outputs.page'> | null>(null);
  readonly state = signal<'reading' | 'ready' | 'failed' | 'gone'>('reading');
  readonly failure = signal<Failure | null>(null);
  readonly found = signal<TextSearch | null>(null);
  #before: readonly number[] = [];
  /** The latest requested page wins. */
  #asked = 0;
  #offset = 0;

  /** @param homes where it may be: a link names only the handle */
  constructor(
    private readonly client: FeedClient,
    readonly handle: string,
    private homes: readonly string[],
    private readonly isItems: boolean,
  ) {
    void this.#go(0);
  }

  /** Its home, if known. */
  get home(): string {
    return this.homes[0] ?? '';
  }
  get hasPrevious(): boolean {
    return (this.page.value?.offset ?? 0) > 0;
  }

  /** Reads the failed page again. */
  again(): Promise<void> {
    return this.#go(this.#offset);
  }

  next(): Promise<void> {
    const page = this.page.value;
    if (page === null || page.next_offset === null) return Promise.resolve();
    this.#before = [...this.#before, page.offset];
    return this.#go(page.next_offset);
  }

  previous(): Promise<void> {
    const page = this.page.value;
    if (page === null || page.offset === 0) return Promise.resolve();
    const known = this.#before.at(-1);
    this.#before = this.#before.slice(0, -1);
    // No page is known before one that was jumped to: goes back by a page's length.
    const length = page.unit === 'items' ? PAGE_ITEMS : (page.next_offset ?? page.total) - page.offset;
    return this.#go(known ?? Math.max(0, page.offset - length));
  }

  /** Shows the first match; an empty text ends the search. */
  async search(text: string): Promise<void> {
    const found = { text, matches: [], at: -1, next: 0, isSearching: false, failure: null };
    this.found.value = text === '' ? null : found;
    await this.match(1);
  }

  /** Shows the next or previous match. After the last comes the first, once all were found. */
  async match(step: 1 | -1): Promise<void> {
    const found = this.found.value;
    if (found === null || found.isSearching) return;
    const wanted = found.at + step;
    if (wanted >= found.matches.length && found.next !== null) await this.#searchOn(found, found.next);
    const now = this.found.value;
    if (now === null || now.text !== found.text) return;
    const { length } = now.matches;
    const to = wanted < 0 ? length - 1 : wanted < length ? wanted : 0;
    const shown = now.matches[to];
    if (shown === undefined) return;
    this.found.value = { ...now, at: to };
    this.#before = [];
    await this.#go(shown.offset);
  }

  async #searchOn(found: TextSearch, from: number): Promise<void> {
    this.found.value = { ...found, isSearching: true, failure: null };
    let next: number | null = from;
    let failure: Failure | null = null;
    const matches = [...found.matches];
    try {
      // A search ends after a few seconds wherever it is.
      while (next !== null && matches.length === found.matches.length) {
        const { home, handle } = this;
        const query = { home, handle, text: found.text, offset: next };
        // A later search ends a pending one with `cancelled`.
        const answer: FeedAnswer<'outputs.search'> = await this.client.ask('outputs.search', query);
        if (this.found.value?.text !== found.text) return;
        matches.push(...answer.matches);
        next = answer.next_offset;
      }
    } catch (thrown) {
      failure = failureOf(thrown);
    }
    if (this.found.value?.text === found.text)
      this.found.value = { ...found, matches, next, isSearching: false, failure };
  }

  async #go(offset: number): Promise<void> {
    const asked = (this.#asked += 1);
    this.#offset = offset;
    if (this.page.value === null) this.state.value = 'reading';
    try {
      const page = await this.#read(offset);
      if (asked !== this.#asked) return;
      this.page.value = page;
      this.failure.value = null;
      this.state.value = 'ready';
    } catch (thrown) {
      if (asked !== this.#asked) return;
      this.failure.value = failureOf(thrown);
      this.state.value = this.failure.value.code === 'output_handle_not_found' ? 'gone' : 'failed';
    }
  }

  /** From its home; a page of text begins with a whole character. */
  async #read(offset: number): Promise<FeedAnswer<'outputs.page'>> {
    const { handle } = this;
    const limit = this.isItems ? PAGE_ITEMS : undefined;
    let from = offset;
    for (;;)
      try {
        return await this.client.ask('outputs.page', { home: this.home, handle, offset: from, limit });
      } catch (thrown) {
        const { code } = failureOf(thrown);
        const [, ...others] = this.homes;
        if (code === 'output_handle_not_found' && this.page.value === null && others.length > 0)
          this.homes = others;
        else if (code === 'invalid_offset' && from < offset + CHARACTER_BYTES) from += 1;
        else throw thrown;
      }
  }
}
