import { z } from 'zod';
import { cutUrl, textsOf } from '../../shared/base/cut.ts';
import { each, gather, withResult } from '../../shared/base/queue.ts';
import { SpillwayError } from '../../shared/base/errors.ts';
import { messageOf } from '../../shared/base/message-of.ts';
import { isObject, type JsonObject, isJsonList, type JsonValue } from '../../shared/base/json.ts';
import { Json, parseAs } from '../../shared/base/json-schema.ts';
import { MIME } from '../../shared/base/mime.ts';
import type { manifest, Traced } from '../../shared/trace/trace.manifest.ts';
import { produceJson } from '../core/calls/produce.ts';
import { callerOf, type CallContext } from '../core/context.ts';
import type { ArgsOf, ToolRuntimes } from '../core/registry/definition.ts';
import type { BridgeStream } from '../core/services.ts';
import { formatTabId, onTab, requireTab } from '../core/targets.ts';
import { cleanBytes, cleanJsonText, type CleanBytes, type CleanText } from '../libraries/redaction/clean.ts';
import { runThread } from '../core/bundled.ts';
import { Answer, type Order } from './order.ts';
import type { ToolServices } from '../core/index.ts';
import type { Recorded } from '../../shared/trace/trace.methods.ts';

type TraceServices = Pick<ToolServices, 'bridge' | 'redactor' | 'sealer'>;

interface Source extends TraceServices {
  namesOf(ids: readonly number[]): Promise<Readonly<Record<string, string>>>;
}

const URL_UNITS = 120;
/** Longer than the browser needs to convert a large trace. */
const SILENCE_MS = 45_000;

/** `trace`: the figures of each recording, and the recording itself in the store. */
export const createRuntimes = (services: TraceServices): ToolRuntimes => ({
  trace: async ({ tab, action, cache, ms }: ArgsOf<typeof manifest>, context) => {
    const { bridge } = services;
    const target = await requireTab(bridge, { tab }, context);
    const { browser, tabId: tab_id } = target;
    const name = formatTabId(target);
    const caller = callerOf(context);
    const options = { call: context.call, signal: context.signal, idleTimeoutMs: ms + SILENCE_MS };
    const source: Source = {
      ...services,
      namesOf: async (ids) => {
        if (ids.length === 0) return {};
        const named = bridge.request(browser, 'trace.nodes', { tab_id, ids: [...ids] }, options);
        // They only help to read the trace.
        return named.then(
          ({ names }) => names,
          () => ({}),
        );
      },
    };
    const load = async (is_cold: boolean): Promise<Traced> =>
      keep(bridge.stream(browser, 'trace.load', { tab_id, caller, is_cold, ms }, options), source, context);
    return onTab(target, context, async () => {
      if (action === 'start') {
        await bridge.request(browser, 'trace.start', { tab_id, caller }, options);
        return produce({ tab: name });
      }
      if (action === 'stop') {
        const stream = bridge.stream(browser, 'trace.stop', { tab_id, caller }, options);
        const acts = await keep(stream, source, context);
        return produce({ tab: name, acts }, acts.url);
      }
      if (cache !== 'both') {
        const loaded = await load(cache === 'cold');
        return produce({ tab: name, [cache]: loaded }, loaded.url);
      }
      const cold = await load(true);
      const warm = await load(false);
      const { url, lcp = '', trace, notes = [] } = warm;
      // Its causes are those of the cold load.
      return produce(
        { tab: name, compared: compare(cold, warm), cold, warm: { url, lcp, trace, notes } },
        url,
      );
    });
  },
});

const produce = (value: JsonObject & { readonly tab: string }, source?: string) => ({
  ...produceJson(value, { tab: value.tab }),
  ...(source !== undefined && { untrustedFrom: () => source }),
});

type Vital = 'lcp' | 'fcp_ms' | 'cls' | 'tbt';

/** Each vital as `cold → warm`. */
function compare(cold: Traced, warm: Traced): JsonObject {
  const valueOf = (figure: Traced[Vital]): number | string => {
    if (typeof figure !== 'object') return typeof figure === 'number' ? figure : '-';
    return 'ms' in figure ? figure.ms : figure.score;
  };
  const row = (name: Vital): string => `${valueOf(cold[name])} → ${valueOf(warm[name])}`;
  return { lcp: row('lcp'), fcp: row('fcp_ms'), cls: row('cls'), tbt: row('tbt') };
}

/** Stores a recording, redacted, and analyses what it stored. */
async function keep(
  stream: BridgeStream<'trace.load'> | BridgeStream<'trace.stop'>,
  { redactor, sealer, namesOf }: Source,
  { redact, signal, session }: CallContext,
): Promise<Traced> {
  const { values, result } = withResult<string, Recorded>(stream);
  const chunks = await gather(values);
  const recorded = result();
  const { url, own, is_late: isLate, is_lossy: isLossy } = recorded;
  const events = ownEvents(eventsIn(chunks.join('')), recorded);
  const named = withNames(events, await namesOf(nodesOf(events, recorded)), recorded);
  const { payload, report } = await redactor.payload({
    kind: 'items',
    mimeType: MIME.json,
    items: each(named),
  });
  if (payload.kind !== 'items') throw new SpillwayError('internal_error', 'Redaction changed the trace.');
  const { items } = payload;
  const kept: CleanText[] = [];
  const lines = async function* (): AsyncGenerator<CleanBytes> {
    for await (const item of items) {
      const text = cleanJsonText(item);
      kept.push(text);
      yield cleanBytes(text);
    }
  };
  const descriptor = await sealer.seal({ tool: 'trace', untrustedFrom: redact(url) }, lines());
  session.outputs.add({ descriptor, tool: 'trace' });
  const answer = await analyseInThread({ events: `[${kept.join(',')}]`, own }, signal);
  const counts = Object.entries(report().secrets).flatMap(([kind, count]) =>
    count > 0 ? [`${count} ${kind}`] : [],
  );
  const notes = textsOf(
    isLate && 'The page was still busy when the time was over: pass a larger ms.',
    isLossy && 'The browser lost events: record for a shorter time.',
    'failed' in answer && `The trace could not be analysed: ${answer.failed}.`,
    counts.length > 0 && `Redacted in the trace: ${counts.join(', ')}.`,
  );
  return {
    url: cutUrl(url, URL_UNITS),
    ...('figures' in answer && answer.figures),
    trace: descriptor.output_handle,
    ...(notes.length > 0 && { notes }),
  };
}

/** @throws SpillwayError `stream_corrupt` */
function eventsIn(trace: string): readonly JsonObject[] {
  const { data } = Trace.safeParse(parseAs(Json, trace));
  if (data === undefined) throw new SpillwayError('stream_corrupt', 'The trace is not JSON.');
  return data.traceEvents;
}

const Trace = z.object({ traceEvents: z.array(z.custom<JsonObject>(isObject)) });

const TIME_MS = 30_000;
const MEMORY_MB = 1_024;

/** Analyses a trace. It is worth keeping if that fails. */
export async function analyseInThread(order: Order, signal: AbortSignal): Promise<Answer> {
  const limits = { timeoutMs: TIME_MS, memoryMb: MEMORY_MB, answer: Answer, signal };
  return runThread('trace-worker.js', order, limits).catch((thrown: unknown) => {
    signal.throwIfAborted();
    return { failed: messageOf(thrown) };
  });
}

const dataOf = ({ args }: JsonObject): JsonObject =>
  isObject(args) && isObject(args['data']) ? args['data'] : {};

const texts = (...values: readonly unknown[]): readonly string[] =>
  values.flatMap((value) => (typeof value === 'string' && value !== '' ? [value] : []));

/** The frames that an event names. */
const framesOf = (event: JsonObject): readonly string[] =>
  isObject(event['args'])
    ? texts(
        event['args']['frame'],
        dataOf(event)['frame'],
        isObject(event['args']['beginData']) && event['args']['beginData']['frame'],
      )
    : [];

const urlsOf = (event: JsonObject): readonly string[] =>
  texts(dataOf(event)['url'], dataOf(event)['documentLoaderURL']);

/**
 * The events of a tab, and those by which the engine finds the main frame in each process, which only a trace of the
 * whole browser has.
 */
export function ownEvents(
  events: readonly JsonObject[],
  { url, frames }: Pick<Recorded, 'url' | 'frames'>,
): readonly JsonObject[] {
  const tab = new Set(frames);
  const isOwn = (event: JsonObject): boolean => framesOf(event).every((frame) => tab.has(frame));
  const others = new Set(events.flatMap((event) => (isOwn(event) ? [] : urlsOf(event))));
  const attributed = events.filter(isOwn).map(withoutHeaders);
  for (const event of attributed)
    if (framesOf(event).length > 0) urlsOf(event).forEach((own) => others.delete(own));
  // Samples of scripts name no frame.
  const own = others.size === 0 ? attributed : attributed.map((event) => withoutUrls(event, others));
  const times = own.flatMap(({ ts }) => (typeof ts === 'number' && ts > 0 ? [ts] : []));
  if (times.length === 0) return own;
  const [main = ''] = frames;
  const inBrowser = (name: string, ts: JsonValue | undefined, data: JsonObject): JsonObject => ({
    ...{ name, cat: 'disabled-by-default-devtools.timeline', ph: 'I', s: 't', pid: 1, tid: 1, ts },
    args: { data },
  });
  const frameIn = ({ pid = 0 }: JsonObject, address: JsonValue) => ({
    ...{ frame: main, name: '', processId: pid },
    url: address,
  });
  const firsts = new Map<unknown, JsonObject>();
  for (const event of own)
    if (framesOf(event).includes(main) && !firsts.has(event['pid'])) firsts.set(event['pid'], event);
  const [first = {}, ...later] = firsts.values();
  const start = times.reduce((least, ts) => Math.min(least, ts));
  const shown = { frameTreeNodeId: 1, persistentIds: true, frames: [frameIn(first, url)] };
  return [
    inBrowser('TracingStartedInBrowser', start, shown),
    ...later.map((event) =>
      inBrowser('FrameCommittedInBrowser', event['ts'], frameIn(event, urlsOf(event)[0] ?? url)),
    ),
    ...own,
  ];
}

/** `network` has them: it knows by their names which are secret. */
function withoutHeaders(event: JsonObject): JsonObject {
  const { headers, ...data } = dataOf(event);
  if (headers === undefined || !isObject(event['args'])) return event;
  return { ...event, args: { ...event['args'], data } };
}

/** Work of another tab slows this one down. */
const OTHER_TAB = 'other-tab:';

const withoutUrls = (event: JsonObject, urls: ReadonlySet<string>): JsonObject =>
  Object.fromEntries(
    Object.entries(event).map(([key, value]) => [key, value === undefined ? value : blankUrls(value, urls)]),
  );

function blankUrls(value: JsonValue, urls: ReadonlySet<string>): JsonValue {
  if (typeof value === 'string') return urls.has(value) ? OTHER_TAB : value;
  if (isJsonList(value)) return value.map((each) => blankUrls(each, urls));
  return isObject(value) ? withoutUrls(value, urls) : value;
}

/** Maximum nodes that are named. */
const NODES = 20;

const numbers = (...values: readonly unknown[]): readonly number[] =>
  values.filter((value) => typeof value === 'number');
const listMoved = (event: JsonObject): readonly JsonObject[] => {
  const nodes = event['name'] === 'LayoutShift' ? dataOf(event)['impacted_nodes'] : null;
  return isJsonList(nodes) ? nodes.filter((node) => isObject(node)) : [];
};
const durationOf = (event: JsonObject): number => numbers(dataOf(event)['duration'])[0] ?? 0;
const isInteraction = (event: JsonObject): boolean =>
  event['name'] === 'EventTiming' && Number(dataOf(event)['interactionId']) > 0;
const isCandidate = ({ name }: JsonObject): boolean => name === 'largestContentfulPaint::Candidate';

/** Of the page that is still open: the process of an earlier page has given the same ids to other nodes. */
const isNow = (events: readonly JsonObject[], { frames: [main = ''] }: Pick<Recorded, 'frames'>) => {
  const last = events.findLast((event) => framesOf(event).includes(main));
  return ({ pid }: JsonObject): boolean => pid === last?.['pid'];
};

/** The nodes of the largest paint, of the slowest interaction, and of layout shifts. */
export function nodesOf(events: readonly JsonObject[], of: Pick<Recorded, 'frames'>): readonly number[] {
  const now = events.filter(isNow(events, of));
  const [slowest = {}] = now.filter(isInteraction).sort((one, other) => durationOf(other) - durationOf(one));
  const largest = now.findLast(isCandidate) ?? {};
  const moved = now.flatMap(listMoved).flatMap(({ node_id: id }) => numbers(id));
  const ids = numbers(dataOf(largest)['nodeId'], dataOf(slowest)['nodeId'], ...moved);
  return [...new Set(ids)].slice(0, NODES);
}

/** Names nodes in the members that this or other versions of the browser fill. */
export function withNames(
  events: readonly JsonObject[],
  names: Readonly<Record<string, string>>,
  of: Pick<Recorded, 'frames'>,
): readonly JsonObject[] {
  const isOfPage = isNow(events, of);
  return events.map((event) => {
    const { args } = event;
    const data = dataOf(event);
    const nodes = listMoved(event);
    const nodeName = names[String(data['nodeId'])];
    const named =
      nodes.length > 0
        ? { impacted_nodes: nodes.map((node) => ({ ...node, debug_name: names[String(node['node_id'])] })) }
        : (isInteraction(event) || isCandidate(event)) && nodeName !== undefined
          ? { nodeName }
          : null;
    if (named === null || !isObject(args) || !isOfPage(event)) return event;
    return { ...event, args: { ...args, data: { ...data, ...named } } };
  });
}
