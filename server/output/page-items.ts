import { z } from 'zod';
import type { JsonValue } from '../../shared/json.ts';
import { LIMITS } from '../../shared/limits.ts';
import type { OutputPage, OversizedItem } from '../../shared/output/page.ts';
import { ITEM_LEAD_BYTES, type ItemSpan } from './item-format.ts';
import type { StoredOutput } from './reader.ts';
import { corrupt } from './store-error.ts';

/** What a page of items is cut by. */
export interface ItemsRequest {
  readonly offset: number;
  readonly limit: number | undefined;
  /** Bytes that `content` and `oversized` may take in the JSON of the page, their brackets not counted. */
  readonly pageBytes: number;
}

const NULL_BYTES = 'null'.length;
const Items = z.array(z.custom<JsonValue>((value) => value !== undefined));

/** Neighbouring items that are read at once, or one that is too large for any page. */
interface Run {
  readonly first: number;
  readonly spans: ItemSpan[];
  readonly isOversized: boolean;
}

/**
 * One page of items: one read of the index, and one of the payload unless an item that is too large
 * lies between others.
 */
export async function fetchItemsPage(output: StoredOutput, request: ItemsRequest): Promise<OutputPage> {
  const { offset, pageBytes } = request;
  const { handle, item_count } = output.meta;
  const total = item_count ?? 0;
  const limit = Math.min(request.limit ?? LIMITS.outputFetchItems, LIMITS.outputFetchItemsMax);
  const wanted = Math.min(limit, Math.max(0, total - offset));
  const runs = wanted === 0 ? [] : cutRuns(await output.spans(offset, wanted), { offset, pageBytes });
  const parts = await Promise.all(runs.map((run) => (run.isOversized ? [null] : readRun(output, run.spans))));
  const content = parts.flat();
  const next = Math.min(offset, total) + content.length;
  const eof = next >= total;
  const oversized = runs.flatMap((run) => (run.isOversized ? run.spans.map(toOversized(run.first)) : []));
  return {
    output_handle: handle,
    offset,
    limit,
    returned: content.length,
    total,
    next_offset: eof ? null : next,
    content,
    eof,
    ...(oversized.length > 0 ? { oversized } : {}),
  };
}

const toOversized =
  (index: number) =>
  ({ start, end }: ItemSpan): OversizedItem => ({ index, byte_offset: start, size_bytes: end - start });

/** Takes items while they fit; the first is always taken, so that each page advances. */
function cutRuns(spans: readonly ItemSpan[], page: { offset: number; pageBytes: number }): Run[] {
  const runs: Run[] = [];
  let used = 0;
  for (const [position, span] of spans.entries()) {
    const index = page.offset + position;
    const isOversized = span.end - span.start > page.pageBytes;
    const listed = isOversized ? NULL_BYTES + 1 + JSON.stringify(toOversized(index)(span)).length : 0;
    const size = (isOversized ? listed : span.end - span.start) + (position === 0 ? 0 : 1);
    if (position > 0 && used + size > page.pageBytes) break;
    used += size;
    const run = runs.at(-1);
    if (run && !isOversized && !run.isOversized) run.spans.push(span);
    else runs.push({ first: index, spans: [span], isOversized });
  }
  return runs;
}

/** The lines of neighbouring items are, but for the brackets, an array. */
async function readRun(output: StoredOutput, spans: readonly ItemSpan[]): Promise<JsonValue[]> {
  const { handle } = output.meta;
  const [start, end] = [spans[0]?.start ?? 0, spans.at(-1)?.end ?? 0];
  const text = (await output.read(start, end)).toString('utf8');
  let items: unknown;
  try {
    items = JSON.parse(`[${text}]`);
  } catch (thrown) {
    throw corrupt(handle, `items from byte ${start - ITEM_LEAD_BYTES} are no JSON`, thrown);
  }
  const parsed = Items.safeParse(items);
  if (!parsed.success || parsed.data.length !== spans.length)
    throw corrupt(handle, 'its index does not match its items');
  return parsed.data;
}
