import type { CleanJson } from '../redact/clean.ts';
import { LIMITS } from '../../shared/limits.ts';
import type { OversizedItem } from '../../shared/output/page.ts';

/** Where one item lies in the stored array, without what separates it. */
export interface ItemSpan {
  readonly start: number;
  readonly end: number;
}

/** What a page of items is cut by. */
export interface ItemsRequest {
  readonly offset: number;
  readonly limit: number | undefined;
  /** Bytes that `content` and `oversized` may take in the JSON of the page, their brackets not counted. */
  readonly pageBytes: number;
}

/** A collection of items on the disk: of a handle, or of a run. */
export interface ItemSource<Span extends ItemSpan> {
  readonly total: number;
  /** Where items `first … first + count` lie; they are there. */
  spans(first: number, count: number): Promise<readonly Span[]>;
  /** The items of neighbouring spans, parsed. */
  read(spans: readonly Span[]): Promise<readonly CleanJson[]>;
}

/** A page of items of any owner. */
export interface ItemPage {
  readonly offset: number;
  /** The limit that was applied. */
  readonly limit: number;
  readonly returned: number;
  readonly total: number;
  /** Where the next page begins, even when it does not exist yet. */
  readonly next: number;
  readonly content: readonly CleanJson[];
  readonly oversized: readonly OversizedItem[];
}

/** What stands for an item that is too large: `null`, or its size. */
const STAND_IN_BYTES = '{"oversized_bytes":1000000000}'.length;

/** Neighbouring items that are read at once, or one that is too large for any page. */
interface Run<Span> {
  readonly first: number;
  readonly spans: Span[];
  readonly isOversized: boolean;
}

/**
 * One page of items: one look at the index, and one read of the items unless one that is too large
 * lies between others.
 */
export async function cutItemPage<Span extends ItemSpan>(
  source: ItemSource<Span>,
  request: ItemsRequest,
): Promise<ItemPage> {
  const { offset, pageBytes } = request;
  const { total } = source;
  const limit = Math.min(request.limit ?? LIMITS.outputFetchItems, LIMITS.outputFetchItemsMax);
  const wanted = Math.min(limit, Math.max(0, total - offset));
  const runs = wanted === 0 ? [] : cutRuns(await source.spans(offset, wanted), { offset, pageBytes });
  const read = (run: (typeof runs)[number]): ReturnType<typeof source.read> =>
    run.isOversized ? Promise.resolve([null]) : source.read(run.spans);
  const parts = await Promise.all(runs.map(read));
  const content = parts.flat();
  const oversized = runs.flatMap((run) => (run.isOversized ? run.spans.map(toOversized(run.first)) : []));
  const next = Math.min(offset, total) + content.length;
  return { offset, limit, returned: content.length, total, next, content, oversized };
}

const toOversized =
  (index: number) =>
  ({ start, end }: ItemSpan): OversizedItem => ({ index, byte_offset: start, size_bytes: end - start });

/** Takes items while they fit; the first is always taken, so that each page advances. */
function cutRuns<Span extends ItemSpan>(
  spans: readonly Span[],
  page: { offset: number; pageBytes: number },
): Run<Span>[] {
  const runs: Run<Span>[] = [];
  let used = 0;
  for (const [position, span] of spans.entries()) {
    const index = page.offset + position;
    const isOversized = span.end - span.start > page.pageBytes;
    const listed = isOversized ? STAND_IN_BYTES + 1 + JSON.stringify(toOversized(index)(span)).length : 0;
    const size = (isOversized ? listed : span.end - span.start) + (position === 0 ? 0 : 1);
    if (position > 0 && used + size > page.pageBytes) break;
    used += size;
    const run = runs.at(-1);
    if (run && !isOversized && !run.isOversized) run.spans.push(span);
    else runs.push({ first: index, spans: [span], isOversized });
  }
  return runs;
}
