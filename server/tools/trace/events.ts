import { isJsonList, isObject, type JsonObject, type JsonValue } from '../../../shared/json.ts';
import type { Recorded } from '../../../shared/tools/trace/methods.ts';

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
  const attributed = events.filter(isOwn);
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

/** Work of another tab slows this one down. */
const OTHER_TAB = 'other-tab:';

const withoutUrls = (event: JsonObject, urls: ReadonlySet<string>): JsonObject =>
  Object.fromEntries(
    Object.entries(event).map(([key, value]) => [key, value === undefined ? value : blanked(value, urls)]),
  );

function blanked(value: JsonValue, urls: ReadonlySet<string>): JsonValue {
  if (typeof value === 'string') return urls.has(value) ? OTHER_TAB : value;
  if (isJsonList(value)) return value.map((each) => blanked(each, urls));
  return isObject(value) ? withoutUrls(value, urls) : value;
}

/** The most nodes that are named. */
const NODES = 20;

const numbers = (...values: readonly unknown[]): readonly number[] =>
  values.filter((value) => typeof value === 'number');
const movedBy = (event: JsonObject): readonly JsonObject[] => {
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
  const moved = now.flatMap(movedBy).flatMap(({ node_id: id }) => numbers(id));
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
    const nodes = movedBy(event);
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
