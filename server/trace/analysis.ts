import {
  Handlers,
  TraceModel,
  type Insights,
  type Types,
} from '@paulirish/trace_engine/models/trace/trace.js';
import { z } from 'zod';
import { isObject } from '../../shared/base/json.ts';
import { parseUrl } from '../../shared/base/private-address.ts';
import type { Figures } from '../../shared/trace/figures.ts';

type Parsed = NonNullable<ReturnType<InstanceType<typeof TraceModel.Model>['parsedTrace']>>;
type InsightSet = Insights.Types.InsightSet;
type Event = Types.Events.Event;

const Events = z.array(z.custom<Event>((event) => isObject(event) && typeof event['ph'] === 'string'));

/** Maximum lines of each list. */
const LINES = 5;
const FUNCTIONS = 10;
const URL_UNITS = 48;
const NAME_UNITS = 28;
const LONG_TASK_MS = 50;

/** Up to the first is good, beyond the second poor: https://web.dev/articles/defining-core-web-vitals-thresholds */
const LIMITS = { lcp: [2_500, 4_000], cls: [0.1, 0.25], inp: [200, 500], tbt: [200, 600] } as const;

function verdictOn(name: keyof typeof LIMITS, value: number): 'good' | 'needs work' | 'poor' {
  const [good, fair] = LIMITS[name];
  return value <= good ? 'good' : value <= fair ? 'needs work' : 'poor';
}

/** The trace is redacted: these cut no secret. */
const start = (name: string): string =>
  name.length > NAME_UNITS ? `${name.slice(0, NAME_UNITS - 1).toWellFormed()}…` : name;
const end = (path: string): string =>
  path.length > URL_UNITS ? `…${path.slice(1 - URL_UNITS).toWellFormed()}` : path;
const inMs = (micro: number): number => Math.round(micro / 100) / 10;

/**
 * Analyses the events of a tab, with one that names its main frame.
 * @param own begins the addresses of our scripts, whose work is not the page's
 */
export async function analyse(events: unknown, own: string): Promise<Figures> {
  const model = TraceModel.Model.createWithAllHandlers();
  await model.parse(Events.parse(events));
  const parsed = model.parsedTrace();
  const sets = [...(parsed?.insights?.values() ?? [])];
  // The last load; without one, all of the trace.
  const set = sets.findLast(({ navigation }) => navigation !== undefined) ?? sets.at(-1);
  if (parsed === null) throw new Error('it has no events');
  const { mainFrameURL, traceBounds } = parsed.data.Meta;
  const { origin = '' } = parseUrl(mainFrameURL) ?? {};
  const view: View = {
    ...{ parsed, set, startAt: set?.navigation?.ts ?? traceBounds.min },
    short: (url) => {
      const path = url.startsWith(`${origin}/`) ? url.slice(origin.length) : url;
      return end(path.replace(/[?#].*$/s, '?…'));
    },
  };
  const tasks = longTasks(view, own);
  return {
    lcp: lcpOf(view),
    cls: clsOf(view),
    inp: inpOf(view),
    fcp_ms: fcpAt(view) ?? (set?.navigation === undefined ? NO_LOAD : NO_PAINT),
    tbt: tbtOf(view, tasks),
    long_tasks: [...tasks]
      .sort((one, other) => other.ms - one.ms)
      .slice(0, LINES)
      .map(({ ms, atMs, by }) => `${ms} ms at ${atMs} ms${by}`),
    render_blocking: blockingOf(view),
    costly_functions: functionsOf(view, own),
  };
}

interface View {
  readonly parsed: Parsed;
  /** The engine has none for a short trace without a load. */
  readonly set: InsightSet | undefined;
  readonly startAt: number;
  /** An address of a file, shortened. */
  readonly short: (url: string) => string;
}

const NO_LOAD = 'not measured: no load was recorded';
const NO_PAINT = 'not measured: the page painted nothing';

function lcpOf({ set, short }: View): Figures['lcp'] {
  if (set?.navigation === undefined) return NO_LOAD;
  const { lcpMs, lcpEvent, lcpRequest, subparts } = set.model.LCPBreakdown ?? {};
  if (lcpMs === undefined) return 'not measured: the page painted neither text nor a picture';
  const named: unknown = lcpEvent?.args.data;
  const node =
    isObject(named) && typeof named['nodeName'] === 'string' ? named['nodeName'] : 'unknown element';
  const request = lcpRequest === undefined ? '' : ` ${short(lcpRequest.args.data.url)}`;
  const parts = Object.entries({
    ttfb: subparts?.ttfb,
    load_delay: subparts?.loadDelay,
    load: subparts?.loadDuration,
    render_delay: subparts?.renderDelay,
  }).flatMap(([name, part]): [string, number][] => (part === undefined ? [] : [[name, inMs(part.range)]]));
  return {
    ms: Math.round(lcpMs * 10) / 10,
    verdict: verdictOn('lcp', lcpMs),
    element: `${start(node)}${request}`,
    parts: Object.fromEntries<number>(parts),
  };
}

function clsOf({ parsed, set, startAt, short }: View): Figures['cls'] {
  const { worstCluster = worstOf(parsed), shifts } = set?.model.CLSCulprits ?? {};
  const score = worstCluster?.clusterCumulativeScore ?? 0;
  const worst = [...(worstCluster?.events ?? [])]
    .sort((one, other) => scoreOf(other) - scoreOf(one))
    .slice(0, LINES)
    .map((shift) => {
      const nodes = (shift.args.data?.impacted_nodes ?? []).flatMap(({ debug_name: name }) => name ?? []);
      const causes = shifts?.get(shift);
      const why = [
        ...(causes?.unsizedImages ?? []).map(
          ({ paintImageEvent }) => `picture without a size ${short(paintImageEvent.args.data.url ?? '')}`,
        ),
        ...(causes?.webFonts ?? []).map(({ args }) => `font ${short(args.data.url)}`),
        ...(causes?.iframes ?? []).map(({ url = '' }) => `frame ${short(url)}`),
        ...(causes?.nonCompositedAnimations ?? []).map(({ name = '' }) => `animation ${name}`),
      ].slice(0, 1);
      return [
        `${scoreOf(shift).toFixed(3)} at ${inMs(shift.ts - startAt)} ms`,
        ...nodes.slice(0, 2).map((name) => start(name)),
        ...(why.length === 0 ? [] : [`because of ${why.join(', ')}`]),
      ].join(', ');
    });
  return { score: Math.round(score * 1_000) / 1_000, verdict: verdictOn('cls', score), shifts: worst };
}

const worstOf = ({ data }: Parsed): Types.Events.SyntheticLayoutShiftCluster | undefined =>
  [...data.LayoutShifts.clusters].sort(
    (one, other) => other.clusterCumulativeScore - one.clusterCumulativeScore,
  )[0];

const scoreOf = (shift: Types.Events.SyntheticLayoutShift): number =>
  shift.args.data?.weighted_score_delta ?? 0;

function inpOf({ parsed, startAt }: View): Figures['inp'] {
  const longest = parsed.data.UserInteractions.longestInteractionEvent;
  if (longest === null) return 'not measured: nobody clicked, tapped or typed';
  const ms = inMs(longest.dur);
  const { nodeName } = Interaction.safeParse(longest.args.data.beginEvent.args.data).data ?? {};
  const on = nodeName === undefined ? '' : ` on ${start(nodeName)}`;
  return {
    ms,
    verdict: verdictOn('inp', ms),
    event: `${longest.type}${on} at ${inMs(longest.ts - startAt)} ms`,
    parts: {
      input_delay: inMs(longest.inputDelay),
      processing: inMs(longest.mainThreadHandling),
      presentation_delay: inMs(longest.presentationDelay),
    },
  };
}

const Interaction = z.object({ nodeName: z.string().optional() });

function fcpAt({ parsed, set }: View): number | undefined {
  if (set?.navigation === undefined) return undefined;
  const scores = parsed.data.PageLoadMetrics.metricScoresByFrameId.get(set.frameId)?.get(set.navigation);
  const fcp = scores?.get(Handlers.ModelHandlers.PageLoadMetrics.MetricName.FCP);
  return fcp === undefined ? undefined : inMs(fcp.timing);
}

interface LongTask {
  readonly ms: number;
  readonly atMs: number;
  readonly by: string;
}

function tbtOf(view: View, tasks: readonly LongTask[]): Figures['tbt'] {
  const from = view.set?.navigation === undefined ? 0 : fcpAt(view);
  if (from === undefined) return NO_PAINT;
  const ms = tasks.reduce(
    (sum, task) => sum + Math.max(0, task.atMs + task.ms - Math.max(from, task.atMs) - LONG_TASK_MS),
    0,
  );
  return { ms: Math.round(ms), verdict: verdictOn('tbt', ms) };
}

/** The main thread's, with the script that took the most of each. */
function longTasks({ parsed, startAt, short }: View, own: string): readonly LongTask[] {
  return [...parsed.data.Renderer.processes.values()]
    .flatMap(({ threads }) => [...threads.values()])
    .filter(({ name }) => name === 'CrRendererMain')
    .flatMap(({ entries }) => {
      const scripts = entries.filter(({ name }) => SCRIPTS.has(name));
      return entries
        .filter(({ name, dur = 0, ts }) => name === 'RunTask' && dur > LONG_TASK_MS * 1_000 && ts >= startAt)
        .flatMap(({ ts, dur = 0 }) => {
          const [longest] = scripts
            .filter((script) => script.ts >= ts && script.ts < ts + dur)
            .sort((one, other) => (other.dur ?? 0) - (one.dur ?? 0));
          const { url, by } = locateSample(longest, short);
          return url.startsWith(own) ? [] : [{ ms: inMs(dur), atMs: inMs(ts - startAt), by }];
        });
    });
}

const SCRIPTS: ReadonlySet<string> = new Set(['EvaluateScript', 'FunctionCall', 'v8.compile']);

function locateSample(
  event: Event | undefined,
  short: View['short'],
): { readonly url: string; readonly by: string } {
  const data: unknown = event?.args?.data;
  const { url = '', lineNumber = 0, functionName = '' } = SourceFrame.safeParse(data).data ?? {};
  const name = functionName === '' ? '' : ` in ${start(functionName)}`;
  return { url, by: url === '' ? name : `${name}, ${short(url)}:${lineNumber}` };
}

const SourceFrame = z.object({
  url: z.string().optional(),
  lineNumber: z.number().optional(),
  functionName: z.string().optional(),
});

function blockingOf({ set, startAt, short }: View): string[] {
  const { renderBlockingRequests = [] } = set?.model.RenderBlocking ?? {};
  return renderBlockingRequests.slice(0, LINES).map(({ args: { data }, ts, dur }) => {
    const kb = Math.round(data.encodedDataLength / 1_024);
    return `${short(data.url)}, ${inMs(dur)} ms from ${inMs(ts - startAt)} ms, ${kb} KiB`;
  });
}

const NO_FUNCTIONS: ReadonlySet<string> = new Set(['(root)', '(program)', '(idle)']);

function functionsOf({ parsed, short }: View, own: string): string[] {
  const costs = new Map<string, number>();
  for (const threads of parsed.data.Samples.profilesInProcess.values())
    for (const { parsedProfile } of threads.values())
      parsedProfile.forEachFrame(
        () => undefined,
        (_depth, { functionName, url, lineNumber }, _sample, _ts, _dur, selfMs) => {
          if (NO_FUNCTIONS.has(functionName) || url.startsWith(own)) return;
          const line = lineNumber < 0 ? '' : `:${lineNumber + 1}`;
          const place = url === '' ? '' : ` ${short(url)}${line}`;
          const name = `${start(functionName || '(anonymous)')}${place}`;
          costs.set(name, (costs.get(name) ?? 0) + selfMs);
        },
      );
  return [...costs]
    .map(([name, ms]): [string, number] => [name, Math.round(ms * 10) / 10])
    .filter(([, ms]) => ms >= 1)
    .sort(([, one], [, other]) => other - one)
    .slice(0, FUNCTIONS)
    .map(([name, ms]) => `${ms} ms ${name}`);
}
