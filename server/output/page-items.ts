import { z } from 'zod';
import type { OutputPage } from '../../shared/output/page.ts';
import { cutItemPage, type ItemSpan, type ItemsRequest } from '../core/item-page.ts';
import type { CleanJson } from '../redact/clean.ts';
import { StoredJson } from '../redact/stored.ts';
import { ITEM_LEAD_BYTES } from './item-format.ts';
import type { StoredOutput } from './reader.ts';
import { corrupt } from './store-error.ts';

const Items = z.array(StoredJson);

/** One page of a handle's items. */
export async function fetchItemsPage(output: StoredOutput, request: ItemsRequest): Promise<OutputPage> {
  const page = await cutItemPage(
    {
      total: output.meta.item_count ?? 0,
      spans: (first, count) => output.spans(first, count),
      read: (spans) => readItems(output, spans),
    },
    request,
  );
  const { offset, limit, returned, total, next, content, oversized } = page;
  const eof = next >= total;
  return {
    output_handle: output.meta.handle,
    offset,
    limit,
    returned,
    total,
    next_offset: eof ? null : next,
    content: [...content],
    eof,
    ...(oversized.length > 0 ? { oversized: [...oversized] } : {}),
  };
}

/** The lines of neighbouring items are, but for the brackets, an array. */
async function readItems(output: StoredOutput, spans: readonly ItemSpan[]): Promise<CleanJson[]> {
  const { handle } = output.meta;
  const [start, end] = [spans[0]?.start ?? 0, spans.at(-1)?.end ?? 0];
  const text = (await output.read(start, end)).toString('utf8');
  let items: unknown;
  try {
    items = JSON.parse(`[${text}]`);
  } catch (thrown) {
    throw corrupt(handle, `items from byte ${start - ITEM_LEAD_BYTES} are not JSON`, thrown);
  }
  const parsed = Items.safeParse(items);
  if (!parsed.success || parsed.data.length !== spans.length)
    throw corrupt(handle, 'its index does not match its items');
  return parsed.data;
}
