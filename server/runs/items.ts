import type { CleanBytes, CleanJson } from '../redact/clean.ts';
import { vouchBytes } from '../redact/mark.ts';
import { StoredJson } from '../redact/stored.ts';
import { cutItemPage, type ItemPage } from '../core/item-page.ts';
import type { OpenRun } from './folders.ts';
import { runCorrupt, type ItemRow } from './records.ts';

/** Rows that are looked up at once, and bytes that are read at once. */
const BATCH_ITEMS = 256;
const BATCH_BYTES = 512 * 1024;

function parseItem(bytes: Uint8Array, runId: string): CleanJson {
  try {
    return StoredJson.parse(JSON.parse(Buffer.from(bytes).toString('utf8')));
  } catch (thrown) {
    throw runCorrupt(runId, 'an item is not JSON', thrown);
  }
}

/** Rows whose items are read together; an item of any size is a batch. */
function takeBatch(rows: readonly ItemRow[], from: number): readonly ItemRow[] {
  let sizeBytes = 0;
  let end = from;
  while (end < rows.length) {
    sizeBytes += rows[end]?.[1] ?? 0;
    if (end > from && sizeBytes > BATCH_BYTES) break;
    end += 1;
  }
  return rows.slice(from, end);
}

/** The committed items as they lie on the disk, up to `total`. Each is lent until the next is asked for. */
export async function* readLines(run: OpenRun, total: number): AsyncGenerator<CleanBytes, void> {
  // One buffer for all, since a hundred thousand pages would else leave as much garbage as they are long.
  const buffer = Buffer.allocUnsafe(BATCH_BYTES);
  for (let first = 0; first < total;) {
    const rows = run.environment.rows(first, Math.min(BATCH_ITEMS, total - first));
    if (rows.length === 0) throw runCorrupt(run.runId, 'its index ends early');
    for (let at = 0; at < rows.length;) {
      const batch = takeBatch(rows, at);
      for (const line of await run.file.read(batch, buffer)) yield vouchBytes(line);
      at += batch.length;
    }
    first += rows.length;
  }
}

export async function* readItems(run: OpenRun, total: number): AsyncGenerator<CleanJson, void> {
  for await (const line of readLines(run, total)) yield parseItem(line, run.runId);
}

/** A page of what is committed. Positions of oversized items are those in the sealed array. */
export function readPage(
  run: OpenRun,
  request: { readonly offset: number; readonly limit: number | undefined; readonly pageBytes: number },
): Promise<ItemPage> {
  return cutItemPage(
    {
      total: run.environment.tally().items,
      spans: (first, count) => {
        const rows = run.environment.rows(first, count);
        if (rows.length < count) throw runCorrupt(run.runId, 'its index ends early');
        return Promise.resolve(rows.map((row) => ({ start: row[2], end: row[2] + row[1], row })));
      },
      read: async (spans) => {
        const lines = await run.file.read(spans.map(({ row }) => row));
        return lines.map((line) => parseItem(line, run.runId));
      },
    },
    request,
  );
}
