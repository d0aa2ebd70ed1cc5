import { SpillwayError, invalidArgument } from '../../shared/base/errors.ts';
import { Columns } from '../../shared/libraries/values/columns.ts';
import type { JsonObject } from '../../shared/base/json.ts';
import { MIME } from '../../shared/base/mime.ts';
import type { CallContext } from '../core/context.ts';
import type { Outcome, Produced } from '../core/result.ts';
import { gather } from '../../shared/base/queue.ts';
import { cutUrl, textsOf } from '../../shared/base/cut.ts';
import { answerRun, produceJson } from '../core/calls/produce.ts';
import type { ToolRuntimes } from '../core/registry/definition.ts';
import { formatTabId, requireTab, type TabTarget } from '../core/targets.ts';
import { patternNotes, planJob, type ExtractArgs, type ExtractJob, CrawledArgs, RunArgs } from './job.ts';
import { describeTried, finishAll, Tally } from './record.ts';
import { PageWalk, type WalkOptions } from './walk.ts';
import type { ToolServices } from '../core/index.ts';

export type ExtractServices = Pick<ToolServices, 'bridge' | 'runs'>;

const URL_UNITS = 200;

/** `extract_data`: schema and selectors are checked first, then the page is searched. */
export const createRuntimes = (services: ExtractServices): ToolRuntimes => ({
  extract_data: async (args: ExtractArgs, context) => {
    checkArguments(args);
    const job = planJob(args);
    if (args.run !== undefined) return overCrawl(services, args.run, args, context);
    const target = await requireTab(services.bridge, args, context);
    return searchTab(services, { args, context, job, target });
  },
});

/** @throws SpillwayError `invalid_argument` for arguments that contradict each other */
function checkArguments({ paginate, multiple, scroll, run, tab }: ExtractArgs): void {
  const [refused] = textsOf(
    paginate !== undefined && !multiple && 'paginate: requires multiple: true.',
    paginate?.scroll === true && paginate.next !== undefined && 'paginate: takes next or scroll, not both.',
    paginate !== undefined &&
      scroll !== undefined &&
      'paginate: follows pages; scroll reads one page to its end. Omit one of them.',
    ...Object.entries({ scroll, tab, paginate }).map(
      ([name, value]) =>
        run !== undefined && value !== undefined && `run: reads the pages of a crawl; omit ${name}.`,
    ),
  );
  if (refused !== undefined) throw invalidArgument(refused);
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
  const crawled = CrawledArgs.parse((await runs.args(run)).args);
  const kept = RunArgs.parse({ ...args, ...crawled, run });
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

interface Search {
  readonly args: ExtractArgs;
  readonly context: CallContext;
  readonly job: ExtractJob;
  readonly target: TabTarget;
}

/** The records of a tab as they are found, or its one record as a value. */
async function searchTab(
  { bridge }: ExtractServices,
  { args, context, job, target }: Search,
): Promise<Produced> {
  const tally = new Tally();
  const deadlineMs = context.clock.monotonic() + context.syncWaitMs;
  const { paginate = null } = args;
  const walk = new PageWalk({ bridge, target, job, paginate, scroll: scrollOf(args), context, deadlineMs });
  const stateNow = (): JsonObject => {
    const { page, pages, tried, hiddenRecords } = walk;
    tally.hidden = hiddenRecords;
    const strategies = tried.map((entry) => ({ ...entry }));
    return { tab: formatTabId(target), ...page, pages, ...tally.state(), tried: strategies };
  };
  context.keepState(stateNow);
  const outcome = (): Outcome => ({
    state: stateNow(),
    coverage: [...walk.coverage, ...tally.notes(), ...patternNotes(job.schema)],
  });
  async function* records(): AsyncGenerator<JsonObject> {
    const columns = new Columns();
    for await (const finished of finishAll(walk.records(), columns, (found) => job.finish(found, columns))) {
      tally.add(finished);
      yield job.present(finished);
    }
    if (tally.records === 0) throw buildNoMatch(walk);
  }
  const untrustedFrom = (): string | undefined => walk.page?.url;
  if (args.multiple) {
    return { payload: { kind: 'items', mimeType: MIME.json, items: records() }, outcome, untrustedFrom };
  }
  const [value = null] = await gather(records());
  const { state, coverage } = outcome();
  return { ...produceJson(value, state, coverage), untrustedFrom };
}

function buildNoMatch({ page, tried, hiddenRecords }: PageWalk): SpillwayError {
  const hidden = hiddenRecords === 0 ? '' : ` ${hiddenRecords} hidden records were omitted.`;
  const at = page === null ? 'the page' : cutUrl(page.url, URL_UNITS);
  return new SpillwayError(
    'nothing_matched',
    `Nothing on ${at} matches the schema. Tried: ${describeTried(tried)}.${hidden}`,
    {
      quotes: page?.url,
      body: { tried: tried.map((entry) => ({ ...entry })), hidden_records: hiddenRecords },
    },
  );
}
