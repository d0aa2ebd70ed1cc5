import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { formatNote } from '../../shared/core/notes.ts';
import { SpillwayError } from '../../shared/base/errors.ts';
import { Columns } from '../../shared/libraries/values/columns.ts';
import { FoundRecord } from '../../shared/libraries/values/request.ts';
import { type JsonObject, type JsonValue } from '../../shared/base/json.ts';
import {
  browserHops,
  browserLine,
  followHops,
  isRedacted,
  startsOf,
  type BrowserLine,
  type PageQueue,
  type PageSource,
} from '../crawl/source.ts';
import { expectOnWorkers, expectToCrawl, AddressGuard, untilStopped } from '../crawl/redirects.ts';
import { parseStored, type RunKey, type Runs, type RunScope, type RunWorker } from '../core/runs.ts';
import { cut, cutUrl } from '../../shared/base/cut.ts';
import type { Outcome } from '../core/result.ts';
import { patternNotes, planJob, type ExtractJob, CrawledArgs, CrawledItem, RunArgs } from './job.ts';
import { MAX_HELD, SavedColumns, SavedTally, Tally } from './record.ts';
import type { ToolServices } from '../core/index.ts';

/** Pages read concurrently; their records keep the order of the crawl. */
const AT_ONCE = 6;
const URL_UNITS = 120;
const MESSAGE_UNITS = 160;
const FAILURES_NAMED = 3;
/** Pages that wait at once for others: an interrupted run reads them again. */
const PAGES_HELD = 100;

export type RunServices = Pick<ToolServices, 'bridge' | 'runs' | 'queue'>;

/** The work of the runs of `extract_data`: extracts records from the pages of a crawl. */
export function createWorker(services: RunServices): RunWorker {
  return {
    admit: async (stored, by) => {
      const args = RunArgs.parse(stored);
      if (by.call === null) return;
      const { bridge, queue, runs } = services;
      const starts = await startsOfCrawl(runs, args);
      if (queue !== null && args.instance === null) return expectOnWorkers(bridge, starts, by);
      const line = browserLine({ bridge, instance: args.instance });
      await expectToCrawl(bridge, await line.browser(by.signal), starts, by);
    },
    async run(stored, scope) {
      const args = RunArgs.parse(stored);
      // A crawl of a browser with its sign-ins stays there.
      const queue = args.instance === null ? await services.queue?.() : undefined;
      const search = (own: RunScope) => new CrawlSearch(services, args, own, queue).run();
      return queue === undefined ? search(scope) : untilStopped(services.bridge, scope, search);
    },
  };
}

interface InFlight {
  readonly index: number;
  readonly page: Promise<PageRecords | null>;
}

/** A page that was read, and waits for others with the same columns. */
interface Held {
  readonly index: number;
  readonly page: PageRecords | null;
}

interface PageRecords {
  readonly url: string;
  readonly found: readonly FoundRecord[];
  readonly failure: { readonly code: string; readonly message: string } | null;
}

const SECRET = { code: 'page_changed', message: 'Its address has a secret, which the crawl has not kept.' };

const POSITION: RunKey = ['next'];
const COUNTS: RunKey = ['counts'];

const SavedCounts = z.object({
  pages: z.int(),
  failed: z.int(),
  failures: z.array(z.string()),
  tally: SavedTally,
  columns: SavedColumns.default([]),
});

class CrawlSearch {
  readonly #job: ExtractJob;
  readonly #tally = new Tally();
  readonly #columns = new Columns();
  readonly #held: Held[] = [];
  #counts: Omit<z.infer<typeof SavedCounts>, 'tally' | 'columns'> = { pages: 0, failed: 0, failures: [] };
  #position = 0;
  readonly #line: BrowserLine;
  /** Addresses at which the crawl began. */
  #starts: readonly string[] = [];

  constructor(
    private readonly services: RunServices,
    private readonly args: RunArgs,
    private readonly scope: RunScope,
    private readonly queue: PageQueue | undefined,
  ) {
    this.#job = planJob(args);
    this.#line = browserLine({ bridge: services.bridge, instance: args.instance });
  }

  async run(): Promise<Outcome> {
    this.#restore();
    const source = await this.services.runs.result(this.args.run);
    const total = source.view.items;
    this.#starts = await startsOfCrawl(this.services.runs, this.args);
    const inFlight: InFlight[] = [];
    const atOnce = this.args.delay_ms > 0 ? 1 : AT_ONCE;
    let index = -1;
    try {
      for await (const item of source.items()) {
        index += 1;
        if (index < this.#position) continue;
        const page = this.#read(item);
        // It may fail while an earlier page is awaited.
        page.catch(() => undefined);
        inFlight.push({ index, page });
        if (inFlight.length >= atOnce) await this.#commitFirst(inFlight, total);
      }
      while (inFlight.length > 0) await this.#commitFirst(inFlight, total);
      await this.#commitHeld();
    } finally {
      await this.#source([]).release();
    }
    return this.#outcome();
  }

  /** Continues at the stored position of a run that was interrupted. */
  #restore(): void {
    const { state } = this.scope;
    this.#position = parseStored(z.int(), state.get(POSITION), 'The position in the crawl') ?? 0;
    const saved = parseStored(SavedCounts, state.get(COUNTS), 'The counts of the records');
    if (saved === undefined) return;
    const { tally, columns, ...counts } = saved;
    this.#counts = counts;
    this.#columns.restore(columns);
    this.#tally.restore(tally);
  }

  /** Null for a page that the crawl itself could not read, or has read twice. */
  async #read(item: JsonValue): Promise<PageRecords | null> {
    const { signal } = this.scope;
    const { data } = CrawledItem.safeParse(item);
    if (data === undefined || !isReadable(data)) return null;
    const { url } = data;
    if (isRedacted(url)) return { url, found: [], failure: SECRET };
    if (this.args.delay_ms > 0 && this.#counts.pages > 0)
      await delay(this.args.delay_ms, undefined, { signal });
    // Without the browser every further page would fail, so the run stops and can be resumed.
    const { facts, found = [] } = await this.#source([url]).page(url, signal);
    return { url, found: found.map((record) => FoundRecord.parse(record)), failure: facts.error };
  }

  /** @param own addresses that may be where the crawl's own are not */
  #source(own: readonly string[]): PageSource {
    const { bridge } = this.services;
    const { runId, call } = this.scope;
    const guard = new AddressGuard([...this.#starts, ...own]);
    const pages = {
      crawl: runId,
      render: this.args.render,
      format: 'text',
      mainContentOnly: false,
      extract: this.#job.request,
    } as const;
    const hops =
      this.queue?.hops({ ...pages, guard }) ??
      browserHops({ ...pages, bridge, line: this.#line, call, allowPrivate: guard.allowsPrivate });
    hops.paceBy?.(() => this.args.delay_ms);
    return followHops(hops, guard);
  }

  /** Commits the first page that is being read, unless a value can only be read with those of later pages. */
  async #commitFirst(inFlight: InFlight[], total: number): Promise<void> {
    const first = inFlight.shift();
    if (first === undefined) return;
    const page = await first.page;
    for (const record of page?.found ?? []) this.#job.finish(record, this.#columns);
    this.#held.push({ index: first.index, page });
    const records = this.#held.reduce((sum, held) => sum + (held.page?.found.length ?? 0), 0);
    if (!this.#columns.isAsked || records >= MAX_HELD || this.#held.length >= PAGES_HELD)
      await this.#commitHeld();
    const queued = Math.max(0, total - first.index - 1);
    const done = this.#counts.pages + this.#held.filter((held) => held.page !== null).length;
    this.scope.progress({ done, queued, failed: this.#counts.failed });
  }

  async #commitHeld(): Promise<void> {
    const held = this.#held.splice(0);
    const last = held.at(-1);
    if (last === undefined) return;
    const items = held.flatMap(({ page }) => (page === null ? [] : this.#finish(page)));
    await this.scope.commit({
      items,
      change: (change) => {
        change.put(POSITION, last.index + 1);
        const saved = { ...this.#counts, tally: this.#tally.save(), columns: this.#columns.save() };
        change.put(COUNTS, this.scope.redact(saved));
      },
    });
  }

  #finish({ url, found, failure }: PageRecords): JsonObject[] {
    const counts = this.#counts;
    counts.pages += 1;
    if (failure !== null) {
      counts.failed += 1;
      const named = `${cutUrl(url, URL_UNITS)}: ${failure.code}: ${cut(failure.message, MESSAGE_UNITS)}`;
      if (counts.failures.length < FAILURES_NAMED) counts.failures.push(named);
    }
    return found.map((record) => {
      const finished = this.#job.finish(record, this.#columns);
      this.#tally.add(finished);
      const shown = this.#job.present(finished);
      // With `explain` the record is already wrapped.
      return this.args.explain ? { page: url, ...shown } : { page: url, record: shown };
    });
  }

  #outcome(): Outcome {
    const { pages, failed, failures } = this.#counts;
    if (this.#tally.records === 0)
      throw new SpillwayError(
        'nothing_matched',
        `Nothing on ${pages} pages of ${this.args.run} matches the schema${failed > 0 ? `; ${failed} could not be read` : ''}.`,
      );
    const more = failed - failures.length;
    return {
      state: { run: this.args.run, pages, failed_pages: failed, ...this.#tally.state() },
      coverage: [
        ...failures.map((failure) => formatNote('unread', { failure })),
        ...(more > 0 ? [formatNote('more_unread', { count: more })] : []),
        ...this.#tally.notes(),
        ...patternNotes(this.#job.schema),
      ],
    };
  }
}

const startsOfCrawl = async (runs: Runs, { run }: RunArgs): Promise<readonly string[]> =>
  startsOf(CrawledArgs.parse((await runs.args(run)).args));

/** Neither failures nor earlier content nor a server's error page. */
const isReadable = ({ status, error, duplicate_of }: CrawledItem): boolean =>
  error === undefined && duplicate_of === undefined && (status === null || status < 400);
