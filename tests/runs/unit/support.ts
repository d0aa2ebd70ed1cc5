import { onTestFinished } from 'vitest';
import { unwatched } from '../../support/unwatched.ts';
import type { JsonObject, JsonValue } from '../../../shared/base/json.ts';
import { LIMITS } from '../../../shared/base/limits.ts';
import { createSession } from '../../support/session.ts';
import type { Outcome } from '../../../server/core/result.ts';
import type { RunScope, RunStart, RunWorker } from '../../../server/core/runs.ts';
import type { JournalEntry } from '../../../server/core/services.ts';
import { createOutputStore } from '../../../server/core/output/store.ts';
import { createSealer } from '../../../server/core/output/serialise.ts';
import { createRedactor } from '../../../server/libraries/redaction/index.ts';
import { createRuns, type RunsOptions } from '../../../server/runs/index.ts';
import { FakeClock } from '../../outputs/unit/support.ts';
import { silentLogger as logger } from '../../support/app-options.ts';
import { temporaryHome } from '../../support/home.ts';

export { untilAborted } from '../../support/test-tool.ts';
export { FakeClock };
export const DAY_MS = 86_400_000;

type Work = (args: JsonObject, scope: RunScope) => Promise<Outcome>;

export interface SetUp extends Partial<RunsOptions> {
  readonly work?: Work;
  readonly maxBytes?: number;
  readonly ttlHours?: number;
}

export const DONE: Outcome = { state: {}, coverage: [] };

/** Runs over one folder, with a worker of the test's own. Closed when the test ends. */
export async function setUp({
  work,
  maxBytes = LIMITS.outputMaxBytes,
  ttlHours = 24,
  ...options
}: SetUp = {}) {
  const home = options.home ?? (await temporaryHome());
  const clock = options.clock ?? new FakeClock();
  const journal: JournalEntry[] = [];
  const record = (entry: JournalEntry): void => void journal.push(entry);
  const store = createOutputStore({
    home,
    clock,
    logger,
    journal: { record },
    ttlHours,
    maxBytes,
    boot: 'test',
  });
  const worker: RunWorker = { run: work ?? (() => Promise.resolve(DONE)) };
  const runs = createRuns({
    home,
    clock,
    logger,
    journal: { record },
    redactor: createRedactor({ enabled: true }),
    feed: unwatched,
    worker: (tool) => (tool === 'crawl' ? Promise.resolve(worker) : undefined),
    sealer: createSealer(store),
    pageBytes: LIMITS.outputPageBytes,
    boot: 'test',
    ...options,
  });
  onTestFinished(() => runs.close());
  return { home, clock, journal, store, runs };
}

export const request = (args: JsonObject = {}, start: Partial<RunStart> = {}): RunStart => ({
  tool: 'crawl',
  args,
  source: 'https://example.org/',
  session: createSession('test'),
  output: { mode: 'inline', inlineLimitBytes: 32_768 },
  ...start,
});

/** Far longer than a run takes on a busy machine. */
export const waiting = (timeoutMs = 300_000, signal = new AbortController().signal) => ({
  timeoutMs,
  signal,
  progress: () => undefined,
});

export async function listOf(items: AsyncIterable<JsonValue>): Promise<JsonValue[]> {
  const list: JsonValue[] = [];
  for await (const item of items) list.push(item);
  return list;
}

export function gate() {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { open, opened };
}
