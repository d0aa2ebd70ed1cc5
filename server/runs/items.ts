import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CleanBytes, CleanJson } from '../redact/clean.ts';
import { StoredJson } from '../redact/stored.ts';
import { cutItemPage, type ItemPage } from '../core/output.ts';
import { runCorrupt, type ItemRow } from './records.ts';
import type { StoredRun } from './run-store.ts';

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
    sizeBytes += rows[end]?.size ?? 0;
    if (end > from && sizeBytes > BATCH_BYTES) break;
    end += 1;
  }
  return rows.slice(from, end);
}

/** The committed items as they lie on the disk, up to `total`. */
export async function* readLines(run: StoredRun, total: number): AsyncGenerator<CleanBytes, void> {
  for (let first = 0; first < total;) {
    const rows = run.items(first, Math.min(BATCH_ITEMS, total - first));
    if (rows.length === 0) throw runCorrupt(run.runId, 'its items end early');
    for (let at = 0; at < rows.length;) {
      const batch = takeBatch(rows, at);
      yield* run.lines(batch);
      at += batch.length;
      // SQLite reads on this thread.
      await nextTurn();
    }
    first += rows.length;
  }
}

export async function* readItems(run: StoredRun, total: number): AsyncGenerator<CleanJson, void> {
  for await (const line of readLines(run, total)) yield parseItem(line, run.runId);
}

/** A page of what is committed. Positions of oversized items are those in the sealed array. */
export function readPage(
  run: StoredRun,
  request: { readonly offset: number; readonly limit: number | undefined; readonly pageBytes: number },
): Promise<ItemPage> {
  return cutItemPage(
    {
      total: run.tally().items,
      spans: async (first, count) => {
        const rows = run.items(first, count);
        if (rows.length < count) throw runCorrupt(run.runId, 'its items end early');
        return rows.map((row) => ({ ...row, end: row.start + row.size }));
      },
      read: async (spans) => run.lines(spans).map((line) => parseItem(line, run.runId)),
    },
    request,
  );
}
