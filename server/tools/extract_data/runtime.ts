import { SpillwayError, invalidArgument } from '../../../shared/errors.ts';
import type { JsonObject } from '../../../shared/json.ts';
import { MIME } from '../../../shared/mime.ts';
import type { CallContext } from '../../core/context.ts';
import type { Outcome, Produced } from '../../core/result.ts';
import { deferred } from '../../../shared/async.ts';
import { cutUrl } from '../../../shared/cut.ts';
import { answerRun, produceJson } from '../../core/calls/produce.ts';
import type { ToolRuntimes } from '../../core/registry/definition.ts';
import { formatTabId, requireTab, type TabTarget } from '../../core/targets.ts';
import { patternNotes, planJob, type ExtractArgs, type ExtractJob, CrawledArgs, RunArgs } from './job.ts';
import { describeTried, Tally } from './record.ts';
import { PageWalk, type WalkOptions } from './walk.ts';
import type { ToolServices } from '../index.ts';

export type ExtractServices = Pick<ToolServices, 'bridge' | 'runs'>;

const URL_UNITS = 200;

/** `extract_data`: schema and selectors are checked first, then the page is searched. */
export const createRuntimes = (services: ExtractServices): ToolRuntimes => ({
  extract_data: async (args: ExtractArgs, context) => {
    checkArguments(args);
    const job = planJob(args);
    if (args.run !== undefined) return overCrawl(services, args.run, args, context);
    const target = await requireTab(services.bridge, args, context);
    const search = new TabSearch({ services, args, context, job, target });
    return args.multiple ? search.produceItems() : search.produceOne();
  },
});

/** @throws SpillwayError `invalid_argument` for arguments that contradict each other */
function checkArguments({ paginate, multiple, scroll, run, tab }: ExtractArgs): void {
  const refuse = (message: string): never => {
    throw invalidArgument(message);
  };
  if (paginate !== undefined && !multiple) refuse('paginate: requires multiple: true.');
  if (paginate?.scroll === true && paginate.next !== undefined)
    refuse('paginate: takes next or scroll, not both.');
  if (paginate !== undefined && scroll !== undefined)
    refuse('paginate: follows pages; scroll reads one page to its end. Omit one of them.');
  if (run !== undefined && scroll !== undefined) refuse('run: reads the pages of a crawl; omit scroll.');
  if (run !== undefined && tab !== undefined) refuse('run: reads the pages of a crawl; omit tab.');
  if (run !== undefined && paginate !== undefined) refuse('run: reads the pages of a crawl; omit paginate.');
}

/** How to scroll before extraction; null if not requested. */
function scrollOf({ scroll, max_scrolls: maxScrolls, paginate }: ExtractArgs): WalkOptions['scroll'] {
  if (paginate?.scroll === true) return { maxScrolls, maxPages: paginate.max_pages };
  return scroll === undefined ? null : { maxScrolls };
}

/** The pages of a finished crawl: a separate run. */
async function overCrawl(
  { runs }: ExtractServices,
  run: string,
  args: ExtractArgs,
  context: CallContext,
): Promise<Produced> {
  const { tool, status, source } = await runs.get(run);
  if (tool !== 'crawl') throw invalidArgument(`run: ${run} is a run of ${tool}, not of crawl.`);
  if (status === 'queued' || status === 'running')
    throw new SpillwayError(
      'run_busy',
      `run: ${run} is still running; extract from its pages when it has ended.`,
      { hint: 'Follow it with run_status, then call again.' },
    );
  const { render, delay_ms, instance } = CrawledArgs.parse((await runs.args(run)).args);
  const { schema, selectors, scope, strategies, multiple, explain } = args;
  const kept = RunArgs.parse({
    ...{ run, schema, multiple, explain, render, delay_ms, instance },
    ...(selectors === undefined ? {} : { selectors }),
    ...(scope === undefined ? {} : { scope }),
    ...(strategies === undefined ? {} : { strategies }),
  });
  const view = await runs.start({
    tool: 'extract_data',
    args: { ...kept },
    source,
    session: context.session,
    call: context.call,
    signal: context.signal,
    output: context.output,
  });
  return answerRun(runs, view, { context });
}

interface SearchOptions {
  readonly services: ExtractServices;
  readonly args: ExtractArgs;
  readonly context: CallContext;
  readonly job: ExtractJob;
  readonly target: TabTarget;
}

class TabSearch {
  readonly #with: SearchOptions;
  readonly #walk: PageWalk;
  readonly #tally = new Tally();

  constructor(options: SearchOptions) {
    const { services, args, context, job, target } = options;
    this.#with = options;
    context.keepState(() => this.#state());
    this.#walk = new PageWalk({
      bridge: services.bridge,
      target,
      job,
      paginate: args.paginate ?? null,
      scroll: scrollOf(args),
      context,
      deadlineMs: context.clock.monotonic() + context.syncWaitMs,
    });
  }

  produceItems(): Produced {
    const done = deferred<Outcome>();
    done.promise.catch(() => undefined);
    return {
      payload: { kind: 'items', mimeType: MIME.json, items: this.#items(done) },
      done: done.promise,
      untrustedFrom: () => this.#walk.page?.url,
    };
  }

  async *#items({ resolve, reject }: ReturnType<typeof deferred<Outcome>>): AsyncGenerator<JsonObject> {
    const { job } = this.#with;
    try {
      for await (const found of this.#walk.records()) {
        const finished = job.finish(found);
        this.#tally.add(finished);
        yield job.present(finished);
      }
      if (this.#tally.records === 0) throw this.#nothingMatched();
      resolve(this.#outcome());
    } catch (thrown) {
      reject(thrown);
      throw thrown;
    } finally {
      // Silent for a caller without an outcome: a reader that left early has none.
      reject(new SpillwayError('cancelled', 'The records were not read to the end.'));
    }
  }

  /** The page's one record, as a value. */
  async produceOne(): Promise<Produced> {
    const { job } = this.#with;
    let value: JsonObject | null = null;
    for await (const found of this.#walk.records()) {
      const finished = job.finish(found);
      this.#tally.add(finished);
      value ??= job.present(finished);
    }
    if (value === null) throw this.#nothingMatched();
    const { state, coverage } = this.#outcome();
    return { ...produceJson(value, state, coverage), untrustedFrom: () => this.#walk.page?.url };
  }

  #nothingMatched(): SpillwayError {
    const { page, tried, hiddenRecords } = this.#walk;
    const hidden = hiddenRecords === 0 ? '' : ` ${hiddenRecords} hidden records were omitted.`;
    const at = page === null ? 'the page' : cutUrl(page.url, URL_UNITS);
    return new SpillwayError(
      'nothing_matched',
      `Nothing on ${at} matches the schema. Tried: ${describeTried(tried)}.${hidden}`,
      { body: { tried: tried.map((entry) => ({ ...entry })), hidden_records: hiddenRecords } },
    );
  }

  #state(): JsonObject {
    const { page, pages, tried, hiddenRecords } = this.#walk;
    this.#tally.hidden = hiddenRecords;
    return {
      tab: formatTabId(this.#with.target),
      ...page,
      pages,
      ...this.#tally.state(),
      tried: tried.map((entry) => ({ ...entry })),
    };
  }

  #outcome(): Outcome {
    const { coverage } = this.#walk;
    const { job } = this.#with;
    return {
      state: this.#state(),
      coverage: [...coverage, ...this.#tally.notes(), ...patternNotes(job.schema)],
    };
  }
}
