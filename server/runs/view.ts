import type { RunEnding, RunStatus, RunView } from '../core/runs.ts';
import { identifier, type CleanBytes, type CleanJson } from '../libraries/redaction/clean.ts';
import type { ActiveRun } from './active-run.ts';
import { ITEM_LEAD_BYTES, type RunLife, runCorrupt, type ItemRow } from './records.ts';
import type { StoredRun } from './run-store.ts';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { StoredJson } from '../libraries/redaction/mark.ts';
import { cutItemPage, type ItemsRequest, type OpenOutput } from '../core/output/index.ts';
import { MIME } from '../../shared/base/mime.ts';

const ENDED: readonly RunStatus[] = ['completed', 'failed', 'cancelled'];

export const hasEnded = (status: RunStatus): boolean => ENDED.includes(status);
/** A run that stopped at a call with an unknown outcome waits for a decision. */
export const isOver = ({ status, error }: RunView): boolean =>
  hasEnded(status) && error?.code !== 'outcome_unknown';

export const isActive = (status: RunStatus): boolean => status === 'queued' || status === 'running';

interface RunKnowledge {
  /** The work on it, if this server does it. */
  readonly work: ActiveRun | undefined;
  readonly isElsewhere: (life: RunLife) => boolean;
  /** Its arguments are known, so that it can continue. */
  readonly hasArguments: boolean;
}

function statusOf(life: RunLife, known: RunKnowledge): RunStatus {
  const status = writtenStatusOf(life, known);
  return status === 'interrupted' && life.error?.code === 'workflow_waits' ? 'waiting' : status;
}

function writtenStatusOf(life: RunLife, { work, isElsewhere }: RunKnowledge): RunStatus {
  if (work === undefined) return isActive(life.status) && !isElsewhere(life) ? 'interrupted' : life.status;
  // A run is complete only when it has its handle, so that a caller sees both or neither; a cancel does not wait.
  return work.status === 'completed' || work.status === 'failed' ? 'running' : work.status;
}

/** Of a run that has not ended. */
export const NO_END = { ended_at_ms: null, error: null, outcome: null, output_handle: null };

/** A run's current state: from the store, and from the work on it if this server does it. */
export function viewOf(run: StoredRun, known: RunKnowledge): RunView {
  const facts = run.facts();
  const life = run.life();
  const tally = run.tally();
  const status = statusOf(life, known);
  const atWork = isActive(status) ? known.work : undefined;
  // A continued run keeps the condition that it waited for.
  const end = isActive(status) ? NO_END : life;
  return {
    run_id: identifier('run', facts.run_id),
    tool: facts.tool,
    status,
    progress: atWork?.progress() ?? tally.progress,
    items: tally.items,
    size_bytes: arrayBytes(tally),
    started_at_ms: facts.started_at_ms,
    ended_at_ms: end.ended_at_ms,
    error: end.error,
    notes: end.outcome?.coverage ?? [],
    output_handle: end.output_handle,
    output_mode: facts.output_mode,
    output_inline_limit_bytes: facts.output_inline_limit_bytes,
    source: facts.source,
    args: facts.args,
    has_arguments: known.hasArguments,
  };
}

/** No outcome while a run is active. */
export function endingOf(run: StoredRun): RunEnding {
  return { outcome: run.life().outcome ?? { state: {}, coverage: [] }, redacted: run.tally().redacted };
}

/** An empty array is `[]`; any other ends with two bytes more than its items. */
const arrayBytes = ({ array_bytes }: { readonly array_bytes: number }): number => array_bytes + 2;

/** Maximum rows looked up at once, and maximum bytes read at once. */
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

/** The committed items as stored, up to `total`. */
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

/** The items so far, at the places that they have in the stored array. */
export function openRun(run: StoredRun): OpenOutput {
  const tally = run.tally();
  const [total, sizeBytes] = [tally.items, arrayBytes(tally)];
  const rows = (first: number, count: number): ItemRow[] => run.items(first, Math.min(count, total - first));
  return {
    meta: {
      handle: run.runId,
      kind: 'items',
      mime_type: MIME.json,
      item_count: total,
      size_bytes: sizeBytes,
      expires_at_ms: run.life().lifetime.expires_at_ms,
      untrusted_from: run.facts().source,
    },
    spans: async (first, count) => rows(first, count).map((row) => ({ ...row, end: row.start + row.size })),
    read: async (start, end) => {
      const bytes = Buffer.alloc(end - start);
      const put = (at: number, part: Uint8Array | string): void => {
        const skipped = Math.max(0, start - at);
        bytes.set(Buffer.from(part).subarray(skipped, Math.max(skipped, end - at)), Math.max(0, at - start));
      };
      for (let position = itemAt(rows, start, total); position < total; position += 1) {
        const [row] = rows(position, 1);
        if (row === undefined || row.start - ITEM_LEAD_BYTES >= end) break;
        put(row.start - ITEM_LEAD_BYTES, position === 0 ? '[\n' : ',\n');
        const from = Math.max(0, start - row.start);
        if (row.start < end)
          put(row.start + from, run.part(position, from, Math.min(row.size, end - row.start)));
      }
      if (end > sizeBytes - 2) put(sizeBytes - 2, total === 0 ? '[]' : '\n]');
      return bytes;
    },
    close: async () => undefined,
  };
}

/** The item that has a byte, or that follows it. */
function itemAt(rows: (first: number, count: number) => ItemRow[], byte: number, total: number): number {
  let [low, high] = [0, total];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const [row] = rows(middle, 1);
    if (row !== undefined && row.start + row.size > byte) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** A page of committed items. Positions of oversized items refer to the sealed array. */
export async function readPage(run: StoredRun, request: ItemsRequest) {
  const page = await cutItemPage(openRun(run), request);
  return { ...page, content: page.content.map((item) => StoredJson.parse(item)) };
}
