import { expect, test, vi, beforeEach } from 'vitest';
import { CRAWL_BOUNDS } from '../../../server/crawl/address.ts';
import { type Graph, type GraphNode, wideGraph } from '../../../fixtures/crawl-graph.ts';
import { GraphSource, SITE } from './graph-source.ts';
import { runCrawl, type Crawled } from './run-crawl.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'hrtime', 'performance'] });
});

async function passing(crawl: Promise<Crawled>): Promise<Crawled> {
  let isDone = false;
  void crawl.catch(() => undefined).then(() => (isDone = true));
  while (!isDone) {
    await vi.advanceTimersByTimeAsync(50);
    await new Promise(setImmediate);
  }
  return crawl;
}

const single = (node: GraphNode): Graph => ({
  nodes: { '/': { kind: 'page', links: ['/it'] }, '/it': node },
  robots: null,
  sitemaps: {},
});

function timed(graph: Graph, options: ConstructorParameters<typeof GraphSource>[1] = {}) {
  const times = new Map<string, number[]>();
  const page = async (href: string) => {
    times.set(href, [...(times.get(href) ?? []), Date.now()]);
    return null;
  };
  return { source: new GraphSource(graph, { ...options, page }), times };
}

test.each([
  ['delay_ms', 400, null, { delay_ms: 400, concurrency: 4 }],
  ['a crawl-delay', 2_000, 'User-agent: *\nCrawl-delay: 2', {}],
])('%s is kept between two pages of a host', async (_what, delayMs, robots, args) => {
  const { source, times } = timed({ ...wideGraph(6), robots });
  await passing(runCrawl(source, args));
  const all = [...times.values()].flat().sort((one, other) => one - other);
  const gaps = all.slice(1).map((time, at) => time - (all[at] ?? 0));
  expect(all).toHaveLength(6);
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(delayMs - 1);
});

test('Retry-After is waited for, and the page is read then', async () => {
  const busy: GraphNode = { kind: 'busy', times: 2, retryAfterSeconds: 3, links: [] };
  const { source, times } = timed(single(busy), { retryAfterMs: 3_000 });
  const { items } = await passing(runCrawl(source));
  expect(items.map(({ status }) => status)).toEqual([200, 200]);
  const [first = 0, second = 0, third = 0] = times.get(`${SITE}/it`) ?? [];
  expect(second - first).toBeGreaterThanOrEqual(2_999);
  expect(third - second).toBeGreaterThanOrEqual(2_999);
});

test('a page that is always busy is an item with too_many_requests, after growing waits', async () => {
  const { source, times } = timed(single({ kind: 'status', status: 503 }));
  const { items, outcome } = await passing(runCrawl(source));
  expect(items[1]).toMatchObject({ status: 503, error: { code: 'too_many_requests' } });
  const asked = times.get(`${SITE}/it`) ?? [];
  expect(asked).toHaveLength(CRAWL_BOUNDS.retries + 1);
  const gaps = asked.slice(1).map((time, at) => time - (asked[at] ?? 0));
  expect(gaps).toEqual([...gaps].sort((one, other) => one - other));
  expect(outcome.coverage).toContainEqual(expect.stringContaining('too_many_requests 1'));
});

test.each([
  { status: 502, error: null },
  { status: null, error: { code: 'navigation_failed', message: 'Failed with net::ERR_CONNECTION_RESET.' } },
])('a page is asked for once more after %j', async (facts) => {
  const page = async (href: string) => (href.endsWith('/it') ? facts : null);
  const source = new GraphSource(single({ kind: 'status', status: 200 }), { page });
  expect((await passing(runCrawl(source))).items[1]?.error?.code).toBe(facts.error?.code);
  expect(source.asked.filter((href) => href.endsWith('/it'))).toHaveLength(2);
});

test('a host that fails stops no other, and after a while it is skipped', async () => {
  const wide = wideGraph(30);
  const dead = Array.from({ length: 40 }, (_, at) => `http://dead.test/${at}`);
  const none = { status: null, error: { code: 'host_unreachable', message: 'Nobody answers.' } };
  const source = new GraphSource(wide, {
    page: async (href) => (href.startsWith('http://dead.test/') ? none : null),
  });
  const { items } = await passing(runCrawl(source, { urls: [...dead, `${SITE}/`] }));
  expect(items.filter(({ error }) => error === undefined)).toHaveLength(30);
  expect(items.filter(({ error }) => error?.code === 'host_unreachable')).toHaveLength(40);
  const asked = source.asked.filter((href) => /^http:\/\/dead\.test\/(?!robots\.txt$)/.test(href));
  expect(asked.length).toBeLessThanOrEqual(CRAWL_BOUNDS.hostFailures + 6);
});
