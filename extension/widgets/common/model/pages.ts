import { z } from 'zod';
import type { JsonValue } from '../../../../shared/json.ts';
import { Json } from '../../../../shared/json-schema.ts';
import type { Row } from '../../../panel/components/layout.ts';
import { type RunPage, problemOf, readPage, type Run, type ShownError, type ToolAnswer } from './answer.ts';
import { batch, signal, type Signal } from '@preact/signals';

/** Items per page: as many as a person takes in at once, in the height of a few messages. */
export const PAGE_ITEMS = 10;

export interface Page {
  readonly offset: number;
  readonly rows: readonly Row[];
  /** Items so far. */
  readonly total: number;
  /** Null if there is no further item yet. */
  readonly nextOffset: number | null;
}

/** A page of items that are all in memory. */
export function sliceItems(items: readonly JsonValue[], offset: number): Page {
  const rows = items
    .slice(offset, offset + PAGE_ITEMS)
    .map((value, position) => ({ index: offset + position, value }));
  const end = offset + rows.length;
  return { offset, rows, total: items.length, nextOffset: end < items.length ? end : null };
}

/** A page from the server. While a run is active its end is not final: more may follow. */
export function pageOf({ offset = 0, content = [], total = 0, oversized }: RunPage): Page {
  const large = sizesByIndex(oversized);
  const rows = content.map((value, position): Row => {
    const index = offset + position;
    const sizeBytes = large.get(index);
    return sizeBytes === undefined
      ? { index, value: Json.parse(value) }
      : { index, value: null, oversizedBytes: sizeBytes };
  });
  const end = offset + rows.length;
  return { offset, rows, total: Math.max(total, end), nextOffset: end < total ? end : null };
}

const Oversized = z.object({ index: z.number(), size_bytes: z.number() });

function sizesByIndex(oversized: unknown): ReadonlyMap<number, number> {
  const list: readonly unknown[] = Array.isArray(oversized) ? oversized : [];
  return new Map(
    list.flatMap((entry) => {
      const size = Oversized.safeParse(entry).data;
      return size === undefined ? [] : [[size.index, size.size_bytes]];
    }),
  );
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

/** Where the items are: on the server, page by page, or in memory. */
type Source =
  | { readonly kind: 'run'; readonly runId: string }
  | { readonly kind: 'handle'; readonly handle: string }
  | { readonly kind: 'items'; readonly items: readonly JsonValue[] };

/** The items of an answer, one page at a time. */
export class ItemPages {
  readonly trail = signal(START);
  readonly page = signal<Page | null>(null);
  readonly isLoading = signal(false);

  #source: Source | null = null;
  /** The latest request: an earlier one that arrives late is dropped. */
  #asked = 0;

  /** @param failure set to why the last page did not arrive, or to null if it did */
  constructor(
    private readonly call: CallTool,
    private readonly failure: Signal<ShownError | null>,
  ) {}

  /** Begins where the widget was when it was last shown. */
  restore(kept: unknown): void {
    this.trail.value = readPageHistory(kept);
  }

  forget(): void {
    this.#asked += 1;
    this.#source = null;
    this.page.value = null;
    this.trail.value = START;
    this.isLoading.value = false;
  }

  follow(runId: string): void {
    this.#source = { kind: 'run', runId };
  }

  /** Reads the items of a stored output. @param offset where to begin if the host has stored no position */
  async open(handle: string, offset = 0): Promise<void> {
    this.#source = { kind: 'handle', handle };
    if (this.trail.value === START && offset > 0) this.trail.value = [0, offset];
    await this.load();
  }

  hold(items: readonly JsonValue[]): void {
    this.#source = { kind: 'items', items };
    this.page.value = sliceItems(items, currentOffset(this.trail.value));
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
    const end = page.offset + page.rows.length;
    if (page.rows.length < PAGE_ITEMS && page.nextOffset === null) await this.load();
    else this.page.value = { ...page, total, nextOffset: end < total ? end : null };
  }

  /** Shows the last page of the history. False if it did not arrive. */
  async load(): Promise<boolean> {
    const offset = currentOffset(this.trail.value);
    const source = this.#source;
    if (source === null) return true;
    if (source.kind !== 'items') return this.#fetch(source, offset);
    this.page.value = sliceItems(source.items, offset);
    return true;
  }

  async #fetch(source: Exclude<Source, { kind: 'items' }>, offset: number): Promise<boolean> {
    const asked = (this.#asked += 1);
    this.isLoading.value = true;
    const range = { offset, limit: PAGE_ITEMS };
    const answer =
      source.kind === 'run'
        ? await this.call('run_output_internal', { run_id: source.runId, ...range })
        : await this.call('oc_output_fetch_internal', { output_handle: source.handle, ...range });
    if (asked !== this.#asked) return false;
    const page = answer === null ? null : readPage(answer);
    batch(() => {
      this.isLoading.value = false;
      if (page !== null) this.page.value = pageOf(page);
      this.failure.value = page === null ? problemOf(answer) : null;
    });
    return page !== null;
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
