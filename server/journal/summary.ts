import type { JsonObject } from '../../shared/json.ts';
import type { StoredEntry } from './reader.ts';

/** Durations kept a tool: the newest of them, so that memory is bounded. */
const DURATIONS = 10_000;

interface ToolTotals {
  calls: number;
  bytes: number;
  readonly errors: Map<string, number>;
  readonly durationsMs: number[];
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function sorted(counts: ReadonlyMap<string, number>): JsonObject {
  return Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Nearest-rank percentile (`share` in 0..1) of durations in ascending order; null of none. */
function percentile(ascending: readonly number[], share: number): number | null {
  return ascending[Math.max(0, Math.ceil(share * ascending.length) - 1)] ?? null;
}

function numberOf(entry: StoredEntry, key: string): number | undefined {
  const value = entry[key];
  return typeof value === 'number' ? value : undefined;
}

function addCall(totals: ToolTotals, entry: StoredEntry): void {
  totals.calls += 1;
  totals.bytes += numberOf(entry, 'content_bytes') ?? numberOf(entry, 'size_bytes') ?? 0;
  if (typeof entry['code'] === 'string') count(totals.errors, entry['code']);
  else if (entry['ok'] === false) count(totals.errors, 'unknown');
  const durationMs = numberOf(entry, 'duration_ms');
  if (durationMs !== undefined && totals.durationsMs.length < DURATIONS) totals.durationsMs.push(durationMs);
}

function present(totals: ToolTotals): JsonObject {
  const ascending = totals.durationsMs.sort((a, b) => a - b);
  return {
    calls: totals.calls,
    errors: sorted(totals.errors),
    bytes: totals.bytes,
    median_ms: percentile(ascending, 0.5),
    p95_ms: percentile(ascending, 0.95),
  };
}

/**
 * Totals per event and, for `tool_call` entries, per tool: calls, errors by code, bytes of the
 * answers, median and 95th percentile of the duration in milliseconds.
 */
export async function summarise(entries: AsyncIterable<StoredEntry>): Promise<JsonObject> {
  const events = new Map<string, number>();
  const tools = new Map<string, ToolTotals>();
  let total = 0;
  let oldest: string | null = null;
  let newest: string | null = null;
  for await (const entry of entries) {
    total += 1;
    newest ??= entry.ts;
    oldest = entry.ts;
    count(events, entry.event);
    const tool = entry['tool'];
    if (entry.event !== 'tool_call' || typeof tool !== 'string') continue;
    const totals = tools.get(tool) ?? { calls: 0, bytes: 0, errors: new Map(), durationsMs: [] };
    tools.set(tool, totals);
    addCall(totals, entry);
  }
  const byName = [...tools].sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    entries: total,
    oldest,
    newest,
    events: sorted(events),
    tools: Object.fromEntries(byName.map(([name, totals]) => [name, present(totals)])),
  };
}
