import { createHash } from 'node:crypto';
import { silentLogger as logger } from './app-options.ts';
import { unwatched } from './unwatched.ts';
import type { JsonObject, JsonValue } from '../../shared/base/json.ts';
import { LIMITS } from '../../shared/base/limits.ts';
import { systemClock } from '../../server/core/services.ts';
import { createSession } from './session.ts';
import type { RunScope, RunStart, RunWorker } from '../../server/core/runs.ts';
import { createOutputStore } from '../../server/core/output/store.ts';
import { createSealer } from '../../server/core/output/serialise.ts';
import { createRedactor } from '../../server/libraries/redaction/index.ts';
import { RunStore } from '../../server/runs/run-store.ts';
import { createRuns } from '../../server/runs/index.ts';

/*
 * A fake crawl with a known result: for the process that the fault tests kill, and for the tests that inspect its
 * remains.
 */

const LINKS = 20;

/** Pages of the graph that a page links to: every page is reached, most of them often. */
const linksOf = (page: number, pages: number): number[] =>
  Array.from({ length: LINKS }, (_, link) => (page * 7 + link * link + link + 1) % pages);

const itemOf = (page: number, size: number): JsonObject => ({
  page,
  text: `é${createHash('sha256').update(String(page)).digest('base64')} `.repeat(Math.ceil(size / 47)),
});

const frontierKey = (page: number) => ['todo', page, `https://example.org/page/${page}?of=graph`] as const;

/** Reads its frontier only from the run's state, so that it resumes where it was killed. */
class GraphWorker implements RunWorker {
  readonly #taken = new Set<number>();
  readonly #onDone: (page: number) => void;

  constructor(onDone: (page: number) => void) {
    this.#onDone = onDone;
  }

  async run(args: JsonObject, scope: RunScope) {
    const [pages, size, atOnce] = [Number(args['pages']), Number(args['size']), Number(args['at_once'])];
    if (scope.state.get(['begun']) === undefined)
      await scope.commit({
        change: (change) => {
          change.put(['begun'], true);
          change.put(frontierKey(0), { from: null });
        },
      });
    let done = 0;
    const visit = async (): Promise<void> => {
      for (let page = this.#next(scope); page !== undefined; page = this.#next(scope)) {
        const links = linksOf(page, pages);
        await scope.commit({
          items: [itemOf(page, size)],
          change: (change) => {
            change.remove(frontierKey(page));
            change.put(['seen', page], true);
            for (const link of links)
              if (change.get(['seen', link]) === undefined) change.put(frontierKey(link), { from: page });
          },
        });
        this.#taken.delete(page);
        done += 1;
        scope.progress({ done, queued: this.#taken.size, failed: 0 });
        this.#onDone(page);
      }
    };
    // Near the end of the graph a visitor finds nothing to do while another still finds pages.
    while (scope.state.get(['begun']) !== undefined && this.#hasMore(scope))
      await Promise.all(Array.from({ length: atOnce }, visit));
    return { state: { pages }, coverage: [] };
  }

  #hasMore(scope: RunScope): boolean {
    return [...scope.state.range({ start: ['todo'], end: ['todp'], limit: 1 })].length > 0;
  }

  #next(scope: RunScope): number | undefined {
    for (const { key } of scope.state.range({
      start: ['todo'],
      end: ['todp'],
      limit: this.#taken.size + 1,
    })) {
      const page = Number(key[1]);
      if (this.#taken.has(page)) continue;
      this.#taken.add(page);
      return page;
    }
    return undefined;
  }
}

/** Runs of a home whose worker crawls the graph; `onDone` is called for each page on the disk. */
export function openGraphRuns(home: string, onDone: (page: number) => void = () => undefined) {
  const journal = { record() {} };
  const store = createOutputStore({
    home,
    clock: systemClock,
    logger,
    journal,
    ttlHours: 24,
    maxBytes: LIMITS.outputMaxBytes,
  });
  return createRuns({
    home,
    clock: systemClock,
    logger,
    journal,
    redactor: createRedactor({ enabled: true }),
    feed: unwatched,
    worker: () => Promise.resolve(new GraphWorker(onDone)),
    sealer: createSealer(store),
    pageBytes: LIMITS.outputPageBytes,
  });
}

type GraphRuns = ReturnType<typeof openGraphRuns>;

/** Crawls `pages` pages with items of about `size` bytes, `at_once` at once. */
export const graphStart = (args: { pages: number; size: number; at_once: number }): RunStart => ({
  tool: 'crawl',
  args,
  source: 'http://graph.test/',
  session: createSession('test'),
  output: { mode: 'inline', inlineLimitBytes: 1 },
});

async function* itemsOf(runs: GraphRuns, runId: string): AsyncGenerator<JsonValue> {
  for (let offset = 0; ;) {
    const page = await runs.page({ runId, offset, limit: 10_000 });
    yield* page.content;
    offset += page.returned;
    if (offset >= page.total) return;
  }
}

const pageOf = (item: JsonValue): JsonValue | undefined =>
  typeof item === 'object' && item !== null && 'page' in item ? item['page'] : undefined;

export const LONG_WAIT = {
  timeoutMs: 600_000,
  signal: new AbortController().signal,
  progress: () => undefined,
};

export async function findRun(home: string, runs: GraphRuns): Promise<string | undefined> {
  const store = new RunStore(home);
  try {
    for (const { runId } of store.list())
      if ((await runs.get(runId).catch(() => undefined)) !== undefined) return runId;
    return undefined;
  } finally {
    store.close();
  }
}

export async function committedPages(runs: GraphRuns, runId: string): Promise<number[]> {
  const pages = [];
  for await (const item of itemsOf(runs, runId)) pages.push(Number(pageOf(item)));
  return pages;
}

/** The whole contents of an ended run, in a deterministic order. */
export async function dumpRun(home: string, runId: string) {
  const runs = openGraphRuns(home);
  const items = [];
  for await (const item of itemsOf(runs, runId)) items.push(item);
  const { view, outcome } = await runs.result(runId);
  await runs.close();
  const store = new RunStore(home);
  const state = [...store.open(runId).range({ start: [], end: ['\u{10FFFF}'] })];
  store.close();
  return {
    status: view.status,
    isSealed: view.output_handle !== null,
    outcome,
    items: items.sort((a, b) => Number(pageOf(a)) - Number(pageOf(b))),
    state,
  };
}
