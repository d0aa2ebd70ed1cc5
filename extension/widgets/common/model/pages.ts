import { z } from 'zod';
import type { JsonValue } from '../../../../shared/base/json.ts';
import { Json } from '../../../../shared/base/json-schema.ts';
import {
  type RunPage,
  problemOf,
  readPage,
  readTextPage,
  type Run,
  type ShownError,
  type ToolAnswer,
} from './answer.ts';
import { batch, signal, type Signal } from '@preact/signals';

/** Items per page: as many as a person takes in at once, in the height of a few messages. */
export const PAGE_ITEMS = 10;

export type Page = Readonly<ReturnType<typeof pageOf>>;

/** A page of items that are all in memory. */
export const sliceItems = (items: readonly JsonValue[], offset: number): Page =>
  pageOf({ offset, content: items.slice(offset, offset + PAGE_ITEMS), total: items.length });

/** A page from the server. While a run is active its end is not final: more may follow. */
function pageOf({ offset = 0, content = [], total = 0 }: RunPage) {
  const items = content.map((item) => Json.parse(item));
  const end = offset + items.length;
  return {
    offset,
    items,
    /** Items so far. */
    total: Math.max(total, end),
    /** Null if there is no further item yet. */
    nextOffset: end < total ? end : null,
  };
}

/** Offsets of the visited pages; the last is the one shown. */
type PageHistory = readonly number[];

export const START: PageHistory = [0];

export const currentOffset = (trail: PageHistory): number => trail.at(-1) ?? 0;

export const goForward = (trail: PageHistory, nextOffset: number | null): PageHistory =>
  nextOffset === null || nextOffset <= currentOffset(trail) ? trail : [...trail, nextOffset];

export const goBack = (trail: PageHistory): PageHistory => (trail.length > 1 ? trail.slice(0, -1) : trail);

const Kept = z.object({ trail: z.array(z.int()) });

/** A history as a host stored it; the start if it is invalid. */
function readPageHistory(kept: unknown): PageHistory {
  const trail = Kept.safeParse(kept).data?.trail;
  if (trail?.[0] !== 0) return START;
  const isTrail = trail.every((offset, at) => at === 0 || offset > (trail[at - 1] ?? 0));
  return isTrail ? trail : START;
}

/** Null if the call did not arrive. */
export type CallTool = (name: string, args: Readonly<Record<string, unknown>>) => Promise<ToolAnswer | null>;

/** Calls for parts of an answer. Only the latest counts: an earlier one that arrives late is dropped. */
class Parts {
  readonly isLoading = signal(false);
  #asked = 0;

  /** @param failure set to why the last part did not arrive, or to null if it did */
  constructor(
    private readonly call: CallTool,
    protected readonly failure: Signal<ShownError | null>,
  ) {}

  forget(): void {
    this.#asked += 1;
    this.isLoading.value = false;
  }

  /**
   * @param read null for an answer that is not a part
   * @returns false if the part did not arrive, or not as the latest
   */
  protected async ask<Part>(
    [name, args]: Parameters<CallTool>,
    read: (answer: ToolAnswer) => Part | null,
    take: (part: Part) => void,
  ): Promise<boolean> {
    const asked = (this.#asked += 1);
    this.isLoading.value = true;
    const answer = await this.call(name, args);
    if (asked !== this.#asked) return false;
    const part = answer === null ? null : read(answer);
    batch(() => {
      this.isLoading.value = false;
      this.failure.value = part === null ? problemOf(answer) : null;
      if (part !== null) take(part);
    });
    return part !== null;
  }
}

/** The items of an answer, one page at a time. */
export class ItemPages extends Parts {
  readonly trail = signal(START);
  readonly page = signal<Page | null>(null);

  #source: Parameters<CallTool> | { readonly items: readonly JsonValue[] } | null = null;

  /** Begins where the widget was when it was last shown. */
  restore(kept: unknown): void {
    this.trail.value = readPageHistory(kept);
  }

  override forget(): void {
    super.forget();
    this.#source = null;
    this.page.value = null;
    this.trail.value = START;
  }

  follow(runId: string): void {
    this.#source = ['run_output_internal', { run_id: runId }];
  }

  /** Reads the items of a stored output. @param offset where to begin if the host has stored no position */
  async open(handle: string, offset = 0): Promise<void> {
    this.#source = ['oc_output_fetch_internal', { output_handle: handle }];
    if (this.trail.value === START && offset > 0) this.trail.value = [0, offset];
    await this.load();
  }

  hold(items: readonly JsonValue[]): void {
    this.#source = { items };
    void this.load();
  }

  /** Updates the shown page with the run's new items, unless it is full or nothing is new. */
  async refresh(run: Run, hasEnded: boolean): Promise<void> {
    const page = this.page.value;
    const total = run.items ?? run.progress.done;
    if (page === null) {
      if (total > 0 || hasEnded) await this.load();
      return;
    }
    if (total <= page.total) return;
    const end = page.offset + page.items.length;
    if (page.items.length < PAGE_ITEMS && page.nextOffset === null) await this.load();
    else this.page.value = { ...page, total, nextOffset: end < total ? end : null };
  }

  /** Shows the last page of the history. False if it did not arrive. */
  async load(): Promise<boolean> {
    const offset = currentOffset(this.trail.value);
    const source = this.#source;
    if (Array.isArray(source)) {
      const [name, args] = source;
      const range = { offset, limit: PAGE_ITEMS };
      return this.ask([name, { ...args, ...range }], readPage, (page) => (this.page.value = pageOf(page)));
    }
    if (source !== null) this.page.value = sliceItems(source.items, offset);
    return true;
  }

  /** Goes to the next or previous page; stays if that does not arrive. True if it moved. */
  async turn(direction: 'next' | 'previous'): Promise<boolean> {
    const { value: page } = this.page;
    if (page === null || this.isLoading.value) return false;
    const before = this.trail.value;
    this.trail.value = direction === 'next' ? goForward(before, page.nextOffset) : goBack(before);
    if (this.trail.value === before) return false;
    const wanted = this.trail.value;
    const hasCome = await this.load();
    // Without a failure the page was overtaken: by another answer, or by an update that requests the same page.
    const hasFailed = !hasCome && this.failure.value !== null;
    if (hasFailed && this.trail.value === wanted) this.trail.value = before;
    return hasCome;
  }
}

/** Bytes of a stored text per request. */
const PAGE_BYTES = 64 * 1_024;

/** The text of an answer: whole, or as far as it was read from its store. */
export class PageText extends Parts {
  readonly text = signal<string | null>(null);
  readonly leftBytes = signal(0);

  #handle: string | null = null;
  #next = 0;

  override forget(): void {
    this.#handle = null;
    batch(() => {
      super.forget();
      this.text.value = null;
      this.leftBytes.value = 0;
    });
  }

  hold(text: string): void {
    batch(() => {
      this.forget();
      this.text.value = text;
    });
  }

  /** Reads the beginning of a stored text, or what follows the parts that are here. */
  async open(handle: string): Promise<void> {
    if (handle !== this.#handle) this.#next = 0;
    this.#handle = handle;
    if (this.#next === 0 || this.leftBytes.value > 0) await this.more();
  }

  /** Reads the next part. */
  async more(): Promise<void> {
    if (this.#handle === null || this.isLoading.value) return;
    const range = { offset: this.#next, limit: PAGE_BYTES, format: 'bytes' };
    await this.ask(
      ['oc_output_fetch_internal', { output_handle: this.#handle, ...range }],
      readTextPage,
      ({ content, next_offset: next, total }) => {
        this.text.value = (this.text.value ?? '') + content;
        this.leftBytes.value = next === null ? 0 : total - next;
        this.#next = next ?? total;
      },
    );
  }
}
