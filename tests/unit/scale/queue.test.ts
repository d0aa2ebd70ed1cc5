import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { readCrawlGraph } from '../../../fixtures/crawl-graph.ts';
import { systemClock as clock } from '../../../server/core/services.ts';
import { createRedactor } from '../../../server/redact/index.ts';
import { createPageQueue, inspectQueue, startWorker } from '../../../server/scale/index.ts';
import { KEYS, type Answer, type Asked } from '../../../server/scale/wire.ts';
import type { ReadAsked, WorkerOptions } from '../../../server/scale/worker.ts';
import { readGraph } from '../../support/queue-worker.ts';
import { followHops, type HopSource } from '../../../server/toolkit/crawl-source.ts';
import { AddressGuard } from '../../../server/toolkit/redirects.ts';
import { silentLogger as logger } from '../../support/app-options.ts';
import { startRedis, type TestRedis } from '../../support/redis.ts';
import { GraphSource, SITE } from '../crawl/graph-source.ts';
import { runCrawl, type Item } from '../crawl/run-crawl.ts';

const graph = readCrawlGraph();
const redactor = createRedactor({ enabled: true });
let redis: TestRedis;

beforeAll(async () => {
  redis = await startRedis();
});

async function work(read: ReadAsked, special: Partial<WorkerOptions> = {}) {
  const worker = await startWorker({
    ...{ place: redis, read, redactor, logger, lanes: 4, jobMs: 5_000, jobBytes: 1_000_000, leaseMs: 1_000 },
    ...special,
  });
  onTestFinished(() => worker.close());
  return worker;
}

function home(crawl: string, delayMs = 0): HopSource {
  const queue = createPageQueue({ place: redis, redactor, sites: null, clock, logger });
  onTestFinished(() => queue.close());
  const pages = { crawl, render: 'never', format: 'markdown', mainContentOnly: false } as const;
  return queue.hops({ ...pages, guard, delayMs });
}

const guard = new AddressGuard([`${SITE}/`]);
const ofTheSite = (items: readonly Item[]) =>
  items
    .map(({ url, depth, status, title, markdown, links, content_hash, error }) => ({
      ...{ url, depth, status, title, markdown, links, content_hash, error },
    }))
    .sort((one, other) => (one.url < other.url ? -1 : 1));

test('three workers read the items that are read in place, and leave nothing in Redis', async () => {
  const here = new GraphSource(graph);
  const inPlace = await runCrawl(
    followHops(
      {
        hop: (href, signal) => here.page(href, signal),
        resource: (request, use) => here.resource(request, use),
        release: () => here.release(),
      },
      guard,
    ),
  );
  const there = new GraphSource(graph);
  const workers = [await work(readGraph(there)), await work(readGraph(there)), await work(readGraph(there))];
  const queued = await runCrawl(followHops(home('run_A'), guard));
  expect(ofTheSite(queued.items)).toEqual(ofTheSite(inPlace.items));
  expect([...there.asked].sort()).toEqual([...here.asked].sort());
  for (const worker of workers) expect(worker.facts().done).toBeGreaterThan(0);
  expect(await redis.client.keys('spillway:answer:*')).toEqual([]);
});

const failed = async (read: ReadAsked, special: Partial<WorkerOptions> = {}) => {
  await work(read, special);
  const { facts } = await home('run_B').hop(`${SITE}/page`, new AbortController().signal);
  return facts.error;
};

test.each<[string, ReadAsked, Partial<WorkerOptions>]>([
  ['response_timeout', () => new Promise(() => undefined), { jobMs: 50 }],
  ['internal_error', () => Promise.reject(new Error('It throws.')), {}],
])('a poisoned page that ends with %s is a page with that error', async (code, read, special) => {
  expect(await failed(read, special)).toMatchObject({ code });
});

test('addresses and answers hold no secret in Redis, nor does a worker request a private address', async () => {
  const token = `ghp_x7Qm2Kp9Zt4Lw8Rv6Nb3Yc5Hd1Jf0GsAeUi0`;
  const asked: Asked[] = [];
  const source = new GraphSource(graph, { page: async () => ({ title: `Key ${token}` }) });
  await work((given, signal): Promise<Answer> => {
    asked.push(given);
    return readGraph(source)(given, signal);
  });
  const { signal } = new AbortController();
  const hops = home('run_C');
  expect((await hops.hop(`${SITE}/?key=${token}`, signal)).facts.error).toMatchObject({
    code: 'url_not_allowed',
  });
  expect((await hops.hop(`${SITE}/key`, signal)).facts.title).toMatch(/^Key «redacted:/);
  expect((await hops.hop('http://127.0.0.1:1/', signal)).facts.error).toMatchObject({
    code: 'redirect_refused',
  });
  expect(asked.map(({ href }) => href)).toEqual([`${SITE}/key`]);
});

test('a host is asked within its delay by one worker, for one of two homes', async () => {
  const startedAt: number[] = [];
  const read: ReadAsked = (asked, signal) => {
    startedAt.push(performance.now());
    return readGraph(new GraphSource(graph))(asked, signal);
  };
  await Promise.all([work(read), work(read)]);
  const homes = [home('run_D', 100), home('run_E', 100)];
  const { signal } = new AbortController();
  await Promise.all(homes.flatMap((hops) => [1, 2, 3].map((page) => hops.hop(`${SITE}/p${page}`, signal))));
  const gaps = startedAt.slice(1).map((at, index) => at - (startedAt[index] ?? 0));
  expect(gaps).toHaveLength(5);
  // Redis counts whole milliseconds.
  expect(Math.min(...gaps)).toBeGreaterThan(98);
});

test('doctor and run_status name the workers, and those of another version', async () => {
  const beat = { wire: 1, version: '9.9.9', lanes: 3, active: 0 };
  await redis.client.sadd(KEYS.workers, 'other');
  await redis.client.set(KEYS.worker('other'), JSON.stringify(beat));
  onTestFinished(async () => void (await redis.client.del(KEYS.worker('other'))));
  const other = expect.stringContaining('9.9.9');
  expect(await inspectQueue(redis)).toEqual({
    evidence: ['workers: 0, lanes: 0'],
    warnings: [lone, other],
  });
  await work(readGraph(new GraphSource(graph)));
  const notes: string[] = [];
  home('run_F').onNote?.((note) => notes.push(note));
  await expect.poll(() => notes).toContain('workers: 1, lanes: 4');
  expect(await inspectQueue(redis)).toEqual({ evidence: ['workers: 1, lanes: 4'], warnings: [other] });
});

const lone = 'No worker of this version is there: start `spillway worker`.';
