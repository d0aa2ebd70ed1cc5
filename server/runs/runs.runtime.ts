import type { Runs, RunView } from '../core/runs.ts';
import type { ArgsOf, ToolRuntimes } from '../core/registry/definition.ts';
import type { ToolServices } from '../core/index.ts';
import type {
  runCancel,
  runList,
  runLog,
  runOutput,
  runResume,
  runStatus,
} from '../../shared/runs/runs.manifest.ts';
import {
  produceJson,
  describeRun,
  describeRunWhole,
  produceRunResult,
  runNotes,
  wantsHandle,
  answerRun,
  produceClean,
} from '../core/calls/produce.ts';
import { cleanRecord } from '../libraries/redaction/clean.ts';
import { parseSince } from '../core/arguments.ts';
import type { Produced } from '../core/result.ts';
import { decisionFrom, rememberCall } from '../programs/caller.ts';
import { Json } from '../../shared/base/json-schema.ts';

const HAVE_ENDED: ReadonlySet<RunView['status']> = new Set(['completed', 'failed', 'cancelled']);

const OVERSIZED_NOTE =
  'Items with oversized_bytes are cut: read_with is the call that reads one, whose next_offset continues.';

/** The runtimes of `runs`, by api. */
export const createRuntimes = ({ runs, clock }: Pick<ToolServices, 'runs' | 'clock'>): ToolRuntimes => ({
  /** A run's progress. */
  run_status: async ({ run_id }: ArgsOf<typeof runStatus>, { session }) => {
    const view = await runs.get(run_id);
    // Tools that resume or end it join the session's list.
    session.tools.manage('has_run');
    return produceRun(view, view.notes);
  },
  /**
   * One page of a run's committed items. If no page is requested, and the run has ended and its call wanted a handle,
   * returns that handle.
   */
  run_output: async ({ run_id, offset, limit }: ArgsOf<typeof runOutput>, { session }) => {
    const view = await runs.get(run_id);
    // Tools that resume or end it join the session's list.
    session.tools.manage('has_run');
    if (offset === undefined && limit === undefined && wantsHandle(view)) {
      const handle = await produceHandle(runs, view);
      if (handle !== null) return handle;
    }
    const page = await runs.page({ runId: run_id, offset: offset ?? 0, limit });
    // Notes about all items come with the last ones.
    const ending = page.eof ? await runs.getEnding(run_id) : undefined;
    const notes = page.oversized === undefined ? [] : [OVERSIZED_NOTE];
    return {
      // Items were redacted before they were written.
      ...produceClean(cleanRecord(page), [...runNotes(view), ...notes, ...(ending?.outcome.coverage ?? [])]),
      untrustedFrom: () => ending?.outcome.source ?? view.error?.quotes ?? view.source,
      ...(ending === undefined ? {} : { redacted: ending.redacted }),
    };
  },
  /** Ends a run; committed items stay. */
  run_cancel: async ({ run_id }: ArgsOf<typeof runCancel>) =>
    produceRun(await runs.cancel(run_id, 'run_cancel')),
  /** Resumes a run, and waits for it like the call that started it. */
  run_resume: async ({ run_id, async, outcome, result }: ArgsOf<typeof runResume>, context) => {
    rememberCall(context);
    const decision = decisionFrom(outcome, Json.parse(result ?? null));
    const { call, signal, session } = context;
    const view = await runs.resume(run_id, { call, signal, session, decision });
    return answerRun(runs, view, { async, context, isAsStarted: true });
  },
  /** The newest runs, as `{ runs, total }`. */
  run_list: async ({ status, count }: ArgsOf<typeof runList>, { session }) => {
    const { runs: views, total, left } = await runs.list({ status, count });
    if (views.length > 0) session.tools.manage('has_run');
    const notes = left === 0 ? [] : [`${left} older runs were not checked.`];
    return { ...produceJson({ runs: views.map(describeRun), total }, {}, notes), ...sourceOf(views) };
  },
  /** The last lines of a run's log, oldest first, as `{ run_id, status, lines, total }`. */
  run_log: async ({ run_id, count, since: asked }: ArgsOf<typeof runLog>) => {
    const since = asked === undefined ? undefined : parseSince(asked, clock.now());
    const view = await runs.get(run_id);
    const { lines, total } = await runs.log({ runId: run_id, count, since });
    const head = cleanRecord({ run_id: view.run_id, status: view.status });
    const value = { ...head, lines: [...lines], total };
    // Lines were redacted before they were written.
    return { ...produceClean(value), untrustedFrom: () => view.source };
  },
});

const produceRun = (view: RunView, notes: readonly string[] = []): Produced => ({
  ...produceJson(describeRunWhole(view), {}, notes),
  ...sourceOf([view], notes),
});

/** Errors of runs quote pages, and notes name addresses from them. */
function sourceOf(views: readonly RunView[], notes: readonly string[] = []): Pick<Produced, 'untrustedFrom'> {
  const quoting = views.find(({ error }) => error?.quotes !== undefined);
  const source = quoting?.error?.quotes ?? (notes.length > 0 ? views[0]?.source : undefined);
  return source === undefined ? {} : { untrustedFrom: () => source };
}

/** Null while the run is active, or if the store is full: its pages can still be read. */
async function produceHandle(runs: Runs, view: RunView): Promise<Produced | null> {
  if (!HAVE_ENDED.has(view.status)) return null;
  const result = await runs.result(view.run_id);
  if (result.view.output_handle === null) return null;
  return { ...produceRunResult(result), deliverAs: 'handle' };
}
